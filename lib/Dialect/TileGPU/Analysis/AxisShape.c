/* AxisShape.c - claims through operations that make, repeat and rearrange elements. */
#include "AxisInternal.h"

/* A result of `type` with a's range, all dims 1. */
static TileAxis shaped(TileAxisType type, const TileAxis *a) {
  TileAxis r = tileAxisUnknown(type);
  r.min = a->min;
  r.max = a->max;
  return r;
}

/* What is true along a dimension whose elements have nothing to do with each other. */
static TileAxisDim scattered(const TileAxis *a) {
  return (TileAxisDim){1, tileAxisDivisibilityOfAll(a), 1, 1};
}

TileAxis tileAxisMakeRange(TileAxisType type, int64_t start, int64_t end) {
  TileAxis r = tileAxisUnknown(type);
  int64_t n = tileAxisPowerOf(end - start), v = tileAxisPowerOf(start);
  axisSetRange(&r, start, end - 1);
  axisSetGroup(&r, 0, n, n == end - start ? v : tileLeast(v, n)); // one group, or several
  r.dims[0].run = n;
  axisFinish(&r);
  return r;
}

TileAxis tileAxisSplat(TileAxisType type, const TileAxis *scalar) {
  TileAxis r = tileAxisUniform(type, tileAxisDivisibilityOfAll(scalar));
  r.min = scalar->min;
  r.max = scalar->max;
  axisFinish(&r);
  return r;
}

TileAxis tileAxisExpandDims(TileAxisType type, const TileAxis *a, int32_t axis) {
  TileAxis r = shaped(type, a);
  for (int32_t d = 0; d < type.rank; ++d)
    r.dims[d] = d == axis ? scattered(a) : a->dims[d < axis ? d : d - 1];
  axisFinish(&r);
  return r;
}

TileAxis tileAxisBroadcast(TileAxisType type, const TileAxis *a) {
  TileAxis r = shaped(type, a);
  for (int32_t d = 0; d < type.rank; ++d) {
    r.dims[d] = a->dims[d];
    if (type.shape[d] != a->type.shape[d])
      r.dims[d].constancy = tileAxisPowerOf(type.shape[d]);
  }
  axisFinish(&r);
  return r;
}

/* Elements, from the last in row-major order on, that are equal in aligned groups: goes on into the next
 * dimension where one is equal throughout. */
static int64_t flatConstancy(const TileAxis *a) {
  int64_t k = 1;
  for (int32_t d = a->type.rank - 1; d >= 0; --d) {
    k *= a->dims[d].constancy;
    if (a->dims[d].constancy != a->type.shape[d])
      break;
  }
  return k;
}

/* Claims along a result dimension of `size` whose neighbours are `stride` apart in row-major order. */
static TileAxisDim strided(const TileAxis *a, int64_t stride, int64_t size) {
  TileAxisDim r = scattered(a);
  int64_t flat = flatConstancy(a), power = tileAxisPowerOf(size), inner = 1;
  if (flat % stride == 0)
    r.constancy = tileLeast(flat / stride, power);
  int32_t d = a->type.rank - 1; // the operand's dimension that the stride falls into
  for (; d > 0 && stride >= inner * a->type.shape[d]; --d)
    inner *= a->type.shape[d];
  const TileAxisDim *x = &a->dims[d];
  int64_t step = stride / inner;
  if (stride % inner)
    return r;
  if (x->constancy % step == 0)
    r.constancy = tileMost(r.constancy, tileLeast(x->constancy / step, power));
  if (step == 1) {
    r.contiguity = tileLeast(x->contiguity, power);
    r.divisibility = tileMost(r.divisibility, axisStart(a, d, r.contiguity));
    r.run = tileLeast(x->run, power);
  }
  return r;
}

