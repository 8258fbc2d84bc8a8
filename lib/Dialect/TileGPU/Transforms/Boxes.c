/* Boxes.c - reads the address and mask of a load or store of a matrix as a box.
 *
 *   base + (splat(m0) + range 0 to 128)[:, None] * splat(ld) + (range 0 to 64)[None, :], moved by 64 each iteration,
 *   where (splat(m0) + range)[:, None] < splat(M) and range[None, :] < splat(K - 64 * iteration)
 * is the box of 128x64 elements at [m0, 64 * iteration] of the matrix M x K at base whose rows are ld elements apart. */
#include "Boxes.h"
#include "BoxSums.h"
#include "FormMade.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"

enum { MOST_PARTS = 12, MOST_DEPTH = 24 };

/* A term of an offset: ramp * stride * factor, for each iteration before this one if there is a loop. */
typedef struct Part {
  TileRamp ramp;
  MlirValue stride; ///< null: 1
  int64_t factor;
  SCFForOp loop; ///< null: none
} Part;

typedef struct Reader {
  Part parts[MOST_PARTS];
  int numParts;
  MlirValue base;
  bool isNarrow;
  TileExactSums exact;
} Reader;

MlirValue tileBoxParameter(MlirValue v) {
  v = tileStripExtension(v);
  const bool is = v.ptr && mlirValueIsABlockArgument(v) &&
                  tileOpKind(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v))) == TileOp_Func_Func;
  return is ? v : (MlirValue){NULL};
}

static bool multiplyNumber(MlirValue v, TileHostNumber *out, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v = tileStripExtension(v));
  MlirValue parameter = tileBoxParameter(v);
  int64_t constant;
  if (tileValueConstantInt(v, &constant))
    return !__builtin_mul_overflow(out->factor, constant, &out->factor);
  if (parameter.ptr && out->count < TileHostNumber_Most) {
    out->params[out->count++] = parameter;
    return true;
  }
  return op.ptr && tileOpKind(op) == TileOp_Arith_MulI && depth &&
         multiplyNumber(mlirOperationGetOperand(op, 0), out, depth - 1) &&
         multiplyNumber(mlirOperationGetOperand(op, 1), out, depth - 1);
}

bool tileHostNumberOf(MlirValue v, TileHostNumber *out) {
  *out = (TileHostNumber){.factor = 1};
  return multiplyNumber(v, out, TileHostNumber_Most + 1);
}

bool tileBoxDimIsRamp(const TileBoxDim *dim) {
  return !dim->moved.count && !dim->moved.constant && !dim->step;
}

// ---- Offsets ----

static bool addPart(Reader *r, const Part *part) {
  if (r->numParts == MOST_PARTS)
    return false;
  r->parts[r->numParts++] = *part;
  return true;
}

/* What all elements are multiplied by: a constant, or a number times one. */
static bool multiplierOf(MlirValue v, MlirValue *out_stride, int64_t *out_factor, TileExactSums *exact) {
  TileRamp u;
  if (!tileRampOf(v, &u, exact) || u.dim >= 0 || u.modulo.ptr)
    return false;
  if (!u.start.count) {
    *out_factor = u.start.constant;
    return true;
  }
  *out_stride = u.start.values[0];
  *out_factor = u.start.factors[0];
  return u.start.count == 1 && !u.start.constant;
}

static bool partsOf(Reader *r, MlirValue v, int depth);

static bool partsOfProduct(Reader *r, MlirOperation op, int depth) {
  for (int which = 0; which < 2; ++which) {
    MlirValue stride = {NULL};
    int64_t factor;
    const int first = r->numParts, exacts = *r->exact.count;
    bool ok = multiplierOf(mlirOperationGetOperand(op, which), &stride, &factor, &r->exact) &&
              partsOf(r, mlirOperationGetOperand(op, !which), depth);
    for (int i = first; ok && i < r->numParts; ++i) {
      ok = !stride.ptr || !r->parts[i].stride.ptr;
      r->parts[i].stride = stride.ptr ? stride : r->parts[i].stride;
      r->parts[i].factor *= factor;
    }
    if (ok)
      return true;
    r->numParts = first;
    *r->exact.count = exacts;
  }
  return false;
}

