// Parse.cpp - parsing a module under a file's name; mlir-c calls every text "-".
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Parser/Parser.h"
#include "tile-c/Session.h"

MlirModule tileParseModule(MlirContext context, MlirStringRef text, const char *name) {
  mlir::ParserConfig config(unwrap(context));
  return wrap(mlir::parseSourceString<mlir::ModuleOp>(unwrap(text), config, name).release());
}
