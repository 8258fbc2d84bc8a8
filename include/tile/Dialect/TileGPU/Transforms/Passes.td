/* Passes on tile_gpu: layouts, shared memory, pipelining. Keep alphabetical. */
#ifndef TILE_GPU_TRANSFORMS_PASSES
#define TILE_GPU_TRANSFORMS_PASSES
include "tile/TilePass.td"

def TileGPUAccelerateDot : TilePass<"tile-gpu-accelerate-dot"> {
  let summary = "Bind products to matrix instructions";
  let description = [{
    Each `tile.dot` becomes `tile_gpu.mma` with an instruction of the target's table, the warps' share of the result and the
    order of elements along K. Operands are converted where the instruction takes other types (f8 as f16 on chips without f8
    products), `precision` of several parts becomes several products, `tile.dot_scaled` is decoded first. A `tile.dot` that
    no instruction serves stays, with the reason in `tile_gpu.refused`.
  }];
  let dialects = ["arith", "math", "tile", "tile_gpu"];
  let statistics = [
    Statistic<"numMatrix", "num-matrix", "products bound to an instruction">,
    Statistic<"numRefused", "num-refused", "products left to multiply-adds">
  ];
}

def TileGPUAccelerateWgmma : TilePass<"tile-gpu-accelerate-wgmma"> {
  let summary = "Let warp groups compute products of factors in shared memory";
  let description = [{
    On chips with wgmma, a `tile.dot` of f16, bf16, tf32 or i8 with at least 64 rows, a multiple of four warps and K of at
    least 32 bytes becomes `tile_gpu.wgmma`, its factors buffers in shared memory in the swizzled layout that the instruction
    reads. Others are left to `tile-gpu-accelerate-dot`.
  }];
  let dialects = ["tile_gpu"];
  let options = [Option<"descriptors", "descriptors", "bool", "false",
                        "only products of blocks of descriptors that are parameters, which the copy engine brings">];
  let statistics = [Statistic<"numProducts", "num-products", "products of warp groups">];
}

def TileGPUAllocateShared : TilePass<"tile-gpu-allocate-shared"> {
  let summary = "Place buffers and the scratch of ops in shared memory";
  let description = [{
    Each `tile_gpu.alloc` gets `tile_gpu.offset`, each op that moves data between warps `tile_gpu.scratch`, both in bytes; what
    is never alive at the same time shares bytes. The module gets `tile_gpu.shared`, the bytes of the program. If that is
    more than the chip has, the largest conversions, gathers, reductions and histograms go through shared memory in rounds, with half the bytes each
    time (`tile_gpu.scratch_limit`); what still does not fit is an error at the largest user, with a note at the next.
  }];
  let statistics = [
    Statistic<"numScratch", "num-scratch", "ops with scratch">,
    Statistic<"numBuffers", "num-buffers", "buffers">,
    Statistic<"bytes", "bytes", "bytes of the program">,
    Statistic<"liveBytes", "live-bytes", "most bytes alive at a time">
  ];
}

