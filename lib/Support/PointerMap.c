/* PointerMap.c - open addressing with linear probing, at most half full. */
#include "tile-c/Support/PointerMap.h"
#include <stdint.h>

static size_t slotOf(const TilePointerMap *map, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  size_t i = (size_t)(h >> 32) & (map->capacity - 1);
  while (map->slots[i].key && map->slots[i].key != key)
    i = (i + 1) & (map->capacity - 1);
  return i;
}

void *tilePointerMapFind(const TilePointerMap *map, const void *key) {
  return map->capacity ? map->slots[slotOf(map, key)].value : NULL;
}

static void resize(TilePointerMap *map) {
  TilePointerMap bigger = *map;
  bigger.capacity = map->capacity ? map->capacity * 2 : 64;
  bigger.slots = tileArenaAlloc(map->arena, bigger.capacity, sizeof *bigger.slots);
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->slots[i].key)
      bigger.slots[slotOf(&bigger, map->slots[i].key)] = map->slots[i];
  *map = bigger;
}

void tilePointerMapSet(TilePointerMap *map, const void *key, void *value) {
  if ((map->count + 1) * 2 > map->capacity)
    resize(map);
  TilePointerMapSlot *slot = &map->slots[slotOf(map, key)];
  map->count += !slot->key;
  *slot = (TilePointerMapSlot){key, value};
}
