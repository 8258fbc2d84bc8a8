// TTG.cpp - the generated classes of the ttg dialect.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/Dialect/TTG/IR/TTGDialect.h.inc"
#include "tile/Dialect/TTG/IR/TTGEnums.h.inc"
#include "llvm/ADT/StringExtras.h"
#define GET_OP_CLASSES
#include "tile/Dialect/TTG/IR/TTGOps.h.inc"

#include "tile/Dialect/TTG/IR/TTGDialect.cpp.inc"
#include "tile/Dialect/TTG/IR/TTGEnums.cpp.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TTG/IR/TTGOps.cpp.inc"

void tile::ttg::TTGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/TTG/IR/TTGOps.cpp.inc"
      >();
}

#include "tile/Dialect/TTG/IR/TTG.capi.cpp.inc"
