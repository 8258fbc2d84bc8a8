/* SliceValues.c - slices of values that are equal along a dimension, or computed of ranges, splats and constants alone. */
#include "SliceValues.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Layout.h"
#include "tile-c/OpKind.h"

enum { MOST_OPS = 64, MOST_OPERANDS = 3 };

static int64_t sizeOf(MlirType type, int dim) {
  int64_t shape[TileLayout_MaxRank];
  return tileTypeGetShape(type, shape, TileLayout_MaxRank) > dim ? shape[dim] : 0;
}

static int innerDim(MlirOperation op, int dim) {
  int axis = (int)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op));
  return axis == dim ? -1 : dim - (axis < dim);
}

bool tileIsEqualAlong(MlirValue v, int dim) {
  MlirOperation op = tileValueGetDefiningOp(v);
  switch (op.ptr ? tileOpKind(op) : TileOp_None) {
  case TileOp_Arith_Constant: {
    MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
    return mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
  }
  case TileOp_Tile_Splat:
    return true;
  case TileOp_Tile_Broadcast:
    return sizeOf(mlirValueGetType(mlirOperationGetOperand(op, 0)), dim) == 1;
  default:
    return false;
  }
}

/* The type of a broadcast's source where its result is of `type`; null if that has no such layout. */
static MlirType sourceType(MlirValue source, MlirType type, int dim) {
  TileLayout layout;
  int64_t from[TileLayout_MaxRank], to[TileLayout_MaxRank];
  MlirType old = mlirValueGetType(source);
  int rank = tileTypeGetShape(old, from, TileLayout_MaxRank);
  tileTypeGetShape(type, to, TileLayout_MaxRank);
  from[dim] = to[dim];
  if (!tileLayoutOfType(type, &layout))
    return (MlirType){NULL};
  for (int d = 0; d < rank; ++d)
    if (from[d] != to[d] && !tileLayoutUnbroadcast(&layout, d, &layout))
      return (MlirType){NULL};
  return mlirRankedTensorTypeGet(rank, from, tileTypeGetElement(old),
                                 tileLayoutToAttr(mlirTypeGetContext(type), &layout));
}

static MlirType droppedType(MlirOperation expand, MlirType type) {
  TileLayout layout;
  int64_t shape[TileLayout_MaxRank];
  int axis = (int)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(expand));
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  if (!tileLayoutOfType(type, &layout) || !tileLayoutSlice(&layout, axis, &layout))
    return (MlirType){NULL};
  for (int d = axis; d + 1 < rank; ++d)
    shape[d] = shape[d + 1];
  return mlirRankedTensorTypeGet(rank - 1, shape, tileTypeGetElement(type),
                                 tileLayoutToAttr(mlirTypeGetContext(type), &layout));
}

MlirType tileSliceSourceType(MlirOperation op, int dim, MlirType type) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType element = tileTypeGetElement(mlirValueGetType(source));
  return tileOpKind(op) == TileOp_Tile_ExpandDims ? droppedType(op, tileTypeWithElement(type, element))
                                                  : sourceType(source, type, dim);
}

int tileSliceSourceDim(MlirOperation op, int dim) {
  return tileOpKind(op) == TileOp_Tile_ExpandDims ? innerDim(op, dim) : dim;
}

/* Structure alone without a type; with one, also whether all that it is made of has a layout. `left`: how many ops may be looked at. */
static bool canSlice(MlirValue v, int dim, MlirType type, int *left) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirType inner = type;
  if (!op.ptr || --*left < 0)
    return false;
  intptr_t n = mlirOperationGetNumOperands(op);
  switch (tileOpKind(op)) {
  case TileOp_Arith_Constant:
  case TileOp_Tile_Splat:
    return tileIsEqualAlong(v, dim);
  case TileOp_Tile_MakeRange:
    return dim == 0;
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
    if (type.ptr)
      inner = tileSliceSourceType(op, dim, type);
    dim = tileSliceSourceDim(op, dim);
    return !inner.ptr == !type.ptr && dim >= 0 &&
           (tileOpKind(op) == TileOp_Tile_ExpandDims || !tileIsEqualAlong(v, dim)) &&
           canSlice(mlirOperationGetOperand(op, 0), dim, inner, left);
  default:
    if (!tileOpIsElementwise(op) || n < 1 || n > MOST_OPERANDS || mlirOperationGetNumResults(op) != 1 ||
        mlirOperationGetNumRegions(op))
      return false;
    for (intptr_t i = 0; i < n; ++i)
      if (!canSlice(mlirOperationGetOperand(op, i), dim, type, left))
        return false;
    return true;
  }
}

