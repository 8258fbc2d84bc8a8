/* StoreBlocks.h - which blocks tile-gpu-store-blocks takes, for passes that prepare some. */
#ifndef TILE_LIB_TILEGPU_STOREBLOCKS_H
#define TILE_LIB_TILEGPU_STOREBLOCKS_H
#include "tile-c/IR.h"

/// Whether a value follows from a product, one element from one element, through loops too.
bool tileFollowsFromProduct(MlirValue v);

#endif
