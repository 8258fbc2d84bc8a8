/* Symbols.c - what a kernel needs beside its own body: constant texts and functions of the run-time system.
 */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include <stdio.h>

static MlirOperation functionOf(TileLowering *l) {
  return mlirBlockGetParentOperation(mlirRegionGetFirstBlock(l->body));
}

/* A builder in front of the kernel, in its module. */
static TileBuilder besideKernel(TileLowering *l) { return mlirIRRewriterCreateFromOp(functionOf(l)); }

static MlirStringRef symbolOf(MlirOperation op) {
  MlirAttribute name = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
  return name.ptr && mlirAttributeIsAString(name) ? mlirStringAttrGetValue(name) : tileStr("");
}

static MlirOperation findSymbol(TileLowering *l, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(functionOf(l)));
  while (op.ptr && !mlirStringRefEqual(symbolOf(op), tileStr(name)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirStringRef tileKernelName(TileLowering *l) { return symbolOf(functionOf(l)); }

/* The global of this value if there is one; *out_count: how many texts there are. */
static MlirOperation findText(TileLowering *l, MlirAttribute value, int *out_count) {
  *out_count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(functionOf(l))); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    LLVMGlobalOp global = llvmGlobalOpCast(op);
    if (!llvmGlobalOpIsNull(global) && mlirAttributeEqual(llvmGlobalOpGetValueAttr(global), value))
      return op;
    *out_count += !llvmGlobalOpIsNull(global);
  }
  return (MlirOperation){NULL};
}

static MlirOperation createText(TileLowering *l, MlirAttribute value, int number) {
  char name[32];
  intptr_t size = (intptr_t)mlirStringAttrGetValue(value).length;
  do
    snprintf(name, sizeof name, "tile_text_%d", number++);
  while (findSymbol(l, name).ptr);
  MlirType type = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(l->context, 8), (unsigned)size);
  LLVMGlobalOpAttrs attrs = {.constant = mlirUnitAttrGet(l->context), .value = value};
  TileBuilder at = besideKernel(l);
  MlirOperation op =
      llvmGlobalOpCreate(at, l->loc, mlirTypeAttrGet(type), mlirStringAttrGet(l->context, tileStr(name)),
                         mlirLLVMLinkageAttrGet(l->context, MlirLLVMLinkagePrivate), &attrs)
          .op;
  mlirIRRewriterDestroy(at);
  return op;
}

MlirValue tileEmitText(TileLowering *l, const char *text, size_t size) {
  MlirAttribute value = mlirStringAttrGet(l->context, mlirStringRefCreate(text, size));
  int count;
  MlirOperation global = findText(l, value, &count);
  if (!global.ptr)
    global = createText(l, value, count);
  MlirStringRef name = symbolOf(global);
  return llvmAddressOfOpGetRes(llvmAddressOfOpCreate(l->b, l->loc, mlirLLVMPointerTypeGet(l->context, 0),
                                                     mlirFlatSymbolRefAttrGet(l->context, name)));
}

static void declare(TileLowering *l, const char *name, MlirType result, intptr_t n, const MlirType *types) {
  MlirType type =
      mlirLLVMFunctionTypeGet(result.ptr ? result : mlirLLVMVoidTypeGet(l->context), n, types, false);
  TileBuilder at = besideKernel(l);
  llvmLLVMFuncOpCreate(at, l->loc, mlirStringAttrGet(l->context, tileStr(name)), mlirTypeAttrGet(type), NULL);
  mlirIRRewriterDestroy(at);
}

MlirValue tileEmitCall(TileLowering *l, const char *name, MlirType result, intptr_t n,
                       const MlirValue *arguments) {
  MlirType types[8];
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(arguments[i]);
  if (!findSymbol(l, name).ptr)
    declare(l, name, result, n, types);
  LLVMCallOpAttrs attrs = {.callee = mlirFlatSymbolRefAttrGet(l->context, tileStr(name))};
  LLVMCallOp call = llvmCallOpCreate(l->b, l->loc, result, n, arguments, 0, NULL,
                                     mlirDenseI32ArrayGet(l->context, 0, NULL), &attrs);
  return result.ptr ? llvmCallOpGetResult(call) : (MlirValue){NULL};
}
