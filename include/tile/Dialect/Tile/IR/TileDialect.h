// The C++ classes of the tile dialect, generated from TileOps.td, and the type rules that its assembly uses.
#ifndef TILE_DIALECT_TILE_IR_TILEDIALECT_H
#define TILE_DIALECT_TILE_IR_TILEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tile/Dialect/Tile/IR/TileDialect.h.inc"
#include "tile/Dialect/Tile/IR/TileEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/Tile/IR/TileTypes.h.inc"

namespace tile {
/// The element of a tensor; any other type itself.
mlir::Type elementOf(mlir::Type type);
/// What a pointer, or each pointer of a tensor, points to, in the same shape; any other type itself.
mlir::Type pointeeLike(mlir::Type type);
/// i1 in the shape of `type`.
mlir::Type boolLike(mlir::Type type);
/// Pointer to a descriptor's element; any other type itself.
mlir::Type descBase(mlir::Type type);
} // namespace tile

#define GET_OP_CLASSES
#include "tile/Dialect/Tile/IR/TileOps.h.inc"

#endif
