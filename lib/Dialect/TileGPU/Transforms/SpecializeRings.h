/* SpecializeRings.h - a producer for all copies of a kernel: a ring of buffers for each tensor map, through loops and branches. */
#ifndef TILE_LIB_TILEGPU_SPECIALIZERINGS_H
#define TILE_LIB_TILEGPU_SPECIALIZERINGS_H
#include "tile-c/Dialect/TileGPUModule.h"

/// Gives a kernel one producer for all its tile_gpu.tma_alloc. False, and nothing is changed, if coordinates or conditions
/// need more than parameters and induction variables, if something else than products reads the blocks, or if they do not
/// fit.
bool tileSpecializeRings(MlirOperation function, const TileModuleTarget *target);

#endif