/* Adds the terms of an offset. */
static bool partsOf(Reader *r, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  Part whole = {.factor = 1};
  const int first = r->numParts, exacts = *r->exact.count;
  if (tileRampOf(v, &whole.ramp, &r->exact))
    return addPart(r, &whole);
  *r->exact.count = exacts;
  if (!op.ptr || !depth--)
    return false;
  MlirValue x = mlirOperationGetNumOperands(op) ? mlirOperationGetOperand(op, 0) : v;
  if (tileOpKind(op) == TileOp_Arith_AddI)
    return partsOf(r, x, depth) && partsOf(r, mlirOperationGetOperand(op, 1), depth);
  if (tileOpKind(op) == TileOp_Arith_MulI)
    return partsOfProduct(r, op, depth);
  if (tileOpKind(op) == TileOp_Arith_ExtSI) {
    r->isNarrow = true;
    return partsOf(r, x, depth);
  }
  if (!tileRampMoves(op) || !partsOf(r, x, depth))
    return false;
  for (int i = first; i < r->numParts; ++i)
    r->parts[i].ramp.dim = tileRampMoved(op, r->parts[i].ramp.dim);
  return true;
}

// ---- Pointers ----

static bool addOffset(Reader *r, MlirValue offset) {
  if (tileElementTypeOf(mlirValueGetType(offset)) != TileElementType_I64)
    r->isNarrow = true;
  if (tileTypeIsTensor(mlirValueGetType(offset)))
    return partsOf(r, offset, MOST_DEPTH);
  Part part = {.ramp = {.dim = -1}, .factor = 1};
  return tileSumAdd(&part.ramp.start, offset, 1, &r->exact) && addPart(r, &part);
}

static const char *pointersOf(Reader *r, MlirValue v, int depth);

/* Pointers that a loop moves by one distance for all elements. */
static const char *carriedPointers(Reader *r, MlirValue v, int depth) {
  static const char *const why = "a loop or branch hands its pointers on";
  SCFForOp loop = scfForOpCast(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v)));
  const intptr_t i = mlirBlockArgumentGetArgNumber(v) - 1;
  if (scfForOpIsNull(loop) || i < 0)
    return why;
  MlirOperation next = tileValueGetDefiningOp(
      mlirOperationGetOperand(mlirBlockGetTerminator(mlirBlockArgumentGetOwner(v)), i));
  if (!next.ptr || tileOpKind(next) != TileOp_Tile_AddPtr ||
      !mlirValueEqual(mlirOperationGetOperand(next, 0), v))
    return why;
  const int first = r->numParts;
  if (!addOffset(r, mlirOperationGetOperand(next, 1)))
    return "the distance by which a loop moves its pointers is no sum";
  for (int k = first; k < r->numParts; ++k) {
    if (r->parts[k].ramp.dim >= 0)
      return "a loop moves its pointers by different distances";
    r->parts[k].loop = loop;
  }
  return pointersOf(r, scfForOpGetInitArgs(loop, i), depth);
}

static const char *pointersOf(Reader *r, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!depth--)
    return "its address is too long";
  if (tileBoxParameter(v).ptr) {
    r->base = v;
    return NULL;
  }
  if (!op.ptr)
    return carriedPointers(r, v, depth);
  const int first = r->numParts;
  if (tileOpKind(op) == TileOp_Tile_AddPtr) {
    const char *why = pointersOf(r, mlirOperationGetOperand(op, 0), depth);
    return why ? why
           : addOffset(r, mlirOperationGetOperand(op, 1))
               ? NULL
               : "its offsets are not a sum of ranges times strides along rows and columns";
  }
  if (tileOpKind(op) != TileOp_Tile_Splat && !tileRampMoves(op))
    return "its pointers do not start from one parameter";
  const char *why = pointersOf(r, mlirOperationGetOperand(op, 0), depth);
  for (int i = first; !why && i < r->numParts; ++i)
    r->parts[i].ramp.dim = tileRampMoved(op, r->parts[i].ramp.dim);
  return why;
}

/* A part of a start is to be no negative number: then no part is beyond the whole, and none wraps around where that does not. */
static bool requireSum(TileExactSums *exact, const TileSum *sum) {
  for (int k = 0; k < *exact->count; ++k)
    if (tileSumEqual(&exact->sums[k], sum))
      return true;
  if (!sum->count || *exact->count == TileBox_MostExact)
    return sum->constant >= 0 && !sum->count;
  exact->sums[(*exact->count)++] = *sum;
  return true;
}

// ---- Masks ----

static bool isRamp(const TileRamp *r) { return r->dim >= 0 && !r->modulo.ptr; }
static bool isUniform(const TileRamp *r) { return r->dim < 0 && !r->modulo.ptr; }

