// The ops of Triton IR text.

#ifndef TILE_DIALECT_TT_IR_TTOPS
#define TILE_DIALECT_TT_IR_TTOPS

include "tile/Dialect/TT/IR/TTBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;

// Shape of the result is the shape of the operands; scalars count as shape-less.
class TT_Elementwise<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultShape], traits)>;

// An op of the form `%x, ... : type` with one type for all.
class TT_SameType<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType], traits)>;

// An op that touches memory or has an effect that must stay in order.
class TT_Effect<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)>;

// ---- Functions ----

def TT_FuncOp : TT_Op<"func", [IsolatedFromAbove, AffineScope, AutomaticAllocationScope, FunctionOpInterface]> {
  let summary = "a kernel (public) or a helper (private)";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def TT_CallOp : TT_Op<"call"> {
  let summary = "call of a helper";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, $results)";
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, Terminator]> {
  let summary = "end of a function";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "position of this program in the grid";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "extent of the grid";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

// ---- Casts and element-wise math ----

class TT_Cast<string mnemonic, string what, dag ins, dag outs> : TT_Elementwise<mnemonic> {
  let summary = what;
  let arguments = ins;
  let results = outs;
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_IntToPtrOp : TT_Cast<"int_to_ptr", "i64 to pointer", (ins TT_I64Like:$src), (outs TT_PtrLike:$result)>;
def TT_PtrToIntOp : TT_Cast<"ptr_to_int", "pointer to i64", (ins TT_PtrLike:$src), (outs TT_I64Like:$result)>;
def TT_BitcastOp : TT_Cast<"bitcast", "same bits, another type; also of pointers",
                           (ins TT_Any:$src), (outs TT_Any:$result)>;

def TT_FpToFpOp : TT_Elementwise<"fp_to_fp"> {
  let summary = "conversion from or to an 8-bit float, or with a rounding mode";
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
}

def TT_ClampFOp : TT_SameType<"clampf"> {
  let summary = "x limited to [min, max]";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

class TT_Binary<string mnemonic, string what, Constraint type> : TT_SameType<mnemonic> {
  let summary = what;
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_Binary<"precise_divf", "correctly rounded quotient", TT_FloatLike>;
def TT_ApproxDivFOp : TT_Binary<"approx_divf", "fast quotient, a few units in the last place off", TT_FloatLike>;
def TT_MulhiUIOp : TT_Binary<"mulhiui", "upper half of the unsigned product", TT_IntLike>;

def TT_PreciseSqrtOp : TT_SameType<"precise_sqrt"> {
  let summary = "correctly rounded square root";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise"> {
  let summary = "element-wise call of a device-library function";
  let arguments = (ins Variadic<TT_Any>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Any:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm"> {
  let summary = "element-wise inline assembly";
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_Any>:$args);
  let results = (outs Variadic<TT_Any>:$results);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($results)";
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [RecursiveMemoryEffects]> {
  let summary = "scalar code applied to each element, or to `pack` elements at a time";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$results);
  let regions = (region AnyRegion:$body);
}

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return",
                                      [Pure, Terminator, HasParent<"MapElementwiseOp">]> {
  let summary = "end of a map_elementwise body";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

// ---- Pointers and memory ----

def TT_AddPtrOp : TT_Elementwise<"addptr", [AllTypesMatch<["ptr", "result"]>]> {
  let summary = "pointer plus offset elements";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
}

def TT_LoadOp : TT_Op<"load", [
    MemoryEffects<[MemRead]>, AttrSizedOperandSegments,
    TypesMatchWith<"result is what the pointer points to", "ptr", "result", "::tile::tt::pointeeTypeOf($_self)">,
    OptionalTypesMatchWith<"mask has the pointer's shape", "ptr", "mask",
                           "::tile::tt::maskTypeOf(::tile::tt::pointeeTypeOf($_self))">,
    OptionalTypesMatchWith<"other has the result's type", "ptr", "other", "::tile::tt::pointeeTypeOf($_self)">]> {
  let summary = "load through pointers or a block pointer";
  let description = [{
    `boundaryCheck` and `padding` belong to block pointers. Newer versions write `cachePolicy` instead of
    `cacheModifier` and `evictionPolicy`.
  }];
  let arguments = (ins AnyTypeOf<[TT_PtrLike, TT_BlockPtr]>:$ptr, Optional<TT_BoolLike>:$mask,
                       Optional<TT_Any>:$other, DefaultValuedOptionalAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck,
                       OptionalAttr<TT_PaddingOption>:$padding,
                       DefaultValuedAttr<TT_CacheModifier, "::tile::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicy, "::tile::tt::EvictionPolicy::NORMAL">:$evict,
                       OptionalAttr<TT_CachePolicyAttr>:$cachePolicy,
                       DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_StoreOp : TT_Op<"store", [
    MemoryEffects<[MemWrite]>,
    TypesMatchWith<"value is what the pointer points to", "ptr", "value", "::tile::tt::pointeeTypeOf($_self)">,
    OptionalTypesMatchWith<"mask has the pointer's shape", "ptr", "mask",
                           "::tile::tt::maskTypeOf(::tile::tt::pointeeTypeOf($_self))">]> {
  let summary = "store through pointers or a block pointer";
  let arguments = (ins AnyTypeOf<[TT_PtrLike, TT_BlockPtr]>:$ptr, TT_Any:$value, Optional<TT_BoolLike>:$mask,
                       DefaultValuedOptionalAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck,
                       DefaultValuedAttr<TT_CacheModifier, "::tile::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicy, "::tile::tt::EvictionPolicy::NORMAL">:$evict,
                       OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_AtomicRMWOp : TT_Effect<"atomic_rmw"> {
  let summary = "atomic read-modify-write; the result is the old value";
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, TT_PtrLike:$ptr, TT_Any:$val, Optional<TT_BoolLike>:$mask,
                       TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_Effect<"atomic_cas"> {
  let summary = "atomic compare and swap; the result is the old value";
  let arguments = (ins TT_PtrLike:$ptr, TT_Any:$cmp, TT_Any:$val, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicLoadOp : TT_Effect<"atomic_load"> {
  let summary = "atomic load";
  let arguments = (ins TT_MemSemantic:$sem, TT_MemSyncScope:$scope, TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicStoreOp : TT_Effect<"atomic_store", [
    TypesMatchWith<"value is what the pointer points to", "ptr", "val", "::tile::tt::pointeeTypeOf($_self)">,
    OptionalTypesMatchWith<"mask has the pointer's shape", "ptr", "mask",
                           "::tile::tt::maskTypeOf(::tile::tt::pointeeTypeOf($_self))">]> {
  let summary = "atomic store";
  let arguments = (ins TT_MemSemantic:$sem, TT_MemSyncScope:$scope, TT_PtrLike:$ptr, TT_Any:$val,
                       Optional<TT_BoolLike>:$mask);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` type($ptr)";
}

def TT_AtomicPollOp : TT_Effect<"atomic_poll"> {
  let summary = "spin until memory equals a value; false where the time in nanoseconds ran out";
  let arguments = (ins TT_MemSemantic:$sem, TT_MemSyncScope:$scope, TT_PtrLike:$ptr, TT_IntLike:$expected,
                       Optional<I64>:$timeout);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:`
    type($ptr) `,` type($expected) `->` type($result)
  }];
}

def TT_GridDependencyWaitOp : TT_Effect<"grid_dependency_wait"> {
  let summary = "wait for the grids that this launch depends on";
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyLaunchDependentsOp : TT_Effect<"grid_dependency_launch_dependents"> {
  let summary = "let dependent grids start";
  let assemblyFormat = "attr-dict";
}

// ---- Block pointers ----

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize,
    TypesMatchWith<"base points to the block's element", "result", "base", "::tile::tt::blockPtrBaseOf($_self)">]> {
  let summary = "block pointer from base, shape, strides and offsets";
  let arguments = (ins TT_ScalarPtr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                       DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)";
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "block pointer moved by offsets";
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
}

// ---- Tensor descriptors ----

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "descriptor of a tensor in global memory";
  let arguments = (ins TT_ScalarPtr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       OptionalAttr<TT_PaddingOption>:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
}

def TT_DescriptorLoadOp : TT_Effect<"descriptor_load"> {
  let summary = "load a block";
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices,
                       DefaultValuedAttr<TT_CacheModifier, "::tile::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicy, "::tile::tt::EvictionPolicy::NORMAL">:$evict,
                       OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}

def TT_DescriptorStoreOp : TT_Effect<"descriptor_store"> {
  let summary = "store a block";
  let arguments = (ins TT_TensorDescType:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}

def TT_DescriptorReduceOp : TT_Effect<"descriptor_reduce"> {
  let summary = "combine a block into memory";
  let arguments = (ins TT_DescriptorReduceKind:$kind, TT_TensorDescType:$desc, TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}

class TT_Gather<string mnemonic> : TT_Effect<mnemonic> {
  let summary = "load rows by index, from one column on";
  let arguments = (ins TT_TensorDescType:$desc, TT_I32Tensor:$x_offsets, I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
}

class TT_Scatter<string mnemonic> : TT_Effect<mnemonic> {
  let summary = "store rows by index, from one column on";
  let arguments = (ins TT_TensorDescType:$desc, TT_I32Tensor:$x_offsets, I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
}

def TT_DescriptorGatherOp : TT_Gather<"descriptor_gather">;
def TT_DescriptorScatterOp : TT_Scatter<"descriptor_scatter">;
def TT_ExperimentalDescriptorGatherOp : TT_Gather<"experimental_descriptor_gather">;
def TT_ExperimentalDescriptorScatterOp : TT_Scatter<"experimental_descriptor_scatter">;

// Up to 3.2 the descriptor is a pointer to an opaque tensor map that the host made; 3.3 has a type for it.
def TT_OldDescriptor : AnyTypeOf<[TT_ScalarPtr, TT_TensorDescType]>;

def TT_ExperimentalDescriptorLoadOp : TT_Effect<"experimental_descriptor_load"> {
  let summary = "load a block (3.0 to 3.3)";
  let arguments = (ins TT_OldDescriptor:$desc, Variadic<I32>:$indices,
                       DefaultValuedAttr<TT_CacheModifier, "::tile::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicy, "::tile::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}

def TT_ExperimentalDescriptorStoreOp : TT_Effect<"experimental_descriptor_store"> {
  let summary = "store a block (3.0 to 3.3)";
  let arguments = (ins TT_OldDescriptor:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}

def TT_ReinterpretTensorDescOp : TT_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "opaque tensor map as a descriptor (3.3)";
  let arguments = (ins TT_ScalarPtr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

def TT_ExperimentalTensormapCreateOp : TT_Effect<"experimental_tensormap_create", [AttrSizedOperandSegments]> {
  let summary = "write an opaque tensor map to memory (3.2 and 3.3)";
  let arguments = (ins TT_ScalarPtr:$desc_ptr, TT_ScalarPtr:$global_address, Variadic<I32>:$box_dim,
                       Variadic<I32>:$global_dim, Variadic<I64>:$global_stride, Variadic<I32>:$element_stride,
                       I32Attr:$elem_type, I32Attr:$interleave_layout, I32Attr:$swizzle_mode, I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
}

def TT_ExperimentalTensormapFenceproxyAcquireOp : TT_Effect<"experimental_tensormap_fenceproxy_acquire"> {
  let summary = "make a tensor map in memory visible (3.2 and 3.3)";
  let arguments = (ins TT_ScalarPtr:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

// ---- Shapes ----

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "scalar to all elements";
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure,
    TypesMatchWith<"result is the element type", "src", "result",
                   "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "the element of a one-element tensor";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
}

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, ... end - 1";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_I32Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class TT_Shape<string mnemonic, string what, dag ins> : TT_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = ins;
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_ExpandDimsOp : TT_Shape<"expand_dims", "new dimension of size 1", (ins TT_Tensor:$src, I32Attr:$axis)>;
def TT_BroadcastOp : TT_Shape<"broadcast", "dimensions of size 1 repeated", (ins TT_Tensor:$src)>;
def TT_TransOp : TT_Shape<"trans", "dimensions reordered", (ins TT_Tensor:$src, DenseI32ArrayAttr:$order)>;

def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
  let summary = "same elements, another shape";
  let description = [{
    3.0 writes `{allow_reorder = false}`, later versions the keywords; with `allow_reorder` the order of
    the elements is free.
  }];
  let arguments = (ins TT_Tensor:$src, OptionalAttr<BoolAttr>:$allow_reorder, OptionalAttr<BoolAttr>:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src custom<Flag>($allow_reorder, "\"allow_reorder\"") custom<Flag>($efficient_layout, "\"efficient_layout\"")
    attr-dict `:` type($src) `->` type($result)
  }];
}

class TT_Pair<string mnemonic, string what> : TT_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = what;
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

def TT_JoinOp : TT_Pair<"join", "two tensors as the new last dimension">;
def TT_CatOp : TT_Pair<"cat", "two tensors one after the other, in any order of elements">;

def TT_SplitOp : TT_Op<"split", [Pure, AllTypesMatch<["outLHS", "outRHS"]>]> {
  let summary = "inverse of join";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}

// ---- Reductions, scans, data-dependent shapes ----

def TT_ReduceOp : TT_Op<"reduce", [RecursiveMemoryEffects]> {
  let summary = "tensors combined along an axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, OptionalAttr<StrAttr>:$reduction_ordering);
  let results = (outs Variadic<TT_Any>:$results);
  let regions = (region SizedRegion<1>:$combineOp);
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [Pure, Terminator, HasParent<"ReduceOp">]> {
  let summary = "end of a reduce body";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def TT_ScanOp : TT_Op<"scan", [RecursiveMemoryEffects]> {
  let summary = "inclusive prefix combination along an axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$results);
  let regions = (region SizedRegion<1>:$combineOp);
}

def TT_ScanReturnOp : TT_Op<"scan.return", [Pure, Terminator, HasParent<"ScanOp">]> {
  let summary = "end of a scan body";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def TT_HistogramOp : TT_Op<"histogram", [Pure,
    OptionalTypesMatchWith<"mask has the source's shape", "src", "mask", "::tile::tt::maskTypeOf($_self)">]> {
  let summary = "count of each value 0, 1, ...";
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "elements picked along an axis by index";
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

// ---- Matrix products ----

def TT_DotOp : TT_Op<"dot", [Pure, AllTypesMatch<["c", "d"]>]> {
  let summary = "d = a * b + c";
  let description = [{
    Without `inputPrecision` the product is exact in the operands (`ieee`); versions before 3.0 wrote `allowTF32`.
  }];
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c,
                       DefaultValuedAttr<TT_InputPrecision, "::tile::tt::InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc, OptionalAttr<BoolAttr>:$allowTF32);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($d)
  }];
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "d"]>]> {
  let summary = "d = (a * a_scale) * (b * b_scale) + c, a scale for each 32 (or 16) elements along K";
  let description = [{
    `%a scale %as, %b scale %bs, %c`; 3.2 writes `%a, %as, %b, %bs, %c` and passes all types as bytes.
  }];
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_FloatTensor:$c, Optional<RankedTensorOf<[AnyInteger, AnyFloat]>>:$a_scale,
                       Optional<RankedTensorOf<[AnyInteger, AnyFloat]>>:$b_scale, TT_ScaleDotElemType:$a_elem_type,
                       TT_ScaleDotElemType:$b_elem_type, DefaultValuedAttr<BoolAttr, "false">:$fastMath,
                       DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack, DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$d);
  let assemblyFormat = [{
    custom<DotScaledOperands>($a, $a_scale, $b, $b_scale, $c)
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict `:`
    type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
}

// ---- Debugging ----

def TT_PrintOp : TT_Effect<"print"> {
  let summary = "print values";
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Any>:$args,
                       OptionalAttr<DenseI32ArrayAttr>:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}

// The format prints the three together.
def TT_AllOfThePlace : PredOpTrait<"file, function and line are given together or not at all",
                                   CPred<"!getFileAttr() == !getFuncAttr() && !getFileAttr() == !getLineAttr()">>;

def TT_AssertOp : TT_Effect<"assert", [TT_AllOfThePlace]> {
  let summary = "stop with a message where the condition does not hold";
  let description = "3.0 and 3.1 add file, function and line after the message.";
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message, OptionalAttr<StrAttr>:$file,
                       OptionalAttr<StrAttr>:$func, OptionalAttr<I32Attr>:$line);
  let assemblyFormat = [{
    $condition `,` $message (`,` $file^ `,` $func `,` $line)? attr-dict `:` type($condition)
  }];
}

#endif // TILE_DIALECT_TT_IR_TTOPS
