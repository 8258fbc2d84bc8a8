/* Linear.c - elimination over GF(2) and the packing of coordinates and inputs into words. */
#include "Linear.h"
#include <string.h>

uint64_t tileGF2Reduce(const TileGF2Space *space, uint64_t value, uint64_t *source) {
  uint64_t pending = value;
  while (pending) {
    int32_t pivot = tileLog2(pending);
    pending &= ~(1ull << pivot);
    if (!space->value[pivot])
      continue;
    value ^= space->value[pivot];
    pending = value & ((1ull << pivot) - 1);
    if (source)
      *source ^= space->source[pivot];
  }
  return value;
}

bool tileGF2Insert(TileGF2Space *space, uint64_t value, uint64_t source, uint64_t *relation) {
  value = tileGF2Reduce(space, value, &source);
  if (!value) {
    if (relation)
      *relation = source;
    return false;
  }
  int32_t pivot = tileLog2(value);
  space->value[pivot] = value;
  space->source[pivot] = source;
  return true;
}

int32_t tileGF2Dimension(const TileGF2Space *space) {
  int32_t n = 0;
  for (int32_t p = 0; p < 64; ++p)
    n += space->value[p] != 0;
  return n;
}

int32_t tileGF2Basis(const TileGF2Space *space, uint64_t out_vectors[64]) {
  int32_t n = 0;
  for (int32_t p = 0; p < 64; ++p)
    if (space->value[p])
      out_vectors[n++] = space->value[p];
  return n;
}

void tileGF2Sum(const TileGF2Space *a, const TileGF2Space *b, TileGF2Space *out) {
  TileGF2Space sum = *a;
  for (int32_t p = 0; p < 64; ++p)
    if (b->value[p])
      tileGF2Insert(&sum, b->value[p], 0, NULL);
  *out = sum;
}

void tileGF2Intersect(const TileGF2Space *a, const TileGF2Space *b, TileGF2Space *out) {
  // Vectors of a with themselves as source, vectors of b with none: what cancels is in both, and its source
  // is its value.
  TileGF2Space both = {0}, meet = {0};
  for (int32_t p = 0; p < 64; ++p)
    if (a->value[p])
      tileGF2Insert(&both, a->value[p], a->value[p], NULL);
  for (int32_t p = 0; p < 64; ++p) {
    uint64_t common = 0;
    if (b->value[p] && !tileGF2Insert(&both, b->value[p], 0, &common))
      tileGF2Insert(&meet, common, 0, NULL);
  }
  *out = meet;
}

int32_t tileLayoutDimBits(const TileLayout *layout, int32_t d) {
  return tileLog2((uint64_t)layout->shape[d]);
}

int32_t tileLayoutCoordBits(const TileLayout *layout) {
  int32_t n = 0;
  for (int32_t d = 0; d < layout->rank; ++d)
    n += tileLayoutDimBits(layout, d);
  return n;
}

int32_t tileLayoutInputBits(const TileLayout *layout) {
  return tileLayoutInputShift(layout, TileLayoutDim_Count);
}

int32_t tileLayoutInputShift(const TileLayout *layout, TileLayoutDim dim) {
  int32_t n = 0;
  for (int32_t i = 0; i < (int32_t)dim; ++i)
    n += layout->bits[i];
  return n;
}

uint64_t tileLayoutPack(const TileLayout *layout, const int32_t *coords) {
  uint64_t packed = 0;
  for (int32_t d = 0; d < layout->rank; ++d)
    packed = packed << tileLayoutDimBits(layout, d) | (uint64_t)coords[d];
  return packed;
}

void tileLayoutUnpack(const TileLayout *layout, uint64_t packed, int32_t *coords) {
  for (int32_t d = layout->rank - 1; d >= 0; --d) {
    coords[d] = (int32_t)(packed & ((uint64_t)layout->shape[d] - 1));
    packed >>= tileLayoutDimBits(layout, d);
  }
}

uint64_t tileLayoutVectorOf(const TileLayout *layout, int32_t dim, int32_t bit) {
  return tileLayoutPack(layout, layout->bases[dim][bit]);
}

void tileLayoutSpan(const TileLayout *layout, TileLayoutDimMask mask, TileGF2Space *space) {
  int32_t position = 0;
  for (int32_t d = 0; d < TileLayoutDim_Count; ++d)
    for (int32_t i = 0; i < layout->bits[d]; ++i, ++position)
      if (mask >> d & 1)
        tileGF2Insert(space, tileLayoutVectorOf(layout, d, i), 1ull << position, NULL);
}

void tileLayoutBeginMap(const TileLayout *target, TileLayout *map) {
  int32_t sizes[TileLayoutDim_Count];
  for (int32_t d = 0; d < TileLayoutDim_Count; ++d)
    sizes[d] = 1 << target->bits[d];
  memset(map, 0, sizeof *map);
  map->rank = TileLayoutDim_Count;
  for (int32_t d = 0; d < TileLayoutDim_Count; ++d)
    map->shape[d] = sizes[d];
}
