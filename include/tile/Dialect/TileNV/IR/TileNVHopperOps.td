/* TileNVHopperOps.td - what sm_90 adds: warp-group matrix products, barriers in shared memory, the tensor copy engine. */
#ifndef TILE_NV_HOPPER_OPS
#define TILE_NV_HOPPER_OPS

// Included by TileNVOps.td, which defines TileNV_Op.

def TileNV_SharedPointer : Type<
    CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self) && ::llvm::cast<::mlir::LLVM::LLVMPointerType>($_self).getAddressSpace() == 3">,
    "shared pointer (!llvm.ptr<3>)">, BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext(), 3)">;
def TileNV_GenericPointer : Type<
    CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self) && ::llvm::cast<::mlir::LLVM::LLVMPointerType>($_self).getAddressSpace() == 0">,
    "generic pointer (!llvm.ptr)">, BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;
def TileNV_Struct : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMStructType>($_self)">, "!llvm.struct">;

// ---- Warp-group matrix products ----

def TileNV_WgmmaType : I32EnumAttr<"WgmmaType", "element type of a warp group's matrix operand", [
    I32EnumAttrCase<"F16", 0, "f16">, I32EnumAttrCase<"BF16", 1, "bf16">, I32EnumAttrCase<"TF32", 2, "tf32">,
    I32EnumAttrCase<"E4M3", 3, "e4m3">, I32EnumAttrCase<"E5M2", 4, "e5m2">, I32EnumAttrCase<"S8", 5, "s8">,
    I32EnumAttrCase<"U8", 6, "u8">]> {
  let cppNamespace = "::tile::nv";
}

def TileNV_WgmmaOp : TileNV_Op<"wgmma", [AttrSizedOperandSegments, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "asynchronous product of a warp group: accumulator = a * b (+ accumulator)";
  let description = [{
    `wgmma.mma_async`, a 64 x n x k product by four warps, k being 32 bytes of elements. B is in shared memory, named by a
    64-bit matrix descriptor; A too, or in four 32-bit registers of each thread. `trans_a` and `trans_b` say that the
    operand in shared memory is not K-major (16-bit elements only). Without `scale`, or where it is true, the product is
    added to the accumulator, else it replaces it. `negate_a` and `negate_b` take the operand's negative (floats).

    The accumulator is a struct of the thread's 32-bit registers: n / 2 of f32 or i32, or n / 4 of two f16 each (i32).

    Reads and writes happen some time before a `tile_nv.wgmma_wait` that covers the group it is committed to; the result
    must not be touched before, except by another product of the same shape. An `nvvm.wgmma.fence.aligned` has to stand
    between other accesses of the registers and the first product.

    ```mlir
    %r = tile_nv.wgmma %acc, [%a], %b, scale = %notFirst n = 256 f16, f16 : !llvm.struct<(f32, ...)>, i64
    ```
  }];
  let arguments = (ins TileNV_Struct:$accumulator, Variadic<AnyTypeOf<[I32, I64]>>:$a, I64:$b, Optional<I1>:$scale,
                       I32Attr:$n, TileNV_WgmmaType:$aType, TileNV_WgmmaType:$bType, UnitAttr:$transA, UnitAttr:$transB,
                       UnitAttr:$negateA, UnitAttr:$negateB, UnitAttr:$saturate);
  let results = (outs TileNV_Struct:$result);
  let assemblyFormat = [{
    $accumulator `,` `[` $a `]` `,` $b (`,` `scale` `=` $scale^)? `n` `=` $n $aType `,` $bType (`trans_a` $transA^)?
    (`trans_b` $transB^)? (`negate_a` $negateA^)? (`negate_b` $negateB^)? (`saturate` $saturate^)? attr-dict `:`
    type($accumulator) `,` type($a)
  }];
  let hasVerifier = 1;
}

