// The text form of an operation's only region, where reading it may fail: custom<Body>($body).
#ifndef TILE_DIALECT_TILE_IR_BODYTEXT_H
#define TILE_DIALECT_TILE_IR_BODYTEXT_H
#include "mlir/IR/OpImplementation.h"

/// As the format `$body` reads it. A body that cannot be read goes away before the operations around it, which may use, by
/// mistake, values that it defines: they are let go of first, as MLIR does it for the regions of its own.
inline mlir::ParseResult parseBody(mlir::OpAsmParser &parser, mlir::Region &body) {
  if (parser.parseRegion(body)) {
    for (mlir::Block &block : body)
      block.dropAllDefinedValueUses();
    return mlir::failure();
  }
  if (body.empty())
    body.emplaceBlock();
  return mlir::success();
}

inline void printBody(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Region &body) {
  printer.printRegion(body);
}

#endif
