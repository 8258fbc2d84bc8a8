/* BoxSums.c - integers of addresses as sums of scalars, and of a range along one dimension. */
#include "BoxSums.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

enum { MOST_DEPTH = 24 };

// ---- Scalars ----

MlirValue tileStripExtension(MlirValue v) {
  for (MlirOperation op; (op = tileValueGetDefiningOp(v)).ptr && tileOpKind(op) == TileOp_Arith_ExtSI;)
    v = mlirOperationGetOperand(op, 0);
  return v;
}

bool tileSumAddTerm(TileSum *sum, MlirValue value, int64_t factor) {
  const int64_t most = INT64_C(1) << 30;
  for (int i = 0; i < sum->count; ++i)
    if (mlirValueEqual(sum->values[i], value)) {
      sum->factors[i] += factor;
      if (!sum->factors[i]) {
        --sum->count;
        sum->values[i] = sum->values[sum->count];
        sum->factors[i] = sum->factors[sum->count];
      }
      return factor > -most && factor < most;
    }
  if (sum->count == TileSum_Most || factor <= -most || factor >= most)
    return false;
  if (factor) {
    sum->values[sum->count] = value;
    sum->factors[sum->count++] = factor;
  }
  return true;
}

static bool addConstant(TileSum *sum, int64_t value, int64_t factor) {
  const int64_t most = INT64_C(1) << 31;
  if (value < -most || value > most || factor < -most || factor > most)
    return false;
  sum->constant += value * factor;
  return sum->constant > -2 * most && sum->constant < 2 * most;
}

bool tileSumAddSum(TileSum *sum, const TileSum *other, int64_t factor) {
  bool ok = addConstant(sum, other->constant, factor);
  for (int i = 0; ok && i < other->count; ++i)
    ok = tileSumAddTerm(sum, other->values[i], other->factors[i] * factor);
  return ok;
}

bool tileSumEqual(const TileSum *a, const TileSum *b) {
  TileSum difference = *a;
  return tileSumAddSum(&difference, b, -1) && !difference.count && !difference.constant;
}

bool tileSumIsMultiple(const TileAxisInfo *info, const TileSum *sum, int64_t of) {
  if (sum->constant % of)
    return false;
  for (int i = 0; i < sum->count; ++i)
    if (sum->factors[i] % of * (tileAxisInfoGet(info, sum->values[i], 0).divisibility % of) % of)
      return false;
  return true;
}

static bool addScalar(TileSum *sum, MlirValue v, int64_t factor, TileExactSums *exact, int depth);

/* A 32-bit sum that is extended must be what it is without bounds. */
static bool requireExact(TileExactSums *exact, const TileSum *sum) {
  if (!sum->count && sum->constant >= 0 && sum->constant < INT32_MAX / 2)
    return true;
  for (int i = 0; i < *exact->count; ++i)
    if (tileSumEqual(&exact->sums[i], sum))
      return true;
  if (*exact->count == TileBox_MostExact)
    return false;
  exact->sums[(*exact->count)++] = *sum;
  return true;
}

bool tileSumAddIterations(TileSum *sum, SCFForOp loop, int64_t factor, TileExactSums *exact) {
  int64_t step;
  if (!tileValueConstantInt(scfForOpGetStep(loop), &step) || step < 1 || factor % step ||
      scfForOpGetUnsignedCmp(loop))
    return false;
  MlirValue iv = mlirBlockGetArgument(mlirRegionGetFirstBlock(scfForOpGetRegion(loop)), 0);
  return tileSumAddTerm(sum, iv, factor / step) &&
         addScalar(sum, scfForOpGetLowerBound(loop), -(factor / step), exact, MOST_DEPTH);
}

/* The loop whose carried variable `v` is, and what it is moved by; null if it is none or moves otherwise. */
static SCFForOp carriedBy(MlirValue v, MlirValue *out_first, MlirValue *out_by) {
  SCFForOp none = {{NULL}};
  if (!mlirValueIsABlockArgument(v))
    return none;
  SCFForOp loop = scfForOpCast(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v)));
  const intptr_t i = mlirBlockArgumentGetArgNumber(v) - 1;
  if (scfForOpIsNull(loop) || i < 0)
    return none;
  MlirOperation next = tileValueGetDefiningOp(
      mlirOperationGetOperand(mlirBlockGetTerminator(mlirBlockArgumentGetOwner(v)), i));
  if (!next.ptr || tileOpKind(next) != TileOp_Arith_AddI)
    return none;
  const int which = mlirValueEqual(mlirOperationGetOperand(next, 0), v) ? 1 : 0;
  *out_by = mlirOperationGetOperand(next, which);
  *out_first = scfForOpGetInitArgs(loop, i);
  return mlirValueEqual(mlirOperationGetOperand(next, !which), v) ? loop : none;
}

