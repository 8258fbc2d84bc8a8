/* Array.c - host arrays: making, copying, filling with constants. */
#include "tile-c/HostArray.h"
#include <stdlib.h>
#include <string.h>

TileErrorCode tileArrayCreate(TileElementType type, unsigned rank, const int64_t *shape, TileArray *out_array,
                              TileError *out_error) {
  memset(out_array, 0, sizeof *out_array);
  if (rank > TILE_ARRAY_MAX_RANK)
    return tileErrorSet(out_error, TileError_Argument, "got %u dimensions, expected at most %d", rank,
                        TILE_ARRAY_MAX_RANK);
  const int64_t limit = INT64_MAX / 8; // so that bytes fit as well
  int64_t count = 1;
  for (unsigned i = 0; i < rank; ++i) {
    if (shape[i] < 0)
      return tileErrorSet(out_error, TileError_Argument, "got an extent of %lld, expected no negative one",
                          (long long)shape[i]);
    if (shape[i] > 0 && count > limit / shape[i])
      return tileErrorSet(out_error, TileError_OutOfMemory,
                          "an array of that many elements cannot be addressed");
    count *= shape[i];
  }
  const size_t bytes = (size_t)count * tileElementTypeSize(type);
  void *data = calloc(bytes ? bytes : 1, 1);
  if (!data)
    return tileErrorSet(out_error, TileError_OutOfMemory,
                        "out of host memory: %zu bytes for an array of %lld %s", bytes, (long long)count,
                        tileElementTypeName(type));
  *out_array = (TileArray){.type = type, .rank = rank, .numElements = count, .data = data};
  for (unsigned i = 0; i < rank; ++i)
    out_array->shape[i] = shape[i];
  return TileError_None;
}

TileErrorCode tileArrayCopy(const TileArray *array, TileArray *out_copy, TileError *out_error) {
  TileErrorCode code = tileArrayCreate(array->type, array->rank, array->shape, out_copy, out_error);
  if (!code)
    memcpy(out_copy->data, array->data, tileArrayBytes(array));
  return code;
}

void tileArrayRelease(TileArray *array) {
  free(array->data);
  memset(array, 0, sizeof *array);
}

size_t tileArrayBytes(const TileArray *array) {
  return (size_t)array->numElements * tileElementTypeSize(array->type);
}

void tileArrayFill(TileArray *array, TileScalar value) {
  const size_t size = tileElementTypeSize(array->type);
  char *element = array->data;
  for (int64_t i = 0; i < array->numElements; ++i, element += size)
    tileScalarStore(array->type, value, element);
}

void tileArrayFillIota(TileArray *array) {
  const size_t size = tileElementTypeSize(array->type);
  char *element = array->data;
  for (int64_t i = 0; i < array->numElements; ++i, element += size) {
    TileScalar value;
    if (tileElementTypeIsFloat(array->type))
      value.f = (double)i;
    else
      value.i = array->type == TileElementType_I1 ? i & 1 : i; // storing keeps the low bits
    tileScalarStore(array->type, value, element);
  }
}
