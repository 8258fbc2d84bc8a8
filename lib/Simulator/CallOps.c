/* CallOps.c - decodes calls: of the functions that a driver gives to kernels. All others are inlined before. */
#include "Calls.h"
#include "MapOps.h"
#include "tile-c/Dialect/LLVM.h"

static bool decodePrint(SimDecoder *d, MlirOperation op) {
  const SimValue *format = simOperand(d, op, 0), *values = simOperand(d, op, 1), *result = simResult(d, op);
  if (!format || !values || !result)
    return false;
  // Programs print one after the other.
  d->program->ordered = true;
  SimInsn *i = simEmitEffect(d, simPrint);
  i->a = format->slots[0];
  i->b = values->slots[0];
  i->result = result->slots[0];
  return true;
}

bool simDecodeCall(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  MlirAttribute callee = llvmCallOpGetCalleeAttr(llvmCallOpCast(op));
  MlirStringRef name = callee.ptr ? mlirFlatSymbolRefAttrGetValue(callee) : tileStr("");
  const intptr_t n = mlirOperationGetNumOperands(op);
  if (mlirStringRefEqual(name, tileStr("vprintf")) && n == 2)
    return decodePrint(d, op);
  if (!mlirStringRefEqual(name, tileStr("__assertfail")) || n != 5)
    return simRefuse(op, "calls '%.*s', which is not known to the simulator", (int)name.length, name.data);
  const SimValue *message = simOperand(d, op, 0);
  if (!message)
    return false;
  simEmitEffect(d, simAssertFail)->a = message->slots[0];
  return true;
}
