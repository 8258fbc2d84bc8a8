// The one op of Triton's GPU dialect that its target-free text may contain: the barrier of `tl.debug_barrier`.

#ifndef TILE_DIALECT_TT_IR_TTGOPS
#define TILE_DIALECT_TT_IR_TTGOPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tile::ttg";
  let summary = "what newer Triton IR text has of Triton's GPU dialect";
}

def TTG_BarrierOp : Op<TTG_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "barrier of a program's threads (3.9 and later; before, gpu.barrier)";
  let description = [{
    `spaces` is what of memory it orders: `all`, or a list such as `local|global_write`.
  }];
  let arguments = (ins StrAttr:$spaces);
  let assemblyFormat = "custom<Spaces>($spaces) attr-dict";
}

#endif // TILE_DIALECT_TT_IR_TTGOPS
