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
/// that few registers are enough beside the sums, and stores' pointers and masks are computed where they are needed. `packed`: so many
/// neighbours share a register, 1 or 2 (FormPairs.h); 0: other versions run for all that is usual, and this one's steps are short.
void tileFormPlainBlock(TileBuilder b, TileArena *arena, const TileModuleTarget *target,
                        const TileAxisInfo *info, MlirBlock block, int packed);
/// Computes pointers and mask of a store that is a box where it stands, as that block does.
void tileFormPlainStore(TileBuilder b, const TileAxisInfo *info, MlirOperation store);

#endif
