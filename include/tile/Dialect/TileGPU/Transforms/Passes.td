/* Passes on tile_gpu: layouts, shared memory, pipelining. Keep alphabetical. */
#ifndef TILE_GPU_TRANSFORMS_PASSES
#define TILE_GPU_TRANSFORMS_PASSES
include "mlir/Pass/PassBase.td"

def TileGPUTestAxisInfo : Pass<"tile-gpu-test-axis-info"> {
  let summary = "reports what the axis analysis knows of each result, as remarks";
  let description = [{
    For tests. A remark at each operation with a number or pointer as result:
    `c = [..] v = [..] k = [..]` are contiguity, divisibility and constancy of each dimension (`v = *`: of 0), followed by
    `run = [..]` where it differs from contiguity and by the range of integers if it is smaller than the type's.
  }];
}

#endif
