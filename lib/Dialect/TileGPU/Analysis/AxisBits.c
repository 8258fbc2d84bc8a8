/* AxisBits.c - claims through bitwise operations, shifts, and changes of type.
 *
 * A group of g elements that starts at a multiple of g differs in its low log2(g) bits only. */
#include "AxisInternal.h"

/* Elements of a group of `x` that a constant `mask` leaves running: its low bits are all ones. */
static int64_t keptByMask(const TileAxis *x, const TileAxis *mask, int32_t d) {
  int64_t value;
  if (!tileAxisIsConstant(mask, &value) || value == INT64_MAX)
    return 1;
  return axisLeast3(x->dims[d].contiguity, mask->dims[d].constancy, tileAxisPowerOf(value + 1));
}

/* Elements of a group of `x` for which the low bits of `y` are zero and the others stay. */
static int64_t clearOf(const TileAxis *x, const TileAxis *y, int32_t d) {
  return axisLeast3(x->dims[d].contiguity, y->dims[d].constancy, axisAll(y, d));
}

/* The least 2^k - 1 that is at least n. */
static int64_t lowOnes(int64_t n) {
  int64_t ones = 0;
  while (ones < n)
    ones = ones * 2 + 1;
  return ones;
}

TileAxis tileAxisAnd(const TileAxis *a, const TileAxis *b) {
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    int64_t k = tileLeast(a->dims[d].constancy, b->dims[d].constancy);
    k = tileMost(k, tileMost(clearOf(a, b, d), clearOf(b, a, d)));
    int64_t ga = keptByMask(a, b, d), gb = keptByMask(b, a, d), g = tileMost(ga, gb);
    int64_t v = tileMost(axisStart(a, d, k), axisStart(b, d, k));
    axisSetGroup(&r, d, g, g == 1 ? v : axisStart(g == ga ? a : b, d, g));
    r.dims[d].constancy = k;
    r.dims[d].run = g;
  }
  if (a->min >= 0 || b->min >= 0)
    axisSetRange(&r, 0, a->min < 0 ? b->max : b->min < 0 ? a->max : tileLeast(a->max, b->max));
  axisFinish(&r);
  return r;
}

/* Bits are added where the other side has none. */
static TileAxis disjoint(const TileAxis *a, const TileAxis *b) {
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    int64_t k = tileLeast(a->dims[d].constancy, b->dims[d].constancy);
    int64_t g = tileMost(clearOf(a, b, d), clearOf(b, a, d)), at = g > 1 ? g : k;
    axisSetGroup(&r, d, g, tileLeast(axisStart(a, d, at), axisStart(b, d, at)));
    r.dims[d].constancy = k;
    r.dims[d].run = axisRunOfSum(&a->dims[d], &b->dims[d]);
  }
  if (a->min >= 0 && b->min >= 0)
    axisSetRange(&r, 0, lowOnes(tileMost(a->max, b->max)));
  return r;
}

TileAxis tileAxisOr(const TileAxis *a, const TileAxis *b) {
  int64_t x, y;
  bool knownA = tileAxisIsConstant(a, &x), knownB = tileAxisIsConstant(b, &y);
  if (knownA && x == 0)
    return *b;
  if (knownB && y == 0)
    return *a;
  TileAxis r = disjoint(a, b);
  if (knownA && knownB)
    r.min = r.max = x | y;
  else if (a->min >= 0 && b->min >= 0)
    r.min = tileMost(a->min, b->min);
  axisFinish(&r);
  return r;
}

TileAxis tileAxisXor(const TileAxis *a, const TileAxis *b) {
  TileAxis r = disjoint(a, b);
  int64_t x, y;
  if (tileAxisIsConstant(a, &x) && tileAxisIsConstant(b, &y))
    r.min = r.max = x ^ y;
  axisFinish(&r);
  return r;
}

/* What a shift amount, read as unsigned, is at least. Amounts of the width or more shift everything out. */
static int64_t leastAmount(const TileAxis *amount) {
  return amount->min < 0 ? 0 : tileLeast(amount->min, 62);
}

