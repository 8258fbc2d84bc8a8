// Parse.cpp - parsing a module under a file's name (mlir-c calls every text "-"), and what its check asks.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Parser/Parser.h"
#include "tile-c/Session.h"

MlirModule tileParseModuleUnverified(MlirContext context, MlirStringRef text, const char *name) {
  mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  return wrap(mlir::parseSourceString<mlir::ModuleOp>(unwrap(text), config, name).release());
}

bool tileTypeIsLLVM(MlirType type) { return mlir::LLVM::isCompatibleType(unwrap(type)); }
