/* PeelMasks.c - masks of loads that are true everywhere in the first iterations of a loop, and how many these are.
 *
 *   %m = arith.cmpi slt, %range, (tile.splat (%K - %k * 64))      // range: 0 to 64
 * is true everywhere while k * 64 + 63 < K.
 *
 * A mask is taken if it compares a range (plus a multiple of the induction variable) with a number from outside (minus a
 * multiple of it): the smaller side is not negative and the greater one at most that number, so that neither wraps
 * around while the mask is true. */
#include "PeelMasks.h"
#include "BufferBounds.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

enum { MOST_DEPTH = 16 };

/* A sum: varying part in [0, most], factor times the induction variable, a constant, and at most one other number. */
typedef struct Side {
  int64_t most, factor, constant;
  MlirValue number; ///< from outside of the loop
  bool negative;    ///< it is subtracted
} Side;

static bool isInside(const TilePeel *p, MlirValue v) {
  for (MlirBlock block = tileValueGetBlock(v); block.ptr;) {
    if (block.ptr == p->body.ptr)
      return true;
    MlirOperation parent = mlirBlockGetParentOperation(block);
    block = parent.ptr ? mlirOperationGetBlock(parent) : (MlirBlock){NULL};
  }
  return false;
}

static bool add(Side *out, const Side *x, int sign) {
  if (sign < 0 && x->most)
    return false;
  if (x->number.ptr && out->number.ptr)
    return false;
  if (x->number.ptr) {
    out->number = x->number;
    out->negative = x->negative != (sign < 0);
  }
  out->most += x->most;
  out->factor += sign * x->factor;
  out->constant += sign * x->constant;
  return true;
}

static bool sideOf(const TilePeel *p, MlirValue v, int depth, Side *out);

static bool sumOf(const TilePeel *p, MlirOperation op, int sign, int depth, Side *out) {
  Side a, b;
  if (!sideOf(p, mlirOperationGetOperand(op, 0), depth, &a) ||
      !sideOf(p, mlirOperationGetOperand(op, 1), depth, &b) || !add(&a, &b, sign))
    return false;
  *out = a;
  return true;
}

/* A multiple of the induction variable alone. */
static bool productOf(const TilePeel *p, MlirOperation op, int depth, Side *out) {
  enum { MOST = 1 << 20 };
  for (int k = 0; k < 2; ++k) {
    int64_t factor;
    if (!tileValueConstantInt(mlirOperationGetOperand(op, k), &factor) || factor < 1 || factor > MOST ||
        !sideOf(p, mlirOperationGetOperand(op, 1 - k), depth, out) || out->most || out->number.ptr)
      continue;
    out->factor *= factor;
    out->constant *= factor;
    return out->factor <= MOST && out->constant <= MOST;
  }
  return false;
}

static bool sideOf(const TilePeel *p, MlirValue v, int depth, Side *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  *out = (Side){.most = 0};
  if (tileValueConstantInt(v, &out->constant))
    return true;
  if (!op.ptr && tileValueGetBlock(v).ptr == p->body.ptr) {
    out->factor = 1;
    return mlirBlockArgumentGetArgNumber(v) == 0;
  }
  TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
  if (depth && kind == TileOp_Tile_MakeRange) {
    out->constant = tileMakeRangeOpGetStart(tileMakeRangeOpCast(op));
    out->most = tileMakeRangeOpGetEnd(tileMakeRangeOpCast(op)) - 1 - out->constant;
    return true;
  }
  if (depth && (kind == TileOp_Tile_Splat || kind == TileOp_Tile_ExpandDims || kind == TileOp_Tile_Broadcast))
    return sideOf(p, mlirOperationGetOperand(op, 0), depth - 1, out);
  if (!tileTypeIsTensor(mlirValueGetType(v)) && !isInside(p, v)) {
    out->number = v;
    return true;
  }
  if (depth && (kind == TileOp_Arith_AddI || kind == TileOp_Arith_SubI))
    return sumOf(p, op, kind == TileOp_Arith_AddI ? 1 : -1, depth - 1, out);
  return depth && kind == TileOp_Arith_MulI && productOf(p, op, depth - 1, out);
}

/* Whether the comparison is one that is true for the first iterations. */
static bool maskOf(const TilePeel *p, MlirOperation op, TilePeelMask *out) {
  ArithCmpIOp compare = arithCmpIOpCast(op);
  Side small, great;
  if (arithCmpIOpIsNull(compare))
    return false;
  MlirValue lhs = arithCmpIOpGetLhs(compare), rhs = arithCmpIOpGetRhs(compare);
  ArithCmpIPredicate order = arithCmpIOpGetPredicate(compare);
  bool swapped = order == ArithCmpIPredicate_sgt || order == ArithCmpIPredicate_sge,
       equal = order == ArithCmpIPredicate_sle || order == ArithCmpIPredicate_sge;
  if (!swapped && order != ArithCmpIPredicate_slt && !equal)
    return false;
  if (mlirIntegerTypeGetWidth(tileTypeGetElement(mlirValueGetType(lhs))) != 32 ||
      !sideOf(p, swapped ? rhs : lhs, MOST_DEPTH, &small) ||
      !sideOf(p, swapped ? lhs : rhs, MOST_DEPTH, &great))
    return false;
  *out = (TilePeelMask){mlirOperationGetResult(op, 0), great.number, small.factor - great.factor,
                        small.constant + small.most - great.constant - equal};
  return !small.number.ptr && small.factor >= 0 && small.constant >= 0 && great.number.ptr &&
         !great.negative && great.factor <= 0 && great.constant <= 0 && !great.most && out->factor > 0;
}

