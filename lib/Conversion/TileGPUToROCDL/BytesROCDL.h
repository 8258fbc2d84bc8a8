/* BytesROCDL.h - bytes as floats on AMD. */
#ifndef TILE_LIB_CONVERSION_BYTESROCDL_H
#define TILE_LIB_CONVERSION_BYTESROCDL_H
#include "../TileGPUToLLVM/Lowering.h"

/// TileLoweringHooks.widenBytes.
bool tileAmdWidenBytes(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                       MlirValue out[4]);
/// TileLoweringHooks.packBytes.
bool tileAmdPackBytes(TileLowering *l, const MlirValue bytes[4], MlirValue *out_word);
/// TileLoweringHooks.widenFloat8.
bool tileAmdWidenFloat8(TileLowering *l, TileElementType from, TileElementType to, const MlirValue bytes[4],
                        MlirValue out[4]);

/// TileLoweringHooks.multiplyBrains.
void tileAmdMultiplyBrains(TileLowering *l, const MlirValue x[2], const MlirValue y[2], MlirValue out[2]);

#endif
