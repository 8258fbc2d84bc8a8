/* Query.c - questions about one layout: sizes, elements, copies, vector width. */
#include "Linear.h"
#include <string.h>

bool tileLayoutEqual(const TileLayout *a, const TileLayout *b) { return memcmp(a, b, sizeof *a) == 0; }

bool tileLayoutEqualUpToRegisters(const TileLayout *a, const TileLayout *b) {
  if (a->rank != b->rank || memcmp(a->shape, b->shape, sizeof a->shape) != 0)
    return false;
  for (int32_t dim = TileLayoutDim_Lane; dim < TileLayoutDim_Count; ++dim)
    if (a->bits[dim] != b->bits[dim] || memcmp(a->bases[dim], b->bases[dim], sizeof a->bases[dim]) != 0)
      return false;
  TileGF2Space inA = {{0}, {0}}, inB = {{0}, {0}}, both;
  tileLayoutSpan(a, TILE_LAYOUT_DIM(TileLayoutDim_Register), &inA);
  tileLayoutSpan(b, TILE_LAYOUT_DIM(TileLayoutDim_Register), &inB);
  tileGF2Sum(&inA, &inB, &both);
  int32_t n = tileGF2Dimension(&both);
  return n == tileGF2Dimension(&inA) && n == tileGF2Dimension(&inB);
}

int64_t tileLayoutSize(const TileLayout *layout, TileLayoutDim dim) {
  return (unsigned)dim < TileLayoutDim_Count ? (int64_t)1 << layout->bits[dim] : 1;
}
int64_t tileLayoutNumRegisters(const TileLayout *layout) {
  return tileLayoutSize(layout, TileLayoutDim_Register);
}
int64_t tileLayoutNumLanes(const TileLayout *layout) { return tileLayoutSize(layout, TileLayoutDim_Lane); }
int64_t tileLayoutNumWarps(const TileLayout *layout) { return tileLayoutSize(layout, TileLayoutDim_Warp); }
int64_t tileLayoutNumBlocks(const TileLayout *layout) { return tileLayoutSize(layout, TileLayoutDim_Block); }
int64_t tileLayoutNumElements(const TileLayout *layout) { return (int64_t)1 << tileLayoutCoordBits(layout); }

const int32_t *tileLayoutBasis(const TileLayout *layout, TileLayoutDim dim, int32_t bit) {
  if ((unsigned)dim >= TileLayoutDim_Count || bit < 0 || bit >= layout->bits[dim])
    return NULL;
  return layout->bases[dim][bit];
}

void tileLayoutApply(const TileLayout *layout, int64_t reg, int64_t lane, int64_t warp, int64_t block,
                     int32_t *out_coords) {
  const int64_t index[TileLayoutDim_Count] = {reg, lane, warp, block};
  int32_t sum[TileLayout_MaxRank] = {0};
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
      if (index[dim] >> bit & 1)
        for (int32_t d = 0; d < layout->rank; ++d)
          sum[d] ^= layout->bases[dim][bit][d];
  for (int32_t d = 0; d < layout->rank; ++d)
    out_coords[d] = sum[d];
}

int64_t tileLayoutApplyFlat(const TileLayout *layout, int64_t reg, int64_t lane, int64_t warp,
                            int64_t block) {
  int32_t coords[TileLayout_MaxRank];
  tileLayoutApply(layout, reg, lane, warp, block, coords);
  return (int64_t)tileLayoutPack(layout, coords);
}

static int32_t dimensionOfImage(const TileLayout *layout) {
  TileGF2Space image = {{0}, {0}};
  tileLayoutSpan(layout, ~0u, &image);
  return tileGF2Dimension(&image);
}

bool tileLayoutIsSurjective(const TileLayout *layout) {
  return dimensionOfImage(layout) == tileLayoutCoordBits(layout);
}

bool tileLayoutIsInjective(const TileLayout *layout) {
  return dimensionOfImage(layout) == tileLayoutInputBits(layout);
}

uint32_t tileLayoutFreeMask(const TileLayout *layout, TileLayoutDim dim) {
  // Registers come last: a thread that repeats itself saves instructions, an idle thread saves nothing.
  static const int32_t order[] = {TileLayoutDim_Lane, TileLayoutDim_Warp, TileLayoutDim_Block,
                                  TileLayoutDim_Register};
  TileGF2Space image = {{0}, {0}};
  uint32_t mask = 0;
  for (int32_t i = 0; i < TileLayoutDim_Count; ++i)
    for (int32_t bit = 0; bit < layout->bits[order[i]]; ++bit)
      if (!tileGF2Insert(&image, tileLayoutVectorOf(layout, order[i], bit), 0, NULL) &&
          order[i] == (int32_t)dim)
        mask |= 1u << bit;
  return mask;
}

uint32_t tileLayoutZeroMask(const TileLayout *layout, TileLayoutDim dim) {
  uint32_t mask = 0;
  if ((unsigned)dim < TileLayoutDim_Count)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
      if (tileLayoutVectorOf(layout, dim, bit) == 0)
        mask |= 1u << bit;
  return mask;
}

