/* ValueClasses.c - union and find over tensor values. */
#include "ValueClasses.h"

typedef struct Node {
  struct Node *parent; ///< null at the root
} Node;

static Node *nodeOf(TileValueClasses *classes, MlirValue value) {
  Node *node = tilePointerMapFind(&classes->map, value.ptr);
  if (!node)
    tilePointerMapSet(&classes->map, value.ptr, node = tileArenaAlloc(classes->map.arena, 1, sizeof *node));
  return node;
}

static Node *rootOf(Node *node) {
  Node *root = node;
  while (root->parent)
    root = root->parent;
  while (node != root) { // shorten the way for the next one
    Node *next = node->parent;
    node->parent = root;
    node = next;
  }
  return root;
}

const void *tileValueClassOf(TileValueClasses *classes, MlirValue value) {
  return rootOf(nodeOf(classes, value));
}

static bool sameShape(MlirValue a, MlirValue b) {
  enum { Most = 16 };
  int64_t x[Most], y[Most];
  int rank = tileTypeGetShape(mlirValueGetType(a), x, Most);
  return rank <= Most && tileTypeGetShape(mlirValueGetType(b), y, Most) == rank &&
         !memcmp(x, y, (size_t)rank * sizeof *x);
}

/* Tensors seen at one operation, one of each shape: later ones join the first of their shape. */
typedef struct Seen {
  MlirValue values[8];
  int count;
} Seen;

static void see(TileValueClasses *classes, Seen *seen, MlirValue value) {
  if (!tileTypeIsTensor(mlirValueGetType(value)))
    return;
  for (int i = 0; i < seen->count; ++i)
    if (sameShape(seen->values[i], value)) {
      Node *a = rootOf(nodeOf(classes, seen->values[i])), *b = rootOf(nodeOf(classes, value));
      if (a != b)
        b->parent = a;
      return;
    }
  if (seen->count < (int)TILE_COUNTOF(seen->values))
    seen->values[seen->count++] = value;
}

static void seeRegion(TileValueClasses *classes, Seen *seen, MlirRegion region) {
  for (MlirBlock b = mlirRegionGetFirstBlock(region); b.ptr; b = mlirBlockGetNextInRegion(b)) {
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(b); ++i)
      see(classes, seen, mlirBlockGetArgument(b, i));
    MlirOperation last = mlirBlockGetTerminator(b);
    for (intptr_t i = 0; last.ptr && i < mlirOperationGetNumOperands(last); ++i)
      see(classes, seen, mlirOperationGetOperand(last, i));
  }
}

void tileValueClassesAddOp(TileValueClasses *classes, MlirOperation op) {
  Seen seen = {.count = 0};
  bool isFunction = !mlirOperationGetNumResults(op) && !mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    see(classes, &seen, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    see(classes, &seen, mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; !isFunction && i < mlirOperationGetNumRegions(op); ++i)
    seeRegion(classes, &seen, mlirOperationGetRegion(op, i));
}
