// ToyDialect.cpp - the toy dialect's generated classes and pass shells.
#include "Toy.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
// The order of these matters.
#include "dialect.h.inc"

#include "enum.h.inc"
#define GET_TYPEDEF_CLASSES
#include "typedef.h.inc"
#define GET_ATTRDEF_CLASSES
#include "attrdef.h.inc"
#define GET_OP_CLASSES
#include "op.h.inc"

#include "dialect.cpp.inc"

#include "enum.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "typedef.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "attrdef.cpp.inc"
#define GET_OP_CLASSES
#include "op.cpp.inc"

void tile::toy::ToyDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "typedef.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attrdef.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "op.cpp.inc"
      >();
}

#include "Toy.capi.cpp.inc"

namespace tile {
namespace {
mlir::Operation *asOperation(mlir::Operation *op) { return op; }
template <typename Op> mlir::Operation *asOperation(Op op) { return op.getOperation(); }
} // namespace
#include "ToyPasses.capi.cpp.inc"
} // namespace tile

extern "C" void toyRegisterPasses() { tile::registerToyPasses(); }
