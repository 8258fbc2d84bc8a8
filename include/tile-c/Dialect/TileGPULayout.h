/* TileGPULayout.h - between #tile_gpu.layout attributes and the layout algebra's TileLayout.
 *
 * The attribute holds bases and a rank; the shape is the tensor's. Both hold one basis vector per bit of
 * register, lane, warp and block, in that order, so that the conversion is exact both ways for layouts of
 * registers (not of memory). */
#ifndef TILE_C_DIALECT_TILEGPULAYOUT_H
#define TILE_C_DIALECT_TILEGPULAYOUT_H
#include "tile-c/IR.h"
#include "tile-c/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The attribute with the layout's bases; null if the rank is 0.
MlirAttribute tileLayoutToAttr(MlirContext context, const TileLayout *layout);
/// The layout of `attr` on a tensor of `shape` (`rank` sizes, in elements). False, `out` untouched, if `attr`
/// is null or no #tile_gpu.layout, has another rank, has a coordinate outside the shape, or a size is no
/// power of two.
bool tileLayoutFromAttr(MlirAttribute attr, const int64_t *shape, int rank, TileLayout *out);
/// The layout in the encoding of a tensor type; false as above, and for anything but a tensor.
bool tileLayoutOfType(MlirType tensor, TileLayout *out);
/// Registers of 32 bits that a thread needs for a tensor with a layout; 0 for other types.
int64_t tileRegisterWords(MlirType type);

#ifdef __cplusplus
}
#endif
#endif