def TileNV_WgmmaFenceOp : TileNV_Op<"wgmma_fence"> {
  let summary = "let products read registers that this thread has written";
  let description = [{
    `wgmma.fence`. The values pass through, so that they are made before it: operands A in registers.

    ```mlir
    %r = tile_nv.wgmma_fence(%a) : (!llvm.struct<(i32, i32, i32, i32)>) -> !llvm.struct<(i32, i32, i32, i32)>
    ```
  }];
  let arguments = (ins Variadic<TileNV_Struct>:$values);
  let results = (outs Variadic<TileNV_Struct>:$results);
  let assemblyFormat = "`(` $values `)` attr-dict `:` functional-type($values, $results)";
  let hasVerifier = 1;
}

def TileNV_WgmmaWaitOp : TileNV_Op<"wgmma_wait"> {
  let summary = "wait until at most `pending` groups of products are open";
  let description = [{
    `wgmma.wait_group`. The accumulators pass through: their values may be read after the wait only, and registers of
    operands A that are named here stay alive until it.

    ```mlir
    %r = tile_nv.wgmma_wait 0 (%acc) : (!llvm.struct<(f32, f32, f32, f32)>) -> !llvm.struct<(f32, f32, f32, f32)>
    ```
  }];
  let arguments = (ins I32Attr:$pending, Variadic<TileNV_Struct>:$values);
  let results = (outs Variadic<TileNV_Struct>:$results);
  let assemblyFormat = "$pending `(` $values `)` attr-dict `:` functional-type($values, $results)";
  let hasVerifier = 1;
}

// ---- Barriers in shared memory ----

def TileNV_MBarrierInitOp : TileNV_Op<"mbarrier_init", [MemoryEffects<[MemWrite]>]> {
  let summary = "make a barrier in shared memory that expects `count` arrivals a phase";
  let description = [{
    Eight bytes at `barrier`, aligned to eight. Others may use it after `nvvm.fence.mbarrier.init` and a barrier of all.

    ```mlir
    tile_nv.mbarrier_init %bar, %count
    ```
  }];
  let arguments = (ins TileNV_SharedPointer:$barrier, I32:$count);
  let assemblyFormat = "$barrier `,` $count attr-dict";
}

def TileNV_MBarrierInvalOp : TileNV_Op<"mbarrier_inval", [MemoryEffects<[MemWrite]>]> {
  let summary = "the memory of a barrier may be used for something else";
  let arguments = (ins TileNV_SharedPointer:$barrier);
  let assemblyFormat = "$barrier attr-dict";
}

def TileNV_MBarrierExpectOp : TileNV_Op<"mbarrier_expect"> {
  let summary = "arrive, and make the phase wait for `bytes` bytes of copies too";
  let description = [{
    `mbarrier.arrive.expect_tx`.

    ```mlir
    tile_nv.mbarrier_expect %bar, %bytes if %elected
    ```
  }];
  let arguments = (ins TileNV_SharedPointer:$barrier, I32:$bytes, Optional<I1>:$predicate);
  let assemblyFormat = "$barrier `,` $bytes (`if` $predicate^)? attr-dict";
}

def TileNV_MBarrierArriveOp : TileNV_Op<"mbarrier_arrive", [AttrSizedOperandSegments]> {
  let summary = "arrive at a barrier in shared memory";
  let description = [{
    With `cta`, at the barrier at the same place of that block of the cluster.

    ```mlir
    tile_nv.mbarrier_arrive %bar if %lane0 cta %rank
    ```
  }];
  let arguments = (ins TileNV_SharedPointer:$barrier, Optional<I1>:$predicate, Optional<I32>:$cta);
  let assemblyFormat = "$barrier (`if` $predicate^)? (`cta` $cta^)? attr-dict";
}

def TileNV_MBarrierWaitOp : TileNV_Op<"mbarrier_wait"> {
  let summary = "wait until the phase of this parity is complete";
  let description = [{
    Phases are numbered from 0; a wait for parity 1 of a barrier just made returns at once.

    ```mlir
    tile_nv.mbarrier_wait %bar, %parity
    ```
  }];
  let arguments = (ins TileNV_SharedPointer:$barrier, I32:$parity);
  let assemblyFormat = "$barrier `,` $parity attr-dict";
}

// ---- The tensor copy engine ----

