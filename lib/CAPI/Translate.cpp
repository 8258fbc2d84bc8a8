// Translate.cpp - registers the few LLVM IR translations that Tile's modules need; mlir-c only offers all of
// them.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "tile-c/Emission.h"

void tileRegisterTranslations(MlirDialectRegistry registry) {
  mlir::DialectRegistry &r = *unwrap(registry);
  mlir::registerBuiltinDialectTranslation(r);
  mlir::registerLLVMDialectTranslation(r);
  mlir::registerNVVMDialectTranslation(r);
  mlir::registerROCDLDialectTranslation(r);
}

MlirLogicalResult tileAddDebugScopes(MlirModule module, bool directivesOnly) {
  using mlir::LLVM::DIEmissionKind;
  mlir::ModuleOp op = unwrap(module);
  mlir::PassManager passes(op.getContext());
  passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(
      {directivesOnly ? DIEmissionKind::DebugDirectivesOnly : DIEmissionKind::LineTablesOnly}));
  return wrap(passes.run(op));
}
