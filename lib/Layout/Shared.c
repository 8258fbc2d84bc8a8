/* Shared.c - shared-memory layouts: plain, swizzled, in TMA's and wgmma's format, padded, stacked. */
#include "Linear.h"
#include "tile-c/LayoutShared.h"
#include <string.h>

/// A memory of the given shape with no elements assigned yet: plain order up to here.
static bool appendPlain(const int64_t *shape, int32_t rank, const int32_t *order, int32_t from,
                        TileLayout *map) {
  for (int32_t i = from; i < rank; ++i)
    if (!tileLayoutAppend(map, TileLayoutDim_Offset, order[i], shape[order[i]]))
      return false;
  return true;
}

static bool orderIsValid(int32_t rank, const int32_t *order) {
  uint32_t seen = 0;
  if (rank < 0 || rank > TileLayout_MaxRank)
    return false;
  for (int32_t i = 0; i < rank; ++i) {
    if (order[i] < 0 || order[i] >= rank)
      return false;
    seen |= 1u << order[i];
  }
  return seen == (1u << rank) - 1;
}

bool tileSharedPlain(const int64_t *shape, int32_t rank, const int32_t *order, TileSharedLayout *out) {
  TileSharedLayout shared = {tileLayoutEmpty(rank), 0, 0};
  if (!orderIsValid(rank, order) || !appendPlain(shape, rank, order, 0, &shared.map))
    return false;
  *out = shared;
  return true;
}

/// Adds to every row bit of `map` the column it is shifted by. The offset bits of rows start at
/// `firstRowBit`.
static void swizzleRows(TileLayout *map, int32_t column, int32_t row, int32_t firstRowBit, int32_t rowBits,
                        TileSwizzle swizzle) {
  for (int32_t i = 0; i < rowBits; ++i) {
    int64_t r = (int64_t)1 << i;
    int64_t shift = swizzle.vec * (r / swizzle.perPhase % swizzle.maxPhase) % map->shape[column];
    int32_t *basis = map->bases[TileLayoutDim_Offset][firstRowBit + i];
    basis[row] = (int32_t)r;
    basis[column] = (int32_t)shift;
  }
}

bool tileSharedSwizzled(const int64_t *shape, int32_t rank, const int32_t *order, TileSwizzle swizzle,
                        TileSharedLayout *out) {
  if (!tileIsPowerOfTwo(swizzle.vec) || !tileIsPowerOfTwo(swizzle.perPhase) ||
      !tileIsPowerOfTwo(swizzle.maxPhase))
    return false;
  TileSharedLayout shared;
  if (!tileSharedPlain(shape, rank, order, &shared))
    return false;
  if (rank >= 2)
    swizzleRows(&shared.map, order[0], order[1], tileLog2((uint64_t)shape[order[0]]),
                tileLog2((uint64_t)shape[order[1]]), swizzle);
  *out = shared;
  return true;
}

static int32_t atLeastOne(int64_t n) { return n < 1 ? 1 : (int32_t)n; }

TileSwizzle tileSharedChooseSwizzle(int32_t elementBits, int64_t rowElements, int32_t vec, int32_t banks) {
  TileSwizzle swizzle = {vec, 1, 1};
  if (elementBits < 1 || rowElements < 1 || vec < 1)
    return swizzle;
  int64_t passElements = (int64_t)banks * 32 / elementBits;
  swizzle.perPhase = atLeastOne(passElements / rowElements);
  int64_t vectorsPerPass = passElements / vec / swizzle.perPhase, vectorsPerRow = rowElements / vec;
  swizzle.maxPhase = atLeastOne(vectorsPerPass < vectorsPerRow ? vectorsPerPass : vectorsPerRow);
  return swizzle;
}

bool tileSharedNvmma(const int64_t *shape, int32_t rank, const int32_t *order, int32_t elementBits,
                     int32_t swizzleBytes, TileSharedLayout *out) {
  bool known = swizzleBytes == 0 || swizzleBytes == 32 || swizzleBytes == 64 || swizzleBytes == 128;
  if (!known || rank < 2 || !orderIsValid(rank, order) || elementBits < 8 || elementBits > 64 ||
      !tileIsPowerOfTwo(elementBits))
    return false;
  int32_t columns = 8 * (swizzleBytes ? swizzleBytes : 16) / elementBits, inner = order[0], row = order[1];
  if (shape[inner] < columns)
    return false;
  TileSharedLayout shared = {tileLayoutEmpty(rank), 0, 0};
  if (!tileLayoutAppend(&shared.map, TileLayoutDim_Offset, inner, columns) ||
      !appendPlain(shape, rank, order, 1, &shared.map))
    return false;
  TileSwizzle swizzle = {128 / elementBits, swizzleBytes ? 128 / swizzleBytes : 1,
                         swizzleBytes ? swizzleBytes / 16 : 1};
  swizzleRows(&shared.map, inner, row, tileLog2((uint64_t)columns), tileLog2((uint64_t)shape[row]), swizzle);
  if (!tileLayoutAppend(&shared.map, TileLayoutDim_Offset, inner, shape[inner] / columns))
    return false;
  *out = shared;
  return true;
}

int32_t tileSharedNvmmaSwizzleBytes(int32_t elementBits, int64_t rowElements) {
  int64_t bytes = rowElements * elementBits / 8;
  return bytes >= 128 ? 128 : bytes >= 64 ? 64 : bytes >= 32 ? 32 : 0;
}

bool tileSharedPad(TileSharedLayout *shared, int64_t interval, int64_t amount) {
  if (amount < 0 || interval < 0 || (interval && !tileIsPowerOfTwo(interval)) || (amount && !interval))
    return false;
  shared->padInterval = amount ? interval : 0;
  shared->padAmount = amount;
  return true;
}

bool tileSharedStack(const TileSharedLayout *shared, int64_t count, TileSharedLayout *out) {
  TileSharedLayout result = *shared;
  if (!tileLayoutExpandDims(&result.map, 0, &result.map) ||
      !tileLayoutAppend(&result.map, TileLayoutDim_Offset, 0, count))
    return false;
  *out = result;
  return true;
}

bool tileSharedIsValid(const TileSharedLayout *shared) {
  TileSharedLayout copy = *shared;
  return tileLayoutIsValid(&shared->map) && !shared->map.bits[TileLayoutDim_Lane] &&
         !shared->map.bits[TileLayoutDim_Warp] &&
         tileSharedPad(&copy, shared->padInterval, shared->padAmount) && tileLayoutIsSurjective(&shared->map);
}

bool tileSharedEqual(const TileSharedLayout *a, const TileSharedLayout *b) {
  return tileLayoutEqual(&a->map, &b->map) && a->padInterval == b->padInterval &&
         a->padAmount == b->padAmount;
}

int64_t tileSharedPhysicalOffset(const TileSharedLayout *shared, int64_t offset) {
  return shared->padInterval ? offset + offset / shared->padInterval * shared->padAmount : offset;
}

int64_t tileSharedNumElements(const TileSharedLayout *shared) {
  int64_t last = tileLayoutSize(&shared->map, TileLayoutDim_Offset) - 1;
  return tileSharedPhysicalOffset(shared, last) + 1;
}

size_t tileSharedPrint(const TileSharedLayout *shared, char *buffer, size_t size) {
  TileText text = {buffer, size, 0};
  text.length = tileLayoutPrint(&shared->map, true, buffer, size);
  if (shared->padInterval)
    tileTextAppend(&text, ", pad=[%lld,%lld]", (long long)shared->padInterval, (long long)shared->padAmount);
  return text.length;
}
