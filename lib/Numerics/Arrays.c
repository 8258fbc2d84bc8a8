/* Arrays.c - whole arrays between memory and the carriers double and int64_t, with tight loops for the common
 * types. */
#include "tile-c/Numerics.h"

void tileFloatDecodeArray(TileElementType type, const void *source, int64_t count, double *destination) {
  switch (type) {
  case TileElementType_F64:
    memcpy(destination, source, (size_t)count * sizeof(double));
    return;
  case TileElementType_F32:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = ((const float *)source)[i];
    return;
  case TileElementType_F16:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = tileF16ToF32(((const uint16_t *)source)[i]);
    return;
  case TileElementType_BF16:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = tileBF16ToF32(((const uint16_t *)source)[i]);
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = tileFloatDecode(type, ((const uint8_t *)source)[i]);
  }
}

void tileFloatEncodeArray(TileElementType type, const double *source, int64_t count, void *destination) {
  switch (type) {
  case TileElementType_F64:
    memcpy(destination, source, (size_t)count * sizeof(double));
    return;
  case TileElementType_F32:
    for (int64_t i = 0; i < count; ++i)
      ((float *)destination)[i] = (float)source[i];
    return;
  case TileElementType_F16:
    for (int64_t i = 0; i < count; ++i)
      ((uint16_t *)destination)[i] = tileF32ToF16(tileF64ToF32Odd(source[i]));
    return;
  case TileElementType_BF16:
    for (int64_t i = 0; i < count; ++i)
      ((uint16_t *)destination)[i] = tileF32ToBF16(tileF64ToF32Odd(source[i]));
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      tileFloatStore(type, destination, i, source[i]);
  }
}

void tileIntDecodeArray(TileElementType type, const void *source, int64_t count, int64_t *destination) {
  switch (type) {
  case TileElementType_I64:
    memcpy(destination, source, (size_t)count * sizeof(int64_t));
    return;
  case TileElementType_I32:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = ((const int32_t *)source)[i];
    return;
  case TileElementType_I16:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = ((const int16_t *)source)[i];
    return;
  case TileElementType_I8:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = ((const int8_t *)source)[i];
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      destination[i] = ((const uint8_t *)source)[i] != 0;
  }
}

void tileIntEncodeArray(TileElementType type, const int64_t *source, int64_t count, void *destination) {
  switch (type) {
  case TileElementType_I64:
    memcpy(destination, source, (size_t)count * sizeof(int64_t));
    return;
  case TileElementType_I32:
    for (int64_t i = 0; i < count; ++i)
      ((int32_t *)destination)[i] = (int32_t)source[i];
    return;
  case TileElementType_I16:
    for (int64_t i = 0; i < count; ++i)
      ((int16_t *)destination)[i] = (int16_t)source[i];
    return;
  case TileElementType_I8:
    for (int64_t i = 0; i < count; ++i)
      ((int8_t *)destination)[i] = (int8_t)source[i];
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      ((uint8_t *)destination)[i] = source[i] & 1;
  }
}
