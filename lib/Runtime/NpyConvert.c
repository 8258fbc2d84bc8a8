/* NpyConvert.c - one number of a .npy file as an element: rounded to nearest even, or refused where it cannot
 * be meant. */
#include "Npy.h"
#include <math.h>
#include <string.h>

/// An integer of up to 64 bits with its sign apart, so that int64 and uint64 are one case.
typedef struct Integer {
  bool negative;
  uint64_t magnitude;
} Integer;

static Integer loadInteger(const NpyHeader *header, const void *from) {
  uint64_t bits = 0;
  memcpy(&bits, from, header->bytes);
  const unsigned unused = 64 - 8 * header->bytes;
  if (header->kind != Npy_Int)
    return (Integer){false, bits};
  const int64_t value = (int64_t)(bits << unused) >> unused;
  return value < 0 ? (Integer){true, 0 - (uint64_t)value} : (Integer){false, (uint64_t)value};
}

static double loadFloat(const NpyHeader *header, const void *from) {
  static const TileElementType types[] = {
      [2] = TileElementType_F16, [4] = TileElementType_F32, [8] = TileElementType_F64};
  return tileScalarLoad(types[header->bytes], from).f;
}

/// The double that rounds to every narrower format as the integer itself does: bits beyond the 53rd become
/// one sticky bit.
static double toDoubleForRounding(Integer value) {
  uint64_t magnitude = value.magnitude;
  if (magnitude >> 53) {
    unsigned extra = 0;
    while (magnitude >> extra >> 53)
      ++extra;
    const uint64_t lost = magnitude & ((1ULL << extra) - 1);
    magnitude = ((magnitude >> extra) | (lost != 0)) << extra;
  }
  return value.negative ? -(double)magnitude : (double)magnitude;
}

static double toDouble(Integer value) {
  return value.negative ? -(double)value.magnitude : (double)value.magnitude;
}

static bool fitsInteger(TileElementType type, Integer value) {
  const unsigned bits = tileElementTypeBits(type);
  if (type == TileElementType_I1)
    return true; // every number but zero is true
  if (value.negative)
    return value.magnitude <= 1ULL << (bits - 1);
  return bits == 64 || value.magnitude < 1ULL << bits;
}

/// Rounds to an integer; false if it is NaN or does not fit 64 bits.
static bool roundToInteger(double value, Integer *out_value) {
  const double rounded = rint(value); // to nearest even: nothing here changes the rounding mode
  out_value->negative = rounded < 0;
  if (!(fabs(rounded) < 18446744073709551616.0))
    return false;
  out_value->magnitude = (uint64_t)fabs(rounded);
  return true;
}

TileErrorCode npyConvert(const char *path, const NpyHeader *header, const void *from, TileElementType type,
                         void *to, int64_t index, TileError *out_error) {
  const bool toFloat = tileElementTypeIsFloat(type);
  Integer integer = {false, 0};
  TileScalar value;
  if (toFloat && tileElementTypeSize(type) == 1 && header->bytes == 1 && header->kind != Npy_Bool) {
    memcpy(to, from, 1); // raw bits of an f8
    return TileError_None;
  }
  if (header->kind == Npy_Float) {
    value.f = loadFloat(header, from);
    if (!toFloat && type == TileElementType_I1 && !isnan(value.f))
      integer.magnitude = value.f != 0;
    else if (!toFloat && (!roundToInteger(value.f, &integer) || !fitsInteger(type, integer)))
      return tileErrorSet(out_error, TileError_Format, "%s: element %lld is %g, which no %s holds", path,
                          (long long)index, value.f, tileElementTypeName(type));
  } else {
    integer = loadInteger(header, from);
    if (toFloat)
      value.f = type == TileElementType_F64 ? toDouble(integer) : toDoubleForRounding(integer);
    else if (!fitsInteger(type, integer))
      return tileErrorSet(out_error, TileError_Format, "%s: element %lld is %s%llu, which no %s holds", path,
                          (long long)index, integer.negative ? "-" : "",
                          (unsigned long long)integer.magnitude, tileElementTypeName(type));
  }
  if (!toFloat)
    value.i = (int64_t)(integer.negative ? 0 - integer.magnitude : integer.magnitude);
  tileScalarStore(type, value, to);
  return TileError_None;
}
