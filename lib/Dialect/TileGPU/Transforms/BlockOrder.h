/* BlockOrder.h - where ops stand in a block, those in regions counted as the op of the block that holds them. */
#ifndef TILE_GPU_BLOCK_ORDER_H
#define TILE_GPU_BLOCK_ORDER_H

#include "tile-c/IR.h"

/// The op of `block` that holds `op`, or is it; null if it lies elsewhere.
MlirOperation tileOpInBlock(MlirOperation op, MlirBlock block);

/// The first op of a value's own block that uses it, or holds one that does; null if there is none. The value is an op's result.
MlirOperation tileFirstUserInBlock(MlirValue v);

#endif