/* Whether a broadcast's source has the layout that a result of `type` asks for; others are made in any. */
static bool sourceFits(MlirValue v, MlirType type) {
  MlirOperation op = tileValueGetDefiningOp(v);
  TileLayout narrow;
  int64_t from[TileLayout_MaxRank], to[TileLayout_MaxRank];
  if (tileOpKind(op) != TileOp_Tile_Broadcast)
    return true;
  MlirType source = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int rank = tileTypeGetShape(source, from, TileLayout_MaxRank);
  tileTypeGetShape(mlirValueGetType(v), to, TileLayout_MaxRank);
  if (!tileLayoutOfType(type, &narrow))
    return false;
  for (int d = 0; d < rank; ++d)
    if (from[d] != to[d] && !tileLayoutUnbroadcast(&narrow, d, &narrow))
      return false;
  return mlirAttributeEqual(tileLayoutToAttr(mlirOperationGetContext(op), &narrow),
                            tileTypeGetEncoding(source));
}

bool tileCanSlice(MlirValue v, int dim, MlirType type) {
  int left = MOST_OPS;
  return tileIsEqualAlong(v, dim) ? !type.ptr || sourceFits(v, type) : canSlice(v, dim, type, &left);
}

/* The op again, of another operand and type. */
static MlirValue again(TileBuilder b, MlirOperation op, intptr_t n, const MlirValue *operands,
                       MlirType type) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(copy, i, operands[i]);
  mlirValueSetType(mlirOperationGetResult(copy, 0), type);
  mlirRewriterBaseInsert(b, copy);
  return mlirOperationGetResult(copy, 0);
}

MlirValue tileSliceValue(TileBuilder b, MlirValue v, int dim, int64_t start, MlirType type) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  MlirValue operands[MOST_OPERANDS];
  MlirType inner;
  switch (tileOpKind(op)) {
  case TileOp_Arith_Constant: {
    MlirAttribute value =
        mlirDenseElementsAttrGetSplatValue(arithConstantOpGetValueAttr(arithConstantOpCast(op)));
    return arithConstantOpGetResult(
        arithConstantOpCreate(b, loc, type, mlirDenseElementsAttrSplatGet(type, value)));
  }
  case TileOp_Tile_Splat:
    return tileSplatOpGetResult(tileSplatOpCreate(b, loc, type, mlirOperationGetOperand(op, 0)));
  case TileOp_Tile_MakeRange: {
    int64_t first = tileMakeRangeOpGetStart(tileMakeRangeOpCast(op)) + start;
    return tileMakeRangeOpGetResult(tileMakeRangeOpCreate(b, loc, type, tileI32Attr(context, first),
                                                          tileI32Attr(context, first + sizeOf(type, 0))));
  }
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
    if (tileIsEqualAlong(v, dim))
      return tileBroadcastOpGetResult(tileBroadcastOpCreate(b, loc, type, mlirOperationGetOperand(op, 0)));
    inner = tileSliceSourceType(op, dim, type);
    operands[0] =
        tileSliceValue(b, mlirOperationGetOperand(op, 0), tileSliceSourceDim(op, dim), start, inner);
    return again(b, op, 1, operands, type);
  default:
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      operands[i] = tileSliceValue(b, operand, dim, start,
                                   tileTypeWithElement(type, tileTypeGetElement(mlirValueGetType(operand))));
    }
    return again(b, op, mlirOperationGetNumOperands(op), operands, type);
  }
}
