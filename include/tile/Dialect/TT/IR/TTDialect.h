// The C++ classes of the tt dialect, generated from TTOps.td, and the type rules that its assembly uses.
#ifndef TILE_DIALECT_TT_IR_TTDIALECT_H
#define TILE_DIALECT_TT_IR_TTDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tile/Dialect/TT/IR/TTDialect.h.inc"
#include "tile/Dialect/TT/IR/TTEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tile/Dialect/TT/IR/TTAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/TT/IR/TTTypes.h.inc"

namespace tile::tt {
/// What a pointer, a block pointer, or each pointer of a tensor points to, in the same shape; any other type
/// itself.
mlir::Type pointeeTypeOf(mlir::Type type);
/// i1 in the shape of `type`.
mlir::Type maskTypeOf(mlir::Type type);
/// Pointer to the element of a block pointer's block; any other type itself.
mlir::Type blockPtrBaseOf(mlir::Type type);
} // namespace tile::tt

#define GET_OP_CLASSES
#include "tile/Dialect/TT/IR/TTOps.h.inc"

#endif
