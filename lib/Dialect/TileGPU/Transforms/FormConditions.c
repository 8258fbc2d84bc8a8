/* FormConditions.c - asks at the start of a kernel whether its boxes lie where their addresses say.
 *
 * A box starts at an index that is not negative and does not wrap around, its matrix has at least one row and column, its stride
 * is positive, and offsets of 32 bits do not wrap around. Then what the copy engine leaves out is what the mask leaves out.
 * Of an induction variable the bounds are asked; where starts follow from one otherwise (blocks of a persistent kernel), all
 * of the loop's iterations are asked by ranges (FormRanges.c) and, if that is not enough, one by one:
 *
 *   %fine = 0 <= (least %start) and ...
 *   %ok = scf.for %t = %pid to (%fine ? %pid : %tiles) step %n iter_args(%a = true) { scf.yield %a and 0 <= %start and ... } */
#include "FormMade.h"
#include "FormRanges.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"

enum { MOST_DEPTH = 64 };

// ---- What can be asked ----

/* The loop of which `v` is the induction variable. */
static SCFForOp loopOf(MlirValue v) {
  SCFForOp none = {{NULL}};
  if (!mlirValueIsABlockArgument(v) || mlirBlockArgumentGetArgNumber(v))
    return none;
  return scfForOpCast(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v)));
}

