/* Conversions between dialects, and what checks their result. Keep alphabetical. */
#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES
include "tile/TilePass.td"

def CheckLegality : TilePass<"tile-check-legality"> {
  let summary = "refuses operations that LLVM cannot select for the chip";
  let description = [{
    Looks each op of a lowered module up in a table of what has been compiled for each chip (`docs/legality.md`), by its
    kind and the types of its result and first two operands. What is not there is an error at the op.
  }];
  let options = [Option<"chip", "chip", "std::string", "", "chip; default: the module's tile_gpu.target">];
}

def ConvertTTToTile : TilePass<"convert-tt-to-tile"> {
  let summary = "Triton IR into the tile dialect";
  let description = [{
    Turns every `tt.func` and all ops, types and attributes of `tt` into those of `tile`, and a module without
    any into itself. Public functions without results become kernels. Early returns and other unstructured
    control flow are lifted to `scf`; block pointers become pointers with masks; arguments that are opaque
    tensor maps become descriptors. What `tile` cannot say is an error at the op.
  }];
  let dialects = ["arith", "cf", "func", "scf", "tile", "ub"];
}

def ConvertTileGPUToNVVM : TilePass<"convert-tile-gpu-to-nvvm"> {
  let summary = "Lower a tile_gpu module to the LLVM and NVVM dialects";
  let description = [{
    Walks each kernel once and writes what one thread does: tensors become registers, memory ops become vector accesses.
    Requires layouts on all tensors (`tile-gpu-assign-layouts`) and a module with `tile_gpu.target`.
  }];
  let dialects = ["llvm", "nvvm", "tile_nv"];
  let options = [Option<"precise", "precise", "bool", "false", "correctly rounded f32 division and square root">];
}

def ConvertTileGPUToROCDL : TilePass<"convert-tile-gpu-to-rocdl"> {
  let summary = "Lower a tile_gpu module to the LLVM and ROCDL dialects";
  let description = [{
    As `convert-tile-gpu-to-nvvm`, for AMD.
  }];
  let dialects = ["llvm", "rocdl"];
  let options = [Option<"precise", "precise", "bool", "false", "correctly rounded f32 division and square root">];
}

def ConvertTileToTileGPU : TilePass<"convert-tile-to-tile-gpu"> {
  let summary = "Fix the target and the number of warps of a module";
  let description = [{
    Checks that the chip exists, that it can run the program's warps, and that every tensor can be laid out; then writes
    `tile_gpu.target`, `tile_gpu.num_warps`, `tile_gpu.threads_per_warp`, `tile_gpu.num_ctas`, `tile_gpu.num_stages` and, if
    features are switched off, `tile_gpu.disabled` on the module.

    On chips with `wgmma` and a tensor copy engine, products of at least four warps whose rows or columns are no power of two
    become up to three that are, with all that these sizes follow from and into: 192 columns are 128 and 64. Where rows are no multiple of
    64 and columns are, the product is computed transposed first, if its factors come through descriptors and a loop does nothing with the
    sum but to add to it: 80 rows are 80 columns of a warp group's instruction. Accesses to parts
    of a descriptor's block get `tile_gpu.piece`. A loop with `tile.blocks = n` gives each of the n blocks of a cluster its part of
    the rows of its products, `tile.column_blocks = n` its part of the columns; loads that several of them need get
    `tile_gpu.multicast`, how many need the same, and `tile_gpu.multicast_stride`, how far their ranks are apart.

    There, 12 warps are three warp groups, for kernels with products of 192 rows: layouts are made for 16 warps
    (`tile_gpu.num_warps`), of which 12 run (`tile_gpu.launched_warps`), and the rows grow to 256 (`tile_gpu.padded_rows` on the
    kernel): what the warps that do not run would hold are rows that pad and copies. Kernels of which that cannot be said, because
    rows meet in a reduction or memory is accessed otherwise than through descriptors, are refused.

    Other tensors whose sizes are no powers of two grow to the next ones. Memory is accessed under masks that leave the added
    elements out; reductions and reverse scans read the combiner's neutral element in their place or, where none is known,
    carry along which elements take part; reshape and cat pick elements by number where growing moves them apart. Refused are
    code with effects that is not ours (`tile.inline_asm`, `tile.extern_elementwise` without `pure`) and packs that do
    not divide the last dimension.
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu", "ub"];
  let options = [
    Option<"target", "target", "std::string", "", "chip, such as sm_90a or gfx942">,
    Option<"numWarps", "num-warps", "int64_t", "4", "warps of a program, a power of two or 12">,
    Option<"numCtas", "num-ctas", "int64_t", "1", "thread blocks that share a program">,
    Option<"numStages", "num-stages", "int64_t", "3", "depth of software pipelines">,
    Option<"disable", "disable", "std::string", "", "features of the chip not to use, separated by commas">
  ];
}

def InterleaveProducts : TilePass<"tile-interleave-products"> {
  let summary = "matrix instructions and memory accesses of AMD loops in the order of their issue";
  let description = [{
    In a block of a loop whose first matrix instructions need no read of the block itself, accesses of memory are spread
    between matrix instructions, those of a part between two barriers over the instructions that do not wait for
    them, and `rocdl.sched.barrier 0` behind each keeps LLVM from changing the order. Where they need reads of the block itself, these stand
    a few instructions ahead, as far as registers reach; all first, if they fit together and nothing behind waits for them.
  }];
  let dialects = ["rocdl"];
  let statistics = [Statistic<"numLoops", "loops", "blocks whose order was fixed">];
}

#endif
