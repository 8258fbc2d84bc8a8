/* ChunkMasks.c - masks that compare a range of columns with a bound, by whole chunks of columns.
 *
 *   %m = arith.cmpi slt, (tile.splat %n0) + %range, (tile.splat %n)          // range: 0 to 128
 * is the same for 8 neighbours from a multiple of 8 on if n - n0 is a multiple of 8, or if it lies outside of the range; then it is
 *   %m = arith.cmpi slt, (tile.splat %n0) + %range / 8 * 8, (tile.splat %n)
 * which is known to be so: one access has eight elements. Sums in i32 are those in i64 where neither leaves i32, which is asked too. */
#include "ChunkMasks.h"
#include "BufferBounds.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"

enum { MOST_DEPTH = 12 };

/* A side of a comparison: scalars, and at most one range. */
typedef struct Side {
  MlirValue sum; ///< i64, of the scalars; null: none
  int64_t start, end;
  bool hasRange;
} Side;

static bool isInside(const TileChunks *c, MlirValue v) {
  for (MlirBlock block = tileValueGetBlock(v); block.ptr;) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (parent.ptr == c->loop.ptr)
      return true;
    block = parent.ptr ? mlirOperationGetBlock(parent) : (MlirBlock){NULL};
  }
  return false;
}

static MlirValue op2(const TileChunks *c, MlirLocation loc, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(c->b, loc, kind, x, y);
}

static bool addScalar(const TileChunks *c, MlirLocation loc, MlirValue v, Side *out) {
  int64_t x;
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
  MlirValue wide;
  if (tileValueConstantInt(v, &x))
    wide = tileBufferConstant(c->b, loc, x);
  else if (!isInside(c, v) && mlirTypeIsAInteger(mlirValueGetType(v)) &&
           mlirIntegerTypeGetWidth(mlirValueGetType(v)) == 32)
    wide = arithExtSIOpGetOut(arithExtSIOpCreate(c->b, loc, i64, v));
  else
    return false;
  out->sum = out->sum.ptr ? op2(c, loc, TileOp_Arith_AddI, out->sum, wide) : wide;
  return true;
}

static bool addRange(const TileChunks *c, MlirOperation op, Side *out) {
  if (out->hasRange)
    return false;
  out->hasRange = true;
  out->start = tileMakeRangeOpGetStart(tileMakeRangeOpCast(op));
  out->end = tileMakeRangeOpGetEnd(tileMakeRangeOpCast(op));
  return out->start >= 0 && out->start % c->size == 0;
}

static bool addSide(const TileChunks *c, MlirLocation loc, MlirValue v, int depth, Side *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t x;
  if (tileValueConstantInt(v, &x))
    return addScalar(c, loc, v, out);
  if (!op.ptr || !depth)
    return false;
  switch (tileOpKind(op)) {
  case TileOp_Tile_MakeRange:
    return addRange(c, op, out);
  case TileOp_Tile_Splat:
    return addScalar(c, loc, mlirOperationGetOperand(op, 0), out);
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
    return addSide(c, loc, mlirOperationGetOperand(op, 0), depth - 1, out);
  case TileOp_Arith_AddI:
    return addSide(c, loc, mlirOperationGetOperand(op, 0), depth - 1, out) &&
           addSide(c, loc, mlirOperationGetOperand(op, 1), depth - 1, out);
  default:
    return false;
  }
}

/* low <= x <= high */
static MlirValue isBetween(const TileChunks *c, MlirLocation loc, MlirValue x, int64_t low, int64_t high) {
  return op2(c, loc, TileOp_Arith_AndI, tileBufferAtMost(c->b, loc, tileBufferConstant(c->b, loc, low), x),
             tileBufferAtMost(c->b, loc, x, tileBufferConstant(c->b, loc, high)));
}

/* The order of range and bound, the range on the left: whether elements from the bound on differ from those in front of it, or those behind
 * it from the bound. */
static bool splitsBehind(ArithCmpIPredicate order, bool swapped) {
  bool isStrict = order == ArithCmpIPredicate_slt || order == ArithCmpIPredicate_sgt,
       isLess = order == ArithCmpIPredicate_slt || order == ArithCmpIPredicate_sle;
  return (isLess != swapped) != isStrict; /* x <= y and x > y */
}

static bool isOrder(ArithCmpIPredicate order) {
  return order == ArithCmpIPredicate_slt || order == ArithCmpIPredicate_sle ||
         order == ArithCmpIPredicate_sgt || order == ArithCmpIPredicate_sge;
}

