/* Collect.h - ops below and around others. */
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

/// The function that an op stands in, or is; null if there is none.
MlirOperation tileFunctionOf(MlirOperation op);
/// Whether an op is `outer`, or stands in it.
bool tileOpIsIn(MlirOperation op, MlirOperation outer);
/// Whether an op in `outer` defines the value, or it is an argument of one of the blocks there.
bool tileValueIsIn(MlirValue v, MlirOperation outer);

#ifdef __cplusplus
}
#endif
#endif