/* "0 <= start + range", as block pointers ask. */
static bool floorOf(ArithCmpIOp op, TileBoxMask *out, TileExactSums *exact) {
  const ArithCmpIPredicate p = arithCmpIOpGetPredicate(op);
  const bool isGreater = p == ArithCmpIPredicate_sgt || p == ArithCmpIPredicate_sge;
  const int64_t floor = p == ArithCmpIPredicate_sgt || p == ArithCmpIPredicate_slt ? -1 : 0;
  MlirValue sides[2] = {arithCmpIOpGetLhs(op), arithCmpIOpGetRhs(op)};
  TileRamp index, bound;
  if ((!isGreater && p != ArithCmpIPredicate_slt && p != ArithCmpIPredicate_sle) ||
      !tileRampOf(sides[!isGreater], &index, exact) || !tileRampOf(sides[isGreater], &bound, exact) ||
      !isRamp(&index) || !isUniform(&bound) || bound.start.count || bound.start.constant != floor ||
      out->hasFloor[index.dim])
    return false;
  out->floor[index.dim] = index.start;
  return out->hasFloor[index.dim] = true;
}

static bool maskOfComparison(ArithCmpIOp op, TileBoxMask *out, TileExactSums *exact) {
  const int exacts = *exact->count;
  if (floorOf(op, out, exact))
    return true;
  *exact->count = exacts;
  MlirValue sides[2] = {arithCmpIOpGetLhs(op), arithCmpIOpGetRhs(op)};
  ArithCmpIPredicate p = arithCmpIOpGetPredicate(op);
  const bool isGreater = p == ArithCmpIPredicate_sgt || p == ArithCmpIPredicate_sge,
             isLess = p == ArithCmpIPredicate_slt || p == ArithCmpIPredicate_sle;
  const bool allowsEqual = p == ArithCmpIPredicate_sle || p == ArithCmpIPredicate_sge;
  TileRamp index, bound;
  if ((!isLess && !isGreater) || !tileRampOf(sides[isGreater], &index, exact) ||
      !tileRampOf(sides[!isGreater], &bound, exact) || !isRamp(&index) || !isUniform(&bound) ||
      out->has[index.dim])
    return false;
  bound.start.constant += allowsEqual;
  out->start[index.dim] = index.start;
  out->bound[index.dim] = bound.start;
  return out->has[index.dim] = true;
}

static bool maskOf(MlirValue mask, TileBoxMask *out, TileExactSums *exact, int depth) {
  MlirOperation op = tileValueGetDefiningOp(mask);
  int64_t constant;
  if (tileValueConstantInt(mask, &constant))
    return constant != 0;
  if (!op.ptr || !depth--)
    return false;
  if (tileOpKind(op) == TileOp_Arith_AndI)
    return maskOf(mlirOperationGetOperand(op, 0), out, exact, depth) &&
           maskOf(mlirOperationGetOperand(op, 1), out, exact, depth);
  if (tileOpKind(op) == TileOp_Arith_CmpI)
    return maskOfComparison(arithCmpIOpCast(op), out, exact);
  if (!tileRampMoves(op))
    return false;
  TileBoxMask inner = {.has = {false}};
  if (!maskOf(mlirOperationGetOperand(op, 0), &inner, exact, depth))
    return false;
  for (int d = 0; d < 2; ++d) {
    const int to = tileRampMoved(op, d);
    if (!inner.has[d] && !inner.hasFloor[d])
      continue;
    if (to > 1 || (inner.has[d] && out->has[to]) || (inner.hasFloor[d] && out->hasFloor[to]))
      return false;
    if (inner.has[d]) {
      out->start[to] = inner.start[d];
      out->bound[to] = inner.bound[d];
      out->has[to] = true;
    }
    if (inner.hasFloor[d]) {
      out->floor[to] = inner.floor[d];
      out->hasFloor[to] = true;
    }
  }
  return true;
}

bool tileBoxMaskOf(MlirValue mask, TileBoxMask *out) {
  TileSum sums[TileBox_MostExact];
  int count = 0;
  TileExactSums exact = {sums, &count};
  *out = (TileBoxMask){.has = {false}};
  return (!mask.ptr || maskOf(mask, out, &exact, MOST_DEPTH)) && !count;
}

// ---- Dimensions ----

