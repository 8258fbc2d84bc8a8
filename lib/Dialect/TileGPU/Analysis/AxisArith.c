/* AxisArith.c - claims through addition, multiplication, division, comparison and selection.
 *
 * Notation in comments: along one dimension a has contiguity ca, first elements of groups divisible by va,
 * constancy ka. */
#include "AxisInternal.h"

/* One dimension of a + b. Wrapping around does no harm: a group starts at a multiple of its size again. */
static void addDim(TileAxis *r, const TileAxis *a, const TileAxis *b, int32_t d) {
  const TileAxisDim *x = &a->dims[d], *y = &b->dims[d];
  int64_t g = tileMost(tileLeast(x->contiguity, y->constancy), tileLeast(x->constancy, y->contiguity));
  axisSetGroup(r, d, g, tileLeast(axisStart(a, d, g), axisStart(b, d, g)));
  r->dims[d].constancy = tileLeast(x->constancy, y->constancy);
  r->dims[d].run = axisRunOfSum(x, y);
}

TileAxis tileAxisAdd(const TileAxis *a, const TileAxis *b) {
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d)
    addDim(&r, a, b, d);
  int64_t min, max;
  if (__builtin_add_overflow(a->min, b->min, &min) || __builtin_add_overflow(a->max, b->max, &max))
    axisForgetRange(&r);
  else
    axisSetRange(&r, min, max);
  axisFinish(&r);
  return r;
}

TileAxis tileAxisAddPtr(const TileAxis *p, const TileAxis *offset) {
  // In bytes: a group of the offset is one of unit-sized steps. No group crosses the point where the offset
  // wraps.
  TileAxis bytes = *offset, r = axisStartFrom(p);
  int64_t unit = bytes.type.unit = p->type.unit;
  for (int32_t d = 0; d < r.type.rank; ++d) {
    bytes.dims[d].divisibility = axisMultiply(bytes.dims[d].divisibility, unit);
    addDim(&r, p, &bytes, d);
  }
  axisFinish(&r);
  return r;
}

TileAxis tileAxisSub(const TileAxis *a, const TileAxis *b) {
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    const TileAxisDim *x = &a->dims[d], *y = &b->dims[d];
    // Where both run, the difference stays.
    int64_t k = tileMost(tileLeast(x->constancy, y->constancy), tileLeast(x->contiguity, y->contiguity));
    int64_t g = tileLeast(x->contiguity, y->constancy), at = g > 1 ? g : k;
    axisSetGroup(&r, d, g, tileLeast(axisStart(a, d, at), axisStart(b, d, at)));
    r.dims[d].constancy = k;
    r.dims[d].run = tileLeast(x->run, y->constancy);
  }
  int64_t min, max;
  if (__builtin_sub_overflow(a->min, b->max, &min) || __builtin_sub_overflow(a->max, b->min, &max))
    axisForgetRange(&r);
  else
    axisSetRange(&r, min, max);
  axisFinish(&r);
  return r;
}

/* The hull of the products of the ends; the whole type if one overflows. */
static void mulRange(TileAxis *r, const TileAxis *a, const TileAxis *b) {
  int64_t min = INT64_MAX, max = INT64_MIN;
  for (int i = 0; i < 4; ++i) {
    int64_t p;
    if (__builtin_mul_overflow(i & 1 ? a->min : a->max, i & 2 ? b->min : b->max, &p)) {
      axisForgetRange(r);
      return;
    }
    min = tileLeast(min, p);
    max = tileMost(max, p);
  }
  axisSetRange(r, min, max);
}

TileAxis tileAxisMul(const TileAxis *a, const TileAxis *b) {
  int64_t value;
  if (tileAxisIsConstant(a, &value) && value == 1)
    return *b;
  if (tileAxisIsConstant(b, &value) && value == 1)
    return *a;
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    int64_t k = tileLeast(a->dims[d].constancy, b->dims[d].constancy);
    r.dims[d].constancy = k;
    r.dims[d].divisibility = axisMultiply(axisStart(a, d, k), axisStart(b, d, k));
  }
  mulRange(&r, a, b);
  axisFinish(&r);
  return r;
}

static uint64_t magnitude(int64_t x) { return x < 0 ? -(uint64_t)x : (uint64_t)x; }
static uint64_t largestMagnitude(const TileAxis *a) {
  uint64_t low = magnitude(a->min), high = magnitude(a->max);
  return low > high ? low : high;
}

/* Ranges of quotient and remainder; a divisor of 0 acts as 1. Unsigned operations only if nothing is
 * negative. */
