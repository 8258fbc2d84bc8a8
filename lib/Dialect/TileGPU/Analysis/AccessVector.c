/* AccessVector.c - how many elements one thread accesses at once (alignment, neighbours in memory, layout,
 * mask), and what a warp moves by that. */
#include "AxisInternal.h"
#include <string.h>

/* Elements along d that are neighbours in memory, aligned, and masked alike. */
static int64_t allowed(const TileAxis *ptr, const TileAxis *mask, int32_t d, int64_t elementBits,
                       int64_t maxBits) {
  int64_t n = tileLeast(ptr->dims[d].contiguity, tileMost(1, maxBits / elementBits));
  if (mask && mask->type.rank == ptr->type.rank && mask->type.shape[d] == ptr->type.shape[d])
    n = tileLeast(n, mask->dims[d].constancy);
  return n;
}

TileAccessVector tileAccessVector(const TileAxis *ptr, const TileAxis *mask, const TileLayout *layout,
                                  int64_t elementBits, int64_t maxBits, bool onlyInOrder) {
  int32_t last = layout->rank > 0 ? layout->rank - 1 : 0;
  TileAccessVector best = {last, 1, tileLayoutVector(layout, last, 1, onlyInOrder)};
  if (!ptr || ptr->type.rank != layout->rank || elementBits <= 0)
    return best;
  for (int32_t d = last; d >= 0; --d) {
    int64_t n = allowed(ptr, mask, d, elementBits, maxBits);
    TileLayoutVector v = tileLayoutVector(layout, d, n, onlyInOrder);
    if (INT64_C(1) << v.elementBits > best.width)
      best = (TileAccessVector){d, INT64_C(1) << v.elementBits, v};
  }
  return best;
}

int64_t tileAccessVectorWidth(const TileAxis *ptr, const TileAxis *mask, const TileLayout *layout,
                              int64_t elementBits, int64_t maxBits) {
  return tileAccessVector(ptr, mask, layout, elementBits, maxBits, true).width;
}

int32_t tileAxisRunDim(const TileAxis *ptr) {
  int32_t best = -1;
  for (int32_t d = 0; ptr && d < ptr->type.rank; ++d)
    if (ptr->dims[d].run > 1 && (best < 0 || ptr->dims[d].run > ptr->dims[best].run))
      best = d;
  return best;
}

/* Coordinates whose elements share a sector become equal. */
static void toSector(const TileAxis *ptr, int32_t running, int64_t elementBytes, int64_t sectorBytes,
                     int32_t *at) {
  for (int32_t d = 0; d < ptr->type.rank; ++d) {
    int64_t run = ptr->dims[d].run;
    if (d != running)
      at[d] = (int32_t)(at[d] / ptr->dims[d].constancy);
    else if (run * elementBytes >= sectorBytes)
      at[d] = (int32_t)(at[d] * elementBytes / sectorBytes);
    else
      at[d] = (int32_t)(at[d] / run);
  }
}

int32_t tileAccessSectors(const TileAxis *ptr, const TileLayout *layout, int64_t elementBytes,
                          int64_t sectorBytes) {
  enum { MOST_LANES = 64 };
  int32_t seen[MOST_LANES][TileLayout_MaxRank], count = 0, running = tileAxisRunDim(ptr);
  int64_t lanes = tileLayoutNumLanes(layout);
  for (int64_t lane = 0; lane < lanes && lane < MOST_LANES; ++lane) {
    int32_t at[TileLayout_MaxRank] = {0}, i = 0;
    tileLayoutApply(layout, 0, lane, 0, 0, at);
    if (ptr && ptr->type.rank == layout->rank)
      toSector(ptr, running, elementBytes, sectorBytes, at);
    while (i < count && memcmp(seen[i], at, sizeof at) != 0)
      ++i;
    if (i == count)
      memcpy(seen[count++], at, sizeof at);
  }
  return count;
}