static const char *findStrides(const Reader *r, TileBox *out) {
  bool has[2] = {false, false};
  for (int i = 0; i < r->numParts; ++i) {
    const Part *p = &r->parts[i];
    const int d = p->ramp.dim;
    if (d < 0)
      continue;
    if (has[d])
      return "two ranges run along one of its dimensions";
    has[d] = true;
    out->dims[d].stride = p->stride;
    out->dims[d].factor = p->factor;
  }
  if (!has[0] || !has[1])
    return "its elements are the same along a dimension";
  for (int d = 0; d < 2; ++d)
    if (out->dims[d].factor < 1 || (out->dims[d].stride.ptr && !tileBoxParameter(out->dims[d].stride).ptr))
      return "a stride is neither a parameter nor a constant above 0";
  out->unit = !out->dims[1].stride.ptr && out->dims[1].factor == 1 ? 1 : 0;
  if (out->dims[out->unit].stride.ptr || out->dims[out->unit].factor != 1)
    return "no dimension has stride 1";
  return NULL;
}

/* Adds sum * factor to the dimension's start: in each iteration before this one if there is a loop, whose sum is a constant. */
static bool addStart(TileBoxDim *dim, const TileSum *sum, int64_t factor, SCFForOp loop,
                     TileExactSums *exact) {
  if (scfForOpIsNull(loop))
    return factor > 0 && requireSum(exact, sum) && tileSumAddSum(&dim->start, sum, factor) &&
           tileSumAddSum(&dim->moved, sum, factor);
  if (!sum->count && sum->constant * factor > dim->step)
    dim->step = sum->constant * factor;
  return !sum->count && sum->constant * factor > 0 && sum->constant * factor < INT32_MAX &&
         tileSumAddIterations(&dim->start, loop, sum->constant * factor, exact);
}

/* How findStarts reads numbers that move all pointers. */
typedef struct Attempt {
  bool alongStrided; ///< constants that are multiples of a constant stride move along its dimension
  int extra; ///< terms with a parameter as a factor are dimensions of their own (1), all terms are (2)
} Attempt;

/* A parameter times a constant, or a product of parameters. */
static bool strideOfValue(MlirValue v, MlirValue *out_stride, int64_t *out_factor) {
  v = tileStripExtension(v);
  TileHostNumber n;
  MlirOperation op = tileValueGetDefiningOp(v);
  *out_factor = 1;
  if (op.ptr && tileOpKind(op) == TileOp_Arith_MulI &&
      tileValueConstantInt(mlirOperationGetOperand(op, 1), out_factor))
    v = mlirOperationGetOperand(op, 0);
  *out_stride = tileBoxParameter(v);
  if (!out_stride->ptr && tileHostNumberOf(v, &n) && n.count > 1 && n.factor > 0 && n.factor < INT32_MAX)
    *out_stride = v;
  return out_stride->ptr && *out_factor > 0 && *out_factor < INT32_MAX;
}

/* Moves the box along a dimension with this stride. */
static bool addExtra(TileBox *box, const TileSum *start, MlirValue stride, int64_t factor, bool isNarrow,
                     TileExactSums *exact) {
  int i = 0;
  while (i < box->numExtra &&
         (!mlirValueEqual(box->extra[i].stride, stride) || box->extra[i].factor != factor))
    ++i;
  if (i == TileBox_MostExtra || !requireSum(exact, start))
    return false;
  if (i == box->numExtra)
    box->extra[box->numExtra++] = (TileBoxExtra){.stride = stride, .factor = factor};
  box->extra[i].isNarrow |= isNarrow;
  return tileSumAddSum(&box->extra[i].start, start, 1);
}

/* A term that is a number times a parameter, or times a constant. */
static bool addOwnDimension(TileBox *box, MlirValue value, int64_t factor, int extra, TileExactSums *exact) {
  MlirOperation op = tileValueGetDefiningOp(value);
  const bool isNarrow = tileElementTypeOf(mlirValueGetType(value)) == TileElementType_I32;
  const int exacts = *exact->count;
  for (int i = 1; factor > 0 && op.ptr && tileOpKind(op) == TileOp_Arith_MulI && i >= 0; --i) {
    MlirValue stride;
    int64_t times;
    TileSum start = {0};
    if (strideOfValue(mlirOperationGetOperand(op, i), &stride, &times) && factor * times < INT32_MAX &&
        tileSumAdd(&start, mlirOperationGetOperand(op, !i), 1, exact))
      return addExtra(box, &start, stride, factor * times, isNarrow, exact);
    *exact->count = exacts;
  }
  TileSum one = {0};
  return extra > 1 && factor > 0 && factor * box->elementBytes % 16 == 0 && tileSumAddTerm(&one, value, 1) &&
         addExtra(box, &one, (MlirValue){NULL}, factor, isNarrow, exact);
}

