/* Program.c - which program this is. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"

/* Of blocks along x, those of a cluster are one program. */
static MlirValue perProgram(TileLowering *l, MlirValue blocks, int axis) {
  return axis || l->cluster <= 1
             ? blocks
             : tileEmit2(l, TileOp_LLVM_LShr, blocks, tileEmitI32(l, __builtin_ctz((unsigned)l->cluster)));
}

MlirLogicalResult tileLowerProgramId(TileLowering *l, MlirOperation op) {
  int axis = (int)tileProgramIdOpGetAxis(tileProgramIdOpCast(op));
  tileBindOne(l, mlirOperationGetResult(op, 0), perProgram(l, l->hooks->programId(l, axis), axis));
  return tileSuccess();
}

MlirLogicalResult tileLowerNumPrograms(TileLowering *l, MlirOperation op) {
  int axis = (int)tileNumProgramsOpGetAxis(tileNumProgramsOpCast(op));
  tileBindOne(l, mlirOperationGetResult(op, 0), perProgram(l, l->hooks->numPrograms(l, axis), axis));
  return tileSuccess();
}

/* A launch that does not overlap with its predecessor has nothing to wait for. */
MlirLogicalResult tileLowerGridDependency(TileLowering *l, MlirOperation op) {
  if (l->hooks->gridDependency)
    l->hooks->gridDependency(l, tileOpKind(op) == TileOp_Tile_GridDependencyWait);
  return tileSuccess();
}

MlirValue tileEmitWarp(TileLowering *l) {
  if (!l->warp.ptr) {
    TileBuilder body = l->b;
    l->b = l->prologue;
    MlirValue warp = tileEmit2(l, TileOp_LLVM_LShr, l->tid, tileEmitI32(l, 5));
    l->warp = l->hooks->shuffleIndex(l, warp, tileEmitI32(l, 0));
    l->b = body;
  }
  return l->warp;
}

MlirLogicalResult tileLowerBarrier(TileLowering *l, MlirOperation op) {
  const int64_t groups = tileGetIntAttr(op, "tile_gpu.groups", 0);
  if (l->hooks->clusterBarrier && tileGetIntAttr(op, "tile_gpu.blocks", 1) > 1)
    l->hooks->clusterBarrier(l);
  else if (l->hooks->groupBarrier && groups)
    l->hooks->groupBarrier(l, groups);
  else if (mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.shared_only")).ptr)
    l->hooks->barrier(l);
  else
    l->hooks->fullBarrier(l);
  return tileSuccess();
}