def TileGPUAlternateBuffers : TilePass<"tile-gpu-alternate-buffers"> {
  let summary = "Write computed factors into two buffers in turn";
  let description = [{
    A factor of products of warp groups that a loop with `tile.warp_specialize` computes and writes to shared memory gets two
    buffers, if they fit: an iteration writes one while products of the iteration before may still read the other, and one
    barrier between the write and its products is enough.
  }];
  let dialects = ["arith", "scf", "tile_gpu"];
  let statistics = [Statistic<"numBuffers", "num-buffers", "buffers doubled">];
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

def TileGPUBufferAccesses : TilePass<"tile-gpu-buffer-accesses"> {
  let summary = "accesses through buffer resources, with offsets of 32 bits (AMD)";
  let description = [{
    A load or store of a tensor of pointers that start from a parameter with `tile.pointer_range` of at most 32 gets pointers
    of one form, a scalar pointer plus a tensor of 32-bit offsets, and the mark `tile_gpu.buffer`; what is uniform of the way
    there moves the scalar. Its masks become offsets outside of the resource, of which the hardware reads zeros and
    which it does not write. Others get the reason as `tile_gpu.not_buffer`.

  }];
  let dialects = ["arith", "tile"];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "accesses through a buffer">,
    Statistic<"numOthers", "num-others", "accesses through pointers of 64 bits">
  ];
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

def TileGPUDeferLanes : TilePass<"tile-gpu-defer-lanes"> {
  let summary = "Lanes add what they hold of a row behind the loop";
  let description = [{
    A loop that carries sums of rows, scaled and added to in each iteration (the denominator of softmax), carries what each lane
    has of them instead. The lanes' parts are added once, behind the loop.
  }];
  let dialects = ["arith", "tile", "tile_gpu"];
  let statistics = [Statistic<"numDeferred", "num-deferred", "carried sums">];
}

def TileGPUDeferReductions : TilePass<"tile-gpu-defer-reductions", ""> {
  let summary = "reduces after a loop what the loop only accumulates";
  let description = [{
    A loop that combines a carried value with a reduction, by the reduction's own op, carries the elements instead, combined
    one by one, and reduces them once behind the loop: no lanes exchange anything in it. Done for known commutative and
    associative ops if the elements take at most `most-registers` registers of a thread. Sums and products of floats round
    in another order then, as they may within a reduction (docs/spec/numerics.md).
  }];
  let dialects = ["arith", "math"];
  let options = [
    Option<"mostRegisters", "most-registers", "int64_t", "32", "elements that a thread may carry for one reduction">
  ];
  let statistics = [Statistic<"numDeferred", "num-deferred", "reductions moved behind a loop">];
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
    `convert-tile-to-tile-gpu` does the same to descriptors of odd blocks.
  }];
  let dialects = ["arith", "tile", "ub"];
  let options = [Option<"odd", "odd", "bool", "false", "only those whose block has a size that is no power of two">];
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
  let summary = "Order the accesses of shared memory by barriers";
  let description = [{
    A data flow of the accesses since the last barrier, through loops and branches. Where one meets bytes of another that a
    thread may not have finished, a `tile.barrier` goes in front, or, for the scratch of an op, the mark `tile_gpu.barrier`.
    Asynchronous copies write when a wait covers them. Buffers chosen by one index with different rotations do not meet, also
    across iterations that carry the index through `tile_gpu.advance`.
  }];
  let statistics = [Statistic<"numBarriers", "num-barriers", "barriers inserted">];
}

def TileGPULoadApart : TilePass<"tile-gpu-load-apart"> {
  let summary = "Let the copy engine bring blocks whose rows start at any element";
  let description = [{
    A `tile.desc_load` of a descriptor that `tile-gpu-form-descriptors` has marked with `tile_gpu.apart` becomes a `tile_gpu.tma_alloc`, by
    a tensor map for each of the rows that start alike behind a multiple of 16 bytes, and a `tile_gpu.shifted_load`.
  }];
  let dialects = ["arith", "tile_gpu"];
  let statistics = [Statistic<"numBlocks", "num-blocks", "blocks brought by the copy engine">];
}

def TileGPULoadBlocks : TilePass<"tile-gpu-load-blocks"> {
  let summary = "Let the copy engine bring blocks that meet products' sums";
  let description = [{
    In a loop with products of blocks of the copy engine that gets a producer, a `tile.desc_load` of a matrix, as of biases, becomes a
    `tile_gpu.tma_alloc` and a read from its buffer, as late as it is needed. Blocks that would leave the products' factors fewer buffers
    stay as they are.
  }];
  let dialects = ["tile_gpu"];
  let statistics = [Statistic<"numBlocks", "num-blocks", "blocks brought by the copy engine">];
}

def TileGPULoadOnce : TilePass<"tile-gpu-load-once"> {
  let summary = "Load bytes that hold several numbers once";
  let description = [{
    On NVIDIA's chips, a load whose pointers repeat 2, 4 or 8 times along a dimension (indices divided by how many numbers of a few
    bits a byte holds) loads the first of each group, and its elements are repeated in registers: what was a byte at a time, each
    several times, becomes wide accesses or copies to shared memory. Factors of `mma.sync` whose bytes lie across K stay: they are
    read from their buffer as bytes.
  }];
  let dialects = ["arith"];
  let statistics = [Statistic<"numLoads", "num-loads", "loads of each element once">];
}

def TileGPULoadVectors : TilePass<"tile-gpu-load-vectors"> {
  let summary = "Let the copy engine bring vectors beside blocks";
  let description = [{
    In a loop that asks for `tile.warp_specialize`, a `tile.desc_load` of one dimension behind a `tile_gpu.tma_alloc` becomes another
    one, and a read from its buffer. They share the barriers of the block's ring (tile-gpu-warp-specialize).
  }];
  let dialects = ["tile_gpu"];
  let statistics = [Statistic<"numVectors", "num-vectors", "vectors brought by the copy engine">];
}