/* One term of a number that moves all pointers: along the dimension whose stride it has a factor of, or one of its own, else into
 * `rest`. */
static bool addTerm(TileBox *box, TileSum *rest, MlirValue value, int64_t factor, SCFForOp loop, int extra,
                    TileExactSums *exact) {
  TileBoxDim *strided = &box->dims[!box->unit];
  MlirOperation op = tileValueGetDefiningOp(value);
  TileSum one = {.constant = 1}, other = {0};
  if (strided->stride.ptr && mlirValueEqual(tileStripExtension(value), strided->stride))
    return factor % strided->factor == 0 && addStart(strided, &one, factor / strided->factor, loop, exact);
  if (op.ptr && tileOpKind(op) == TileOp_Arith_MulI)
    for (int i = 0; strided->stride.ptr && i < 2; ++i)
      if (mlirValueEqual(tileStripExtension(mlirOperationGetOperand(op, i)), strided->stride))
        return factor % strided->factor == 0 &&
               tileSumAdd(&other, mlirOperationGetOperand(op, !i), 1, exact) &&
               addStart(strided, &other, factor / strided->factor, loop, exact);
  if (!scfForOpIsNull(loop))
    return false;
  return extra && addOwnDimension(box, value, factor, extra, exact) ? true
                                                                    : tileSumAddTerm(rest, value, factor);
}

static bool addUniform(TileBox *box, const Part *p, Attempt attempt, TileExactSums *exact) {
  TileBoxDim *strided = &box->dims[!box->unit];
  TileSum all = {0}, rest = {0};
  if (p->ramp.modulo.ptr)
    return false;
  if (p->stride.ptr && mlirValueEqual(tileStripExtension(p->stride), strided->stride))
    return p->factor % strided->factor == 0 &&
           addStart(strided, &p->ramp.start, p->factor / strided->factor, p->loop, exact);
  if (p->stride.ptr || !tileSumAddSum(&all, &p->ramp.start, p->factor))
    return false;
  bool divides = attempt.alongStrided && !strided->stride.ptr && all.constant % strided->factor == 0;
  for (int i = 0; i < all.count; ++i)
    divides &= all.factors[i] % strided->factor == 0;
  if (divides) {
    TileSum part = {.constant = all.constant / strided->factor};
    for (int i = 0; i < all.count; ++i)
      if (!tileSumAddTerm(&part, all.values[i], all.factors[i] / strided->factor))
        return false;
    return addStart(strided, &part, 1, p->loop, exact);
  }
  rest.constant = all.constant;
  for (int i = 0; i < all.count; ++i)
    if (!addTerm(box, &rest, all.values[i], all.factors[i], p->loop, attempt.extra, exact))
      return false;
  return (!rest.count && !rest.constant) || addStart(&box->dims[box->unit], &rest, 1, p->loop, exact);
}

static const char *findStarts(Reader *r, Attempt attempt, TileBox *out) {
  out->numExtra = 0;
  for (int d = 0; d < 2; ++d)
    out->dims[d].start = out->dims[d].ramp = out->dims[d].moved = (TileSum){0};
  for (int i = 0; i < r->numParts; ++i) {
    const Part *p = &r->parts[i];
    const int d = p->ramp.dim;
    if (d >= 0 ? !requireSum(&r->exact, &p->ramp.start) ||
                     !tileSumAddSum(&out->dims[d].start, &p->ramp.start, 1) ||
                     !tileSumAddSum(&out->dims[d].ramp, &p->ramp.start, 1)
               : !addUniform(out, p, attempt, &r->exact))
      return "its pointers are moved by something else than indices times strides";
  }
  return NULL;
}

static const char *setBound(TileBoxDim *dim, const TileSum *bound) {
  if (!bound->count && bound->constant > 0 && bound->constant < TileBox_Unbounded) {
    dim->size = bound->constant;
    return NULL;
  }
  if (bound->count != 1 || bound->constant || bound->factors[0] != 1)
    return "its mask compares its rows or columns with something else than a parameter or a constant";
  dim->bound = tileBoxParameter(bound->values[0]);
  return dim->bound.ptr && tileElementTypeOf(mlirValueGetType(dim->bound)) == TileElementType_I32
             ? NULL
             : "its mask compares its rows or columns with a number that is no 32-bit parameter";
}

