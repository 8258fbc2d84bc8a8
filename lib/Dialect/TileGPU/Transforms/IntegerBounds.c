/* IntegerBounds.c - bounds of tensors of integers, by arithmetic on scalars. */
#include "IntegerBounds.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"

enum { MAX_DEPTH = 24 };

TileBoundsBuilder tileBoundsBuilderMake(TileBuilder b, MlirContext context) {
  return (TileBoundsBuilder){.b = b,
                             .context = context,
                             .i1 = mlirIntegerTypeGet(context, 1),
                             .i64 = mlirIntegerTypeGet(context, 64)};
}

MlirValue tileBoundsNumber(TileBoundsBuilder *s, int64_t n) {
  return tileCreateInteger(s->b, s->loc, s->i64, n);
}
MlirValue tileBoundsTruth(TileBoundsBuilder *s, bool v) { return tileCreateInteger(s->b, s->loc, s->i1, v); }

/* x and y are of i64 or of i1, as the result is. */
static MlirValue binary(TileBoundsBuilder *s, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(s->b, s->loc, kind, x, y);
}
static MlirValue sum(TileBoundsBuilder *s, MlirValue x, MlirValue y) {
  return binary(s, TileOp_Arith_AddI, x, y);
}
static MlirValue less(TileBoundsBuilder *s, MlirValue x, MlirValue y) {
  return binary(s, TileOp_Arith_SubI, x, y);
}
MlirValue tileBoundsBoth(TileBoundsBuilder *s, MlirValue x, MlirValue y) {
  return x.ptr && y.ptr ? binary(s, TileOp_Arith_AndI, x, y) : x.ptr ? x : y;
}
MlirValue tileBoundsCompare(TileBoundsBuilder *s, ArithCmpIPredicate p, MlirValue x, MlirValue y) {
  return arithCmpIOpGetResult(arithCmpIOpCreate(s->b, s->loc, s->i1, x, y, tileI64Attr(s->context, p)));
}

// ---- TileIntegerBounds of integers ----

static bool isI32(MlirValue v) { return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I32; }

/* Sums are taken modulo 2^32: one that is in range is exact. */
void tileBoundsNeedExact(TileBoundsBuilder *s, const TileIntegerBounds *x) {
  MlirValue low = tileBoundsCompare(s, ArithCmpIPredicate_sge, x->low, tileBoundsNumber(s, INT32_MIN));
  MlirValue high = tileBoundsCompare(s, ArithCmpIPredicate_sle, x->high, tileBoundsNumber(s, INT32_MAX));
  s->exact = tileBoundsBoth(s, s->exact, tileBoundsBoth(s, low, high));
}

static bool boundsOf(TileBoundsBuilder *s, MlirValue v, int depth, TileIntegerBounds *out);

static bool boundsOfTwo(TileBoundsBuilder *s, MlirOperation op, int depth, TileIntegerBounds *out) {
  TileIntegerBounds x, y;
  if (!boundsOf(s, mlirOperationGetOperand(op, 0), depth, &x) ||
      !boundsOf(s, mlirOperationGetOperand(op, 1), depth, &y))
    return false;
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
    *out = (TileIntegerBounds){sum(s, x.low, y.low), sum(s, x.high, y.high)};
    return true;
  case TileOp_Arith_SubI:
    *out = (TileIntegerBounds){less(s, x.low, y.high), less(s, x.high, y.low)};
    return true;
  default: /* minsi, maxsi */
    tileBoundsNeedExact(s, &x);
    tileBoundsNeedExact(s, &y);
    *out = (TileIntegerBounds){binary(s, tileOpKind(op), x.low, y.low),
                               binary(s, tileOpKind(op), x.high, y.high)};
    return true;
  }
}

static MlirValue extended(TileBoundsBuilder *s, MlirValue v) {
  return arithExtSIOpGetOut(arithExtSIOpCreate(s->b, s->loc, s->i64, v));
}

/* Of a loop's variable, all its values; of a sum of such, both ends. Null in *out: it is neither. */
static bool overIterations(TileBoundsBuilder *s, MlirValue v, int depth, TileIntegerBounds *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (op.ptr && (tileOpKind(op) == TileOp_Arith_AddI || tileOpKind(op) == TileOp_Arith_SubI)) {
    if (!boundsOfTwo(s, op, depth + 1, out))
      return false;
    tileBoundsNeedExact(s, out);
    return true;
  }
  if (op.ptr || mlirBlockArgumentGetArgNumber(v))
    return false;
  SCFForOp loop = scfForOpCast(mlirBlockGetParentOperation(tileValueGetBlock(v)));
  if (scfForOpIsNull(loop) || scfForOpGetUnsignedCmpAttr(loop).ptr)
    return false;
  *out = (TileIntegerBounds){extended(s, scfForOpGetLowerBound(loop)),
                             less(s, extended(s, scfForOpGetUpperBound(loop)), tileBoundsNumber(s, 1))};
  return true;
}

static bool boundsOf(TileBoundsBuilder *s, MlirValue v, int depth, TileIntegerBounds *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t constant;
  if (!isI32(v) || depth > MAX_DEPTH)
    return false;
  if (tileValueConstantInt(v, &constant)) {
    out->low = out->high = tileBoundsNumber(s, constant);
    return true;
  }
  if (!tileTypeIsTensor(mlirValueGetType(v))) {
    if (!s->overLoops || !overIterations(s, v, depth, out))
      out->low = out->high = extended(s, v);
    return true;
  }
  switch (op.ptr ? tileOpKind(op) : TileOp_None) {
  case TileOp_Tile_MakeRange:
    *out =
        (TileIntegerBounds){tileBoundsNumber(s, tileMakeRangeOpGetStart(tileMakeRangeOpCast(op))),
                            tileBoundsNumber(s, (int64_t)tileMakeRangeOpGetEnd(tileMakeRangeOpCast(op)) - 1)};
    return true;
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return boundsOf(s, mlirOperationGetOperand(op, 0), depth + 1, out);
  case TileOp_Arith_AddI:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_SubI:
    return boundsOfTwo(s, op, depth + 1, out);
  default:
    return false;
  }
}

bool tileIntegerBoundsOf(TileBoundsBuilder *s, MlirValue v, TileIntegerBounds *out) {
  return boundsOf(s, v, 0, out);
}

MlirValue tileBoundsWithin(TileBoundsBuilder *s, const TileIntegerBounds *x, int64_t most) {
  return tileBoundsBoth(s, tileBoundsCompare(s, ArithCmpIPredicate_sge, x->low, tileBoundsNumber(s, -most)),
                        tileBoundsCompare(s, ArithCmpIPredicate_sle, x->high, tileBoundsNumber(s, most)));
}