uint32_t tileLayoutMaskAlong(const TileLayout *layout, TileLayoutDim dim, int32_t tensorDim) {
  uint32_t mask = 0;
  if ((unsigned)dim < TileLayoutDim_Count && tensorDim >= 0 && tensorDim < layout->rank)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
      if (layout->bases[dim][bit][tensorDim])
        mask |= 1u << bit;
  return mask;
}

/// Whether vector bits 0..bits-1 of `dim` are untouched by lanes, warps and blocks, so that runs start
/// aligned everywhere.
static bool runsAreAligned(const TileLayout *layout, int32_t dim, int32_t bits) {
  for (int32_t in = TileLayoutDim_Lane; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit)
      if (layout->bases[in][bit][dim] & ((1 << bits) - 1))
        return false;
  return true;
}

/// Splits the registers for runs of 2^bits elements, each element bit being a combination of registers; false
/// if the registers do not span such a run.
static bool groupRegisters(const TileLayout *layout, int32_t dim, int32_t bits, TileLayoutVector *out) {
  TileGF2Space registers = {{0}, {0}};
  tileLayoutSpan(layout, TILE_LAYOUT_DIM(TileLayoutDim_Register), &registers);
  TileLayoutVector vector;
  memset(&vector, 0, sizeof vector);
  vector.elementBits = bits;
  TileGF2Space chosen = {{0}, {0}};
  for (int32_t i = 0; i < bits; ++i) {
    int32_t coords[TileLayout_MaxRank] = {0};
    coords[dim] = 1 << i;
    uint64_t source = 0;
    if (coords[dim] >= layout->shape[dim] ||
        tileGF2Reduce(&registers, tileLayoutPack(layout, coords), &source))
      return false;
    vector.element[i] = (uint32_t)source;
    tileGF2Insert(&chosen, source, 0, NULL);
  }
  for (int32_t bit = 0; bit < layout->bits[TileLayoutDim_Register]; ++bit) {
    if (!tileGF2Insert(&chosen, 1ull << bit, 0, NULL))
      continue;
    // The access starts at its run's first element: cancel what this register moves inside the run.
    uint32_t start = 1u << bit;
    for (int32_t i = 0; i < bits; ++i)
      if (layout->bases[TileLayoutDim_Register][bit][dim] >> i & 1)
        start ^= vector.element[i];
    vector.access[vector.accessBits++] = start;
  }
  *out = vector;
  return true;
}

static bool isInOrder(const TileLayoutVector *vector) {
  bool inOrder = true;
  for (int32_t i = 0; i < vector->elementBits; ++i)
    inOrder &= vector->element[i] == 1u << i;
  for (int32_t i = 0; i < vector->accessBits; ++i)
    inOrder &= vector->access[i] == 1u << (vector->elementBits + i);
  return inOrder;
}

TileLayoutVector tileLayoutVector(const TileLayout *layout, int32_t dim, int64_t maxElements,
                                  bool onlyInOrder) {
  bool hasDim = dim >= 0 && dim < layout->rank;
  int32_t widest = hasDim && maxElements > 1 ? tileLog2((uint64_t)maxElements) : 0;
  if (widest > TileLayout_MaxBits)
    widest = TileLayout_MaxBits;
  TileLayoutVector vector;
  for (int32_t bits = widest; bits > 0; --bits) {
    if (!runsAreAligned(layout, dim, bits) || !groupRegisters(layout, dim, bits, &vector))
      continue;
    vector.inOrder = isInOrder(&vector);
    if (vector.inOrder || !onlyInOrder)
      return vector;
  }
  groupRegisters(layout, 0, 0, &vector);
  vector.inOrder = true;
  return vector;
}

uint32_t tileLayoutVectorRegister(const TileLayoutVector *vector, uint32_t access, uint32_t element) {
  uint32_t reg = 0;
  for (int32_t i = 0; i < vector->elementBits; ++i)
    reg ^= (element >> i & 1) ? vector->element[i] : 0;
  for (int32_t i = 0; i < vector->accessBits; ++i)
    reg ^= (access >> i & 1) ? vector->access[i] : 0;
  return reg;
}

bool tileLayoutRunBits(const TileLayout *layout, int64_t elements, int32_t *out_bits) {
  uint64_t low = (uint64_t)elements - 1, found = 0;
  if (!tileIsPowerOfTwo(elements) || elements > tileLayoutNumElements(layout))
    return false;
  for (int32_t in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit) {
      uint64_t moves = tileLayoutVectorOf(layout, in, bit);
      if (!(moves & low))
        continue;
      if (in != TileLayoutDim_Register || (moves & (moves - 1)) || (found & moves))
        return false;
      out_bits[__builtin_ctzll(moves)] = bit;
      found |= moves;
    }
  return found == low;
}