/* Whether the number from which on the comparison has its other value lies between chunks. */
static MlirValue comparisonHolds(const TileChunks *c, MlirLocation loc, ArithCmpIOp compare) {
  const int64_t least = INT32_MIN, most = INT32_MAX;
  ArithCmpIPredicate order = arithCmpIOpGetPredicate(compare);
  MlirValue lhs = arithCmpIOpGetLhs(compare), rhs = arithCmpIOpGetRhs(compare), none = {NULL};
  Side left = {.sum = none}, right = {.sum = none};
  if (!isOrder(order) || mlirIntegerTypeGetWidth(tileTypeGetElement(mlirValueGetType(lhs))) != 32 ||
      !addSide(c, loc, lhs, MOST_DEPTH, &left) || !addSide(c, loc, rhs, MOST_DEPTH, &right) ||
      left.hasRange == right.hasRange)
    return none;
  const bool swapped = right.hasRange;
  Side *range = swapped ? &right : &left, *bound = swapped ? &left : &right;
  MlirValue zero = tileBufferConstant(c->b, loc, 0), base = range->sum.ptr ? range->sum : zero;
  MlirValue from = op2(c, loc, TileOp_Arith_SubI, bound->sum, base);
  if (splitsBehind(order, swapped))
    from = op2(c, loc, TileOp_Arith_AddI, from, tileBufferConstant(c->b, loc, 1));
  MlirValue rest = op2(c, loc, TileOp_Arith_AndI, from, tileBufferConstant(c->b, loc, c->size - 1));
  MlirValue holds = isBetween(c, loc, rest, 0, 0);
  holds = op2(c, loc, TileOp_Arith_OrI, holds,
              tileBufferAtMost(c->b, loc, tileBufferConstant(c->b, loc, range->end), from));
  holds = op2(c, loc, TileOp_Arith_OrI, holds,
              tileBufferAtMost(c->b, loc, from, tileBufferConstant(c->b, loc, range->start)));
  MlirValue fits = op2(c, loc, TileOp_Arith_AndI, isBetween(c, loc, base, least, most - range->end),
                       isBetween(c, loc, bound->sum, least, most));
  return op2(c, loc, TileOp_Arith_AndI, holds, fits);
}

static MlirValue holdsOf(const TileChunks *c, MlirLocation loc, MlirValue mask, int depth) {
  MlirOperation op = tileValueGetDefiningOp(mask);
  MlirType i1 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 1);
  if (c->stays(mask, c->user))
    return tileCreateInteger(c->b, loc, i1, 1);
  if (!op.ptr || !depth)
    return (MlirValue){NULL};
  switch (tileOpKind(op)) {
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
    return holdsOf(c, loc, mlirOperationGetOperand(op, 0), depth - 1);
  case TileOp_Arith_CmpI:
    return comparisonHolds(c, loc, arithCmpIOpCast(op));
  case TileOp_Arith_AndI: {
    MlirValue x = holdsOf(c, loc, mlirOperationGetOperand(op, 0), depth - 1);
    MlirValue y = x.ptr ? holdsOf(c, loc, mlirOperationGetOperand(op, 1), depth - 1) : x;
    return y.ptr ? op2(c, loc, TileOp_Arith_AndI, x, y) : y;
  }
  default:
    return (MlirValue){NULL};
  }
}

MlirValue tileChunkMaskHolds(const TileChunks *c, MlirLocation loc, MlirValue mask) {
  return holdsOf(c, loc, mask, MOST_DEPTH);
}

/* range / size * size */
static MlirValue firstsOf(const TileChunks *c, MlirOperation range) {
  MlirLocation loc = mlirOperationGetLocation(range);
  MlirValue v = mlirOperationGetResult(range, 0);
  MlirAttribute size = mlirIntegerAttrGet(tileTypeGetElement(mlirValueGetType(v)), c->size);
  MlirValue sizes = arithConstantOpGetResult(arithConstantOpCreate(
      c->b, loc, mlirValueGetType(v), mlirDenseElementsAttrSplatGet(mlirValueGetType(v), size)));
  return op2(c, loc, TileOp_Arith_MulI, op2(c, loc, TileOp_Arith_DivUI, v, sizes), sizes);
}

/* What the condition has followed, with ranges by chunks. */
static MlirValue rebuild(const TileChunks *c, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || c->stays(v, c->user))
    return v;
  switch (tileOpKind(op)) {
  case TileOp_Tile_MakeRange:
    return firstsOf(c, op);
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
  case TileOp_Arith_CmpI:
  case TileOp_Arith_AndI:
  case TileOp_Arith_AddI:
    break;
  default:
    return v;
  }
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, rebuild(c, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(c->b, copy);
  return mlirOperationGetResult(copy, 0);
}

MlirValue tileChunkMask(const TileChunks *c, MlirValue mask) { return rebuild(c, mask); }