static void divRange(TileAxis *r, const TileAxis *a, const TileAxis *b, bool isSigned, bool floors) {
  if (!isSigned && (a->min < 0 || b->min < 0)) {
    axisForgetRange(r);
  } else if (b->min >= 0) {
    int64_t low = tileMost(b->min, 1), high = tileMost(b->max, 1);
    int64_t min = a->min / (a->min < 0 ? low : high), max = a->max / (a->max < 0 ? high : low);
    axisSetRange(r, floors && a->min < 0 && min > INT64_MIN ? min - 1 : min, max);
  } else if (floors || a->min == INT64_MIN) {
    axisForgetRange(r);
  } else {
    int64_t m = (int64_t)largestMagnitude(a);
    axisSetRange(r, -m, m);
  }
}

static void remRange(TileAxis *r, const TileAxis *a, const TileAxis *b, bool isSigned) {
  if (!isSigned && (a->min < 0 || b->min < 0)) {
    axisForgetRange(r);
    return;
  }
  uint64_t divisor = largestMagnitude(b), dividend = magnitude(a->min);
  int64_t most = divisor ? (int64_t)(divisor - 1) : 0; // at most 2^63 - 1
  int64_t low = dividend < (uint64_t)most ? (int64_t)dividend : most;
  axisSetRange(r, a->min < 0 ? -low : 0, a->max < 0 ? 0 : tileLeast(a->max, most));
}

/* Quotients that round down (within a group: groups never cross zero): a group that starts at a multiple of
 * its size g stays between two multiples of a divisor that is itself a multiple of g. */
static TileAxis divide(const TileAxis *a, const TileAxis *b, bool groups, bool isSigned, bool floors) {
  int64_t value;
  bool constant = tileAxisIsConstant(b, &value);
  if (constant && value == 1)
    return *a;
  // The divisor's power of two, if it is nothing else: exact on its multiples, whatever the sign.
  int64_t power = constant && value > 0 && tileAxisPowerOf(value) == value ? value : 0;
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    const TileAxisDim *x = &a->dims[d], *y = &b->dims[d];
    int64_t k = tileLeast(x->constancy, y->constancy);
    if (groups)
      k = tileMost(k, axisLeast3(x->contiguity, y->constancy, axisAll(b, d)));
    r.dims[d].constancy = k;
    r.dims[d].divisibility = power ? tileMost(1, axisStart(a, d, k) / power) : 1;
  }
  divRange(&r, a, b, isSigned, floors);
  axisFinish(&r);
  return r;
}

TileAxis tileAxisDiv(const TileAxis *a, const TileAxis *b, bool isSigned) {
  return divide(a, b, !isSigned || a->min >= 0, isSigned, false);
}

TileAxis tileAxisFloorDiv(const TileAxis *a, const TileAxis *b) {
  return divide(a, b, b->min >= 0, true, true);
}

TileAxis tileAxisRem(const TileAxis *a, const TileAxis *b, bool isSigned) {
  bool groups = !isSigned || a->min >= 0;
  if (a->min >= 0 && a->max < b->min)
    return *a;
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    const TileAxisDim *x = &a->dims[d], *y = &b->dims[d];
    int64_t k = tileLeast(x->constancy, y->constancy), fit = tileLeast(y->constancy, axisAll(b, d));
    int64_t g = groups ? tileLeast(x->contiguity, fit) : 1, at = g > 1 ? g : k;
    axisSetGroup(&r, d, g, tileLeast(axisStart(a, d, at), axisAll(b, d)));
    r.dims[d].constancy = k;
    r.dims[d].run = tileLeast(x->run, fit);
  }
  remRange(&r, a, b, isSigned);
  axisFinish(&r);
  return r;
}

TileAxis tileAxisMinMax(const TileAxis *a, const TileAxis *b, bool isMax, bool isSigned) {
  bool ordered = a->type.bits > 1 && (isSigned || (a->min >= 0 && b->min >= 0));
  if (ordered && a->max <= b->min)
    return isMax ? *b : *a;
  if (ordered && b->max <= a->min)
    return isMax ? *a : *b;
  TileAxis r = tileAxisJoin(a, b); // where both run or both stay, one of them wins throughout
  for (int32_t d = 0; d < r.type.rank; ++d)
    r.dims[d].run = tileMost(r.dims[d].run, axisRunOfSum(&a->dims[d], &b->dims[d]));
  if (!ordered)
    axisForgetRange(&r);
  else if (isMax)
    axisSetRange(&r, tileMost(a->min, b->min), tileMost(a->max, b->max));
  else
    axisSetRange(&r, tileLeast(a->min, b->min), tileLeast(a->max, b->max));
  axisFinish(&r);
  return r;
}

