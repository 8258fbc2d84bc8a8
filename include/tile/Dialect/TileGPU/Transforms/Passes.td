/* Passes on tile_gpu: layouts, shared memory, pipelining. Keep alphabetical. */
#ifndef TILE_GPU_TRANSFORMS_PASSES
#define TILE_GPU_TRANSFORMS_PASSES
include "tile/TilePass.td"

def TileGPUAllocateShared : TilePass<"tile-gpu-allocate-shared"> {
  let summary = "Place the scratch of ops in shared memory";
  let description = [{
    Each op that moves data between warps gets `tile_gpu.scratch`, a byte offset; the module gets `tile_gpu.shared`, the bytes
    of the program. More than the chip has is an error at the op that needs most.
  }];
  let statistics = [Statistic<"numScratch", "num-scratch", "ops with scratch">];
}

def TileGPUAssignLayouts : TilePass<"tile-gpu-assign-layouts"> {
  let summary = "Choose one layout per value by cost";
  let description = [{
    Values that must agree form classes; each takes the layout, among those its memory ops prefer (`tile_gpu.layout`), that
    makes its memory accesses cheapest. Shape ops carry layouts between classes. Cheap producers are cloned where another
    layout is needed, other values are converted.
  }];
  let dialects = ["tile_gpu"];
  let options = [Option<"printCosts", "print-layout-costs", "bool", "false", "report the cost of each candidate">];
}

def TileGPUCoalesce : TilePass<"tile-gpu-coalesce", ""> {
  let summary = "chooses the layout that each access of memory prefers";
  let description = [{
    Every `tile.load`, `tile.store`, `tile.atomic_rmw` and `tile.atomic_cas` on a tensor of pointers gets the attribute
    `tile_gpu.layout`: lanes along the dimension in which pointers run, and in each thread as many neighbours as one
    access takes, by the alignment of the pointers, the mask and the target. Layout assignment weighs these wishes.

    Needs the attributes that `convert-tile-to-tile-gpu` writes on the module.
  }];
  let statistics = [
    Statistic<"numAccesses", "num-accesses", "accesses of tensors of pointers">,
    Statistic<"numWide", "num-wide", "of these, with more than one element at a time">
  ];
}

def TileGPUDropDebug : TilePass<"tile-gpu-drop-debug"> {
  let summary = "removes assertions unless they are wanted, and prints where kernels cannot print";
  let description = [{
    `tile.assert` and `cf.assert` stay with `asserts` only. On AMD, `tile.print` is removed with a warning.
  }];
  let options = [Option<"asserts", "asserts", "bool", "false", "keep assertions">];
}

def TileGPUExpandDescriptors : TilePass<"tile-gpu-expand-descriptors"> {
  let summary = "Access blocks of tensor descriptors through pointers";
  let description = [{
    A descriptor becomes its base, sizes, strides and padding, through loops, branches and selections; a descriptor parameter
    of a kernel becomes a pointer, sizes (i32) and strides (i64), with the alignment that the launch contract promises. Loads,
    stores, reductions, gathers and scatters of blocks become accesses of tensors of pointers, with 64-bit offsets and masks
    that leave out what lies outside. Descriptors that the chip's copy engine takes are no descriptors any more when this runs.
  }];
  let dialects = ["arith", "tile", "ub"];
  let statistics = [Statistic<"numAccesses", "num-accesses", "accesses of blocks">];
}

def TileGPUExpandMath : TilePass<"tile-gpu-expand-math"> {
  let summary = "Express math functions in the primitives of the target";
  let description = [{
    Replaces math ops and calls of device-library functions by sequences of arith ops and primitives, each with a stated
    error bound. f16 and bf16 functions are computed in f32.
  }];
  let dialects = ["arith", "math", "scf", "tile", "tile_gpu"];
  let options = [
    Option<"exact", "exact", "bool", "false", "only calls of functions whose expansion is exact (of integers, bits, rounding)">,
    Option<"precise", "precise", "bool", "false", "prefer accuracy to speed">
  ];
}

def TileGPUInsertBarriers : TilePass<"tile-gpu-insert-barriers"> {
  let summary = "Keep scratch from being overwritten before it is read";
  let description = [{
    Marks ops with scratch by `tile_gpu.barrier` where a barrier has to come first, because on some path another op may still
    read the scratch.
  }];
  let statistics = [Statistic<"numBarriers", "num-barriers", "barriers in front of scratch">];
}

def TileGPUTestAxisInfo : TilePass<"tile-gpu-test-axis-info", ""> {
  let summary = "reports what the axis analysis knows of each result, as remarks";
  let description = [{
    For tests. A remark at each operation with a number or pointer as result:
    `c = [..] v = [..] k = [..]` are contiguity, divisibility and constancy of each dimension (`v = *`: of 0), followed by
    `run = [..]` where it differs from contiguity and by the range of integers if it is smaller than the type's.
  }];
}

#endif