def TileGPUMergeCarried : TilePass<"tile-gpu-merge-carried"> {
  let summary = "Carry scalars that are always equal once";
  let description = [{
    Two scalars that an `scf.for` carries, that start as one value and of which the body makes the same if they are equal, become
    one: rings of buffers that advance together need one number and one parity.
  }];
  let statistics = [Statistic<"numScalars", "num-scalars", "carried scalars replaced by others">];
}

def TileGPUOrderMemory : TilePass<"tile-gpu-order-memory"> {
  let summary = "Order accesses of one element of global memory by different threads";
  let description = [{
    What the source does to one element of memory happens in its order, without a `tile.barrier`. Where two threads do it - a
    scalar is loaded by all and stored by one, a store has another layout than a load before it - this inserts one.
    Only pointers that come from one parameter, or from nowhere known, are taken to meet.
  }];
  let dialects = ["tile"];
  let statistics = [Statistic<"numBarriers", "num-barriers", "barriers between accesses of global memory">];
}

def TileGPUOverlapWgmma : TilePass<"tile-gpu-overlap-wgmma"> {
  let summary = "Leave a loop's product open while the next iteration starts";
  let description = [{
    A product of warp groups that only adds to a sum that its loop carries needs no wait in its own iteration: the wait moves
    behind the loop, and in the loop remains one for the product before, whose buffers the next copies may overwrite.
  }];
  let dialects = ["tile_gpu"];
  let statistics = [Statistic<"numProducts", "num-products", "products left open">];
}

