/* Program.c - which program this is. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"

MlirLogicalResult tileLowerProgramId(TileLowering *l, MlirOperation op) {
  int axis = (int)tileProgramIdOpGetAxis(tileProgramIdOpCast(op));
  tileBindOne(l, mlirOperationGetResult(op, 0), l->hooks->programId(l, axis));
  return tileSuccess();
}

MlirLogicalResult tileLowerNumPrograms(TileLowering *l, MlirOperation op) {
  int axis = (int)tileNumProgramsOpGetAxis(tileNumProgramsOpCast(op));
  tileBindOne(l, mlirOperationGetResult(op, 0), l->hooks->numPrograms(l, axis));
  return tileSuccess();
}

/* A launch that does not overlap with its predecessor has nothing to wait for. */
MlirLogicalResult tileLowerGridDependency(TileLowering *l, MlirOperation op) {
  if (l->hooks->gridDependency)
    l->hooks->gridDependency(l, tileOpKind(op) == TileOp_Tile_GridDependencyWait);
  return tileSuccess();
}

MlirLogicalResult tileLowerBarrier(TileLowering *l, MlirOperation op) {
  if (mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.shared_only")).ptr)
    l->hooks->barrier(l);
  else
    l->hooks->fullBarrier(l);
  return tileSuccess();
}
