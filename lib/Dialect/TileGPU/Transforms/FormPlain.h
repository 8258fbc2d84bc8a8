/* FormPlain.h - products of blocks that the copy engine cannot bring after all. */
#ifndef TILE_LIB_TILEGPU_FORMPLAIN_H
#define TILE_LIB_TILEGPU_FORMPLAIN_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/IR.h"
#include "tile-c/Support/Arena.h"

/// `tile_gpu.no_block` of a load in a kernel's second version.
extern const char tileFormedLoad[];

/// The load that a factor is, transposed or not; null if it is none.
MlirOperation tileFactorLoad(MlirValue factor);
/// Makes a block the second version: its loops do not run ahead, its products are of short steps along K, if both factors are such loads, so
/// that few registers are enough beside the sums, and stores' pointers and masks are computed where they are needed. `pairs`: pairs of
/// neighbours are words (FormPairs.h).
void tileFormPlainBlock(TileBuilder b, TileArena *arena, const TileModuleTarget *target,
                        const TileAxisInfo *info, MlirBlock block, bool pairs);

#endif