TileAxis tileAxisReshape(TileAxisType type, const TileAxis *a, bool reorder) {
  TileAxis r = shaped(type, a);
  int64_t stride = 1;
  for (int32_t d = type.rank - 1; d >= 0; --d) {
    r.dims[d] = reorder ? scattered(a) : strided(a, stride, type.shape[d]);
    if (tileAxisIsUniform(a))
      r.dims[d].constancy = tileAxisPowerOf(type.shape[d]);
    stride *= type.shape[d];
  }
  axisFinish(&r);
  return r;
}

TileAxis tileAxisTranspose(TileAxisType type, const TileAxis *a, const int32_t *order) {
  TileAxis r = shaped(type, a);
  for (int32_t d = 0; d < type.rank; ++d)
    r.dims[d] = a->dims[order[d]];
  axisFinish(&r);
  return r;
}

TileAxis tileAxisPair(TileAxisType type, const TileAxis *a, const TileAxis *b) {
  TileAxis both = tileAxisJoin(a, b), r = shaped(type, &both);
  for (int32_t d = 0; d + 1 < type.rank; ++d)
    r.dims[d] = both.dims[d];
  r.dims[type.rank - 1] =
      (TileAxisDim){1, tileLeast(tileAxisDivisibilityOfAll(a), tileAxisDivisibilityOfAll(b)), 1, 1};
  axisFinish(&r);
  return r;
}

TileAxis tileAxisUnpair(TileAxisType type, const TileAxis *a) {
  TileAxis r = shaped(type, a);
  for (int32_t d = 0; d < type.rank; ++d)
    r.dims[d] = a->dims[d];
  axisFinish(&r);
  return r;
}

TileAxis tileAxisConcat(TileAxisType type, const TileAxis *a, const TileAxis *b) {
  // Groups of the second part stay aligned: what both allow divides the first part's size.
  TileAxis both = tileAxisJoin(a, b), r = shaped(type, &both);
  for (int32_t d = 0; d < type.rank; ++d)
    r.dims[d] = both.dims[d];
  axisFinish(&r);
  return r;
}

/* The largest g for which aligned groups of g along d step by `step`. */
static int64_t groupOf(TileAxisType type, const int64_t *values, int32_t d, int64_t step) {
  int64_t inner = 1, total = 1, best = tileAxisPowerOf(type.shape[d]);
  for (int32_t i = 0; i < type.rank; ++i) {
    total *= type.shape[i];
    inner *= i > d ? type.shape[i] : 1;
  }
  for (int64_t i = inner; i < total; ++i) {
    int64_t at = i / inner % type.shape[d];
    if (at && (uint64_t)values[i] - (uint64_t)values[i - inner] != (uint64_t)step)
      best = tileLeast(best, tileAxisPowerOf(at));
  }
  return best;
}

/* What divides the first elements of groups of g along d. */
static int64_t startsOf(TileAxisType type, const int64_t *values, int32_t d, int64_t g) {
  int64_t inner = 1, total = 1, v = TILE_AXIS_MAX_DIVISIBILITY;
  for (int32_t i = 0; i < type.rank; ++i) {
    total *= type.shape[i];
    inner *= i > d ? type.shape[i] : 1;
  }
  for (int64_t i = 0; i < total; ++i)
    if (i / inner % type.shape[d] % g == 0)
      v = tileLeast(v, tileAxisPowerOf(values[i]));
  return v;
}

TileAxis tileAxisOfElements(TileAxisType type, const int64_t *values) {
  TileAxis r = tileAxisUnknown(type);
  int64_t min = values[0], max = values[0], total = 1;
  for (int32_t d = 0; d < type.rank; ++d) {
    int64_t g = groupOf(type, values, d, 1);
    axisSetGroup(&r, d, g, startsOf(type, values, d, g));
    r.dims[d].constancy = groupOf(type, values, d, 0);
    r.dims[d].run = g;
    total *= type.shape[d];
  }
  for (int64_t i = 0; i < total; ++i) {
    min = tileLeast(min, values[i]);
    max = tileMost(max, values[i]);
  }
  axisSetRange(&r, min, max);
  axisFinish(&r);
  return r;
}
