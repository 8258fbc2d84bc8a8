/* TilePass.td - the base of Tile's passes. */
#ifndef TILE_PASS_TD
#define TILE_PASS_TD
include "mlir/Pass/PassBase.td"

/// A pass whose generated C++ shell calls a C function. `dialects` names what the pass creates ops of, by mnemonic: unlike
/// dependentDialects it needs no C++ header, so that all shells compile in seconds.
class TilePass<string argument, string operation = "::mlir::ModuleOp"> : Pass<argument, operation> {
  list<string> dialects = [];
}

#endif