def TileGPUPipeline : TilePass<"tile-gpu-pipeline"> {
  let summary = "Start the loads of a loop iterations before they are used";
  let description = [{
    In an innermost `scf.for`, loads that lead to a matrix product, or all loads if the loop has `tile.num_stages`, are started
    as many iterations ahead as `num_stages` - 1 allows, split among levels of indirect loads: by asynchronous copies into
    several buffers of shared memory, waited for by number, where the chip has them and pointers admit 4 bytes or more; else
    through registers, stored to shared memory one iteration later. First steps stand in front of the loop, masked by its trip
    count; in the loop, stages whose iteration does not exist load nothing. Stages are taken back until the buffers fit.

    Loops stay as they are where a load's address depends on the computation, or where something is written that may be
    read ahead: through a pointer from the same kernel parameter, or one that is not traced.
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numLoops", "num-loops", "pipelined loops">];
}

def TileGPUPipelineTma : TilePass<"tile-gpu-pipeline-tma"> {
  let summary = "Copies of the tensor copy engine, iterations ahead of their use";
  let description = [{
    Each `tile_gpu.tma_alloc` of a loop whose coordinates follow from the induction variable becomes several buffers, filled
    ahead by copies that barriers in shared memory count; others a copy and a wait.
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numCopies", "num-copies", "buffers filled ahead">];
}

def TileGPUPrefetch : TilePass<"tile-gpu-prefetch"> {
  let summary = "Read the first fragments of a product one iteration ahead";
  let description = [{
    In a loop with one `tile_gpu.mma`, or two that do not need each other, whose operands come element by element from buffers
    that a carried index chooses, K is cut into up to four slices. Each slice is multiplied while the next is read; the last one while the first slice of the next iteration is, behind
    the wait and the barrier that make it visible. With copies straight to LDS (AMD), one slice is read ahead too.
    What operands are computed by, of one buffer or of several (scales along K), is computed slice by slice. Bytes that a block of eight warps
    widens are carried widened.
    Vectors that are converted after they were read from a buffer are read in the other layout.
  }];
  let dialects = ["scf", "tile_gpu"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops with fragments read ahead">];
}

def TileGPUBufferFactors : TilePass<"tile-gpu-buffer-factors"> {
  let summary = "Both factors of a product stand in shared memory before either is read (AMD)";
  let description = [{
    Where no pipeline moves them, factors of a `tile_gpu.mma` that were converted through shared memory one after another get a buffer
    each: they are stored, and behind one barrier read where they are multiplied, so that fragments of all of K need not be
    in registers at once; so do factors of different products of a block. Reads of a pipeline's buffers move down past other products to
    their own.
  }];
  let dialects = ["tile_gpu"];
  let statistics = [Statistic<"numProducts", "num-products", "products whose factors got buffers">];
}

def TileGPUEarlyCopies : TilePass<"tile-gpu-early-copies"> {
  let summary = "Copies straight to LDS start behind the barrier of the iteration before";
  let description = [{
    In a loop whose fragments are read ahead (`tile-gpu-prefetch`), on chips that copy from global memory straight to LDS, what an
    iteration copies is started behind the barrier of the iteration before, where all threads are done with the buffer: with as many
    buffers there is half an iteration more for data to come. The first iteration's copies stand in front of the loop.
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops whose copies start earlier">];
}

def TileGPUSinkEpilogues : TilePass<"tile-gpu-sink-epilogues"> {
  let summary = "What a loop of products does not need is converted behind it";
  let description = [{
    On AMD, what is loaded in front of a loop with matrix products and used behind it alone (a bias, scales) is converted to the layout of
    the sums where it is used: it takes a register or two until then, tens of them in that layout. What takes more than four as it is
    loaded is loaded behind the loop, if the kernel does not write there.
  }];
  let dialects = ["tile", "tile_gpu"];
  let statistics = [Statistic<"numOps", "num-ops", "ops that moved behind a loop">];
}

def TileGPURotateProducts : TilePass<"tile-gpu-rotate-products"> {
  let summary = "The last product of an iteration runs beside the first of the next";
  let description = [{
    A product of warp groups whose first factor is in registers, which adds to a sum that its loop carries, starts behind the
    first product of the next iteration, so that both are in flight while the elements between them are computed (softmax).
    The first iteration's other work stands in front of the loop, the last one's product behind it.
  }];
  let dialects = ["arith", "scf", "tile_gpu"];
  let statistics = [Statistic<"numProducts", "num-products", "products that moved to the next iteration">];
}

def TileGPUShareLoops : TilePass<"tile-gpu-share-loops"> {
  let summary = "Share loops that add up among the blocks of a cluster";
  let description = [{
    In a kernel with loops that ask for it (`tile.split = n`), on chips with clusters: a program becomes a cluster of n blocks
    (`tile_gpu.cluster`), each does its part of the loops' iterations, and sums are added up behind them. All else is done by
    all blocks, but for stores, which are the first one's. A loop has to carry sums of 32 bits that start at zero, and the
    kernel must not read what it writes.
  }];
  let dialects = ["arith", "scf", "tile_gpu"];
  let statistics = [Statistic<"numKernels", "num-kernels", "kernels with clusters">];
}

def TileGPUStreamLoops : TilePass<"tile-gpu-stream-loops"> {
  let summary = "Programs share out the blocks that are left over when all have had equally many";
  let description = [{
    In a kernel whose outermost loop deals blocks of a result out to the programs in turn and asks for it (`tile.stream = n`): blocks that
    are left over when all programs have had equally many are shared by up to n of them, equal parts of the iterations of the loop with
    the products. All but the one with the last part leave their sums in scratch memory; that one adds them to its own
    (`tile_gpu.hand_on`) and stores. Sums are always of the same terms in the same order. The function gets a parameter behind its own, and says how
    much scratch memory a program needs, or each block of one that is a cluster (`tile_gpu.scratch_per_program`).
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numKernels", "num-kernels", "kernels with shared blocks">];
}

def TileGPUSinkWaits : TilePass<"tile-gpu-sink-waits"> {
  let summary = "Products stay open until something needs their sums";
  let description = [{
    A wait for a product of warp groups moves down to the first op that needs its sums, so that several products are in flight
    beside the work between them; the count of those that stay open follows. Waits that meet become one.
  }];
  let dialects = ["tile_gpu"];
  let statistics = [Statistic<"numWaits", "num-waits", "waits that moved">];
}

def TileGPUFindInPlace : TilePass<"tile-gpu-find-in-place"> {
  let summary = "Find matrices that are read where others are written, element for element (Hopper)";
  let description = [{
    Where a kernel with products reads one parameter once and writes another one once, at the same addresses, in a block that no loop is
    around, and what it writes is made of what it reads, both may be the same memory: `tile_gpu.in_place` on the function has triples of
    their positions and of how many values behind each (sizes and strides of descriptors) have to be equal then.
  }];
  let statistics = [Statistic<"numPairs", "num-pairs", "pairs of parameters that may be the same memory">];
}

def TileGPUOrderPrograms : TilePass<"tile-gpu-order-programs"> {
  let summary = "Start programs with much work before those with little (NVIDIA)";
  let description = [{
    Where the iterations of the loops with products grow or fall with the program's number along x (attention with a causal mask),
    numbers along x and y are dealt out anew: in groups of 16 along y, those with the most work first. The grid stays as it is
    launched. Kernels with atomics, volatile loads, prints or assertions stay as they are. A kernel in which nothing else changes the work gets
    `tile_gpu.work`: if it is given a loop over its programs, that deals them out instead.
  }];
  let dialects = ["arith", "tile"];
  let statistics = [Statistic<"numOrdered", "num-ordered", "kernels whose programs take another order">];
}

def TileGPUDeferEpilogues : TilePass<"tile-gpu-defer-epilogues"> {
  let summary = "Store a block's sums beside the first product of the next block (Hopper)";
  let description = [{
    A loop over blocks of rows whose body has a branch with products of warp groups (attention, rotated and with a producer) and stores what
    came of it behind the branch: that is carried to the next iteration, which stores it while its first product runs; that of the
    last one is stored behind the loop. Taken with up to two warp groups, where the program's warps access global memory nowhere else.
  }];
  let dialects = ["arith", "scf"];
  let statistics = [Statistic<"numDeferred", "num-deferred", "loops that store an iteration later">];
}

def TileGPUUnrollRounds : TilePass<"tile-gpu-unroll-rounds"> {
  let summary = "Write out short loops of element-wise ops that carry more than the registers hold";
  let description = [{
    A loop of at most 16 iterations, known beforehand, of element-wise ops, that carries tensors of more than 96 words a thread (the rounds
    of a random number generator beside products): iterations one after the other, so that elements do not wait for each other.
  }];
  let dialects = ["arith"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops written out">];
}

def TileGPURisingMaxima : TilePass<"tile-gpu-rising-maxima"> {
  let summary = "Look for the largest of numbers of which a rising polynomial is not taken yet (Hopper)";
  let description = [{
    In a loop with products of warps: numbers x * P(x * x) (f32) where |x| is small, something else behind a branch where it is not, as tanh between factors
    becomes (a soft cap of scores), whose maximum over an axis and whose differences from something else are all that is needed of them. The polynomial
    of the largest x is taken instead, its last product is part of the differences, and whether numbers are small is asked of their largest
    as integers, three of which one instruction compares. Masks behind the branch are looked at on its other side. Does not run
    with `--fp-contract=off`.
  }];
  let dialects = ["arith", "math", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numTaken", "num-taken", "maxima in front of polynomials">];
}

def TileGPUScaleMaxima : TilePass<"tile-gpu-scale-maxima"> {
  let summary = "Look for the largest of numbers that are not scaled yet (NVIDIA)";
  let description = [{
    In a loop with products of warps: numbers (f32, 16 or more a thread) scaled by one factor, whose maximum over an axis and whose
    differences from something else are all that is needed of them, as scores of attention are. The maximum of the unscaled numbers is scaled
    instead, and a difference is one fused multiply-add. That needs a positive and finite factor: a known one, or else a branch asks
    in each iteration, on whose other side the product stays. A branch that leaves the product as it is, and masks it elsewhere
    (`tile-gpu-skip-masks`), asks for both. Does not run with `--fp-contract=off`.
  }];
  let dialects = ["arith", "math", "scf", "tile"];
  let statistics = [Statistic<"numScaled", "num-scaled", "maxima of unscaled numbers">];
}

def TileGPUScaleSums : TilePass<"tile-gpu-scale-sums"> {
  let summary = "Look for the largest of sums that are not scaled yet (Hopper)";
  let description = [{
    In a loop with products of warp groups: their sums s (16 or more a thread) as `s * f + d * g`, with f and g the same everywhere, whose maximum over
    an axis and whose differences from something else are all that is needed of them, as scores with ALiBi are. The maximum of
    `s + d * (g / f)` is scaled instead, and a difference is one fused multiply-add. Where d is integers that are small and differ by constants
    within a thread (`tile_gpu.small`), the first one's share is added to the maximum of a lane and taken from what is subtracted, and
    the others' are constants of the instruction. The branch that asks whether they are small asks for a positive and finite f, too; a sum without one
    is taken where f and g are known. Branches in between that leave the sums as they are on one side (`tile-gpu-skip-masks`) scale them on the
    other. Does not run with `--fp-contract=off`.
  }];
  let dialects = ["arith", "math", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numScaled", "num-scaled", "maxima of unscaled sums">];
}

def TileGPUSkipProducts : TilePass<"tile-gpu-skip-products"> {
  let summary = "Do not compute products of which a mask keeps nothing";
  let description = [{
    A `tile_gpu.mma` by `mma.sync` in a loop that begins with zeros, and is used element by element up to a selection whose mask says, among
    others, that a number of the row equals one of the column (segments: documents packed into one sequence): where no row of a warp has a
    number between the least and the largest of the columns' ones, the warp takes zeros for the product. The columns' numbers are read once more, each by one lane.
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numProducts", "num-products", "products behind a branch">];
}

def TileGPUSkipMasks : TilePass<"tile-gpu-skip-masks"> {
  let summary = "Do not mask blocks of a product that lie inside a mask as a whole";
  let description = [{
    A selection in a loop with products, between a tensor and a constant, by comparisons of indices with bounds: two scalars
    bound what is compared, and where the comparisons hold for all elements the selection, with its mask, is skipped by a branch.

    A selection that `tile-gpu-expand-math` marked `tile_gpu.rare` there (a function's argument is seldom beyond where a short
    polynomial serves) becomes a branch by threads: those without such an element compute the polynomial alone. `true`: what the selection rarely
    takes holds for all elements, and is all that the others compute. Beside products of warp groups a quarter of a thread's registers, at
    most sixteen, has a branch of its own (`tile_gpu.parts`). Beside others a comparison by a sign
    that the polynomial is computed for (a soft cap) is asked of all lanes (`tile_gpu.warp`), and with 64 numbers a thread behind the
    polynomial, or the signs would be alive beside the scores.

    Where nothing bounds a comparison of i32, as of numbers of segments or of padded keys that are loaded, each warp asks all of its own
    (`tile_gpu.any`, `tile_gpu.warp`): of up to 16 numbers a thread, or whether all pairs of rows and columns are equal.

    Blocks that meet all conditions of a mask have one branch; others get one more for each condition, so that a block at one edge of a window
    does not pay for the other.

    Beside products of warp groups the conditions have no branch in front of theirs, which asks by the rows that a thread holds where it
    compares rows with columns; masks in branches, and in front of a loop, are taken too. Where scalars say that all numbers are
    small, comparisons, and beside all products conversions to floats, are marked `tile_gpu.small`: the lowering then computes one sum
    for registers that differ by constants.
  }];
  let dialects = ["arith", "math", "scf"];
  let statistics = [Statistic<"numSkipped", "num-skipped", "selections in a branch">,
                    Statistic<"numSmall", "num-small", "conversions in a branch">,
                    Statistic<"numRare", "num-rare", "selections of what is rarely needed in a branch">];
}

def TileGPUSplitLoops : TilePass<"tile-gpu-split-loops"> {
  let summary = "a fast loop for most iterations of a loop with products, and one for the rest (AMD)";
  let description = [{
    The fast loop lacks masks of loads that compare a range with a bound from outside, either moved by a multiple of the
    induction variable: it ends before the first iteration in which one of them is false somewhere. Its loads go through
    buffer resources (`tile_gpu.buffer`) where offsets are sums, products and remainders of ranges and scalars, so that
    bounds of them can be computed in front of it; if these do not fit 32 bits, it does not run. A copy of the loop as it
    was, not pipelined, does the rest. Selections marked `tile_gpu.usual` by `tile-gpu-expand-math` (a short form of soft caps) hold in the fast loop, which
    does not run where they do not; everywhere else their other value is taken.
  }];
  let dialects = ["arith", "scf", "tile"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops in two parts">];
}

def TileGPUSplitStores : TilePass<"tile-gpu-split-stores"> {
  let summary = "results whose rows may start anywhere are stored by wide accesses where offsets fit 32 bits (AMD)";
  let description = [{
    In kernels with products: a store of a tensor of pointers whose offsets are sums and products of ranges and scalars, in rows that are not
    known to be aligned, is written twice, through a buffer resource (`tile_gpu.buffer`) where bounds computed in front of it fit 32 bits, and as
    it was where they do not. Nothing wraps around in the first, so that neighbours in a row are neighbours in memory.
  }];
  let dialects = ["arith", "scf", "tile"];
  let statistics = [Statistic<"numStores", "num-stores", "stores in two forms">];
}

def TileGPUFormDescriptors : TilePass<"tile-gpu-form-descriptors"> {
  let summary = "Loads of factors through pointers become blocks of descriptors";
  let description = [{
    On chips with a tensor copy engine and warp groups: a load of a product's factor through pointers whose address is that of
    a box of a strided matrix (base, strides and sizes are parameters or constants, the mask compares rows and columns with the
    sizes) becomes a `tile.desc_load`, and a store of sums a `tile.desc_store`. The host makes the tensor maps. Where sizes,
    strides and starts may be such that it cannot, or that the box is another, the kernel gets a second version, as it was but
    for pipelining. A block of consecutive elements begins at a multiple of 16 bytes. Loads that stay say why (`tile_gpu.no_block`).

    A kernel that stores its sums so, of 8 warps or more and so many sums that a multiprocessor has room for one program, goes over its
    programs in a loop, if all take the same time and none depends on another: `tile_gpu.program_loop`, and three hidden parameters
    (`--disable=program-loops` leaves that out).
  }];
  let dialects = ["arith", "scf", "tile"];
  let statistics = [Statistic<"numAccesses", "num-accesses", "loads and stores that became blocks of descriptors">];
}

def TileGPUStoreBlocks : TilePass<"tile-gpu-store-blocks"> {
  let summary = "Let the copy engine store blocks of sums";
  let description = [{
    A `tile.desc_store` through a descriptor that is a parameter, of a value that follows element by element from a product,
    becomes a buffer in shared memory and a copy of it: accumulators hold few neighbours in a thread, rows of buffers many.
  }];
  let dialects = ["tile_gpu"];
  let statistics = [Statistic<"numStores", "num-stores", "blocks stored by the copy engine">];
}

def TileGPUTestAxisInfo : TilePass<"tile-gpu-test-axis-info", ""> {
  let summary = "reports what the axis analysis knows of each result, as remarks";
  let description = [{
    For tests. A remark at each operation with a number or pointer as result:
    `c = [..] v = [..] k = [..]` are contiguity, divisibility and constancy of each dimension (`v = *`: of 0), followed by
    `run = [..]` where it differs from contiguity and by the range of integers if it is smaller than the type's.
  }];
}

def TileGPUVersionRemainders : TilePass<"tile-gpu-version-remainders", ""> {
  let summary = "Let indices modulo a size run where none is negative";
  let description = [{
    Where an access of memory gets wider if a sum whose remainder is taken is known not to be negative, the rest of the kernel
    gets two versions: one in which the sum's start is clamped so that it is not, taken if the clamp changes nothing, and one as
    it was, whose loops are not pipelined.
  }];
  let dialects = ["arith", "scf"];
  let statistics = [Statistic<"numVersioned", "num-versioned", "kernels with two versions">];
}

def TileGPUWarpSpecialize : TilePass<"tile-gpu-warp-specialize"> {
  let summary = "A warp of its own starts the copies of the copy engine";
  let description = [{
    In a kernel with a loop that asks for it (`tile.warp_specialize`), the loop's `tile_gpu.tma_alloc`, and what their
    coordinates need, move into `tile_gpu.producer`: a ring of buffers with a barrier for full and one for free each. Around
    the loop may be one over blocks of the result, which the producer runs ahead of too.
  }];
  let dialects = ["arith", "scf", "tile", "tile_gpu"];
  let statistics = [Statistic<"numKernels", "num-kernels", "kernels with a producer">];
}

def TileGPUWidenSums : TilePass<"tile-gpu-widen-sums"> {
  let summary = "Sum f16 products of warp groups in f32";
  let description = [{
    A product of f16 into f16 that warp groups can compute, with at most 128 numbers of its sum in a thread, becomes one into f32, rounded
    behind it; behind the loops around it where these carry nothing but the sum; not at all where it is widened anyway. `wgmma` takes as
    long for either, and passes that look for products into f32 (copies ahead, products that stay open) find these too.
  }];
  let dialects = ["arith"];
  let statistics = [Statistic<"numProducts", "num-products", "products into f32 instead of f16">];
}

#endif
