/* TileAccess.c - pointer and mask of the ops that access memory. */
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

TilePointerAccess tilePointerAccessOf(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Load: {
    TileLoadOp load = tileLoadOpCast(op);
    return (TilePointerAccess){tileLoadOpGetPtr(load), tileLoadOpGetMask(load)};
  }
  case TileOp_Tile_Store: {
    TileStoreOp store = tileStoreOpCast(op);
    return (TilePointerAccess){tileStoreOpGetPtr(store), tileStoreOpGetMask(store)};
  }
  case TileOp_Tile_AtomicRMW: {
    TileAtomicRMWOp rmw = tileAtomicRMWOpCast(op);
    return (TilePointerAccess){tileAtomicRMWOpGetPtr(rmw), tileAtomicRMWOpGetMask(rmw)};
  }
  case TileOp_Tile_AtomicCAS:
    return (TilePointerAccess){tileAtomicCASOpGetPtr(tileAtomicCASOpCast(op)), {NULL}};
  default:
    return (TilePointerAccess){{NULL}, {NULL}};
  }
}

TileElementType tilePointeeElement(MlirType pointers) {
  return tileElementTypeOf(tilePtrTypeGetPointee(tileTypeGetElement(pointers)));
}

bool tileOpIsPure(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  if (kind >= TileOp_Arith_AddF && kind <= TileOp_Math_Trunc)
    return true;
  switch (kind) {
  case TileOp_TileGPU_BlockRank:
  case TileOp_Tile_AddPtr:
  case TileOp_Tile_Bitcast:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_Cat:
  case TileOp_Tile_ClampF:
  case TileOp_Tile_Dot:
  case TileOp_Tile_DotScaled:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_FpToFp:
  case TileOp_Tile_Gather:
  case TileOp_Tile_Histogram:
  case TileOp_Tile_IntToPtr:
  case TileOp_Tile_Join:
  case TileOp_Tile_MakeDesc:
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_MulhiUI:
  case TileOp_Tile_NumPrograms:
  case TileOp_Tile_PreciseDivF:
  case TileOp_Tile_PreciseSqrt:
  case TileOp_Tile_ProgramId:
  case TileOp_Tile_PtrToInt:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Split:
  case TileOp_Tile_Trans:
  case TileOp_Tile_Unsplat:
  case TileOp_UB_Poison:
    return true;
  case TileOp_Tile_ExternElementwise:
    return tileExternElementwiseOpGetIsPure(tileExternElementwiseOpCast(op));
  case TileOp_Tile_InlineAsm:
    return tileInlineAsmOpGetIsPure(tileInlineAsmOpCast(op));
  default:
    return false;
  }
}

bool tileOpIsElementwise(MlirOperation op) {
  const TileOpKind kind = tileOpKind(op);
  return mlirOperationGetNumResults(op) == 1 && !mlirOperationGetNumRegions(op) &&
         ((kind >= TileOp_Arith_AddF && kind <= TileOp_Math_Trunc) || kind == TileOp_Tile_FpToFp ||
          kind == TileOp_Tile_Bitcast);
}

static bool follows(MlirBlock body, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileValueGetBlock(v).ptr != body.ptr)
    return true;
  if (!op.ptr)
    return mlirBlockArgumentGetArgNumber(v) == 0;
  if (depth > 32 || !tileOpIsPure(op) || mlirOperationGetNumRegions(op) ||
      tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!follows(body, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

bool tileValueFollowsInLoop(MlirBlock body, MlirValue v) { return follows(body, v, 0); }

bool tileBlockIsInLoop(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetParentOperation(block); op.ptr;
       op = mlirOperationGetParentOperation(op))
    if (tileOpKind(op) == TileOp_SCF_For || tileOpKind(op) == TileOp_SCF_While)
      return true;
  return false;
}

void tileEraseUnused(TileBuilder b, TilePointerMap *gone, MlirOperation op) {
  if (!op.ptr || tilePointerMapFind(gone, op.ptr) || !tileOpIsPure(op) || mlirOperationGetNumRegions(op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!tileValueIsUnused(mlirOperationGetResult(op, i)))
      return;
  MlirOperation operands[4] = {{NULL}};
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n && i < 4; ++i)
    operands[i] = tileValueGetDefiningOp(mlirOperationGetOperand(op, i));
  tilePointerMapSet(gone, op.ptr, op.ptr);
  mlirRewriterBaseEraseOp(b, op);
  for (intptr_t i = 0; i < n && i < 4; ++i)
    tileEraseUnused(b, gone, operands[i]);
}
