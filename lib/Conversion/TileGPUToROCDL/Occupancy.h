/* Occupancy.h - how many waves of a kernel shall share a SIMD. */
#ifndef TILE_LIB_CONVERSION_OCCUPANCY_H
#define TILE_LIB_CONVERSION_OCCUPANCY_H
#include "tile-c/IR.h"

/// Before the lowering: the number of waves a SIMD that the module's kernels shall have registers for; 0 if nothing is wanted.
int tileAmdWantedWaves(MlirOperation module);

#endif
