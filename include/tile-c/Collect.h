/* Collect.h - the ops of one kind below another. */
#ifndef TILE_C_COLLECT_H
#define TILE_C_COLLECT_H
#include "tile-c/OpKind.h"
#include "tile-c/Support/PointerList.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Appends every op of the kind below `root`, and `root` itself if it is one, in the walk's order: a pass that changes
/// or erases what it visits works on this list. Read an element as `(MlirOperation){(void *)list.items[i]}`.
void tileCollectOps(MlirOperation root, TileOpKind kind, MlirWalkOrder order, TilePointerList *list);

#ifdef __cplusplus
}
#endif
#endif