static bool addCarried(TileSum *sum, MlirValue v, int64_t factor, TileExactSums *exact, int depth) {
  MlirValue first, by;
  int64_t step;
  SCFForOp loop = carriedBy(v, &first, &by);
  return !scfForOpIsNull(loop) && tileValueConstantInt(by, &step) && step > 0 && step < INT32_MAX &&
         addScalar(sum, first, factor, exact, depth) && tileSumAddIterations(sum, loop, factor * step, exact);
}

/* Two 32-bit numbers extended, and what follows. */
static bool addExtended(TileSum *sum, MlirValue inner, int64_t factor, TileExactSums *exact, int depth) {
  TileSum part = {0};
  if (!addScalar(&part, inner, 1, exact, depth))
    return false;
  const bool isItself = part.count == 1 && !part.constant && part.factors[0] == 1;
  return (isItself || requireExact(exact, &part)) && tileSumAddSum(sum, &part, factor);
}

static bool addScalar(TileSum *sum, MlirValue v, int64_t factor, TileExactSums *exact, int depth) {
  int64_t constant;
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileValueConstantInt(v, &constant))
    return addConstant(sum, constant, factor);
  const TileSum before = *sum;
  if (!op.ptr && depth && addCarried(sum, v, factor, exact, depth - 1))
    return true;
  *sum = before;
  if (!op.ptr || !depth)
    return tileSumAddTerm(sum, v, factor);
  const TileOpKind kind = tileOpKind(op);
  MlirValue x = mlirOperationGetNumOperands(op) > 0 ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL},
            y = mlirOperationGetNumOperands(op) > 1 ? mlirOperationGetOperand(op, 1) : (MlirValue){NULL};
  if (kind == TileOp_Arith_ExtSI)
    return addExtended(sum, x, factor, exact, depth - 1);
  if (kind == TileOp_Arith_AddI || kind == TileOp_Arith_SubI)
    return addScalar(sum, x, factor, exact, depth - 1) &&
           addScalar(sum, y, kind == TileOp_Arith_AddI ? factor : -factor, exact, depth - 1);
  if (kind == TileOp_Arith_MulI && tileValueConstantInt(y, &constant) && constant > -INT32_MAX &&
      constant < INT32_MAX)
    return addScalar(sum, x, factor * constant, exact, depth - 1);
  if (kind == TileOp_Arith_MulI && tileValueConstantInt(x, &constant) && constant > -INT32_MAX &&
      constant < INT32_MAX)
    return addScalar(sum, y, factor * constant, exact, depth - 1);
  return tileSumAddTerm(sum, v, factor);
}

bool tileSumAdd(TileSum *sum, MlirValue v, int64_t factor, TileExactSums *exact) {
  return addScalar(sum, v, factor, exact, MOST_DEPTH);
}

// ---- Tensors ----

bool tileRampMoves(MlirOperation op) {
  const TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
  return kind == TileOp_Tile_Broadcast || kind == TileOp_Tile_ExpandDims || kind == TileOp_Tile_Trans;
}

int tileRampMoved(MlirOperation op, int dim) {
  TileTransOp trans = tileTransOpCast(op);
  TileExpandDimsOp expand = tileExpandDimsOpCast(op);
  if (dim < 0)
    return dim;
  if (!tileExpandDimsOpIsNull(expand))
    return dim + (tileExpandDimsOpGetAxis(expand) <= dim);
  for (intptr_t i = 0; !tileTransOpIsNull(trans) && i < tileTransOpGetNumOrder(trans); ++i)
    if (tileTransOpGetOrder(trans, i) == dim)
      return (int)i;
  return dim;
}

static bool ramp(MlirValue v, int64_t factor, TileRamp *out, TileExactSums *exact, int depth);

