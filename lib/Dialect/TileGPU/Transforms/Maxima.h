/* Maxima.h - maxima of rows beside products (ScaleMaxima.c). */
#ifndef TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_MAXIMA_H
#define TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_MAXIMA_H

#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

/// The reductions by maximum of f32, many registers a thread, in loops with products of warps or warp groups.
void tileCollectMaxima(MlirOperation module, TilePointerList *out);

/// Whether nothing but the reduction and differences from something else take the numbers, in its block, and one does.
bool tileIsForMaximum(MlirValue numbers, MlirOperation reduce);

#endif
