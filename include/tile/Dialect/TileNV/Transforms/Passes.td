/* Passes on tile_nv. Keep alphabetical. */
#ifndef TILE_NV_TRANSFORMS_PASSES
#define TILE_NV_TRANSFORMS_PASSES
include "mlir/Pass/PassBase.td"

#endif
