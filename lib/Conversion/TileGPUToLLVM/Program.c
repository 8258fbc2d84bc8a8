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

MlirLogicalResult tileLowerBarrier(TileLowering *l, MlirOperation op) {
  (void)op;
  l->hooks->barrier(l);
  return tileSuccess();
}
