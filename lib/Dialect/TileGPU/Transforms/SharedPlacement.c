/* SharedPlacement.c - first fit in several orders, the best of which is kept. */
#include "SharedPlacement.h"
#include <stdbool.h>
#include <string.h>

static bool meet(const TileSharedItem *a, const TileSharedItem *b) {
  return a->first <= b->last && b->first <= a->last;
}

/* What comes first: the larger, the one that lives longer, the earlier, larger bytes times time. */
static double rankOf(const TileSharedItem *item, int order) {
  switch (order) {
  case 0:
    return (double)item->bytes;
  case 1:
    return item->last - item->first;
  case 2:
    return -item->first;
  default:
    return (double)item->bytes * (item->last - item->first + 1);
  }
}

static void sortItems(const TileSharedItem *items, int32_t *places, int32_t count, int order) {
  for (int32_t i = 0; i < count; ++i) {
    int32_t at = i;
    for (; at > 0 && rankOf(&items[places[at - 1]], order) < rankOf(&items[i], order); --at)
      places[at] = places[at - 1];
    places[at] = i;
  }
}

static int64_t alignUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

/* The lowest offset at which `item` meets none of those placed before. */
static int64_t lowestFit(const TileSharedItem *items, const int32_t *placed, int32_t n,
                         const TileSharedItem *item) {
  int64_t offset = 0;
  for (int32_t i = 0; i < n; ++i) {
    const TileSharedItem *other = &items[placed[i]];
    if (!meet(item, other) || offset >= other->offset + other->bytes || other->offset >= offset + item->bytes)
      continue;
    offset = alignUp(other->offset + other->bytes, item->alignment);
    i = -1; /* the ones before have to be asked again */
  }
  return offset;
}

static int64_t placeInOrder(TileSharedItem *items, const int32_t *places, int32_t count) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < count; ++i) {
    TileSharedItem *item = &items[places[i]];
    item->offset = lowestFit(items, places, i, item);
    if (item->offset + item->bytes > bytes)
      bytes = item->offset + item->bytes;
  }
  return bytes;
}

int64_t tileSharedLiveMost(const TileSharedItem *items, int32_t count, int32_t *out_time) {
  int64_t most = 0;
  for (int32_t i = 0; i < count; ++i) { /* a maximum begins where an item does */
    int64_t live = 0;
    for (int32_t k = 0; k < count; ++k)
      if (items[k].first <= items[i].first && items[i].first <= items[k].last)
        live += items[k].bytes;
    if (live > most && out_time)
      *out_time = items[i].first;
    most = live > most ? live : most;
  }
  return most;
}

int64_t tilePlaceShared(TileArena *arena, TileSharedItem *items, int32_t count) {
  int32_t *places = tileArenaAlloc(arena, (size_t)count + 1, sizeof *places);
  TileSharedItem *best = tileArenaAlloc(arena, (size_t)count + 1, sizeof *best);
  int64_t bestBytes = INT64_MAX, least = tileSharedLiveMost(items, count, NULL);
  for (int order = 0; order < 4 && bestBytes > least; ++order) {
    sortItems(items, places, count, order);
    int64_t bytes = placeInOrder(items, places, count);
    if (bytes >= bestBytes)
      continue;
    bestBytes = bytes;
    memcpy(best, items, (size_t)count * sizeof *best);
  }
  memcpy(items, best, (size_t)count * sizeof *best);
  return count ? bestBytes : 0;
}
