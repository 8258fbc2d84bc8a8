/* SharedAccess.c - buffers behind views, and what ops do to them. */
#include "tile-c/SharedAccess.h"
#include "tile-c/Dialect/TileGPU.h"

static TileBufferChoice choiceOf(TileGPUIndexOp op) {
  MlirValue index = tileGPUIndexOpGetIndex(op);
  TileBufferChoice choice = {
      .known = true,
      .index = index,
      .rotate = tileGPUIndexOpGetRotate(op),
      .count = tileGPUMemDescTypeGetShape(mlirValueGetType(tileGPUIndexOpGetSource(op)), 0)};
  int64_t constant;
  TileGPUAdvanceOp next = tileGPUAdvanceOpCast(tileValueGetDefiningOp(index));
  while (!tileGPUAdvanceOpIsNull(next) && tileGPUAdvanceOpGetCount(next) == choice.count) {
    choice.index = tileGPUAdvanceOpGetIndex(next);
    choice.rotate = (choice.rotate + 1) % choice.count;
    next = tileGPUAdvanceOpCast(tileValueGetDefiningOp(choice.index));
  }
  if (tileValueConstantInt(choice.index, &constant)) {
    choice.rotate = (choice.rotate + constant) % choice.count;
    choice.index = (MlirValue){NULL};
  }
  return choice;
}

MlirOperation tileBufferRoot(MlirValue buffer, TileBufferChoice *out_choice) {
  TileBufferChoice choice = {0};
  MlirOperation op = tileValueGetDefiningOp(buffer);
  for (; op.ptr; op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0))) {
    TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_TileGPU_Alloc)
      break;
    if (kind == TileOp_TileGPU_Index) /* of several, the one nearest to the alloc chooses most */
      choice = choiceOf(tileGPUIndexOpCast(op));
    else if (kind != TileOp_TileGPU_Slice && kind != TileOp_TileGPU_Trans && kind != TileOp_TileGPU_Part)
      return (MlirOperation){NULL};
  }
  if (out_choice)
    *out_choice = choice;
  return op;
}

bool tileBufferChoicesDiffer(const TileBufferChoice *a, const TileBufferChoice *b) {
  return a->known && b->known && a->count == b->count && a->index.ptr == b->index.ptr &&
         (a->rotate - b->rotate) % a->count != 0;
}

int tileSharedUsesOf(MlirOperation op, TileSharedUse *out) {
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_Alloc: {
    TileGPUAllocOp alloc = tileGPUAllocOpCast(op);
    out[0] = (TileSharedUse){tileGPUAllocOpGetResult(alloc), true, false};
    return tileGPUAllocOpGetInit(alloc).ptr ? 1 : 0;
  }
  case TileOp_TileGPU_LocalLoad:
    out[0] = (TileSharedUse){tileGPULocalLoadOpGetSource(tileGPULocalLoadOpCast(op)), false, false};
    return 1;
  case TileOp_TileGPU_ShiftedLoad:
    out[0] = (TileSharedUse){tileGPUShiftedLoadOpGetSource(tileGPUShiftedLoadOpCast(op)), false, false};
    return 1;
  case TileOp_TileGPU_LocalStore:
    out[0] = (TileSharedUse){tileGPULocalStoreOpGetTarget(tileGPULocalStoreOpCast(op)), true, false};
    return 1;
  case TileOp_TileGPU_AsyncCopy:
    out[0] = (TileSharedUse){tileGPUAsyncCopyOpGetTarget(tileGPUAsyncCopyOpCast(op)), true, true};
    return 1;
  case TileOp_TileGPU_MBarrierInit: /* waits and copies are ordered by the barriers themselves */
  case TileOp_TileGPU_MBarrierInval:
    out[0] = (TileSharedUse){mlirOperationGetOperand(op, 0), true, false};
    return 1;
  case TileOp_TileGPU_MBarrierArrive:
    out[0] = (TileSharedUse){mlirOperationGetOperand(op, 0), false, false};
    return 1;
  case TileOp_TileGPU_TmaStore:
    out[0] = (TileSharedUse){tileGPUTmaStoreOpGetSource(tileGPUTmaStoreOpCast(op)), false, false};
    return 1;
  case TileOp_TileGPU_TmaStoreWait: {
    int n = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && n < TileSharedUse_Max; ++i)
      out[n++] = (TileSharedUse){mlirOperationGetOperand(op, i), false, false};
    return n;
  }
  case TileOp_TileGPU_Wgmma:
    out[0] = (TileSharedUse){tileGPUWgmmaOpGetB(tileGPUWgmmaOpCast(op)), false, false};
    out[1] = (TileSharedUse){tileGPUWgmmaOpGetA(tileGPUWgmmaOpCast(op)), false, false};
    return tileTypeIsTensor(mlirValueGetType(out[1].buffer)) ? 1 : 2;
  default:
    return 0;
  }
}
