/* Debug.c - printing, assertions, assumptions, barriers and dependent launches.
 *
 *   tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %u : i32
 *     -> tile.print " x: " %u unsigned = [true] : i32
 *   tt.assert %c, "message", "file", "function", 7 : i1
 *     -> tile.assert %c, "message" : i1
 *   llvm.intr.assume %c : i1
 *     -> tile.assume %c
 *   gpu.barrier, ttg.barrier all
 *     -> tile.barrier */
#include "TTToTile.h"
#include "tile-c/Dialect/LLVM.h"

/* Versions before 3.2 do not say; then all integers are signed. */
static MlirAttribute unsignedOperands(TTConversion *c, TTPrintOp print) {
  MlirAttribute isSigned = ttPrintOpGetIsSignedAttr(print);
  intptr_t n = mlirOperationGetNumOperands(print.op);
  if (mlirAttributeIsNull(isSigned) || mlirDenseArrayGetNumElements(isSigned) != n)
    return mlirAttributeGetNull();
  int *flags = tileArenaAlloc(c->arena, n + 1, sizeof *flags);
  bool any = false;
  for (intptr_t i = 0; i < n; ++i) {
    TileElementType element = tileElementTypeOf(ttTypeOf(mlirOperationGetOperand(print.op, i)));
    flags[i] = !mlirDenseI32ArrayGetElement(isSigned, i) && element != TileElementType_None &&
               !tileElementTypeIsFloat(element);
    any |= flags[i];
  }
  return any ? mlirDenseBoolArrayGet(c->context, n, flags) : mlirAttributeGetNull();
}

static MlirLogicalResult convertPrint(TTConversion *c, MlirOperation op) {
  TTPrintOp print = {op};
  intptr_t n = mlirOperationGetNumOperands(op);
  TilePrintOp by =
      tilePrintOpCreate(c->builder, ttLoc(op), n, ttOperands(c, op, 0, n), ttPrintOpGetPrefixAttr(print),
                        ttUnitIf(c, ttPrintOpGetHex(print)), unsignedOperands(c, print));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertAssert(TTConversion *c, MlirOperation op) {
  TTAssertOp a = {op};
  return ttReplace(
      c, op,
      tileAssertOpCreate(c->builder, ttLoc(op), ttAssertOpGetCondition(a), ttAssertOpGetMessageAttr(a)).op);
}

static MlirLogicalResult convertAssume(TTConversion *c, MlirOperation op) {
  LLVMAssumeOp a = {op};
  if (llvmAssumeOpGetNumOpBundleOperands(a)) {
    mlirRewriterBaseEraseOp(c->builder, op);
    return tileSuccess();
  }
  return ttReplace(c, op, tileAssumeOpCreate(c->builder, ttLoc(op), llvmAssumeOpGetCond(a)).op);
}

static MlirLogicalResult convertBarrier(TTConversion *c, MlirOperation op) {
  MlirOperation barrier = tileBarrierOpCreate(c->builder, ttLoc(op)).op;
  mlirRewriterBaseEraseOp(c->builder, op);
  return barrier.ptr ? tileSuccess() : tileFailure();
}

static MlirLogicalResult convertWait(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op, tileGridDependencyWaitOpCreate(c->builder, ttLoc(op)).op);
}

static MlirLogicalResult convertLaunch(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op, tileGridDependencyLaunchOpCreate(c->builder, ttLoc(op)).op);
}

const TTRow ttDebugRows[] = {
    {TileOp_TT_Print, convertPrint},
    {TileOp_TT_Assert, convertAssert},
    {TileOp_LLVM_Assume, convertAssume},
    {TileOp_GPU_Barrier, convertBarrier},
    {TileOp_TTG_Barrier, convertBarrier},
    {TileOp_TT_GridDependencyWait, convertWait},
    {TileOp_TT_GridDependencyLaunchDependents, convertLaunch},
    {TileOp_None, NULL},
};
