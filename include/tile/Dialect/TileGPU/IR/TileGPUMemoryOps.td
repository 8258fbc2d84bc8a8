/* TileGPUMemoryOps.td - shared memory: its layouts, buffers and views of them, copies to and from, asynchronous copies. */
#ifndef TILE_GPU_MEMORY_OPS
#define TILE_GPU_MEMORY_OPS
include "mlir/IR/BuiltinTypeInterfaces.td"
include "tile/Dialect/TileGPU/IR/TileGPUOps.td"

def TileGPU_SharedAttr : AttrDef<TileGPU_Dialect, "Shared"> {
  let mnemonic = "shared";
  let summary = "which element of a buffer lies where in shared memory";
  let description = [{
    A linear map over GF(2) from the bits of an offset (in elements) to the coordinates of the element stored there, one
    basis vector per bit, lowest first; further bits choose the block of a cluster whose memory it is. The map is one to one;
    what the bases span is the shape of the whole buffer. A swizzle is a basis that moves along two dimensions.

    `pad = [i, n]` leaves n elements unused after every i, `align` is the least alignment of the buffer in bytes (16 unless
    said). Hardware that swizzles by address bits needs it: 1024 for rows of 128 bytes, 512 for 64, 256 for 32.

    Example: 4 rows of 4 elements, column c of row r at c ^ r:

    ```mlir
    #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [1, 1], [2, 2]], block = []>
    #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [1, 0], [2, 0]], block = [], pad = [4, 1], align = 128>
    ```
    The leading number is the rank.
  }];
  let parameters = (ins "int64_t":$rank, ArrayRefParameter<"int64_t">:$offsets, ArrayRefParameter<"int64_t">:$blocks,
                        "int64_t":$padInterval, "int64_t":$padAmount, "int64_t":$alignment);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileGPU_MemDescType : TypeDef<TileGPU_Dialect, "MemDesc"> {
  let mnemonic = "memdesc";
  let summary = "a buffer in shared memory, or a view of a part of it";
  let description = [{
    The layout describes the last dimensions, as many as its rank. Dimensions before them count buffers of that layout, any
    number of them, one after another, each at the layout's alignment: the stages of a pipeline.

    A view of a part keeps the layout of the whole buffer, so its shape may be smaller than what the layout spans.

    ```mlir
    !tile_gpu.memdesc<3x128x64xf16, #shared>   // 3 buffers
    !tile_gpu.memdesc<128x64xf16, #shared>     // one of them
    !tile_gpu.memdesc<128x16xf16, #shared>     // 16 of its columns
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$layout);
  let assemblyFormat = "`<` custom<MemDescShape>($shape, $elementType) `,` $layout `>`";
  let genVerifyDecl = 1;
}

def TileGPU_MemDesc : Type<TileGPU_MemDescType.predicate, "buffer in shared memory">;

// ---- buffers and views ----

def TileGPU_AllocOp : TileGPU_Op<"alloc"> {
  let summary = "a buffer in shared memory";
  let description = [{
    Lives from here to the last use of the buffer or a view of it; `tile-gpu-allocate-shared` finds its place. With a tensor,
    the buffer starts with these elements. Loops and branches do not carry buffers.

    ```mlir
    %0 = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x128x64xf16, #shared>
    %1 = tile_gpu.alloc %t : (tensor<128x64xf16, #layout>) -> !tile_gpu.memdesc<128x64xf16, #shared>
    ```
  }];
  let arguments = (ins Optional<AnyRankedTensor>:$init);
  let results = (outs Res<TileGPU_MemDesc, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "($init^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TileGPU_IndexOp : TileGPU_Op<"index", [Pure]> {
  let summary = "one buffer of several";
  let description = [{
    Buffer `index` of the leading dimension, or, with `rotate = d`, buffer (index + d) modulo their number. The index lies
    between 0 and their number. Views of one index with different rotations are known not to overlap.

    ```mlir
    %1 = tile_gpu.index %0[%i] rotate = 2 : !tile_gpu.memdesc<3x128x64xf16, #shared> -> !tile_gpu.memdesc<128x64xf16, #shared>
    ```
  }];
  let arguments = (ins TileGPU_MemDesc:$source, I32:$index, DefaultValuedAttr<I32Attr, "0">:$rotate);
  let results = (outs TileGPU_MemDesc:$result);
  let assemblyFormat = "$source `[` $index `]` (`rotate` `=` $rotate^)? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_AdvanceOp : TileGPU_Op<"advance", [Pure]> {
  let summary = "the number of the buffer after this one";
  let description = [{
    index + 1, and 0 after the last of `count`. Barriers and waits of a pipeline follow a carried index through it.

    ```mlir
    %1 = tile_gpu.advance %0 of 3
    ```
  }];
  let arguments = (ins I32:$index, I32Attr:$count);
  let results = (outs I32:$result);
  let assemblyFormat = "$index `of` $count attr-dict";
  let hasVerifier = 1;
}

def TileGPU_SliceOp : TileGPU_Op<"slice", [Pure]> {
  let summary = "a part of a buffer";
  let description = [{
    Starts at `offsets`; in each dimension the size of the part is a power of two, and the offset a multiple of it.

    ```mlir
    %1 = tile_gpu.slice %0[0, 32] : !tile_gpu.memdesc<128x64xf16, #shared> -> !tile_gpu.memdesc<128x16xf16, #shared>
    ```
  }];
  let arguments = (ins TileGPU_MemDesc:$source, DenseI64ArrayAttr:$offsets);
  let results = (outs TileGPU_MemDesc:$result);
  let assemblyFormat = "$source `` $offsets attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_TransOp : TileGPU_Op<"trans", [Pure]> {
  let summary = "a buffer with its dimensions in another order";
  let description = [{
    Dimension i of the result is dimension order[i] of the source; so is the layout's. No data moves.

    ```mlir
    %1 = tile_gpu.trans %0 [1, 0] : !tile_gpu.memdesc<128x64xf16, #shared> -> !tile_gpu.memdesc<64x128xf16, #shared1>
    ```
  }];
  let arguments = (ins TileGPU_MemDesc:$source, DenseI32ArrayAttr:$order);
  let results = (outs TileGPU_MemDesc:$result);
  let assemblyFormat = "$source $order attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_PartOp : TileGPU_Op<"part", [Pure]> {
  let summary = "neighbours of an array of buffers as one buffer";
  let description = [{
    As many buffers from `first` on as make one of the result's size. The result's layout goes on where the buffers' ends: its first bases
    are theirs. Buffers of 16 rows that lie after each other are one of 128 rows so.

    ```mlir
    %1 = tile_gpu.part %0 from 8 : !tile_gpu.memdesc<9x16x64xf16, #shared> -> !tile_gpu.memdesc<16x64xf16, #shared>
    %2 = tile_gpu.part %0 from 0 : !tile_gpu.memdesc<9x16x64xf16, #shared> -> !tile_gpu.memdesc<128x64xf16, #shared1>
    ```
  }];
  let arguments = (ins TileGPU_MemDesc:$source, I32Attr:$first);
  let results = (outs TileGPU_MemDesc:$result);
  let assemblyFormat = "$source `from` $first attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

// ---- access ----

def TileGPU_LocalLoadOp : TileGPU_Op<"local_load"> {
  let summary = "reads a buffer into registers";
  let description = [{
    ```mlir
    %t = tile_gpu.local_load %0 : !tile_gpu.memdesc<128x64xf16, #shared> -> tensor<128x64xf16, #layout>
    ```
  }];
  let arguments = (ins Arg<TileGPU_MemDesc, "", [MemRead]>:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_ShiftedLoadOp : TileGPU_Op<"shifted_load"> {
  let summary = "reads a buffer with rows that start at any element into registers";
  let description = [{
    Of a buffer that `tile_gpu.tma_copy` fills `apart` n. Row r starts (r * shift) modulo n elements behind the row's place in the buffer.

    ```mlir
    %t = tile_gpu.shifted_load %0 by %shift apart 8 : !tile_gpu.memdesc<128x64xf16, #apart> -> tensor<128x64xf16, #layout>
    ```
  }];
  let arguments = (ins Arg<TileGPU_MemDesc, "", [MemRead]>:$source, I32:$shift, I32Attr:$apart);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `by` $shift `apart` $apart attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_LocalStoreOp : TileGPU_Op<"local_store"> {
  let summary = "writes registers to a buffer";
  let description = [{
    ```mlir
    tile_gpu.local_store %t, %0 : tensor<128x64xf16, #layout>, !tile_gpu.memdesc<128x64xf16, #shared>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, Arg<TileGPU_MemDesc, "", [MemWrite]>:$target);
  let assemblyFormat = "$value `,` $target attr-dict `:` type($value) `,` type($target)";
  let hasVerifier = 1;
}

def TileGPU_AsyncCopyOp : TileGPU_Op<"async_copy", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies from global to shared memory without waiting";
  let description = [{
    Elements where the mask is false become `other`, or 0 without it; they are not read. The buffer holds the elements once
    `tile_gpu.async_wait` has waited for the group of the copy and, for those that other threads copied, after a barrier.
    Where the chip has no asynchronous copy of the width that pointers allow, the copy is done at once.

    ```mlir
    tile_gpu.async_copy %ptrs, %0 mask %m other %o : tensor<128x64x!tile.ptr<f16>, #layout>, !tile_gpu.memdesc<128x64xf16, #shared>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$ptr, TileGPU_MemDesc:$target, Optional<AnyRankedTensor>:$mask,
                       Optional<AnyRankedTensor>:$other);
  let assemblyFormat = [{
    $ptr `,` $target (`mask` $mask^)? (`other` $other^)? attr-dict `:` type($ptr) `,` type($target) (`,` type($mask)^)?
    (`other` type($other)^)?
  }];
  let hasVerifier = 1;
}

def TileGPU_AsyncCommitOp : TileGPU_Op<"async_commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "ends a group of asynchronous copies";
  let description = [{
    The copies since the last commit become one group, also if there are none.

    ```mlir
    tile_gpu.async_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_AsyncWaitOp : TileGPU_Op<"async_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for asynchronous copies of this thread";
  let description = [{
    Until at most `pending` groups, the newest, are under way.

    ```mlir
    tile_gpu.async_wait 2
    ```
  }];
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
  let hasVerifier = 1;
}

#endif
