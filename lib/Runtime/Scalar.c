/* Scalar.c - single elements: from text, to and from memory. */
#include "tile-c/HostArray.h"
#include "tile-c/Numerics.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool hasInfinity(TileElementType type) {
  return isinf(tileFloatDecode(
      type, tileFloatEncode(type, INFINITY, TileRoundingMode_NearestEven, TileOverflow_NonFinite)));
}

void tileScalarStore(TileElementType type, TileScalar value, void *element) {
  if (!tileElementTypeIsFloat(type)) {
    const int64_t integer = type == TileElementType_I1 ? value.i != 0 : value.i;
    memcpy(element, &integer, tileElementTypeSize(type)); // little-endian, as every host of a driver here is
  } else if (type == TileElementType_F32) { // the common case: the hardware rounds to nearest even too
    const float narrow = (float)value.f;
    memcpy(element, &narrow, sizeof narrow);
  } else {
    const bool keep = isinf(value.f) && hasInfinity(type);
    const uint64_t bits = tileFloatEncode(type, value.f, TileRoundingMode_NearestEven,
                                          keep ? TileOverflow_NonFinite : TileOverflow_Default);
    memcpy(element, &bits, tileElementTypeSize(type));
  }
}

TileScalar tileScalarLoad(TileElementType type, const void *element) {
  if (type == TileElementType_F32) {
    float narrow;
    memcpy(&narrow, element, sizeof narrow);
    return (TileScalar){.f = narrow};
  }
  if (!tileElementTypeIsFloat(type))
    return (TileScalar){.i = tileIntLoad(type, element, 0)};
  return (TileScalar){.f = tileFloatLoad(type, element, 0)};
}

static TileErrorCode parseInteger(TileElementType type, const char *text, TileScalar *out_value,
                                  TileError *out_error) {
  const bool negative = text[0] == '-';
  const char *digits = text + (text[0] == '-' || text[0] == '+');
  const bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  char *end = NULL;
  errno = 0;
  // strtoull takes a sign of its own and blanks: only digits may stand here.
  const bool starts = digits[0] >= '0' && digits[0] <= '9';
  uint64_t magnitude = starts ? strtoull(digits, &end, hexadecimal ? 16 : 10) : 0;
  if (!starts || *end)
    return tileErrorSet(out_error, TileError_Argument, "got '%.40s', expected an integer of type %s", text,
                        tileElementTypeName(type));
  const unsigned bits = tileElementTypeBits(type);
  const uint64_t most = negative     ? (bits == 1 ? 0 : 1ULL << (bits - 1))
                        : bits == 64 ? UINT64_MAX
                                     : (1ULL << bits) - 1;
  if (errno == ERANGE || magnitude > most)
    return tileErrorSet(out_error, TileError_Argument, "%.40s is outside the range of %s", text,
                        tileElementTypeName(type));
  if (negative)
    magnitude = 0 - magnitude;
  out_value->i = tileWrap((int64_t)magnitude, bits);
  return TileError_None;
}

static TileErrorCode parseFloat(TileElementType type, const char *text, TileScalar *out_value,
                                TileError *out_error) {
  char *end = NULL;
  errno = 0;
  const bool starts = text[0] && !strchr(" \t\n\v\f\r", text[0]);
  double value = starts ? strtod(text, &end) : 0;
  if (!starts || end == text || *end)
    return tileErrorSet(out_error, TileError_Argument, "got '%.40s', expected a number of type %s", text,
                        tileElementTypeName(type));
  const bool askedInfinite = isinf(value) && errno != ERANGE;
  if (askedInfinite && !hasInfinity(type))
    return tileErrorSet(out_error, TileError_Argument, "%s has no infinity", tileElementTypeName(type));
  const double largest = tileFloatMax(type);
  const double rounded = tileFloatDecode(
      type, tileFloatEncode(type, value, TileRoundingMode_NearestEven, TileOverflow_NonFinite));
  if (!askedInfinite && !isnan(value) && !isfinite(rounded))
    return tileErrorSet(out_error, TileError_Argument, "%.40s is outside the range of %s (at most %g)", text,
                        tileElementTypeName(type), largest);
  out_value->f = rounded;
  return TileError_None;
}

TileErrorCode tileScalarParse(TileElementType type, const char *text, size_t length, TileScalar *out_value,
                              TileError *out_error) {
  char copy[128];
  memset(out_value, 0, sizeof *out_value);
  if (length >= sizeof copy || memchr(text, 0, length))
    return tileErrorSet(out_error, TileError_Argument, "got '%.40s...', expected a value of type %s", text,
                        tileElementTypeName(type));
  memcpy(copy, text, length);
  copy[length] = 0;
  if (tileElementTypeIsFloat(type))
    return parseFloat(type, copy, out_value, out_error);
  if (type == TileElementType_I1 && (!strcmp(copy, "true") || !strcmp(copy, "false"))) {
    out_value->i = copy[0] == 't';
    return TileError_None;
  }
  return parseInteger(type, copy, out_value, out_error);
}