static bool rampOfTwo(MlirOperation op, int64_t factor, TileRamp *out, TileExactSums *exact, int depth) {
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  const TileOpKind kind = tileOpKind(op);
  int64_t constant;
  if (kind == TileOp_Arith_MulI) {
    if (!tileValueConstantInt(y, &constant)) {
      MlirValue other = x;
      x = y;
      if (!tileValueConstantInt(other, &constant))
        return false;
    }
    return constant > -INT32_MAX && constant < INT32_MAX && ramp(x, factor * constant, out, exact, depth);
  }
  return ramp(x, factor, out, exact, depth) && !out->modulo.ptr &&
         ramp(y, kind == TileOp_Arith_SubI ? -factor : factor, out, exact, depth) && !out->modulo.ptr;
}

static bool rampOfRange(TileMakeRangeOp range, int64_t factor, TileRamp *out) {
  if (out->dim >= 0 || factor != 1)
    return false;
  out->dim = 0;
  out->start.constant += tileMakeRangeOpGetStart(range);
  return true;
}

static bool rampOfCarried(MlirValue v, int64_t factor, TileRamp *out, TileExactSums *exact, int depth) {
  MlirValue first, by;
  int64_t step;
  SCFForOp loop = carriedBy(v, &first, &by);
  return !scfForOpIsNull(loop) && tileValueConstantInt(by, &step) && step > 0 && step < INT32_MAX &&
         ramp(first, factor, out, exact, depth) &&
         tileSumAddIterations(&out->start, loop, factor * step, exact);
}

/* Taken modulo `by`. */
static bool rampModulo(MlirValue index, MlirValue by, int64_t factor, TileRamp *out, TileExactSums *exact,
                       int depth) {
  if (factor != 1 || out->dim >= 0 || out->start.count || out->start.constant ||
      !ramp(index, 1, out, exact, depth) || out->modulo.ptr || out->dim < 0)
    return false;
  out->modulo = by;
  return true;
}

/* "index < size ? index : 0": what stands for an index outside is inside. */
static bool rampOfSelect(MlirOperation op, int64_t factor, TileRamp *out, TileExactSums *exact, int depth) {
  MlirValue index = mlirOperationGetOperand(op, 1);
  ArithCmpIOp inside = arithCmpIOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(op, 0)));
  int64_t instead;
  return !arithCmpIOpIsNull(inside) && arithCmpIOpGetPredicate(inside) == ArithCmpIPredicate_slt &&
         mlirValueEqual(arithCmpIOpGetLhs(inside), index) &&
         tileValueConstantInt(mlirOperationGetOperand(op, 2), &instead) && !instead &&
         rampModulo(index, arithCmpIOpGetRhs(inside), factor, out, exact, depth);
}

/* Adds factor * v. */
static bool ramp(MlirValue v, int64_t factor, TileRamp *out, TileExactSums *exact, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t constant;
  if (tileValueConstantInt(v, &constant))
    return addConstant(&out->start, constant, factor);
  if (!depth--)
    return false;
  if (!op.ptr)
    return rampOfCarried(v, factor, out, exact, depth);
  TileRamp inner = {.dim = -1};
  switch (tileOpKind(op)) {
  case TileOp_Tile_Splat:
    return tileSumAdd(&out->start, mlirOperationGetOperand(op, 0), factor, exact);
  case TileOp_Tile_MakeRange:
    return rampOfRange(tileMakeRangeOpCast(op), factor, out);
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Trans:
  case TileOp_Arith_ExtSI:
    if (!ramp(mlirOperationGetOperand(op, 0), 1, &inner, exact, depth) || (inner.dim >= 0 && out->dim >= 0) ||
        ((inner.modulo.ptr || inner.dim >= 0) && factor != 1))
      return false;
    if (tileOpKind(op) == TileOp_Arith_ExtSI && !requireExact(exact, &inner.start))
      return false;
    out->dim = inner.dim >= 0 ? tileRampMoved(op, inner.dim) : out->dim;
    out->modulo = inner.modulo.ptr ? inner.modulo : out->modulo;
    return tileSumAddSum(&out->start, &inner.start, factor);
  case TileOp_Arith_AddI:
  case TileOp_Arith_SubI:
  case TileOp_Arith_MulI:
    return rampOfTwo(op, factor, out, exact, depth);
  case TileOp_Arith_RemSI:
    return rampModulo(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1), factor, out, exact,
                      depth);
  case TileOp_Arith_Select:
    return rampOfSelect(op, factor, out, exact, depth);
  default:
    return false;
  }
}

bool tileRampOf(MlirValue v, TileRamp *out, TileExactSums *exact) {
  *out = (TileRamp){.dim = -1};
  return ramp(v, 1, out, exact, MOST_DEPTH);
}
