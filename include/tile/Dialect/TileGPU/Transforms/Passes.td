/* Passes on tile_gpu: layouts, shared memory, pipelining. Keep alphabetical. */
#ifndef TILE_GPU_TRANSFORMS_PASSES
#define TILE_GPU_TRANSFORMS_PASSES
include "mlir/Pass/PassBase.td"

#endif
