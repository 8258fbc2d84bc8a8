/* ComputeAgain.c - masks and indices computed once more. */
#include "ComputeAgain.h"
#include "tile-c/OpKind.h"

static bool isCheap(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
  case TileOp_Arith_AndI:
  case TileOp_Arith_CmpI:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_OrI:
  case TileOp_Arith_SubI:
  case TileOp_Arith_XOrI:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Splat:
    return true;
  default:
    return false;
  }
}

MlirValue tileComputeAgain(TileAgain *a, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || !mlirBlockEqual(mlirOperationGetBlock(op), a->block) || !isCheap(op))
    return v;
  void *known = tilePointerMapFind(&a->copies, op.ptr);
  if (known)
    return mlirOperationGetResult((MlirOperation){known}, 0);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, tileComputeAgain(a, mlirOperationGetOperand(op, i)));
  if (a->mark && tileOpKind(op) == TileOp_Arith_CmpI)
    mlirOperationSetDiscardableAttributeByName(copy, tileStr(a->mark),
                                               mlirUnitAttrGet(mlirOperationGetContext(op)));
  mlirRewriterBaseInsert(a->b, copy);
  tilePointerMapSet(&a->copies, op.ptr, copy.ptr);
  return mlirOperationGetResult(copy, 0);
}
