/* Parameters.c - a kernel's type, attributes and arguments with more parameters. */
#include "Parameters.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Support/Arena.h"

void tileAppendParameters(MlirOperation function, intptr_t n, MlirType type, MlirValue *out) {
  FuncFuncOp func = funcFuncOpCast(function);
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock entry = mlirRegionGetFirstBlock(funcFuncOpGetBody(func));
  MlirType old = funcFuncOpGetFunctionType(func);
  MlirAttribute given = funcFuncOpGetArgAttrsAttr(func), empty = mlirDictionaryAttrGet(context, 0, NULL);
  TileArena arena = {0};
  const intptr_t first = mlirFunctionTypeGetNumInputs(old), all = first + n;
  MlirType *inputs = tileArenaAlloc(&arena, (size_t)all, sizeof *inputs);
  MlirAttribute *attrs = tileArenaAlloc(&arena, (size_t)all, sizeof *attrs);
  for (intptr_t i = 0; i < all; ++i) {
    inputs[i] = i < first ? mlirFunctionTypeGetInput(old, i) : type;
    attrs[i] = i < first && given.ptr ? mlirArrayAttrGetElement(given, i) : empty;
    if (i >= first)
      out[i - first] = mlirBlockAddArgument(entry, type, mlirOperationGetLocation(function));
  }
  funcFuncOpSetFunctionTypeAttr(func, mlirTypeAttrGet(mlirFunctionTypeGet(context, all, inputs, 0, NULL)));
  funcFuncOpSetArgAttrsAttr(func, mlirArrayAttrGet(context, all, attrs));
  tileArenaRelease(&arena);
}