TileAxis tileAxisShl(const TileAxis *a, const TileAxis *b) {
  int64_t amount;
  bool constant = tileAxisIsConstant(b, &amount);
  if (constant && amount == 0)
    return *a;
  int64_t factor = INT64_C(1) << leastAmount(b), min, max;
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    int64_t k = tileLeast(a->dims[d].constancy, b->dims[d].constancy);
    r.dims[d].constancy = k;
    r.dims[d].divisibility = axisMultiply(axisStart(a, d, k), factor);
  }
  if (constant && amount > 0 && amount < tileLeast(a->type.bits, 62) &&
      !__builtin_mul_overflow(a->min, factor, &min) && !__builtin_mul_overflow(a->max, factor, &max))
    axisSetRange(&r, min, max);
  else if (constant && (amount < 0 || amount >= a->type.bits))
    axisSetRange(&r, 0, 0);
  axisFinish(&r);
  return r;
}

static void shrRange(TileAxis *r, const TileAxis *a, const TileAxis *b, bool isSigned) {
  int32_t bits = r->type.bits;
  if (b->min < 0 || bits <= 1)
    return;
  int64_t most = tileLeast(b->max, 63), least = tileLeast(b->min, 63);
  if (isSigned || a->min >= 0)
    axisSetRange(r, a->min >> (a->min < 0 ? least : most), a->max >> (a->max < 0 ? most : least));
  else if (least > 0 && bits < 64)
    axisSetRange(r, 0, least >= bits ? 0 : ((INT64_C(1) << bits) - 1) >> least);
  else if (least > 0)
    axisSetRange(r, 0, (int64_t)(UINT64_MAX >> least));
}

/* Division by a power of two, rounding down: also right for negative numbers. */
TileAxis tileAxisShr(const TileAxis *a, const TileAxis *b, bool isSigned) {
  int64_t amount, factor = INT64_C(1) << leastAmount(b);
  bool constant = tileAxisIsConstant(b, &amount);
  if (constant && amount == 0)
    return *a;
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    const TileAxisDim *x = &a->dims[d], *y = &b->dims[d];
    int64_t k = tileLeast(x->constancy, y->constancy);
    k = tileMost(k, axisLeast3(x->contiguity, y->constancy, factor));
    r.dims[d].constancy = k;
    bool exact = constant && amount > 0 && amount < tileLeast(a->type.bits, 62);
    r.dims[d].divisibility = exact ? tileMost(1, axisStart(a, d, k) / factor) : 1;
  }
  shrRange(&r, a, b, isSigned);
  axisFinish(&r);
  return r;
}

TileAxis tileAxisExtend(const TileAxis *a, int32_t bits, bool isSigned) {
  TileAxis r = *a;
  r.type.bits = bits;
  if (a->type.bits == 1 && isSigned)
    axisSetRange(&r, -a->max, -a->min);
  else if (a->min < 0 && !isSigned)
    axisSetRange(&r, 0, a->type.bits < 63 ? (INT64_C(1) << a->type.bits) - 1 : -1);
  axisFinish(&r);
  return r;
}

TileAxis tileAxisTruncate(const TileAxis *a, int32_t bits) {
  TileAxis r = *a;
  r.type.bits = bits;
  int64_t value;
  if (tileAxisIsConstant(a, &value)) {
    uint64_t low = bits >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    bool negative = bits > 1 && bits < 64 && low >> (bits - 1);
    r.min = r.max = negative ? (int64_t)(low - (UINT64_C(1) << bits)) : (int64_t)low;
  } else {
    axisSetRange(&r, a->min, a->max);
  }
  axisFinish(&r);
  return r;
}

TileAxis tileAxisReinterpret(const TileAxis *a, int32_t bits, int64_t unit) {
  TileAxis r = *a;
  r.type.bits = bits;
  r.type.unit = unit;
  axisForgetRange(&r);
  for (int32_t d = 0; unit != a->type.unit && d < r.type.rank; ++d) {
    r.dims[d].divisibility = axisAll(a, d);
    r.dims[d].contiguity = r.dims[d].run = 1;
  }
  axisFinish(&r);
  return r;
}
