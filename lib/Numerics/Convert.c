/* Convert.c - between floats and integers, and whole arrays from one element type to another. */
#include "FloatFormat.h"

int64_t tileFloatToInt(double value, unsigned bits, bool isSigned) {
  if (isnan(value))
    return 0;
  double limit = bits > 32 ? 0x1p64 : 0x1p32; // of the unsigned range
  if (!isSigned) {
    if (value <= 0)
      return 0;
    return tileWrap((int64_t)(value >= limit ? UINT64_MAX : (uint64_t)value), bits);
  }
  if (value >= limit / 2)
    return tileWrap(bits > 32 ? INT64_MAX : INT32_MAX, bits);
  if (value < -limit / 2)
    return tileWrap(bits > 32 ? INT64_MIN : INT32_MIN, bits);
  return tileWrap((int64_t)value, bits);
}

uint64_t tileIntToFloat(TileElementType type, int64_t value, bool isSigned) {
  bool negative = isSigned && value < 0;
  uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
  return tileFloatPack(type, negative, magnitude, 0, TileRoundingMode_NearestEven, TileOverflow_Default);
}

/// Element `index` of an array whose elements have `size` bytes, zero-extended.
static uint64_t loadBits(size_t size, const void *array, int64_t index) {
  switch (size) {
  case 1:
    return ((const uint8_t *)array)[index];
  case 2:
    return ((const uint16_t *)array)[index];
  case 4:
    return ((const uint32_t *)array)[index];
  default:
    return ((const uint64_t *)array)[index];
  }
}

static void storeBits(size_t size, void *array, int64_t index, uint64_t bits) {
  switch (size) {
  case 1:
    ((uint8_t *)array)[index] = (uint8_t)bits;
    break;
  case 2:
    ((uint16_t *)array)[index] = (uint16_t)bits;
    break;
  case 4:
    ((uint32_t *)array)[index] = (uint32_t)bits;
    break;
  default:
    ((uint64_t *)array)[index] = bits;
  }
}

double tileFloatLoad(TileElementType type, const void *array, int64_t index) {
  return tileFloatDecode(type, loadBits(tileElementTypeSize(type), array, index));
}

void tileFloatStore(TileElementType type, void *array, int64_t index, double value) {
  storeBits(tileElementTypeSize(type), array, index,
            tileFloatEncode(type, value, TileRoundingMode_NearestEven, TileOverflow_Default));
}

int64_t tileIntLoad(TileElementType type, const void *array, int64_t index) {
  uint64_t bits = loadBits(tileElementTypeSize(type), array, index);
  return type == TileElementType_I1 ? bits != 0 : tileWrap((int64_t)bits, tileElementTypeBits(type));
}

void tileIntStore(TileElementType type, void *array, int64_t index, int64_t value) {
  storeBits(tileElementTypeSize(type), array, index, (uint64_t)tileWrap(value, tileElementTypeBits(type)));
}

void tileConvertElements(TileElementType from, const void *source, TileElementType to, void *destination,
                         int64_t count) {
  size_t size = tileElementTypeSize(to);
  unsigned bits = tileElementTypeBits(to);
  if (from == to) {
    memcpy(destination, source, (size_t)count * size);
    return;
  }
  bool fromFloat = tileElementTypeIsFloat(from), toFloat = tileElementTypeIsFloat(to);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t result;
    if (fromFloat) {
      double value = tileFloatLoad(from, source, i);
      result = toFloat ? tileFloatEncode(to, value, TileRoundingMode_NearestEven, TileOverflow_Default)
                       : (uint64_t)tileFloatToInt(value, bits, true);
    } else {
      int64_t value = tileIntLoad(from, source, i);
      result = toFloat ? tileIntToFloat(to, value, true) : (uint64_t)tileWrap(value, bits);
    }
    storeBits(size, destination, i, result);
  }
}
