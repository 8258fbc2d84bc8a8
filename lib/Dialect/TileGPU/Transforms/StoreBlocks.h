/* StoreBlocks.h - which blocks tile-gpu-store-blocks takes, for passes that prepare some. */
#ifndef TILE_LIB_TILEGPU_STOREBLOCKS_H
#define TILE_LIB_TILEGPU_STOREBLOCKS_H
#include "tile-c/IR.h"
#include "tile-c/Target.h"

/// Whether a value follows from a product, one element from one element, through loops too.
bool tileFollowsFromProduct(MlirValue v);
/// In how many parts a block leaves where `beside` bytes of blocks are loaded to be added to it: its columns are shared out among them.
int tileStoreParts(const TileTargetInfo *target, MlirOperation store, MlirType block, int64_t beside);

#endif
