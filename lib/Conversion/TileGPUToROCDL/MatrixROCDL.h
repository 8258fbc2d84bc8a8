/* MatrixROCDL.h - MFMA and WMMA, behind the lowering's hooks. */
#ifndef TILE_LIB_CONVERSION_MATRIXROCDL_H
#define TILE_LIB_CONVERSION_MATRIXROCDL_H
#include "../TileGPUToLLVM/Lowering.h"

bool tileAmdHasMatrix(TileLowering *l, const TileMatrixCall *call);
int tileAmdPackFragment(TileLowering *l, const TileMatrixCall *call, TileMatrixRole role,
                        const MlirValue *elements, int n, MlirValue *out);
void tileAmdUnpackFragment(TileLowering *l, const TileMatrixCall *call, const MlirValue *packed, int count,
                           MlirValue *elements, int n);
void tileAmdMultiply(TileLowering *l, const TileMatrixCall *call, const MlirValue *a, int na,
                     const MlirValue *b, int nb, MlirValue *acc, int nacc);

#endif
