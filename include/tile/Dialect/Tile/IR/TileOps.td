// All operations of the tile dialect: this file has the program, shape, cast and debugging operations and includes the rest.
#ifndef TILE_OPS_TD
#define TILE_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/Dialect/Tile/IR/TileBase.td"
include "tile/Dialect/Tile/IR/TileEnums.td"
include "tile/Dialect/Tile/IR/TileTypes.td"
include "tile/Dialect/Tile/IR/TileMemoryOps.td"
include "tile/Dialect/Tile/IR/TileComputeOps.td"

// ---- the grid of programs ----

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "position of this program in the grid";
  let description = [{
    From 0 to `tile.num_programs` - 1 along the same axis.

    ```mlir
    %pid = tile.program_id x
    ```
  }];
  let arguments = (ins Tile_ProgramAxis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "extent of the grid of programs";
  let description = [{
    ```mlir
    %n = tile.num_programs x
    ```
  }];
  let arguments = (ins Tile_ProgramAxis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_GridDependencyWaitOp : Tile_Op<"grid_dependency_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the kernel launched before has finished and its writes are visible";
  let description = [{
    For launches that overlap with their predecessor (programmatic dependent launch). Does nothing in other launches
    and on targets without the feature.

    ```mlir
    tile.grid_dependency_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_GridDependencyLaunchOp
    : Tile_Op<"grid_dependency_launch_dependents", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lets the kernel launched after this one begin";
  let description = [{
    The dependent kernel may start once every program has executed this or ended. It says nothing about memory:
    the dependent waits for that with `tile.grid_dependency_wait`.

    ```mlir
    tile.grid_dependency_launch_dependents
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders the memory accesses of one program";
  let description = [{
    Accesses of this program before it happen before those after it, for all elements of the tensors. Needed only
    between a store and a load of *different* elements' addresses that may coincide.

    ```mlir
    tile.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

// ---- making and reshaping tensors ----

def Tile_MakeRangeOp : Tile_Op<"make_range", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    Element i is start + i; the length is end - start, which need not be a power of two.

    ```mlir
    %i = tile.make_range 0 to 128 : tensor<128xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs Tile_I32Tensor:$result);
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure,
    TypesMatchWith<"source is an element of the result", "result", "src", "::tile::elementOf($_self)">]> {
  let summary = "tensor whose elements are all one scalar";
  let description = [{
    ```mlir
    %t = tile.splat %s : tensor<128x64xf32>
    %p = tile.splat %x : tensor<256x!tile.ptr<f16>>
    ```
  }];
  let arguments = (ins Tile_AnyElement:$src);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_UnsplatOp : Tile_Op<"unsplat", [Pure,
    TypesMatchWith<"result is the element of the source", "src", "result", "::tile::elementOf($_self)">]> {
  let summary = "the scalar in a tensor of one element";
  let description = [{
    ```mlir
    %s = tile.unsplat %t : tensor<1x1xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src);
  let results = (outs Tile_AnyElement:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure]> {
  let summary = "inserts a dimension of size 1";
  let description = [{
    The new dimension has index `axis` in the result.

    ```mlir
    %col = tile.expand_dims %x axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src `axis` `=` $axis attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats dimensions of size 1";
  let description = [{
    The rank stays; each dimension is kept, or grows from 1.

    ```mlir
    %y = tile.broadcast %x : tensor<128x1xf32> -> tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order, unless `allow_reorder` permits any order.

    ```mlir
    %y = tile.reshape %x : tensor<128x64xf32> -> tensor<32x256xf32>
    %z = tile.reshape %x allow_reorder : tensor<128x64xf32> -> tensor<8192xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src, UnitAttr:$allow_reorder);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src (`allow_reorder` $allow_reorder^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TransOp : Tile_Op<"trans", [Pure]> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension i of the result is dimension `order[i]` of the source.

    ```mlir
    %y = tile.trans %x order = [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src `order` `=` $order attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "pairs the elements of two tensors along a new last dimension of size 2";
  let description = [{
    `result[.., 0]` is `lhs[..]`, `result[.., 1]` is `rhs[..]`.

    ```mlir
    %y = tile.join %a, %b : tensor<128xf32> -> tensor<128x2xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "takes apart a last dimension of size 2";
  let description = [{
    The inverse of `tile.join`.

    ```mlir
    %a, %b = tile.split %x : tensor<128x2xf32> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src);
  let results = (outs Tile_Tensor:$lhs, Tile_Tensor:$rhs);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($lhs)";
  let hasVerifier = 1;
}

def Tile_CatOp : Tile_Op<"cat", [Pure]> {
  let summary = "concatenates along the first dimension";
  let description = [{
    ```mlir
    %y = tile.cat %a, %b : tensor<64xf32>, tensor<32xf32> -> tensor<96xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

// ---- casts ----

def Tile_IntToPtrOp : Tile_Op<"int_to_ptr", [Pure, SameOperandsAndResultShape]> {
  let summary = "address given as an integer";
  let description = [{
    ```mlir
    %p = tile.int_to_ptr %a : i64 -> !tile.ptr<f32>
    ```
  }];
  let arguments = (ins Tile_I64Value:$src);
  let results = (outs Tile_PtrValue:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PtrToIntOp : Tile_Op<"ptr_to_int", [Pure, SameOperandsAndResultShape]> {
  let summary = "address as an integer";
  let description = [{
    ```mlir
    %a = tile.ptr_to_int %p : tensor<256x!tile.ptr<f32>> -> tensor<256xi64>
    ```
  }];
  let arguments = (ins Tile_PtrValue:$src);
  let results = (outs Tile_I64Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure, SameOperandsAndResultShape]> {
  let summary = "the same bits as another type of the same width";
  let description = [{
    Between numbers of equal width (an `i1` only to itself), or between pointers of one address space. Unlike
    `arith.bitcast` it takes pointers.

    ```mlir
    %i = tile.bitcast %x : tensor<256xf32> -> tensor<256xi32>
    %q = tile.bitcast %p : !tile.ptr<i1> -> !tile.ptr<i8>
    ```
  }];
  let arguments = (ins Tile_Value:$src);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_FpToFpOp : Tile_Op<"fp_to_fp", [Pure, SameOperandsAndResultShape]> {
  let summary = "converts between floating-point formats";
  let description = [{
    Any pair of formats. `rounding` (nearest even unless said) matters where the result cannot hold the value; a
    finite value too large for an f8 format becomes its largest finite value, NaN stays NaN.

    ```mlir
    %y = tile.fp_to_fp %x : tensor<256xf32> -> tensor<256xf8E4M3FN>
    %z = tile.fp_to_fp %x rounding = rtz : tensor<256xf32> -> tensor<256xbf16>
    ```
  }];
  let arguments = (ins Tile_FloatValue:$src, Tile_Default<Tile_Rounding, "RTNE">:$rounding);
  let results = (outs Tile_FloatValue:$result);
  let assemblyFormat = "$src (`rounding` `=` $rounding^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

// ---- debugging and hints ----

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "prints values while the kernel runs";
  let description = [{
    One line for each element: program id, index, the prefix and the value; in hexadecimal if asked.
    `unsigned` says for each operand whether an integer is to be read as unsigned (none is by default).

    ```mlir
    tile.print "x = " %x : tensor<16xf32>
    tile.print "bits " hex %a, %b unsigned = [true, false] : i32, tensor<4xi8>
    tile.print "here"
    ```
  }];
  let arguments = (ins Variadic<Tile_Value>:$args, StrAttr:$prefix, UnitAttr:$hex,
                       OptionalAttr<DenseBoolArrayAttr>:$is_unsigned);
  let assemblyFormat = [{
    $prefix (`hex` $hex^)? ($args^)? (`unsigned` `=` $is_unsigned^)? attr-dict (`:` type($args)^)?
  }];
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "stops the kernel with a message if a condition is false";
  let description = [{
    Executed only if the kernel is compiled with assertions on; otherwise removed.

    ```mlir
    tile.assert %ok, "index out of bounds" : tensor<256xi1>
    ```
  }];
  let arguments = (ins Tile_BoolValue:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_AssumeOp : Tile_Op<"assume", [MemoryEffects<[MemWrite]>]> {
  let summary = "tells the compiler that a condition holds";
  let description = [{
    If it is false at run time, behaviour is undefined.

    ```mlir
    %nonnegative = arith.cmpi sge, %stride, %c0 : i32
    tile.assume %nonnegative
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

#endif
