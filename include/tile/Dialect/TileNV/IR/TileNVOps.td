/* TileNVOps.td - NVIDIA instructions that NVVM of LLVM 22 cannot express; expanded to inline PTX by expand-tile-nv. */
#ifndef TILE_NV_OPS
#define TILE_NV_OPS
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileNV_Dialect : Dialect {
  let name = "tile_nv";
  let cppNamespace = "::tile::nv";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"]; // their syntax makes its pointer types
  let summary = "NVIDIA instructions beyond NVVM";
  let description = [{
    Ops on LLVM types that stay structured until the very end, so that the simulator sees them; `expand-tile-nv` turns each
    into inline PTX.
  }];
}

def TileNV_CacheModifier : I32EnumAttr<"CacheModifier", "PTX cache operator of a load or store", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"CA", 1, "ca">, I32EnumAttrCase<"CG", 2, "cg">,
    I32EnumAttrCase<"WB", 3, "wb">, I32EnumAttrCase<"CS", 4, "cs">, I32EnumAttrCase<"WT", 5, "wt">,
    I32EnumAttrCase<"CV", 6, "cv">]> {
  let cppNamespace = "::tile::nv";
}
def TileNV_EvictionPriority : I32EnumAttr<"EvictionPriority", "PTX L1 eviction priority", [
    I32EnumAttrCase<"Normal", 0, "normal">, I32EnumAttrCase<"First", 1, "first">, I32EnumAttrCase<"Last", 2, "last">]> {
  let cppNamespace = "::tile::nv";
}

class TileNV_Op<string mnemonic, list<Trait> traits = []> : Op<TileNV_Dialect, mnemonic, traits>;

// Declared here: LLVMOpBase.td would bring all of the llvm dialect's records along.
def TileNV_GlobalPointer : Type<
    CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self) && ::llvm::cast<::mlir::LLVM::LLVMPointerType>($_self).getAddressSpace() == 1">,
    "global pointer (!llvm.ptr<1>)">;

// i8 to i64, or a vector of 2 or 4 of them, at most 16 bytes.
def TileNV_AccessType : AnyTypeOf<[I8, I16, I32, I64, VectorOfLengthAndType<[2, 4], [I8, I16, I32]>,
                                   VectorOfLengthAndType<[2], [I64]>]>;

def TileNV_LoadOp : TileNV_Op<"load", [MemoryEffects<[MemRead]>, AllTypesMatch<["result", "other"]>]> {
  let summary = "predicated global load: result = predicate ? *pointer : other";
  let description = [{
    `ld.global` of 1 to 16 bytes under a predicate. The pointer must be aligned to the access. A volatile load uses
    `ld.volatile` and takes no cache operator.

    ```mlir
    %v = tile_nv.load %p, %pred, %other : !llvm.ptr<1>, vector<4xi32>
    ```
  }];
  let arguments = (ins TileNV_GlobalPointer:$pointer, I1:$predicate, TileNV_AccessType:$other,
                       DefaultValuedAttr<TileNV_CacheModifier, "::tile::nv::CacheModifier::None">:$cache,
                       DefaultValuedAttr<TileNV_EvictionPriority, "::tile::nv::EvictionPriority::Normal">:$evict,
                       UnitAttr:$isVolatile);
  let results = (outs TileNV_AccessType:$result);
  let assemblyFormat = [{
    $pointer `,` $predicate `,` $other (`cache` `=` $cache^)? (`evict` `=` $evict^)? (`volatile` $isVolatile^)? attr-dict `:`
    type($pointer) `,` type($result)
  }];
}

def TileNV_StoreOp : TileNV_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "predicated global store";
  let description = [{
    ```mlir
    tile_nv.store %v, %p, %pred cache = cs : vector<4xi32>, !llvm.ptr<1>
    ```
  }];
  let arguments = (ins TileNV_AccessType:$value, TileNV_GlobalPointer:$pointer, I1:$predicate,
                       DefaultValuedAttr<TileNV_CacheModifier, "::tile::nv::CacheModifier::None">:$cache,
                       DefaultValuedAttr<TileNV_EvictionPriority, "::tile::nv::EvictionPriority::Normal">:$evict);
  let assemblyFormat = [{
    $value `,` $pointer `,` $predicate (`cache` `=` $cache^)? (`evict` `=` $evict^)? attr-dict `:` type($value) `,` type($pointer)
  }];
}

def TileNV_AddOp : TileNV_Op<"add", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "adds up to 16 bytes of neighbours to global memory, each by itself, in any order with other atomics (sm_90)";
  let description = [{
    `red.relaxed.gpu.global.add` of a vector: 2 or 4 f32, or 2, 4 or 8 elements of 16 bits. The pointer must be aligned to it.

    ```mlir
    tile_nv.add %v, %p : vector<4xf32>, !llvm.ptr<1>
    tile_nv.add %h, %p : vector<8xf16>, !llvm.ptr<1>
    ```
  }];
  let arguments = (ins AnyTypeOf<[VectorOfLengthAndType<[2, 4], [F32]>, VectorOfLengthAndType<[2, 4, 8], [F16, BF16]>]>:$value,
                       TileNV_GlobalPointer:$pointer);
  let assemblyFormat = "$value `,` $pointer attr-dict `:` type($value) `,` type($pointer)";
}

include "tile/Dialect/TileNV/IR/TileNVHopperOps.td"

#endif
