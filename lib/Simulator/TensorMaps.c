/* TensorMaps.c - a launch's tensor maps from the kernel's recipes and the arguments. */
#include "Hopper.h"
#include "HopperOps.h"
#include "tile-c/TensorMap.h"

static bool multiply(MlirOperation op, const TileArgument *arguments, size_t count, int param,
                     int64_t *value) {
  if ((size_t)param >= count || arguments[param].isBuffer)
    return simRefuse(op, "has a tensor map of parameter %d, expected an integer", param);
  if (__builtin_mul_overflow(*value, arguments[param].scalar.i, value))
    *value = -1;
  return true;
}

static bool evaluate(MlirOperation op, const TileArgument *arguments, size_t count, TileMapNumber number,
                     int64_t *out_value) {
  *out_value = number.factor;
  bool ok = number.param < 0 || multiply(op, arguments, count, number.param, out_value);
  for (int i = 0; ok && i < number.numMore; ++i)
    ok = multiply(op, arguments, count, number.more[i], out_value);
  return ok;
}

/// Address of a buffer argument, which has been bound.
static uint64_t addressOf(const SimRun *run, const TileArgument *a) {
  for (unsigned k = 1; k <= run->numBuffers; ++k) {
    const SimBuffer *b = &run->buffers[k];
    if ((char *)a->data >= b->data && (char *)a->data < b->data + b->bytes)
      return b->address + (uint64_t)((char *)a->data - b->data);
  }
  return 0;
}

/// What cuTensorMapEncodeTiled refuses (CUDA driver API, tensor map objects).
static bool check(MlirOperation op, const SimTensorMap *map, bool isStored) {
  if (isStored && map->sizes[0] * map->elementBytes % 16) // measured on an H200
    return simRefuse(
        op,
        "has a tensor map with rows of %lld bytes that it stores to, expected a multiple of 16: the copy "
        "engine would write what is behind them",
        (long long)map->sizes[0] * map->elementBytes);
  for (unsigned k = 0; k < map->rank; ++k) {
    if (map->sizes[k] < 1 || map->sizes[k] > INT64_C(1) << 32)
      return simRefuse(op, "has a tensor map of size %lld in dimension %u, expected 1 to 2^32",
                       (long long)map->sizes[k], k);
    if (k && (map->strides[k] < 1 || map->strides[k] % 16))
      return simRefuse(
          op, "has a tensor map with a stride of %lld bytes in dimension %u, expected a multiple of 16",
          (long long)map->strides[k], k);
    if (map->box[k] < 1 || map->box[k] > 256)
      return simRefuse(op, "has a tensor map with a box of %u elements in dimension %u, expected 1 to 256",
                       map->box[k], k);
  }
  const unsigned inner = map->box[0] * map->elementBytes;
  if (inner % 16 || (map->swizzleBytes && inner > map->swizzleBytes))
    return simRefuse(
        op,
        "has a tensor map with a box of %u bytes in its innermost dimension, expected a multiple of 16 "
        "up to the swizzle of %u",
        inner, map->swizzleBytes);
  return true;
}

static bool make(SimDecoder *d, const SimRun *run, const TileTensorMap *recipe, const TileArgument *arguments,
                 size_t count, SimTensorMap *out) {
  if (recipe->base < 0 || (size_t)recipe->base >= count || !arguments[recipe->base].isBuffer || !recipe->rank)
    return simRefuse(d->function, "has a tensor map of parameter %d, expected a pointer", recipe->base);
  *out = (SimTensorMap){.base = addressOf(run, &arguments[recipe->base]),
                        .rank = recipe->rank,
                        .elementBytes = tileElementTypeBits(recipe->type) / 8,
                        .swizzleBytes = recipe->swizzleBytes};
  bool isMissing = false;
  TileMapPlace place = {.base = out->base};
  for (unsigned k = 0; k < recipe->rank; ++k) {
    if (!evaluate(d->function, arguments, count, recipe->sizes[k], &place.sizes[k]) ||
        !evaluate(d->function, arguments, count, recipe->strides[k], &place.strides[k]))
      return false;
    place.strides[k] *= out->elementBytes;
  }
  tileTensorMapPlace(recipe, &place);
  out->base = place.base;
  for (unsigned k = 0; k < recipe->rank; ++k) {
    out->sizes[k] = place.sizes[k];
    out->strides[k] = place.strides[k];
    isMissing |= out->sizes[k] < 1 || (k && (out->strides[k] < 1 || out->strides[k] % 16));
    out->box[k] = recipe->box[k];
  }
  if (recipe->fillsNaN)
    out->fill = out->elementBytes == 2 ? 0x7FFF : 0x7FFFFFFF;
  if (recipe->isChecked && isMissing) { // zeros, which no copy may use
    *out = (SimTensorMap){.rank = 0};
    return true;
  }
  return check(d->function, out, recipe->isStored);
}

bool simBindTensorMaps(SimDecoder *d, SimRun *run, intptr_t first, const TileArgument *arguments,
                       size_t numArguments) {
  const intptr_t n = tileTensorMapCount(d->function);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(d->function, 0));
  SimTensorMap *maps = tileArenaAlloc(d->arena, (size_t)n, sizeof *maps);
  for (intptr_t k = 0; k < n; ++k) {
    const TileTensorMap recipe = tileTensorMapGet(d->function, k);
    MlirValue parameter = mlirBlockGetArgument(entry, first + k);
    const SimType *type = simTypeOf(d, d->function, mlirValueGetType(parameter));
    uint32_t *slots = tileArenaAlloc(d->arena, 1, sizeof *slots);
    if (!type || !make(d, run, &recipe, arguments, numArguments, &maps[k]))
      return false;
    slots[0] = simConstantSlot(
        d, 3, ((uint64_t)SIM_MAP_WINDOW << SIM_BUFFER_SHIFT) + (uint64_t)k * SIM_MAP_BYTES, 0);
    simDefine(d, parameter, type, slots);
  }
  d->program->tensorMaps = maps;
  d->program->numTensorMaps = (unsigned)n;
  return true;
}
