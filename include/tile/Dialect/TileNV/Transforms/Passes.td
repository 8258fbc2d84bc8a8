/* Passes on tile_nv. Keep alphabetical. */
#ifndef TILE_NV_TRANSFORMS_PASSES
#define TILE_NV_TRANSFORMS_PASSES
include "mlir/Pass/PassBase.td"

def ExpandTileNV : Pass<"expand-tile-nv", "::mlir::ModuleOp"> {
  let summary = "Turn tile_nv ops into inline PTX";
  let description = [{
    The last pass before translation: what it makes is opaque to every later one.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
