/* AccessVector.c - how many elements one thread accesses at once: alignment, neighbours in memory, layout,
 * mask. */
#include "AxisInternal.h"

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
