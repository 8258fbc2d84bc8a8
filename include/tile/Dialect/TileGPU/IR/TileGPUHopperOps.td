/* TileGPUHopperOps.td - products of warp groups, whose factors are in shared memory, and the fence they need. */
#ifndef TILE_GPU_HOPPER_OPS
#define TILE_GPU_HOPPER_OPS
include "tile/Dialect/TileGPU/IR/TileGPUMemoryOps.td"

def TileGPU_WgmmaOp : TileGPU_Op<"wgmma", [AllTypesMatch<["c", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts a matrix product of factors in shared memory: a [M, K] times b [K, N] plus c";
  let description = [{
    Four warps at a time (sm_90a). The result must not be used before `tile_gpu.wgmma_wait`, except as `c` of another
    product; the buffers must not be written before. One group is committed.

    Buffers have rows of 128, 64 or 32 bytes, swizzled over eight rows (`tileSharedNvmma` in include/tile-c/LayoutShared.h).
    K runs along rows, or, for 16-bit elements, M (N) may. The accumulator has the layout of warp groups' products
    with `warps` along M and N. f32 factors are read as tf32. `a` may be a tensor of 16-bit elements in registers, in the
    layout that follows from an accumulator's of the same rows without a move.

    ```mlir
    %d = tile_gpu.wgmma %a, %b, %c warps = [4, 1]
       : !tile_gpu.memdesc<64x64xf16, #a> * !tile_gpu.memdesc<64x128xf16, #b> -> tensor<64x128xf32, #acc>
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[TileGPU_MemDesc, AnyRankedTensor]>, "", [MemRead]>:$a, Arg<TileGPU_MemDesc, "", [MemRead]>:$b,
                       AnyRankedTensor:$c, DenseI64ArrayAttr:$warps);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c `warps` `=` $warps attr-dict `:` type($a) `*` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileGPU_WgmmaWaitOp : TileGPU_Op<"wgmma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `pending` products that were started are open";
  let description = [{
    Values of products that are over by then pass through; others stay as they are. Without values it lets buffers be
    written that older products read.

    ```mlir
    %r = tile_gpu.wgmma_wait 0 (%d) : (tensor<64x128xf32, #acc>) -> tensor<64x128xf32, #acc>
    ```
  }];
  let arguments = (ins I32Attr:$pending, Variadic<AnyRankedTensor>:$values);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = "$pending `(` $values `)` attr-dict `:` functional-type($values, $results)";
  let hasVerifier = 1;
}

def TileGPU_HoldOp : TileGPU_Op<"hold", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "keeps the waits for products behind it behind the start of a value";
  let description = [{
    Does nothing, but ptxas leaves later `tile_gpu.wgmma_wait`s behind the first of the value's elements in each thread, which it
    would otherwise move in front. `number` is never -1 (a parity).

    ```mlir
    tile_gpu.hold %max, %parity : tensor<128xf32, #l>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, I32:$number);
  let assemblyFormat = "$value `,` $number attr-dict `:` type($value)";
}

def TileGPU_FenceAsyncOp : TileGPU_Op<"fence_async", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lets products and the copy engine see what this thread stored to buffers";
  let description = [{
    A proxy fence. What other threads stored needs their fence and a barrier.

    ```mlir
    tile_gpu.fence_async %m : !tile_gpu.memdesc<64x64xf16, #a>
    ```
  }];
  let arguments = (ins Variadic<TileGPU_MemDesc>:$buffers);
  let assemblyFormat = "($buffers^ `:` type($buffers))? attr-dict";
}

// ---- Clusters ----
//
// A kernel with `tile_gpu.cluster = n` runs each program as a cluster of n blocks. All of them execute it.

def TileGPU_BlockRankOp : TileGPU_Op<"block_rank", [Pure]> {
  let summary = "the number of this block in its cluster";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_BlockSumOp : TileGPU_Op<"block_sum", [AllTypesMatch<["value", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the sum of a tensor over the blocks of a cluster, in its first block";
  let description = [{
    Elements are f32 or i32; terms are added in the order of the blocks. The other blocks get their own part back. All threads
    of the cluster meet twice, of four blocks and more three times: each adds up a share, which the first one collects.

    ```mlir
    %s = tile_gpu.block_sum %p blocks = 2 : tensor<128x64xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, I32Attr:$blocks);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `blocks` `=` $blocks attr-dict `:` type($value)";
}

// ---- Sums that programs hand on ----

def TileGPU_HandOnOp : TileGPU_Op<"hand_on", [AllTypesMatch<["value", "result"]>, AllTypesMatch<["from", "to"]>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "adds the sums that other programs left, or leaves its own to another one";
  let description = [{
    Waits until sums are at `takes` places, the first one at `from` and each `distance` bytes behind the one before, adds them in this
    order and leaves the places free; none if `takes` is 0. Then, where `gives` is true, the sum goes to `to`. A place has a word that
    says whether a sum is there, zero before a launch and behind it, and from its 128th byte on room for the registers of all threads
    as they are, so that all programs need the same layout. Elements are f32 or i32, places at most as many as threads. A program must only
    wait for those that started before it.

    ```mlir
    %r = tile_gpu.hand_on %s from %p by %distance times %takes to %q if %gives : tensor<128x64xf32>, !tile.ptr<i32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, AnyType:$from, I64:$distance, I32:$takes, AnyType:$to, I1:$gives);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `from` $from `by` $distance `times` $takes `to` $to `if` $gives attr-dict `:` type($value) `,` type($from)
  }];
}

// ---- The tensor copy engine ----
//
// `map` is the number of a tensor map among those of the kernel, whose recipes are in `tile_gpu.tensor_maps`
// (include/tile-c/TensorMap.h). Coordinates are those of the block's first element, outermost dimension first.

def TileGPU_TmaAllocOp : TileGPU_Op<"tma_alloc"> {
  let summary = "a buffer with a block of a tensor, brought by the copy engine";
  let description = [{
    `tile-gpu-pipeline-tma` makes of it copies ahead of their use, or a copy and a wait.

    ```mlir
    %m = tile_gpu.tma_alloc 0[%i, %k] : !tile_gpu.memdesc<128x64xf16, #shared>
    ```

    With `apart` n the maps from this number on have each every n-th row, of rows that start at any element. What comes of a row starts at
    the multiple of 16 bytes in front of its first element, and is n elements longer: `tile_gpu.shifted_load` reads it. The block starts at
    a multiple of n rows and of n columns.

    ```mlir
    %m = tile_gpu.tma_alloc 0[%i, %k] apart 8 : !tile_gpu.memdesc<128x64xf16, #apart>
    ```
  }];
  let arguments = (ins I32Attr:$map, Variadic<I32>:$coordinates, OptionalAttr<I32Attr>:$apart);
  let results = (outs Res<TileGPU_MemDesc, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "$map `` `[` $coordinates `]` (`apart` $apart^)? attr-dict `:` type($result)";
}

def TileGPU_TmaCopyOp : TileGPU_Op<"tma_copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one thread starts a copy of a block of a tensor to a buffer";
  let description = [{
    Its bytes count towards the barrier's phase. `apart` as in `tile_gpu.tma_alloc`.

    ```mlir
    tile_gpu.tma_copy 0[%i, %k], %m, %bar if %more : !tile_gpu.memdesc<128x64xf16, #shared>, !tile_gpu.memdesc<2xi64, #b>
    ```
  }];
  let arguments = (ins I32Attr:$map, Variadic<I32>:$coordinates, TileGPU_MemDesc:$target, TileGPU_MemDesc:$barrier,
                       I1:$predicate, OptionalAttr<I32Attr>:$apart);
  let assemblyFormat = [{
    $map `` `[` $coordinates `]` (`apart` $apart^)? `,` $target `,` $barrier `if` $predicate attr-dict `:` type($target) `,` type($barrier)
  }];
}

def TileGPU_TmaStoreOp : TileGPU_Op<"tma_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one thread starts a copy of a buffer to a block of a tensor";
  let description = [{
    What lies outside the tensor is left alone. The buffer must not be written before `tile_gpu.tma_store_wait` and a barrier.
    With `add`, elements are added to those in memory.

    ```mlir
    tile_gpu.tma_store 2[%i, %j], %m : !tile_gpu.memdesc<128x64xf16, #shared>
    ```
  }];
  let arguments = (ins I32Attr:$map, Variadic<I32>:$coordinates, Arg<TileGPU_MemDesc, "", [MemRead]>:$source, UnitAttr:$add);
  let assemblyFormat = "$map `` `[` $coordinates `]` `,` $source (`add` $add^)? attr-dict `:` type($source)";
}

def TileGPU_TmaStoreWaitOp : TileGPU_Op<"tma_store_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until copies from buffers have read them";
  let description = [{
    For all copies that were started. Buffers that are named stay in use until here.

    ```mlir
    tile_gpu.tma_store_wait %m : !tile_gpu.memdesc<64x64xf16, #a>
    ```
  }];
  let arguments = (ins Variadic<TileGPU_MemDesc>:$buffers);
  let assemblyFormat = "($buffers^ `:` type($buffers))? attr-dict";
}

// A barrier takes a buffer of two i64, its own part of several.

def TileGPU_MBarrierInitOp : TileGPU_Op<"mbarrier_init"> {
  let summary = "one thread makes all barriers of a buffer, which expect `count` arrivals a phase";
  let arguments = (ins Arg<TileGPU_MemDesc, "", [MemWrite]>:$barriers, DefaultValuedAttr<I32Attr, "1">:$count);
  let assemblyFormat = "$barriers (`count` `=` $count^)? attr-dict `:` type($barriers)";
}

def TileGPU_MBarrierArriveOp : TileGPU_Op<"mbarrier_arrive", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one thread of each warp arrives";
  let arguments = (ins Arg<TileGPU_MemDesc, "", [MemRead]>:$barrier);
  let assemblyFormat = "$barrier attr-dict `:` type($barrier)";
}

def TileGPU_ProducerOp : TileGPU_Op<"producer", [NoTerminator, SingleBlock, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what one warp does beside those of the program";
  let description = [{
    All threads meet here; then a warp of its own executes the region and ends, while the program's warps go on. Barriers of
    the program are from here on among the program's warps. The kernel gets `tile_gpu.extra_warps`.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Body>($body) attr-dict";
}

def TileGPU_MBarrierInvalOp : TileGPU_Op<"mbarrier_inval"> {
  let summary = "one thread ends all barriers of a buffer";
  let arguments = (ins Arg<TileGPU_MemDesc, "", [MemWrite]>:$barriers);
  let assemblyFormat = "$barriers attr-dict `:` type($barriers)";
}

def TileGPU_MBarrierExpectOp : TileGPU_Op<"mbarrier_expect", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one thread arrives, and makes the phase wait for bytes of copies";
  let arguments = (ins TileGPU_MemDesc:$barrier, I32Attr:$bytes, I1:$predicate);
  let assemblyFormat = "$barrier `,` $bytes `if` $predicate attr-dict `:` type($barrier)";
}

def TileGPU_MBarrierWaitOp : TileGPU_Op<"mbarrier_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads wait until the barrier's phase of this parity is complete";
  let arguments = (ins TileGPU_MemDesc:$barrier, I32:$parity);
  let assemblyFormat = "$barrier `,` $parity attr-dict `:` type($barrier)";
}

#endif
