/* Axis.c - claims about neighbouring elements: making, restricting and joining them. */
#include "AxisInternal.h"
#include <string.h>

int64_t tileAxisPowerOf(int64_t n) {
  if (n == 0 || n == INT64_MIN)
    return TILE_AXIS_MAX_DIVISIBILITY;
  return tileLeast(n & -n, TILE_AXIS_MAX_DIVISIBILITY);
}

int64_t tileAxisTypeMin(int32_t bits) {
  return bits == 1 ? 0 : bits == 0 || bits >= 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
}

int64_t tileAxisTypeMax(int32_t bits) {
  return bits == 1 ? 1 : bits == 0 || bits >= 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
}

TileAxisType tileAxisType(int32_t rank, const int64_t *shape, int32_t bits, int64_t unit) {
  TileAxisType t = {rank, bits, unit, {1, 1, 1, 1, 1, 1}};
  if (!shape)
    t.rank = 1;
  else
    memcpy(t.shape, shape, (size_t)rank * sizeof *shape);
  return t;
}

TileAxis tileAxisUnknown(TileAxisType type) {
  TileAxis r = {.type = type, .min = tileAxisTypeMin(type.bits), .max = tileAxisTypeMax(type.bits)};
  for (int32_t d = 0; d < type.rank; ++d)
    r.dims[d] = (TileAxisDim){1, 1, 1, 1};
  return r;
}

TileAxis axisStartFrom(const TileAxis *a) { return tileAxisUnknown(a->type); }

TileAxis tileAxisUniform(TileAxisType type, int64_t divisibility) {
  TileAxis r = tileAxisUnknown(type);
  for (int32_t d = 0; d < type.rank; ++d)
    r.dims[d] =
        (TileAxisDim){1, tileAxisPowerOf(tileMost(divisibility, 1)), tileAxisPowerOf(type.shape[d]), 1};
  return r;
}

TileAxis tileAxisConstant(TileAxisType type, int64_t value) {
  TileAxis r = tileAxisUniform(type, 1);
  r.min = r.max = value;
  axisFinish(&r);
  return r;
}

bool tileAxisIsConstant(const TileAxis *a, int64_t *out_value) {
  if (a->type.bits == 0 || a->min != a->max)
    return false;
  *out_value = a->min;
  return true;
}

bool tileAxisIsUniform(const TileAxis *a) {
  for (int32_t d = 0; d < a->type.rank; ++d)
    if (a->dims[d].constancy != a->type.shape[d])
      return false;
  return true;
}

bool tileAxisEqual(const TileAxis *a, const TileAxis *b) {
  if (a->type.rank != b->type.rank || a->type.bits != b->type.bits || a->type.unit != b->type.unit ||
      a->min != b->min || a->max != b->max)
    return false;
  size_t n = (size_t)a->type.rank;
  return !memcmp(a->type.shape, b->type.shape, n * sizeof *a->type.shape) &&
         !memcmp(a->dims, b->dims, n * sizeof *a->dims);
}

int64_t tileAxisDivisibilityOfAll(const TileAxis *a) {
  int64_t all = 1;
  for (int32_t d = 0; d < a->type.rank; ++d)
    all = tileMost(all, axisAll(a, d));
  return all;
}

void axisSetRange(TileAxis *r, int64_t min, int64_t max) {
  int64_t low = tileAxisTypeMin(r->type.bits), high = tileAxisTypeMax(r->type.bits);
  bool fits = min >= low && max <= high && min <= max;
  r->min = fits ? min : low;
  r->max = fits ? max : high;
}

/* Ends of the range that are no multiples of what divides every element are not reached. */
static void tightenRange(TileAxis *r) {
  int64_t all = tileAxisDivisibilityOfAll(r);
  if (r->type.bits <= 1 || all == 1)
    return;
  int64_t below = r->max & -all, above = r->min;
  if (r->min & (all - 1) && __builtin_add_overflow(r->min & -all, all, &above))
    return;
  if (above > below) // contradictory: the program has no meaning
    return;
  r->min = above;
  r->max = below;
}