def TileNV_TmaReduction : I32EnumAttr<"TmaReduction", "what a block is combined with in global memory", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Min", 2, "min">,
    I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Inc", 4, "inc">, I32EnumAttrCase<"Dec", 5, "dec">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">]> {
  let cppNamespace = "::tile::nv";
}

def TileNV_TmaLoadOp : TileNV_Op<"tma_load", [AttrSizedOperandSegments]> {
  let summary = "copy a box of a tensor in global memory to shared memory";
  let description = [{
    `cp.async.bulk.tensor` by a tensor map (a kernel parameter: `llvm.byval`, aligned to 64, `nvvm.grid_constant`). The
    coordinates are those of the box's first element, innermost dimension first. Its bytes count towards the barrier's phase.
    With `multicast`, each block of the cluster whose bit is set gets a copy at the same place, and so does its barrier.

    ```mlir
    tile_nv.tma_load %dst, %map[%x, %y], %bar if %elected
    ```
  }];
  let arguments = (ins TileNV_SharedPointer:$destination, TileNV_GenericPointer:$map, Variadic<I32>:$coordinates,
                       TileNV_SharedPointer:$barrier, Optional<I1>:$predicate, Optional<I16>:$multicast);
  let assemblyFormat = [{
    $destination `,` $map `[` $coordinates `]` `,` $barrier (`if` $predicate^)? (`multicast` $multicast^)? attr-dict
  }];
  let hasVerifier = 1;
}

def TileNV_TmaStoreOp : TileNV_Op<"tma_store", [AttrSizedOperandSegments]> {
  let summary = "copy a box from shared memory to a tensor in global memory, or combine it with what is there";
  let description = [{
    Belongs to the bulk group of the thread that the next `nvvm.cp.async.bulk.commit.group` makes. What was stored to shared
    memory by threads has to be made visible before, with `nvvm.fence.proxy` and a barrier.

    ```mlir
    tile_nv.tma_store %map[%x, %y], %src reduce = add if %elected
    ```
  }];
  let arguments = (ins TileNV_GenericPointer:$map, Variadic<I32>:$coordinates, TileNV_SharedPointer:$source,
                       Optional<I1>:$predicate,
                       DefaultValuedAttr<TileNV_TmaReduction, "::tile::nv::TmaReduction::None">:$reduction);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `,` $source (`reduce` `=` $reduction^)? (`if` $predicate^)? attr-dict
  }];
  let hasVerifier = 1;
}

def TileNV_HoldOp : TileNV_Op<"hold", [MemoryEffects<[MemWrite]>]> {
  let summary = "what stands behind starts when a value is there";
  let description = [{
    Does nothing. `number` is never -1, which ptxas cannot know: for it the value might be stored to shared memory, and it moves no
    `tile_nv.wgmma_wait` from behind to in front of that.

    ```mlir
    tile_nv.hold %max, %parity : f32
    ```
  }];
  let arguments = (ins AnyTypeOf<[I32, F32]>:$value, I32:$number);
  let assemblyFormat = "$value `,` $number attr-dict `:` type($value)";
}

def TileNV_AnewOp : TileNV_Op<"anew", [MemoryEffects<[MemWrite]>, AllTypesMatch<["value", "result"]>]> {
  let summary = "a number, or a global pointer, that later passes know nothing of";
  let description = [{
    The operand. What is computed of the result is computed behind it, and not in front of a loop, where it would fill registers; what it is
    computed of is added in front of the loop, not in it.

    ```mlir
    %again = tile_nv.anew %column : i32
    ```
  }];
  let arguments = (ins AnyTypeOf<[I32, TileNV_GlobalPointer]>:$value);
  let results = (outs AnyTypeOf<[I32, TileNV_GlobalPointer]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def TileNV_PrefetchTensorMapOp : TileNV_Op<"prefetch_tensormap", [MemoryEffects<[MemRead]>]> {
  let summary = "bring a tensor map close to the copy engine";
  let arguments = (ins TileNV_GenericPointer:$map);
  let assemblyFormat = "$map attr-dict";
}

#endif