static const char *findBound(Reader *r, const TileBoxMask *mask, int d, TileBoxDim *dim) {
  TileSum bound = mask->bound[d];
  TileRamp modulo;
  MlirValue by = {NULL};
  for (int i = 0; i < r->numParts; ++i) {
    const TileRamp *ramp = &r->parts[i].ramp;
    if (ramp->dim != d || !ramp->modulo.ptr)
      continue;
    by = ramp->modulo;
    if (!tileSumEqual(&ramp->start, &dim->start))
      return "its rows or columns are taken modulo a number, and moved";
  }
  dim->size = TileBox_Unbounded;
  dim->isWrapped = by.ptr;
  dim->hasFloor = mask->hasFloor[d] && (mask->floor[d].count || mask->floor[d].constant < 0);
  if (dim->hasFloor && (by.ptr || !tileSumEqual(&mask->floor[d], &dim->start)))
    return "its mask compares other rows or columns than it accesses";
  if (by.ptr) {
    TileExactSums exact = r->exact;
    if (mask->has[d] || !tileRampOf(by, &modulo, &exact) || modulo.dim >= 0)
      return "its rows or columns are taken modulo a number, and masked";
    return setBound(dim, &modulo.start);
  }
  if (!mask->has[d])
    return NULL;
  const TileSum *start = &mask->start[d];
  if (!tileSumEqual(start, &dim->start) && !requireSum(&r->exact, start))
    return "its mask compares other rows or columns than it accesses";
  if (!tileSumAddSum(&bound, &dim->start, 1) || !tileSumAddSum(&bound, start, -1))
    return "its mask is too long";
  return setBound(dim, &bound);
}

// ---- The whole ----

static const char *checkAlignment(const TileAxisInfo *info, TileBox *box) {
  const TileBoxDim *strided = &box->dims[!box->unit];
  const int64_t stride =
      strided->factor * (strided->stride.ptr ? tileAxisInfoGet(info, strided->stride, 0).divisibility : 1);
  box->culprit = box->base;
  if (tileAxisInfoGet(info, box->base, 0).divisibility < 16)
    return "its parameter is not known to be aligned to 16 bytes";
  box->culprit = strided->stride;
  box->isAligned = box->elementBytes * (stride & -stride) >= 16;
  if (!box->isAligned && !strided->stride.ptr)
    return "its stride is not known to be a multiple of 16 bytes";
  box->culprit = (MlirValue){NULL};
  return NULL;
}

const char *tileBoxOf(MlirOperation op, const TileAxisInfo *info, TileBox *out) {
  if (tileIsMadeAccess(op))
    return tileMadeBoxOf(op, out);
  TilePointerAccess access = tilePointerAccessOf(op);
  MlirType type = mlirValueGetType(access.ptr);
  int64_t shape[3];
  *out = (TileBox){.numExact = 0};
  Reader r = {.exact = {out->exact, &out->numExact}};
  TileBoxMask mask = {.has = {false}};
  if (tileTypeGetShape(type, shape, 3) != 2)
    return "it is no matrix";
  const char *why = pointersOf(&r, access.ptr, MOST_DEPTH);
  out->base = r.base;
  out->stores = tileOpKind(op) == TileOp_Tile_Store;
  out->elementBytes = (int64_t)tileElementTypeSize(tilePointeeElement(type));
  if (why || (why = findStrides(&r, out)) || (why = checkAlignment(info, out)))
    return why;
  if (access.mask.ptr && !maskOf(access.mask, &mask, &r.exact, MOST_DEPTH))
    return "its mask is something else than rows and columns below a bound";
  const int exacts = out->numExact;
  for (int i = 0; i < 6; ++i) {
    const Attempt attempt = {i % 2, i / 2};
    out->numExact = exacts;
    why = findStarts(&r, attempt, out);
    for (int d = 0; d < 2 && !why; ++d) {
      out->dims[d].bound = (MlirValue){NULL};
      why = findBound(&r, &mask, d, &out->dims[d]);
    }
    if (!why)
      break;
  }
  if (why)
    return why;
  for (int d = 0; d < 2; ++d)
    out->dims[d].length = shape[d];
  out->isNarrow = r.isNarrow;
  return NULL;
}
