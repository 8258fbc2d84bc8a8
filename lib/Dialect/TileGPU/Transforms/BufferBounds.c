/* BufferBounds.c - interval arithmetic of offsets, emitted as scalar ops.
 *
 *   %o = (splat(m0) + range 0 to 256) * splat(stride) + range 0 to 64
 * lies between
 *   low = min(m0 * stride, (m0 + 255) * stride), high = max(...) + 63
 * if none of its parts wraps around, which can be asked of the same bounds in 64 bits: each is checked before it is
 * used, so that no product of two exceeds 2^62. */
#include "BufferBounds.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

typedef struct Range {
  MlirValue low, high;
} Range;

typedef struct Emit {
  TileBuilder b;
  MlirLocation loc;
  MlirValue holds;
} Emit;

MlirValue tileBufferConstant(TileBuilder b, MlirLocation loc, int64_t x) {
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
  return tileCreateInteger(b, loc, i64, x);
}

MlirValue tileBufferAtMost(TileBuilder b, MlirLocation loc, MlirValue x, MlirValue y) {
  MlirType i1 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 1);
  MlirAttribute order = tileI64Attr(mlirLocationGetContext(loc), ArithCmpIPredicate_sle);
  return arithCmpIOpGetResult(arithCmpIOpCreate(b, loc, i1, x, y, order));
}

static MlirValue op2(Emit *e, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(e->b, e->loc, kind, x, y);
}
static MlirValue number(Emit *e, int64_t x) { return tileBufferConstant(e->b, e->loc, x); }

static void require(Emit *e, MlirValue x, MlirValue y) {
  MlirValue fits = tileBufferAtMost(e->b, e->loc, x, y);
  e->holds = e->holds.ptr ? op2(e, TileOp_Arith_AndI, e->holds, fits) : fits;
}

/* Sums and products of i32 fit it; longer ones stay short enough to be multiplied and added once more. */
static void requireWidth(Emit *e, MlirValue v, const Range *r) {
  enum { LONG = 40 };
  unsigned bits = mlirIntegerTypeGetWidth(tileTypeGetElement(mlirValueGetType(v)));
  int64_t limit = INT64_C(1) << (bits < LONG ? (int)bits - 1 : LONG);
  require(e, number(e, -limit), r->low);
  require(e, r->high, number(e, limit - 1));
}

static bool rangeOf(Emit *e, MlirValue v, int depth, Range *out);

static bool operandsOf(Emit *e, MlirOperation op, int depth, Range *x, Range *y) {
  return rangeOf(e, mlirOperationGetOperand(op, 0), depth, x) &&
         rangeOf(e, mlirOperationGetOperand(op, 1), depth, y);
}

static void multiply(Emit *e, Range *x, MlirValue by) {
  const int64_t limit = INT64_C(1) << 31;
  const MlirValue factors[] = {x->low, x->high, by};
  for (int i = 0; i < 3; ++i) {
    require(e, number(e, -limit), factors[i]);
    require(e, factors[i], number(e, limit));
  }
  MlirValue a = op2(e, TileOp_Arith_MulI, x->low, by), b = op2(e, TileOp_Arith_MulI, x->high, by);
  *x = (Range){op2(e, TileOp_Arith_MinSI, a, b), op2(e, TileOp_Arith_MaxSI, a, b)};
}

static bool binaryOf(Emit *e, MlirOperation op, int depth, Range *out) {
  Range x, y;
  if (!depth || mlirOperationGetNumOperands(op) != 2 || !operandsOf(e, op, depth - 1, &x, &y))
    return false;
  bool isOne = y.low.ptr == y.high.ptr;
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
    *out = (Range){op2(e, TileOp_Arith_AddI, x.low, y.low), op2(e, TileOp_Arith_AddI, x.high, y.high)};
    break;
  case TileOp_Arith_SubI:
    *out = (Range){op2(e, TileOp_Arith_SubI, x.low, y.high), op2(e, TileOp_Arith_SubI, x.high, y.low)};
    break;
  case TileOp_Arith_MulI:
    if (!isOne && x.low.ptr != x.high.ptr)
      return false;
    *out = isOne ? x : y;
    multiply(e, out, isOne ? y.low : x.low);
    break;
  case TileOp_Arith_RemSI: /* of what is not negative, by what is positive */
    if (!isOne)
      return false;
    require(e, number(e, 0), x.low);
    require(e, number(e, 1), y.low);
    *out = (Range){number(e, 0),
                   op2(e, TileOp_Arith_MinSI, x.high, op2(e, TileOp_Arith_SubI, y.low, number(e, 1)))};
    break;
  default:
    return false;
  }
  requireWidth(e, mlirOperationGetResult(op, 0), out);
  return true;
}

static MlirValue wide(Emit *e, MlirValue scalar) {
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(e->loc), 64);
  if (mlirIntegerTypeGetWidth(mlirValueGetType(scalar)) == 64)
    return scalar;
  return arithExtSIOpGetOut(arithExtSIOpCreate(e->b, e->loc, i64, scalar));
}

static bool rangeOf(Emit *e, MlirValue v, int depth, Range *out) {
  int64_t x;
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileValueConstantInt(v, &x)) {
    out->low = out->high = number(e, x);
    return true;
  }
  if (!op.ptr || !depth)
    return false;
  switch (tileOpKind(op)) {
  case TileOp_Tile_MakeRange:
    *out = (Range){number(e, tileMakeRangeOpGetStart(tileMakeRangeOpCast(op))),
                   number(e, tileMakeRangeOpGetEnd(tileMakeRangeOpCast(op)) - 1)};
    return true;
  case TileOp_Tile_Splat:
    out->low = out->high = wide(e, mlirOperationGetOperand(op, 0));
    return true;
  case TileOp_Arith_ExtSI:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return rangeOf(e, mlirOperationGetOperand(op, 0), depth - 1, out);
  default:
    return binaryOf(e, op, depth, out);
  }
}

enum { MOST_DEPTH = 24 };

bool tileBufferBoundsOf(TileBuilder b, MlirLocation loc, const TileBufferParts *parts,
                        TileBufferBounds *out) {
  Emit e = {b, loc, {NULL}};
  *out = (TileBufferBounds){.low = {NULL}};
  for (int i = 0; i < parts->numOffsets; ++i) {
    Range r;
    if (!rangeOf(&e, parts->offsets[i], MOST_DEPTH, &r))
      return false;
    requireWidth(&e, parts->offsets[i], &r);
    out->low = i ? op2(&e, TileOp_Arith_AddI, out->low, r.low) : r.low;
    out->high = i ? op2(&e, TileOp_Arith_AddI, out->high, r.high) : r.high;
  }
  out->holds = e.holds;
  return true;
}
