/* Maxima.h - maxima of rows beside products (ScaleMaxima.c). */
#ifndef TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_MAXIMA_H
#define TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_MAXIMA_H

#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

/// On x * P(x * x) of f32: rises with x where |x| is below the bound that its branch asks for, if P(0) is positive.
#define TILE_RISING "tile_gpu.rising"

/// The reductions by maximum of f32, many registers a thread, in loops with products of warps or warp groups.
void tileCollectMaxima(MlirOperation module, TilePointerList *out);

/// Whether nothing but the reduction and differences from something else take the numbers, in its block, and one does.
bool tileIsForMaximum(MlirValue numbers, MlirOperation reduce);

#endif