void axisFinish(TileAxis *r) {
  tightenRange(r);
  int64_t value;
  bool constant = tileAxisIsConstant(r, &value);
  int32_t bits = r->type.bits;
  int64_t widest = bits && bits < 64 ? INT64_C(1) << (bits - 1) : TILE_AXIS_MAX_DIVISIBILITY;
  for (int32_t d = 0; d < r->type.rank; ++d) {
    int64_t size = tileAxisPowerOf(r->type.shape[d]);
    TileAxisDim *x = &r->dims[d];
    if (constant)
      *x = (TileAxisDim){1, tileAxisPowerOf(value), size, 1};
    if (x->contiguity > widest) // a group as large as half the type would wrap around, read as signed
      axisSetGroup(r, d, widest, axisStart(r, d, widest));
    x->constancy = tileLeast(x->constancy, size);
    x->run = tileMost(tileLeast(x->run, size), x->contiguity);
  }
  // What divides every element also divides the first ones of each group.
  int64_t all = tileAxisDivisibilityOfAll(r);
  for (int32_t d = 0; d < r->type.rank; ++d)
    r->dims[d].divisibility = tileMost(r->dims[d].divisibility, all);
}

void tileAxisRestrict(TileAxis *a, int64_t min, int64_t max) {
  min = tileMost(min, a->min);
  max = tileLeast(max, a->max);
  if (a->type.bits == 0 || min > max) // contradictory: such a program has no meaning, so nothing is learnt
    return;
  a->min = min;
  a->max = max;
  axisFinish(a);
}

/* Two true claims about dimension d, that of `x` and groups of `c` whose firsts are multiples of `v`, become
 * one. */
static void mergeGroup(TileAxis *x, int32_t d, int64_t c, int64_t v) {
  TileAxis other = *x;
  axisSetGroup(&other, d, c, v);
  int64_t g = tileMost(x->dims[d].contiguity, other.dims[d].contiguity);
  int64_t start = tileMost(axisStart(x, d, g), axisStart(&other, d, g));
  axisSetGroup(x, d, g, start);
}

void tileAxisHint(TileAxis *a, int32_t d, int64_t contiguity, int64_t divisibility, int64_t constancy) {
  TileAxisDim *x = &a->dims[d];
  int64_t size = tileAxisPowerOf(a->type.shape[d]);
  if (constancy > 0)
    x->constancy = tileMost(x->constancy, tileLeast(tileAxisPowerOf(constancy), size));
  // Without a promise of contiguity, a multiple is one of the groups that seem to run.
  int64_t c = contiguity > 0 ? tileLeast(tileAxisPowerOf(contiguity), size) : x->run;
  int64_t v = divisibility > 0 ? tileAxisPowerOf(divisibility) : axisStart(a, d, c);
  if (contiguity > 0 || divisibility > 0)
    mergeGroup(a, d, c, v);
  x->run = tileMost(x->run, c);
  axisFinish(a);
}

TileAxis tileAxisJoin(const TileAxis *a, const TileAxis *b) {
  TileAxis r = axisStartFrom(a);
  for (int32_t d = 0; d < r.type.rank; ++d) {
    int64_t g = tileLeast(a->dims[d].contiguity, b->dims[d].contiguity);
    axisSetGroup(&r, d, g, tileLeast(axisStart(a, d, g), axisStart(b, d, g)));
    r.dims[d].constancy = tileLeast(a->dims[d].constancy, b->dims[d].constancy);
    r.dims[d].run = tileLeast(a->dims[d].run, b->dims[d].run);
  }
  axisSetRange(&r, tileLeast(a->min, b->min), tileMost(a->max, b->max));
  axisFinish(&r);
  return r;
}
