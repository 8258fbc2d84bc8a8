// The one op of Triton's GPU dialect that its target-free text may contain: the barrier of `tl.debug_barrier`.

#ifndef TILE_DIALECT_TT_IR_TTGOPS
#define TILE_DIALECT_TT_IR_TTGOPS

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tile::ttg";
  let summary = "what newer Triton IR text has of Triton's GPU dialect";
}

def TTG_AddrSpace : I32BitEnumAttr<"AddrSpace", "memory that a barrier orders", [
    I32BitEnumAttrCaseNone<"None", "none">, I32BitEnumAttrCaseBit<"Local", 0, "local">,
    I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">, I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">,
    I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">, I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">,
    I32BitEnumAttrCaseGroup<"All", [
      I32BitEnumAttrCaseBit<"Local", 0>, I32BitEnumAttrCaseBit<"GlobalRead", 1>,
      I32BitEnumAttrCaseBit<"GlobalWrite", 2>, I32BitEnumAttrCaseBit<"TensorRead", 3>,
      I32BitEnumAttrCaseBit<"TensorWrite", 4>], "all">]> {
  let cppNamespace = "::tile::ttg";
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
}

def TTG_BarrierOp : Op<TTG_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "barrier of a program's threads (3.9 and later; before, gpu.barrier)";
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let assemblyFormat = "$addrSpace attr-dict";
}

#endif // TILE_DIALECT_TT_IR_TTGOPS