static bool canFollow(TileBoxGuard *g, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileTypeIsTensor(mlirValueGetType(v)) || depth > MOST_DEPTH)
    return false;
  if (!op.ptr) {
    SCFForOp loop = loopOf(v);
    if (tileBoxParameter(v).ptr)
      return true;
    if (scfForOpIsNull(loop) || (g->scan.op.ptr && !mlirOperationEqual(g->scan.op, loop.op)) ||
        tileOpKind(mlirOperationGetParentOperation(loop.op)) != TileOp_Func_Func)
      return false;
    if (g->scan.op.ptr)
      return true;
    for (int i = 0; i < 3; ++i)
      if (!canFollow(g, mlirOperationGetOperand(loop.op, i), depth + 1) || g->scan.op.ptr)
        return false;
    g->scan = loop;
    return true;
  }
  if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!canFollow(g, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static bool isI32(MlirValue v) { return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I32; }
static bool isI64(MlirValue v) { return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I64; }

static bool canAsk(TileBoxGuard *g, const TileSum *sum) {
  for (int i = 0; i < sum->count; ++i) {
    SCFForOp loop = loopOf(sum->values[i]);
    if (!isI32(sum->values[i]) && !isI64(sum->values[i]))
      return false;
    if (scfForOpIsNull(loop)
            ? !canFollow(g, sum->values[i], 0)
            : !canFollow(g, scfForOpGetLowerBound(loop), 0) || !canFollow(g, scfForOpGetUpperBound(loop), 0))
      return false;
  }
  return true;
}

bool tileBoxGuardTakes(TileBoxGuard *g, const TileBox *box) {
  if (box->made.ptr)
    return true;
  for (int i = 0; i < box->numExact; ++i)
    if (!canAsk(g, &box->exact[i]))
      return false;
  for (int i = 0; i < box->numExtra; ++i)
    if (!canAsk(g, &box->extra[i].start))
      return false;
  return canAsk(g, &box->dims[0].start) && canAsk(g, &box->dims[1].start);
}

// ---- Emission ----

static MlirType i64Of(const TileBoxGuard *g) { return mlirIntegerTypeGet(g->context, 64); }
MlirValue tileGuardNumber(TileBoxGuard *g, int64_t n) { return tileCreateInteger(g->b, g->loc, i64Of(g), n); }
MlirValue tileGuardTwo(TileBoxGuard *g, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(g->b, g->loc, kind, x, y);
}
void tileGuardRequire(TileBoxGuard *g, MlirValue x, MlirValue y) {
  MlirValue holds =
      arithCmpIOpGetResult(arithCmpIOpCreate(g->b, g->loc, mlirIntegerTypeGet(g->context, 1), x, y,
                                             tileI64Attr(g->context, ArithCmpIPredicate_sle)));
  g->ok = g->ok.ptr ? tileGuardTwo(g, TileOp_Arith_AndI, g->ok, holds) : holds;
}

/* The value again at the insertion point. */
static MlirValue again(TileBoxGuard *g, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  for (size_t i = 0; i < g->from.count; ++i)
    if (g->from.items[i] == v.ptr)
      return (MlirValue){(void *)g->to.items[i]};
  if (!op.ptr)
    return v;
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, again(g, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(g->b, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    tilePointerListAppend(&g->from, mlirOperationGetResult(op, i).ptr);
    tilePointerListAppend(&g->to, mlirOperationGetResult(clone, i).ptr);
  }
  return again(g, v);
}

MlirValue tileGuardWide(TileBoxGuard *g, MlirValue v) {
  v = again(g, v);
  return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I64
             ? v
             : arithExtSIOpGetOut(arithExtSIOpCreate(g->b, g->loc, i64Of(g), v));
}

static MlirValue plus(TileBoxGuard *g, MlirValue sum, MlirValue v, int64_t factor) {
  return tileGuardTwo(g, TileOp_Arith_AddI, sum,
                      factor == 1 ? v : tileGuardTwo(g, TileOp_Arith_MulI, v, tileGuardNumber(g, factor)));
}

/* What lies in the range of the guard's loop, or is what it is at the insertion point. */
static TileGuardRange rangeOfValue(TileBoxGuard *g, MlirValue v) {
  TileGuardRange r;
  if (g->isCoarse && tileGuardRangeInLoop(g, v, &r))
    return r;
  g->isLost |= g->isCoarse;
  r.low = r.high = g->isCoarse ? tileGuardNumber(g, 0) : tileGuardWide(g, v);
  return r;
}

/* Numbers of 64 bits are small enough to be multiplied. */
static void requireSmall(TileBoxGuard *g, MlirValue v, const TileGuardRange *r) {
  if (!isI64(v))
    return;
  tileGuardRequire(g, tileGuardNumber(g, INT32_MIN), r->low);
  tileGuardRequire(g, r->high, tileGuardNumber(g, INT32_MAX));
}

static TileGuardRange rangeOf(TileBoxGuard *g, const TileSum *sum) {
  TileGuardRange r = {tileGuardNumber(g, sum->constant), tileGuardNumber(g, sum->constant)};
  for (int i = 0; i < sum->count; ++i) {
    SCFForOp loop = loopOf(sum->values[i]);
    const int64_t f = sum->factors[i];
    const bool isScanned = !scfForOpIsNull(loop) && mlirOperationEqual(loop.op, g->scan.op);
    TileGuardRange one;
    if (scfForOpIsNull(loop) || isScanned) {
      one = rangeOfValue(g, sum->values[i]);
    } else {
      one.low = rangeOfValue(g, scfForOpGetLowerBound(loop)).low;
      one.high = tileGuardTwo(g, TileOp_Arith_SubI, rangeOfValue(g, scfForOpGetUpperBound(loop)).high,
                              tileGuardNumber(g, 1));
    }
    requireSmall(g, sum->values[i], &one);
    r.low = plus(g, r.low, f > 0 ? one.low : one.high, f);
    r.high = plus(g, r.high, f > 0 ? one.high : one.low, f);
  }
  return r;
}

/* Whether the sum is known to lie between 0 and `most`. */
static bool isKnown(const TileBoxGuard *g, const TileSum *sum, int64_t most) {
  int64_t low = sum->constant, high = sum->constant;
  for (int i = 0; i < sum->count; ++i) {
    const TileAxis *axis = tileAxisInfoOf(g->info, sum->values[i]);
    const int64_t f = sum->factors[i];
    if (!axis || axis->type.bits != 32)
      return false;
    low += f * (f > 0 ? axis->min : axis->max);
    high += f * (f > 0 ? axis->max : axis->min);
  }
  return low >= 0 && high <= most;
}

static void requireStart(TileBoxGuard *g, const TileSum *sum, int64_t length) {
  const int64_t most = TileBox_Unbounded - length;
  if (isKnown(g, sum, most))
    return;
  const TileGuardRange r = rangeOf(g, sum);
  tileGuardRequire(g, tileGuardNumber(g, 0), r.low);
  tileGuardRequire(g, r.high, tileGuardNumber(g, most));
}

static void requirePositive(TileBoxGuard *g, MlirValue v) {
  const TileAxis *axis = v.ptr ? tileAxisInfoOf(g->info, v) : NULL;
  if (v.ptr && !(axis && axis->min > 0))
    tileGuardRequire(g, tileGuardNumber(g, 1), tileGuardWide(g, v));
}

static MlirValue times(TileBoxGuard *g, MlirValue count, const TileBoxDim *dim) {
  if (dim->stride.ptr)
    count = tileGuardTwo(g, TileOp_Arith_MulI, count, tileGuardWide(g, dim->stride));
  return dim->factor == 1 ? count
                          : tileGuardTwo(g, TileOp_Arith_MulI, count, tileGuardNumber(g, dim->factor));
}

/* More than the largest offset along the dimension. */
static MlirValue extentOf(TileBoxGuard *g, const TileBoxDim *dim) {
  MlirValue count;
  if (tileBoxDimIsRamp(dim) && dim->bound.ptr)
    count = tileGuardWide(g, dim->bound);
  else if (tileBoxDimIsRamp(dim) && dim->size != TileBox_Unbounded)
    count = tileGuardNumber(g, dim->size);
  else
    count = tileGuardTwo(g, TileOp_Arith_AddI, rangeOf(g, &dim->ramp).high, tileGuardNumber(g, dim->length));
  return times(g, count, dim);
}

/* Numbers of 32 bits by which all pointers are moved. */
static void requireMoves(TileBoxGuard *g, const TileBoxDim *dim) {
  if (!dim->stride.ptr)
    return;
  if (dim->moved.count || dim->moved.constant)
    tileGuardRequire(g, times(g, rangeOf(g, &dim->moved).high, dim), tileGuardNumber(g, INT32_MAX));
  if (dim->step)
    tileGuardRequire(g, times(g, tileGuardNumber(g, dim->step), dim), tileGuardNumber(g, INT32_MAX));
}

static bool isConstant(const TileBoxDim *dim) {
  return tileBoxDimIsRamp(dim) && !dim->bound.ptr && dim->size != TileBox_Unbounded && !dim->stride.ptr;
}

/* The engine stores 16 bytes at a time, beyond the end of rows too. */
static void requireWhole(TileBoxGuard *g, const TileBox *box) {
  const TileBoxDim *dim = &box->dims[box->unit];
  const int64_t count = 16 / box->elementBytes;
  if (dim->bound.ptr ? tileAxisInfoGet(g->info, dim->bound, 0).divisibility % count == 0
                     : dim->size % count == 0)
    return;
  MlirValue size = dim->bound.ptr ? tileGuardWide(g, dim->bound) : tileGuardNumber(g, dim->size);
  tileGuardRequire(g, tileGuardTwo(g, TileOp_Arith_RemUI, size, tileGuardNumber(g, count)),
                   tileGuardNumber(g, 0));
}

enum { MOST_STRIDE = 1 << 30 };

/* Batches, heads: their distance is a multiple of 16 bytes. */
static void requireExtra(TileBoxGuard *g, const TileBoxExtra *extra, int64_t elementBytes) {
  requireStart(g, &extra->start, 1);
  if (!extra->stride.ptr)
    return;
  const int64_t known = extra->factor * tileAxisInfoGet(g->info, extra->stride, 0).divisibility;
  MlirValue stride = tileGuardWide(g, extra->stride);
  tileGuardRequireNumber(g, extra->stride);
  tileGuardRequire(g, stride, tileGuardNumber(g, MOST_STRIDE));
  if (elementBytes * (known & -known) < 16) {
    MlirValue bytes =
        tileGuardTwo(g, TileOp_Arith_MulI, stride, tileGuardNumber(g, extra->factor * elementBytes));
    tileGuardRequire(g, tileGuardTwo(g, TileOp_Arith_RemUI, bytes, tileGuardNumber(g, 16)),
                     tileGuardNumber(g, 0));
  }
  if (extra->isNarrow)
    tileGuardRequire(
        g,
        tileGuardTwo(g, TileOp_Arith_MulI, rangeOf(g, &extra->start).high,
                     tileGuardTwo(g, TileOp_Arith_MulI, stride, tileGuardNumber(g, extra->factor))),
        tileGuardNumber(g, INT32_MAX));
}

/* Each of the maps has a row. */
static void requireRows(TileBoxGuard *g, const TileBox *box) {
  const TileBoxDim *rows = &box->dims[!box->unit];
  MlirValue size = rows->bound.ptr ? tileGuardWide(g, rows->bound) : tileGuardNumber(g, rows->size);
  if (rows->bound.ptr || rows->size < box->apart)
    tileGuardRequire(g, tileGuardNumber(g, box->apart), size);
}

static void requireBox(TileBoxGuard *g, const TileBox *box) {
  if (box->made.ptr) {
    tileMadeRequire(g, box);
    return;
  }
  const int64_t length =
      box->dims[0].length > box->dims[1].length ? box->dims[0].length : box->dims[1].length;
  for (int d = 0; d < 2; ++d) {
    requireStart(g, &box->dims[d].start, length);
    requirePositive(g, box->dims[d].bound);
    requirePositive(g, box->dims[d].stride);
    if (box->dims[d].stride.ptr && !isI32(box->dims[d].stride))
      tileGuardRequire(g, tileGuardWide(g, box->dims[d].stride), tileGuardNumber(g, MOST_STRIDE));
  }
  if (box->apart)
    requireRows(g, box);
  else if (!box->isAligned)
    tileGuardRequire(g,
                     tileGuardTwo(g, TileOp_Arith_RemUI,
                                  times(g, tileGuardNumber(g, box->elementBytes), &box->dims[!box->unit]),
                                  tileGuardNumber(g, 16)),
                     tileGuardNumber(g, 0));
  for (int i = 0; i < box->numExact; ++i)
    if (!tileSumEqual(&box->exact[i], &box->dims[0].start) &&
        !tileSumEqual(&box->exact[i], &box->dims[1].start))
      requireStart(g, &box->exact[i], length);
  for (int i = 0; i < box->numExtra; ++i)
    requireExtra(g, &box->extra[i], box->elementBytes);
  if (box->stores)
    requireWhole(g, box);
  if (!box->isNarrow)
    return;
  const TileBoxDim *x = &box->dims[0], *y = &box->dims[1];
  requireMoves(g, x);
  requireMoves(g, y);
  if (isConstant(x) && isConstant(y) && x->size * x->factor + y->size * y->factor < INT32_MAX &&
      x->factor < INT32_MAX && y->factor < INT32_MAX)
    return;
  tileGuardRequire(g, tileGuardTwo(g, TileOp_Arith_AddI, extentOf(g, x), extentOf(g, y)),
                   tileGuardNumber(g, INT32_MAX));
}

static MlirValue truth(TileBoxGuard *g) {
  MlirType i1 = mlirIntegerTypeGet(g->context, 1);
  return tileCreateInteger(g->b, g->loc, i1, 1);
}

/* Asks about all iterations at once, by ranges: they cost no more than one iteration. Null if that cannot be done. */
static MlirValue askAtOnce(TileBoxGuard *g, const TileBox *const *boxes, int n) {
  g->isCoarse = true;
  g->ok = (MlirValue){NULL};
  for (int i = 0; i < n && !g->isLost; ++i)
    requireBox(g, boxes[i]);
  g->isCoarse = false;
  return g->isLost ? (MlirValue){NULL} : g->ok;
}

/* Iterations one by one, if not all of them are fine by their ranges (`fine` may be null). */
static MlirBlock beginScan(TileBoxGuard *g, MlirValue fine, SCFForOp *out) {
  MlirType i1 = mlirIntegerTypeGet(g->context, 1);
  MlirValue init = truth(g), bounds[3];
  for (int i = 0; i < 3; ++i)
    bounds[i] = again(g, mlirOperationGetOperand(g->scan.op, i));
  if (fine.ptr)
    bounds[1] = arithSelectOpGetResult(
        arithSelectOpCreate(g->b, g->loc, mlirValueGetType(bounds[1]), fine, bounds[0], bounds[1]));
  *out = scfForOpCreate(g->b, g->loc, 1, &i1, bounds[0], bounds[1], bounds[2], 1, &init,
                        scfForOpGetUnsignedCmpAttr(g->scan));
  MlirBlock body = tileRegionAddBlock(scfForOpGetRegion(*out));
  MlirValue iv = mlirBlockAddArgument(body, mlirValueGetType(bounds[0]), g->loc);
  mlirBlockAddArgument(body, i1, g->loc);
  tilePointerListAppend(&g->from,
                        mlirBlockGetArgument(mlirRegionGetFirstBlock(scfForOpGetRegion(g->scan)), 0).ptr);
  tilePointerListAppend(&g->to, iv.ptr);
  mlirRewriterBaseSetInsertionPointToEnd(g->b, body);
  return body;
}

MlirValue tileBoxGuardEmit(TileBoxGuard *g, MlirBlock entry, const TileBox *const *boxes, int n) {
  SCFForOp loop = {{NULL}};
  MlirBlock body = {NULL};
  mlirRewriterBaseSetInsertionPointToStart(g->b, entry);
  if (!scfForOpIsNull(g->scan))
    body = beginScan(g, askAtOnce(g, boxes, n), &loop);
  g->ok = (MlirValue){NULL};
  for (int i = 0; i < n; ++i)
    requireBox(g, boxes[i]);
  if (!loop.op.ptr)
    return g->ok;
  MlirValue all = mlirBlockGetArgument(body, 1);
  all = g->ok.ptr ? tileGuardTwo(g, TileOp_Arith_AndI, all, g->ok) : all;
  scfYieldOpCreate(g->b, g->loc, 1, &all);
  mlirRewriterBaseSetInsertionPointAfter(g->b, loop.op);
  return mlirOperationGetResult(loop.op, 0);
}

static MlirValue narrow(TileBuilder b, MlirLocation loc, MlirType i32, MlirValue v) {
  return isI64(v) ? arithTruncIOpGetOut(arithTruncIOpCreate(b, loc, i32, v, (MlirAttribute){NULL})) : v;
}

MlirValue tileSumEmit(TileBuilder b, MlirLocation loc, const TileSum *sum) {
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 32);
  MlirValue total = {NULL};
  for (int i = 0; i < sum->count; ++i) {
    MlirValue factor = tileCreateInteger(b, loc, i32, sum->factors[i]);
    MlirValue value = narrow(b, loc, i32, sum->values[i]);
    MlirValue term = sum->factors[i] == 1 ? value : tileCreateOp2(b, loc, TileOp_Arith_MulI, value, factor);
    total = total.ptr ? tileCreateOp2(b, loc, TileOp_Arith_AddI, total, term) : term;
  }
  if (total.ptr && !sum->constant)
    return total;
  MlirValue constant = tileCreateInteger(b, loc, i32, sum->constant);
  return total.ptr ? tileCreateOp2(b, loc, TileOp_Arith_AddI, total, constant) : constant;
}