/* Whether the ranges decide a comparison: 0 or 1, or -1. */
static int decide(TileAxisCmp predicate, const TileAxis *a, const TileAxis *b) {
  bool below = a->max < b->min;
  bool above = a->min > b->max;
  bool atMost = a->max <= b->min, atLeast = a->min >= b->max;
  if (predicate >= TileAxisCmp_ULT && (a->min < 0 || b->min < 0))
    return -1;
  if (a->type.bits <= 1 && predicate >= TileAxisCmp_SLT && predicate <= TileAxisCmp_SGE)
    return -1;
  switch (predicate) {
  case TileAxisCmp_EQ:
  case TileAxisCmp_NE:
    if (below || above)
      return predicate == TileAxisCmp_NE;
    return atMost && atLeast ? predicate == TileAxisCmp_EQ : -1;
  case TileAxisCmp_SLT:
  case TileAxisCmp_ULT:
    return below ? 1 : atLeast ? 0 : -1;
  case TileAxisCmp_SLE:
  case TileAxisCmp_ULE:
    return atMost ? 1 : above ? 0 : -1;
  case TileAxisCmp_SGT:
  case TileAxisCmp_UGT:
    return above ? 1 : atMost ? 0 : -1;
  default:
    return atLeast ? 1 : below ? 0 : -1;
  }
}

/* Groups of `x` against a bound `y` that stays: how many compare alike. `excludes`: the bound is met by x < y
 * (or its opposite), where a bound at a multiple of the group's size splits no group; x <= y is x < y + 1. */
static int64_t alike(const TileAxis *x, const TileAxis *y, int32_t d, bool excludes) {
  int64_t value, step = excludes ? axisAll(y, d) : 1;
  if (!excludes && tileAxisIsConstant(y, &value) && value < tileAxisTypeMax(y->type.bits))
    step = tileAxisPowerOf(value + 1);
  return axisLeast3(x->dims[d].contiguity, y->dims[d].constancy, step);
}

TileAxis tileAxisCmp(TileAxisCmp predicate, const TileAxis *a, const TileAxis *b) {
  TileAxisType type = a->type;
  type.bits = type.unit = 1;
  int decided = a->type.bits ? decide(predicate, a, b) : -1;
  if (decided >= 0)
    return tileAxisConstant(type, decided);
  bool lessOrNot = predicate == TileAxisCmp_SLT || predicate == TileAxisCmp_ULT ||
                   predicate == TileAxisCmp_SGE || predicate == TileAxisCmp_UGE;
  TileAxis r = tileAxisUnknown(type);
  for (int32_t d = 0; d < type.rank; ++d) {
    const TileAxisDim *x = &a->dims[d], *y = &b->dims[d];
    int64_t k = tileLeast(x->constancy, y->constancy);
    if (predicate != TileAxisCmp_EQ && predicate != TileAxisCmp_NE)
      k = tileMost(k, tileMost(alike(a, b, d, lessOrNot), alike(b, a, d, !lessOrNot)));
    r.dims[d].constancy = tileMost(k, tileLeast(x->contiguity, y->contiguity));
  }
  axisFinish(&r);
  return r;
}

/* A scalar stands for a tensor that is equal everywhere. */
static int64_t constancyOf(const TileAxis *a, int32_t d, int64_t size) {
  bool scalar = a->type.rank == 1 && a->type.shape[0] == 1;
  return scalar ? tileAxisPowerOf(size) : a->dims[d].constancy;
}

TileAxis tileAxisSelect(const TileAxis *condition, const TileAxis *a, const TileAxis *b) {
  int64_t value;
  if (tileAxisIsConstant(condition, &value))
    return value ? *a : *b;
  TileAxis r = tileAxisJoin(a, b), joined = r;
  for (int32_t d = 0; d < r.type.rank; ++d) {
    int64_t k = constancyOf(condition, d, r.type.shape[d]);
    int64_t g = tileLeast(joined.dims[d].contiguity, k);
    axisSetGroup(&r, d, g, tileLeast(axisStart(a, d, g), axisStart(b, d, g)));
    r.dims[d].constancy = tileLeast(joined.dims[d].constancy, k);
  }
  axisFinish(&r);
  return r;
}

TileAxis tileAxisElementwise(TileAxisType type, const TileAxis *const *operands, int32_t count) {
  TileAxis r = tileAxisUnknown(type);
  for (int32_t d = 0; d < type.rank; ++d) {
    r.dims[d].constancy = tileAxisPowerOf(type.shape[d]);
    for (int32_t i = 0; i < count; ++i)
      r.dims[d].constancy = tileLeast(r.dims[d].constancy, constancyOf(operands[i], d, type.shape[d]));
  }
  axisFinish(&r);
  return r;
}
