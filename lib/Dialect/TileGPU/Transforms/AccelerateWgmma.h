/* AccelerateWgmma.h - what tile-gpu-accelerate-wgmma takes, for passes that prepare factors for it. */
#ifndef TILE_LIB_TILEGPU_ACCELERATEWGMMA_H
#define TILE_LIB_TILEGPU_ACCELERATEWGMMA_H
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"

/// How warp groups compute the product; false if they do not.
bool tileWgmmaShapeOf(const TileModuleTarget *target, TileDotOp dot, TileWarpGroupShape *out);
/// Whether sums of so many elements leave a multiprocessor's registers to two programs.
bool tileWgmmaLeavesRoom(const TileModuleTarget *target, int64_t sums);
/// Whether the product takes a factor that is widened from bytes, the first (0) or second one, beside another that is not.
bool tileWgmmaWidens(const TileModuleTarget *target, TileDotOp dot, int factor);
/// Whether the product's first factor follows from another product and stays in registers.
bool tileWgmmaKeepsFactor(const TileWarpGroupShape *shape, TileDotOp dot);

#endif
