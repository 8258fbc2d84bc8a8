/* PointerList.c - an array in an arena that doubles. */
#include "tile-c/Support/PointerList.h"
#include <string.h>

void tilePointerListAppend(TilePointerList *list, const void *item) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    const void **items = tileArenaAlloc(list->arena, capacity, sizeof *items);
    if (list->count)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
}
