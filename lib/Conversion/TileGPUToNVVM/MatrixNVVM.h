/* MatrixNVVM.h - mma.sync and conversions in front of it, behind the lowering's hooks. */
#ifndef TILE_LIB_CONVERSION_MATRIXNVVM_H
#define TILE_LIB_CONVERSION_MATRIXNVVM_H
#include "../TileGPUToLLVM/Lowering.h"

bool tileNvidiaHasMatrix(TileLowering *l, const TileMatrixCall *call);
int tileNvidiaPackFragment(TileLowering *l, const TileMatrixCall *call, TileMatrixRole role,
                           const MlirValue *elements, int n, MlirValue *out);
void tileNvidiaUnpackFragment(TileLowering *l, const TileMatrixCall *call, const MlirValue *packed, int count,
                              MlirValue *elements, int n);
void tileNvidiaMultiply(TileLowering *l, const TileMatrixCall *call, const MlirValue *a, int na,
                        const MlirValue *b, int nb, MlirValue *acc, int nacc);

bool tileNvidiaWidenBytes(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                          MlirValue out[4]);
/// Four bytes of one word that are out of its order, in a word of theirs; false if they are not.
bool tileNvidiaOrderBytes(TileLowering *l, const MlirValue bytes[4], MlirValue out[4]);

#endif
