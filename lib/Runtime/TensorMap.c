/* TensorMap.c - makes the tensor maps of a launch from the manifest's recipes and the launch's values. */
#include "Driver.h"
#include "Tensor.h"
#include <string.h>

static int64_t scalarAt(const void *value, TileElementType type) {
  const unsigned bits = tileElementTypeBits(type);
  int64_t wide = 0;
  int32_t narrow = 0;
  memcpy(bits == 64 ? (void *)&wide : (void *)&narrow, value, bits == 64 ? 8 : 4);
  return bits == 64 ? wide : narrow;
}

/// What launch value number `position` is: the type of an integer; pointers are None. False: there is none.
static bool partType(const TileManifestKernel *contract, int position, TileElementType *out_type) {
  size_t at = (size_t)position;
  for (size_t i = 0; position >= 0 && i < contract->numParams; ++i) {
    const TileManifestParam *param = &contract->params[i];
    const size_t parts = tileTensorParts(param);
    if (at >= parts) {
      at -= parts;
      continue;
    }
    *out_type = param->kind == TileParamKind_Scalar ? param->type
                : at == 0                           ? TileElementType_None
                : at <= param->rank                 ? TileElementType_I32
                                                    : TileElementType_I64;
    return true;
  }
  return false;
}

/// Multiplies by the launch value at `position`. False if that is no integer of 32 or 64 bits.
static bool multiply(const TileManifestKernel *contract, void *const *params, int position, int64_t *value) {
  TileElementType type;
  if (!partType(contract, position, &type) || type == TileElementType_None || tileElementTypeIsFloat(type) ||
      tileElementTypeBits(type) < 32)
    return false;
  if (__builtin_mul_overflow(*value, scalarAt(params[position], type), value))
    *value = -1;
  return true;
}

/// False if the recipe names something else than integers.
static bool evaluate(const TileManifestKernel *contract, void *const *params, TileMapNumber number,
                     int64_t *out_value) {
  *out_value = number.factor;
  bool ok = number.param < 0 || multiply(contract, params, number.param, out_value);
  for (int i = 0; ok && i < number.numMore; ++i)
    ok = multiply(contract, params, number.more[i], out_value);
  return ok;
}

static TileErrorCode encode(TileDevice *device, const TileManifestKernel *contract, const TileTensorMap *map,
                            size_t index, void *const *params, char *out_map, TileError *out_error) {
  uint64_t sizes[TILE_MAX_RANK], strides[TILE_MAX_RANK];
  const unsigned bytes = tileElementTypeBits(map->type) / 8;
  TileMapPlace place = {.base = 0};
  TileElementType type;
  if (!partType(contract, map->base, &type) || type != TileElementType_None)
    return tileErrorSet(out_error, TileError_Format, "tensor map %zu names no pointer", index);
  TileDeviceAddress base = 0;
  memcpy(&base, params[map->base], sizeof base);
  if (base % 16)
    return tileErrorSet(out_error, TileError_Argument,
                        "tensor map %zu: got address 0x%llx, expected a multiple of 16", index,
                        (unsigned long long)base);
  for (unsigned d = 0; d < map->rank; ++d) {
    if (!evaluate(contract, params, map->sizes[d], &place.sizes[d]) ||
        !evaluate(contract, params, map->strides[d], &place.strides[d]))
      return tileErrorSet(out_error, TileError_Format,
                          "tensor map %zu: dimension %u names no integer parameter", index, d);
    if (__builtin_mul_overflow(place.strides[d], (int64_t)bytes, &place.strides[d]))
      place.strides[d] = -1;
  }
  place.base = base;
  tileTensorMapPlace(map, &place);
  for (unsigned d = 0; d < map->rank; ++d) {
    const int64_t size = place.sizes[d], stride = place.strides[d];
    if (map->isChecked && (size < 1 || (d && (stride < 1 || stride % 16)))) {
      memset(out_map, 0, TILE_TENSOR_MAP_BYTES);
      return TileError_None;
    }
    if (size < 1 || size > INT64_C(1) << 32)
      return tileErrorSet(out_error, TileError_Argument,
                          "tensor map %zu: got size %lld in dimension %u, expected 1 to 2^32", index,
                          (long long)size, d);
    if (d && (stride < 1 || stride % 16))
      return tileErrorSet(
          out_error, TileError_Argument,
          "tensor map %zu: got a stride of %lld bytes in dimension %u, expected a multiple of 16", index,
          (long long)stride, d);
    if (!d && map->isStored &&
        size * bytes % 16) // measured on an H200: it writes the rest of the last 16 bytes too
      return tileErrorSet(
          out_error, TileError_Argument,
          "tensor map %zu: got rows of %lld bytes that are stored to, expected a multiple of 16: "
          "the copy engine would write what is behind them",
          index, (long long)size * bytes);
    sizes[d] = (uint64_t)size;
    strides[d] = (uint64_t)stride;
  }
  if (!device->driver->encodeTensorMap)
    return tileErrorSet(out_error, TileError_Unsupported, "%s devices have no tensor maps",
                        device->driver->vendor);
  return tileDriverCheck(
      device, device->driver->encodeTensorMap(device, map, place.base, sizes, strides + 1, out_map),
      out_error, "cannot make tensor map %zu", index);
}

TileErrorCode tileTensorMapsEncode(TileDevice *device, const TileManifestKernel *contract,
                                   void *const *params, char *out_maps, TileError *out_error) {
  TileErrorCode code = TileError_None;
  for (size_t i = 0; !code && i < contract->numTensorMaps; ++i)
    code = encode(device, contract, &contract->tensorMaps[i], i, params, out_maps + i * TILE_TENSOR_MAP_BYTES,
                  out_error);
  return code;
}
