/* Collect.c - tile-c/Collect.h. */
#include "tile-c/Collect.h"
#include "tile-c/IR.h"

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

MlirOperation tileFunctionOf(MlirOperation op) {
  while (op.ptr && tileOpKind(op) != TileOp_Func_Func)
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool tileOpIsIn(MlirOperation op, MlirOperation outer) {
  for (; op.ptr; op = mlirOperationGetParentOperation(op))
    if (op.ptr == outer.ptr)
      return true;
  return false;
}

bool tileValueIsIn(MlirValue v, MlirOperation outer) {
  return tileOpIsIn(mlirBlockGetParentOperation(tileValueGetBlock(v)), outer);
}
