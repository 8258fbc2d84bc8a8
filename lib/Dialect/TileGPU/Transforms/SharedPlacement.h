/* SharedPlacement.h - intervals of time to offsets: the plain part of tile-gpu-allocate-shared. */
#ifndef TILE_LIB_TILEGPU_SHAREDPLACEMENT_H
#define TILE_LIB_TILEGPU_SHAREDPLACEMENT_H
#include "tile-c/Support/Arena.h"
#include <stdint.h>

/// Something that needs `bytes` while first <= time <= last.
typedef struct TileSharedItem {
  int64_t bytes, alignment;
  int32_t first, last;
  int64_t offset; ///< the answer
} TileSharedItem;

/// Gives every item an offset so that items alive at the same time do not overlap; returns the bytes in all.
int64_t tilePlaceShared(TileArena *arena, TileSharedItem *items, int32_t count);
/// The most bytes alive at any time, and that time (may be null): no placement needs fewer.
int64_t tileSharedLiveMost(const TileSharedItem *items, int32_t count, int32_t *out_time);

#endif
