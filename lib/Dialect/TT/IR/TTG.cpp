// TTG.cpp - the generated classes of the ttg dialect.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/Dialect/TTG/IR/TTGDialect.h.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TTG/IR/TTGOps.h.inc"

using namespace mlir;

static ParseResult parseSpaces(OpAsmParser &parser, StringAttr &spaces) {
  std::string text;
  do {
    StringRef space;
    if (parser.parseKeyword(&space))
      return failure();
    text += (text.empty() ? "" : "|") + space.str();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  spaces = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printSpaces(OpAsmPrinter &printer, Operation *, StringAttr spaces) {
  printer << spaces.getValue();
}

#include "tile/Dialect/TTG/IR/TTGDialect.cpp.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TTG/IR/TTGOps.cpp.inc"

void tile::ttg::TTGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/TTG/IR/TTGOps.cpp.inc"
      >();
}

#include "tile/Dialect/TTG/IR/TTG.capi.cpp.inc"
