/* PointerMap.h - pointer to pointer, for tables keyed by MLIR handles. */
#ifndef TILE_C_SUPPORT_POINTERMAP_H
#define TILE_C_SUPPORT_POINTERMAP_H
#include "tile-c/Support/Arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TilePointerMapSlot {
  const void *key;
  void *value;
} TilePointerMapSlot;

/// Set `arena`, leave the rest zero. Keys are not null; entries are never removed; memory comes from the
/// arena.
typedef struct TilePointerMap {
  TileArena *arena;
  TilePointerMapSlot *slots;
  size_t capacity, count;
} TilePointerMap;

/// The value stored for a key, or null.
void *tilePointerMapFind(const TilePointerMap *map, const void *key);
/// Stores a value, replacing an earlier one.
void tilePointerMapSet(TilePointerMap *map, const void *key, void *value);

#ifdef __cplusplus
}
#endif
#endif
