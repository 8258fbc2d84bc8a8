/* PointerList.h - pointers, such as MLIR handles, appended one by one. */
#ifndef TILE_C_SUPPORT_POINTERLIST_H
#define TILE_C_SUPPORT_POINTERLIST_H
#include "tile-c/Support/Arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Set `arena`, leave the rest zero. Memory comes from the arena; `items` may move when the list grows. An
/// mlir-c handle is a struct of one pointer, so that `items` can be read as an array of handles.
typedef struct TilePointerList {
  TileArena *arena;
  const void **items;
  size_t count, capacity;
} TilePointerList;

void tilePointerListAppend(TilePointerList *list, const void *item);

#ifdef __cplusplus
}
#endif
#endif
