/* Collect.c - tile-c/Collect.h. */
#include "tile-c/Collect.h"

typedef struct Wanted {
  TileOpKind kind;
  TilePointerList *list;
} Wanted;

static MlirWalkResult collect(MlirOperation op, void *user) {
  const Wanted *w = user;
  if (tileOpKind(op) == w->kind)
    tilePointerListAppend(w->list, op.ptr);
  return MlirWalkResultAdvance;
}

void tileCollectOps(MlirOperation root, TileOpKind kind, MlirWalkOrder order, TilePointerList *list) {
  Wanted wanted = {kind, list};
  mlirOperationWalk(root, collect, &wanted, order);
}