/* Whether the value leads to a mask of a load through ands and changes of shape. */
static bool leadsToLoad(MlirValue v, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); depth && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    TileOpKind kind = tileOpKind(user);
    if (kind == TileOp_Tile_Load && tileLoadOpGetMask(tileLoadOpCast(user)).ptr == v.ptr)
      return true;
    if ((kind == TileOp_Arith_AndI || kind == TileOp_Tile_Broadcast || kind == TileOp_Tile_ExpandDims ||
         kind == TileOp_Tile_Trans) &&
        leadsToLoad(mlirOperationGetResult(user, 0), depth - 1))
      return true;
  }
  return false;
}

void tilePeelFindMasks(TilePeel *p) {
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (p->numMasks < TilePeel_MostMasks && maskOf(p, op, &p->masks[p->numMasks]) &&
        leadsToLoad(p->masks[p->numMasks].value, MOST_DEPTH))
      ++p->numMasks;
}

// ---- The bound ----

static MlirValue wide(TilePeel *p, MlirLocation loc, MlirValue v) {
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
  return mlirIntegerTypeGetWidth(mlirValueGetType(v)) < 64
             ? arithExtSIOpGetOut(arithExtSIOpCreate(p->b, loc, i64, v))
             : v;
}

/* The loop's lower bound in i64. */
static MlirValue lowerOf(TilePeel *p, MlirLocation loc) {
  return p->start.ptr ? wide(p, loc, p->start) : tileBufferConstant(p->b, loc, p->lower);
}

/* What is left of a mask's number in the loop's first iteration: number - most - factor * lower. */
static MlirValue roomOf(TilePeel *p, MlirLocation loc, const TilePeelMask *m) {
  int64_t known = m->most + (p->start.ptr ? 0 : p->lower * m->factor);
  MlirValue room = tileCreateOp2(p->b, loc, TileOp_Arith_SubI, wide(p, loc, m->number),
                                 tileBufferConstant(p->b, loc, known));
  if (!p->start.ptr)
    return room;
  MlirValue done = tileCreateOp2(p->b, loc, TileOp_Arith_MulI, wide(p, loc, p->start),
                                 tileBufferConstant(p->b, loc, m->factor));
  return tileCreateOp2(p->b, loc, TileOp_Arith_SubI, room, done);
}

/* The first iteration in which a mask is not true everywhere, in i64: factor * iv < number - most holds for the
 * ceil((number - most) / factor) first values of iv from 0 on. */
static MlirValue endOf(TilePeel *p, const TilePeelMask *m) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  MlirValue room = roomOf(p, loc, m);
  room = tileCreateOp2(p->b, loc, TileOp_Arith_MaxSI, room, tileBufferConstant(p->b, loc, 0));
  int64_t stride = m->factor * p->step; /* of what is compared, an iteration */
  MlirValue count = tileCreateOp2(
      p->b, loc, TileOp_Arith_DivUI,
      tileCreateOp2(p->b, loc, TileOp_Arith_AddI, room, tileBufferConstant(p->b, loc, stride - 1)),
      tileBufferConstant(p->b, loc, stride));
  return tileCreateOp2(
      p->b, loc, TileOp_Arith_AddI,
      tileCreateOp2(p->b, loc, TileOp_Arith_MulI, count, tileBufferConstant(p->b, loc, p->step)),
      lowerOf(p, loc));
}

MlirValue tilePeelEnd(TilePeel *p) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  MlirValue upper = scfForOpGetUpperBound(p->loop);
  MlirType type = mlirValueGetType(upper), i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
  MlirValue end = arithExtSIOpGetOut(arithExtSIOpCreate(p->b, loc, i64, upper));
  for (int i = 0; i < p->numMasks; ++i)
    end = tileCreateOp2(p->b, loc, TileOp_Arith_MinSI, end, endOf(p, &p->masks[i]));
  end = tileCreateOp2(p->b, loc, TileOp_Arith_MaxSI, end, lowerOf(p, loc));
  return arithTruncIOpGetOut(arithTruncIOpCreate(p->b, loc, type, end, (MlirAttribute){NULL}));
}

static void setTrue(TilePeel *p, MlirValue mask) {
  MlirOperation op = tileValueGetDefiningOp(mask);
  MlirType type = mlirValueGetType(mask);
  MlirAttribute one = mlirIntegerAttrGet(tileTypeGetElement(type), 1);
  mlirRewriterBaseSetInsertionPointBefore(p->b, op);
  if (tileTypeIsTensor(type))
    one = mlirDenseElementsAttrSplatGet(type, one);
  MlirValue all =
      arithConstantOpGetResult(arithConstantOpCreate(p->b, mlirOperationGetLocation(op), type, one));
  mlirValueReplaceAllUsesOfWith(mask, all);
  mlirRewriterBaseEraseOp(p->b, op);
}

void tilePeelSetMasks(TilePeel *p) {
  for (int i = 0; i < p->numMasks; ++i)
    setTrue(p, p->masks[i].value);
}
