/* Random.c - seeded random arrays that are the same on every machine.
 *
 * Element i depends on the seed and i alone: its bits are SplitMix64's output number i (Steele, Lea, Flood:
 * "Fast splittable pseudorandom number generators", OOPSLA 2014). Normal numbers are Box and Muller's, two
 * from two draws, with logarithm, sine and cosine summed here from +, -, * and /, which IEEE 754 rounds
 * exactly, where libm's results differ between machines. The file is compiled without contraction into fused
 * multiply-adds for the same reason. */
#include "tile-c/HostArray.h"
#include "tile-c/Numerics.h"
#include <math.h>

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

/// Draw number `index` of a sequence: 53 random bits.
static uint64_t draw(uint64_t key, uint64_t index) {
  return mix(key + (index + 1) * 0x9e3779b97f4a7c15ULL) >> 11;
}

static const double unit = 1.0 / 9007199254740992.0; // 2^-53

void tileRandomRange(TileElementType type, double *out_low, double *out_high) {
  const bool isInteger = !tileElementTypeIsFloat(type) && type != TileElementType_I1;
  *out_low = isInteger ? -128 : 0;
  *out_high = isInteger ? 128 : type == TileElementType_I1 ? 2 : 1;
}

/// The value of `type` just below one that rounding has brought up to a bound.
static double stepDown(TileElementType type, double value) {
  const uint64_t bits = tileFloatEncode(type, value, TileRoundingMode_NearestEven, TileOverflow_Default);
  const uint64_t lowest =
      tileFloatEncode(type, -tileFloatMax(type), TileRoundingMode_NearestEven, TileOverflow_Default);
  return tileFloatDecode(type, tileFloatNextAfter(type, bits, lowest));
}

/// `real` rounded to a float type, below `high` also where rounding would reach it.
static double roundBelow(TileElementType type, double real, double high) {
  const double rounded = tileFloatRound(type, real);
  return rounded < high ? rounded : stepDown(type, rounded);
}

void tileArrayFillUniform(TileArray *array, uint64_t seed, double low, double high) {
  const TileElementType type = array->type;
  const size_t size = tileElementTypeSize(type);
  const bool isFloat = tileElementTypeIsFloat(type);
  const uint64_t key = mix(seed);
  const double range = high - low;
  char *element = array->data;
  for (int64_t i = 0; i < array->numElements; ++i, element += size) {
    const double real = low + (double)draw(key, (uint64_t)i) * unit * range;
    TileScalar value;
    if (isFloat)
      value.f = roundBelow(type, real, high);
    else
      value.i = (int64_t)floor(real);
    tileScalarStore(type, value, element);
  }
}

/// Natural logarithm for 0 < x <= 1: x = m * 2^e with m near 1, ln m = 2 artanh((m - 1) / (m + 1)).
static double logarithm(double x) {
  int exponent;
  double m = frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2)
    sum = sum * square + 1.0 / k;
  return exponent * 0.69314718055994531 + 2 * s * sum;
}

/// sin and cos of 2 pi u for 0 <= u < 1: Taylor series within an eighth turn of the nearest quarter.
static void turn(double u, double *out_sin, double *out_cos) {
  const double quarters = floor(4 * u + 0.5);
  const double x = (4 * u - quarters) * 1.5707963267948966, square = x * x;
  double sine = 1, cosine = 1;
  for (int k = 18; k >= 2; k -= 2) {
    sine = 1 - sine * square / (k * (k + 1));
    cosine = 1 - cosine * square / ((k - 1) * k);
  }
  sine *= x;
  const int quadrant = (int)quarters & 3;
  *out_sin = quadrant == 0 ? sine : quadrant == 1 ? cosine : quadrant == 2 ? -sine : -cosine;
  *out_cos = quadrant == 0 ? cosine : quadrant == 1 ? -sine : quadrant == 2 ? -cosine : sine;
}

TileErrorCode tileArrayFillNormal(TileArray *array, uint64_t seed, TileError *out_error) {
  const TileElementType type = array->type;
  const size_t size = tileElementTypeSize(type);
  if (!tileElementTypeIsFloat(type))
    return tileErrorSet(out_error, TileError_Argument, "randn makes floats, got type %s",
                        tileElementTypeName(type));
  const uint64_t key = mix(seed);
  char *element = array->data;
  for (int64_t i = 0; i < array->numElements; i += 2) {
    const double radius = sqrt(-2 * logarithm((double)(draw(key, (uint64_t)i) + 1) * unit));
    double sine, cosine;
    turn((double)draw(key, (uint64_t)i + 1) * unit, &sine, &cosine);
    tileScalarStore(type, (TileScalar){.f = radius * cosine}, element);
    element += size;
    if (i + 1 < array->numElements)
      tileScalarStore(type, (TileScalar){.f = radius * sine}, element);
    element += size;
  }
  return TileError_None;
}
