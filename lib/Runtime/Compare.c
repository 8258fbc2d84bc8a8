/* Compare.c - how far two arrays are apart. */
#include "tile-c/HostArray.h"
#include <math.h>
#include <string.h>

double tileDefaultTolerance(TileElementType type) {
  switch (type) {
  case TileElementType_F64:
    return 1e-12;
  case TileElementType_F32:
    return 2e-5;
  case TileElementType_F16:
    return 2e-3;
  case TileElementType_BF16:
    return 2e-2;
  default:
    return tileElementTypeIsFloat(type) ? 0.125 : 0;
  }
}

/// Takes |got - expected| and |expected| at a position into the maxima; true if they are within the
/// tolerances.
static bool compareFinite(double difference, double magnitude, double absolute, double relative,
                          int64_t position, TileComparison *result) {
  const double ratio = difference == 0 ? 0 : magnitude > 0 ? difference / magnitude : INFINITY;
  if (difference > result->maxAbs) {
    result->maxAbs = difference;
    result->maxAbsAt = position;
  }
  if (ratio > result->maxRel) {
    result->maxRel = ratio;
    result->maxRelAt = position;
  }
  if (magnitude > result->maxExpected)
    result->maxExpected = magnitude;
  return difference <= absolute + relative * magnitude;
}

/// Exact also where the difference of two i64 needs 64 bits.
static double distance(int64_t a, int64_t b) {
  return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
}

void tileArrayCompare(const TileArray *got, const TileArray *expected, double absolute, double relative,
                      TileComparison *out_comparison) {
  TileComparison result = {
      .equal = true, .identical = true, .firstMismatch = -1, .maxAbsAt = -1, .maxRelAt = -1};
  const size_t size = tileElementTypeSize(got->type);
  const bool isFloat = tileElementTypeIsFloat(got->type), exact = absolute == 0 && relative == 0;
  const char *a = got->data, *b = expected->data;
  for (int64_t i = 0; i < got->numElements; ++i, a += size, b += size) {
    const TileScalar x = tileScalarLoad(got->type, a), y = tileScalarLoad(got->type, b);
    const bool sameBits = !memcmp(a, b, size) || (isFloat && isnan(x.f) && isnan(y.f)) ||
                          (got->type == TileElementType_I1 && x.i == y.i);
    bool fits;
    if (!isFloat) {
      fits = compareFinite(distance(x.i, y.i), distance(y.i, 0), absolute, relative, i, &result);
    } else if (isfinite(x.f) && isfinite(y.f)) {
      fits = compareFinite(fabs(x.f - y.f), fabs(y.f), absolute, relative, i, &result);
    } else {
      fits = x.f == y.f || (isnan(x.f) && isnan(y.f));
      result.numSpecial += !fits;
    }
    result.identical &= sameBits;
    if (exact ? !sameBits : !fits) {
      result.equal = false;
      result.firstMismatch = result.numMismatches++ ? result.firstMismatch : i;
    }
  }
  *out_comparison = result;
}
