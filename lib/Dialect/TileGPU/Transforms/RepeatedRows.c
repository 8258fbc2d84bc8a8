/* RepeatedRows.c - values whose rows are repeated (tile-gpu-load-once): expanded, broadcast, and reshaped. */
#include "RepeatedRows.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Layout.h"
#include "tile-c/OpKind.h"

MlirValue tileRepeatedOf(MlirOperation reshape, int dim, int64_t *times) {
  const MlirValue none = {NULL};
  int64_t shape[TileLayout_MaxRank], wide[TileLayout_MaxRank], one[TileLayout_MaxRank];
  if (!reshape.ptr || tileOpKind(reshape) != TileOp_Tile_Reshape)
    return none;
  MlirValue all = mlirOperationGetOperand(reshape, 0);
  MlirOperation broadcast = tileValueGetDefiningOp(all);
  if (!broadcast.ptr || tileOpKind(broadcast) != TileOp_Tile_Broadcast || !tileValueHasOneUse(all))
    return none;
  MlirValue narrow = mlirOperationGetOperand(broadcast, 0);
  TileExpandDimsOp expand = tileExpandDimsOpCast(tileValueGetDefiningOp(narrow));
  if (tileExpandDimsOpIsNull(expand) || tileExpandDimsOpGetAxis(expand) != dim + 1 ||
      !tileValueHasOneUse(narrow))
    return none;
  int rank =
      tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(reshape, 0)), shape, TileLayout_MaxRank);
  if (tileTypeGetShape(mlirValueGetType(all), wide, TileLayout_MaxRank) != rank + 1)
    return none;
  tileTypeGetShape(mlirValueGetType(narrow), one, TileLayout_MaxRank);
  for (int d = 0; d <= rank; ++d)
    if (d != dim + 1 && wide[d] != one[d])
      return none;
  for (int d = 0; d < rank; ++d)
    if (shape[d] != (d == dim ? wide[dim] * wide[dim + 1] : wide[d + (d > dim)]))
      return none;
  *times = wide[dim + 1];
  return mlirOperationGetOperand(expand.op, 0);
}

/* Types of the three values on the way: of what is repeated, expanded, and broadcast. */
typedef struct Repetition {
  MlirType source, one, all;
} Repetition;

static MlirType typeOf(MlirContext context, int rank, const int64_t *shape, MlirType element,
                       const TileLayout *layout) {
  return mlirRankedTensorTypeGet(rank, shape, element, tileLayoutToAttr(context, layout));
}

static bool typesOf(MlirType result, MlirType element, int dim, int64_t times, Repetition *out) {
  int64_t shape[TileLayout_MaxRank];
  TileLayout layout;
  MlirContext context = mlirTypeGetContext(result);
  int rank = tileTypeGetShape(result, shape, TileLayout_MaxRank - 1);
  if (!tileLayoutOfType(result, &layout) || shape[dim] % times)
    return false;
  for (int d = rank; d > dim + 1; --d)
    shape[d] = shape[d - 1];
  shape[dim] /= times;
  shape[dim + 1] = times;
  if (!tileLayoutReshape(&layout, shape, rank + 1, &layout))
    return false;
  out->all = typeOf(context, rank + 1, shape, element, &layout);
  shape[dim + 1] = 1;
  if (!tileLayoutUnbroadcast(&layout, dim + 1, &layout))
    return false;
  out->one = typeOf(context, rank + 1, shape, element, &layout);
  for (int d = dim + 1; d < rank; ++d)
    shape[d] = shape[d + 1];
  if (!tileLayoutSlice(&layout, dim + 1, &layout))
    return false;
  out->source = typeOf(context, rank, shape, element, &layout);
  return true;
}

MlirType tileRepeatedType(MlirType result, MlirType element, int dim, int64_t times) {
  Repetition types;
  return typesOf(result, element, dim, times, &types) ? types.source : (MlirType){NULL};
}

MlirValue tileRepeatRows(TileBuilder b, MlirLocation loc, MlirValue v, MlirType result, int dim,
                         int64_t times) {
  Repetition types;
  MlirType element = tileTypeGetElement(mlirValueGetType(v));
  if (!typesOf(result, element, dim, times, &types))
    return v;
  MlirAttribute axis = tileI32Attr(mlirTypeGetContext(result), dim + 1);
  v = tileExpandDimsOpGetResult(tileExpandDimsOpCreate(b, loc, types.one, v, axis));
  v = tileBroadcastOpGetResult(tileBroadcastOpCreate(b, loc, types.all, v));
  return tileReshapeOpGetResult(
      tileReshapeOpCreate(b, loc, tileTypeWithElement(result, element), v, (MlirAttribute){NULL}));
}

void tileEraseRepeated(TileBuilder b, MlirOperation reshape) {
  MlirOperation broadcast = tileValueGetDefiningOp(mlirOperationGetOperand(reshape, 0)),
                expand = tileValueGetDefiningOp(mlirOperationGetOperand(broadcast, 0));
  mlirRewriterBaseEraseOp(b, reshape);
  mlirRewriterBaseEraseOp(b, broadcast);
  mlirRewriterBaseEraseOp(b, expand);
}
