/* Combine.h - the rewrites of tile-combine, one family a file; the table is in Combine.c. */
#ifndef TILE_COMBINE_H
#define TILE_COMBINE_H
#include "tile-c/Patterns.h"

// CombineMemory.c
MlirLogicalResult combineAddPtr(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineLoad(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineStore(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineAtomic(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineSelectOfLoad(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineTrueCondition(MlirOperation op, TileBuilder b, void *state);

// CombineShape.c
MlirLogicalResult combineShapeOfSplat(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineReshape(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineUnsplat(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineSplit(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineJoin(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineAddOfDot(MlirOperation op, TileBuilder b, void *state);

// CombineMinMax.c
MlirLogicalResult combineSelectOfCompare(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineReduceOfSelects(MlirOperation op, TileBuilder b, void *state);

// ReorderBroadcast.c
MlirLogicalResult computeBeforeSplat(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult computeBeforeBroadcast(MlirOperation op, TileBuilder b, void *state);
MlirLogicalResult combineDistance(MlirOperation op, TileBuilder b, void *state);

/* arith.constant of `number` in every element of `type` (scalar or tensor). */
MlirValue combineConstant(TileBuilder b, MlirLocation loc, MlirType type, MlirAttribute number);

static inline MlirOperation combineProducer(MlirValue v, TileOpKind kind) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileOpKind(op) == kind ? op : (MlirOperation){NULL};
}
static inline MlirType combineResultType(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

#endif
