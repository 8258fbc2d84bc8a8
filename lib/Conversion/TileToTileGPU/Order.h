/* Order.h - which reductions depend on the order of their elements. */
#ifndef TILE_CONVERSION_TILETOTILEGPU_ORDER_H
#define TILE_CONVERSION_TILETOTILEGPU_ORDER_H
#include "tile-c/IR.h"

/// OrderReductions.c: gives `tile_gpu.ordered` to the reductions of the module whose partial results have to be
/// combined in the order of the elements. Bodies are as written: before any predicate is added to them.
void orderReductions(MlirOperation module);

#endif
