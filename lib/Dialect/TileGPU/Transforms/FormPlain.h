/* FormPlain.h - products of blocks that the copy engine cannot bring after all. */
#ifndef TILE_LIB_TILEGPU_FORMPLAIN_H
#define TILE_LIB_TILEGPU_FORMPLAIN_H
#include "tile-c/AxisInfo.h"
#include "tile-c/IR.h"

/// `tile_gpu.no_block` of a load in a kernel's second version.
extern const char tileFormedLoad[];

/// The load that a factor is, transposed or not; null if it is none.
MlirOperation tileFactorLoad(MlirValue factor);
/// Makes a product in the second version one of short steps along K, if both factors are such loads: few registers are enough
/// beside the sums.
void tileFormPlainProduct(TileBuilder b, const TileAxisInfo *info, MlirOperation dot);
/// The same for a store: its pointers and mask are computed where they are needed.
void tileFormPlainStore(TileBuilder b, const TileAxisInfo *info, MlirOperation store);

#endif
