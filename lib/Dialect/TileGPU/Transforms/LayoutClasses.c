/* LayoutClasses.c - union-find over values and ops; layouts carried through shape ops. */
#include "LayoutClasses.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/ScanPlan.h"
#include "tile-c/Scratch.h"
#include "tile-c/Support/PointerList.h"

/* Of an op that is not named below: its tensors have one shape, or nothing is known about their layouts. */
static LayoutRole rankedRole(MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  MlirType first = {NULL};
  for (intptr_t i = 0; i < operands + results; ++i) {
    MlirType type = mlirValueGetType(i < operands ? mlirOperationGetOperand(op, i)
                                                  : mlirOperationGetResult(op, i - operands));
    int64_t a[TileLayout_MaxRank] = {0}, b[TileLayout_MaxRank] = {0};
    if (!tileTypeIsTensor(type))
      continue;
    if (!first.ptr)
      first = type;
    else if (tileTypeGetShape(first, a, TileLayout_MaxRank) !=
                 tileTypeGetShape(type, b, TileLayout_MaxRank) ||
             memcmp(a, b, sizeof a))
      return LayoutRole_Other;
  }
  return first.ptr ? LayoutRole_Elementwise : LayoutRole_None;
}

LayoutRole tileLayoutRole(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Arith_Constant:
  case TileOp_UB_Poison:
  case TileOp_Tile_Splat:
  case TileOp_Tile_MakeRange:
    return LayoutRole_Free;
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Trans:
  case TileOp_Tile_Join:
  case TileOp_Tile_Split:
  case TileOp_Tile_Cat:
    return LayoutRole_Shape;
  case TileOp_Tile_Histogram:
    return LayoutRole_Operands;
  case TileOp_Tile_Reduce:
    return LayoutRole_Reduce;
  case TileOp_Tile_Dot:
    return LayoutRole_Dot;
  case TileOp_TileGPU_Mma:
  case TileOp_TileGPU_Wgmma:
    return LayoutRole_Mma;
  case TileOp_Tile_Gather:
    return LayoutRole_Gather;
  case TileOp_TileGPU_ConvertLayout:
    return LayoutRole_Convert;
  case TileOp_SCF_For:
  case TileOp_SCF_If:
  case TileOp_SCF_While:
  case TileOp_SCF_IndexSwitch:
  case TileOp_SCF_Yield:
  case TileOp_SCF_Condition:
    return LayoutRole_Region;
  default:
    break;
  }
  return rankedRole(op);
}

/* Converting the operand of a shape op costs no more than converting its result, but for those that take
 * apart or put together. */
bool tileLayoutIsCheap(MlirOperation op) {
  LayoutRole role = tileLayoutRole(op);
  if (role == LayoutRole_Free || role == LayoutRole_Shape)
    return mlirOperationGetNumOperands(op) < 2 && mlirOperationGetNumResults(op) == 1;
  if (role != LayoutRole_Elementwise || mlirOperationGetNumRegions(op) || mlirOperationGetNumResults(op) != 1)
    return false;
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Tile_AddPtr || (kind >= TileOp_Arith_AddF && kind <= TileOp_Arith_Select);
}

int64_t tileElementsPerPack(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_MapElementwise:
    return tileMapElementwiseOpGetPack(tileMapElementwiseOpCast(op));
  case TileOp_Tile_InlineAsm:
    return tileInlineAsmOpGetPack(tileInlineAsmOpCast(op));
  default:
    return 1;
  }
}

bool tileLayoutSuits(MlirOperation op, const TileLayout *layout) {
  int32_t bits[TileLayout_MaxBits];
  if (tileOpKind(op) == TileOp_Tile_Scan)
    return tileScanLayoutFits(op, layout);
  if (tileOpKind(op) == TileOp_Tile_Reduce)
    return tileReduceLayoutFits(op, layout);
  return tileElementsPerPack(op) == 1 || tileLayoutRunBits(layout, tileElementsPerPack(op), bits);
}

static LayoutNode *rootOf(LayoutNode *n) {
  while (n->parent) {
    if (n->parent->parent)
      n->parent = n->parent->parent;
    n = n->parent;
  }
  return n;
}

static LayoutNode *nodeFor(LayoutClasses *c, const void *key, MlirType type) {
  LayoutNode *n = tilePointerMapFind(&c->nodes, key);
  if (!n) {
    n = tileArenaAlloc(c->arena, 1, sizeof *n);
    n->type = type;
    tilePointerMapSet(&c->nodes, key, n);
  }
  return rootOf(n);
}

LayoutNode *tileLayoutClassOf(LayoutClasses *c, const void *opOrValue) {
  LayoutNode *n = tilePointerMapFind(&c->nodes, opOrValue);
  return n ? rootOf(n) : NULL;
}

static void unite(LayoutNode *a, LayoutNode *b) {
  a = rootOf(a), b = rootOf(b);
  if (a == b)
    return;
  b->parent = a;
  a->isMatrix |= b->isMatrix;
}

/* Free producers join no class. */
static bool isFree(MlirValue v) {
  MlirOperation def = tileValueGetDefiningOp(v);
  return def.ptr && tileLayoutRole(def) == LayoutRole_Free;
}

bool tileLayoutFollowsUser(MlirValue v) {
  MlirOperation def = tileValueGetDefiningOp(v);
  return def.ptr && tileOpKind(def) == TileOp_Tile_Broadcast;
}

static void uniteValues(LayoutClasses *c, MlirValue a, MlirValue b) {
  MlirType ta = mlirValueGetType(a), tb = mlirValueGetType(b);
  if (tileTypeIsTensor(ta) && tileTypeIsTensor(tb) && !isFree(a) && !isFree(b))
    unite(nodeFor(c, a.ptr, ta), nodeFor(c, b.ptr, tb));
}

/* The op, its operands from the first on, and (unless it reduces) its results. */
static void uniteOp(LayoutClasses *c, MlirOperation op, intptr_t firstOperand, bool withResults) {
  intptr_t operands = mlirOperationGetNumOperands(op),
           results = withResults ? mlirOperationGetNumResults(op) : 0;
  LayoutNode *node = NULL;
  for (intptr_t i = firstOperand; i < operands + results; ++i) {
    MlirValue v = i < operands ? mlirOperationGetOperand(op, i) : mlirOperationGetResult(op, i - operands);
    MlirType type = mlirValueGetType(v);
    if (!tileTypeIsTensor(type))
      continue;
    if (!node)
      node = nodeFor(c, op.ptr, type);
    if (!isFree(v) && (i >= operands || !tileLayoutFollowsUser(v)))
      unite(node, nodeFor(c, v.ptr, type));
  }
}

/* A shape op's operands among each other, and its results. */
static void uniteSides(LayoutClasses *c, MlirOperation op) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    uniteValues(c, mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, i));
  for (intptr_t i = 1; i < mlirOperationGetNumResults(op); ++i)
    uniteValues(c, mlirOperationGetResult(op, 0), mlirOperationGetResult(op, i));
}

/* The values that a terminator's operand i becomes. */
static void uniteYield(LayoutClasses *c, MlirOperation yield) {
  MlirOperation parent = mlirOperationGetParentOperation(yield);
  TileOpKind kind = tileOpKind(parent);
  bool condition = tileOpKind(yield) == TileOp_SCF_Condition;
  MlirBlock before = mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 0)), after = {NULL};
  if (kind == TileOp_SCF_While)
    after = mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 1));
  for (intptr_t i = condition; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue v = mlirOperationGetOperand(yield, i);
    if (condition) {
      uniteValues(c, mlirBlockGetArgument(after, i - 1), v);
      uniteValues(c, mlirOperationGetResult(parent, i - 1), v);
    } else if (kind == TileOp_SCF_While) {
      uniteValues(c, mlirBlockGetArgument(before, i), v);
    } else {
      uniteValues(c, mlirOperationGetResult(parent, i), v);
    }
  }
}

static void uniteRegion(LayoutClasses *c, MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
      uniteValues(c, mlirOperationGetResult(op, i), mlirBlockGetArgument(body, i + 1));
      uniteValues(c, mlirOperationGetResult(op, i), mlirOperationGetOperand(op, i + 3));
    }
    break;
  case TileOp_SCF_While:
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      uniteValues(c, mlirBlockGetArgument(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)), i),
                  mlirOperationGetOperand(op, i));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      uniteValues(c, mlirOperationGetResult(op, i),
                  mlirBlockGetArgument(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1)), i));
    break;
  case TileOp_SCF_Yield:
  case TileOp_SCF_Condition:
    uniteYield(c, op);
    break;
  default:
    break;
  }
}

/* Every tensor result that is not free has a class, if only of its own; so has every carried value. */
static void addValues(LayoutClasses *c, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue v = mlirOperationGetResult(op, i);
    if (tileTypeIsTensor(mlirValueGetType(v)) && !isFree(v))
      (void)nodeFor(c, v.ptr, mlirValueGetType(v));
  }
}

/* Pointers and mask of an access; its data join at the end. */
static void uniteAccess(LayoutClasses *c, MlirOperation op, TilePointerAccess access) {
  LayoutNode *node = nodeFor(c, op.ptr, mlirValueGetType(access.ptr));
  if (!isFree(access.ptr) && !tileLayoutFollowsUser(access.ptr))
    unite(node, nodeFor(c, access.ptr.ptr, mlirValueGetType(access.ptr)));
  if (access.mask.ptr && !isFree(access.mask) && !tileLayoutFollowsUser(access.mask))
    unite(node, nodeFor(c, access.mask.ptr, mlirValueGetType(access.mask)));
}

/* Whether a load or store keeps a layout of its own beside the class of its data. */
static bool staysApart(LayoutClasses *c, MlirOperation op, const LayoutNode *data) {
  TileOpKind kind = tileOpKind(op);
  return data->isMatrix || (c->prefersOwn && data->access.ptr && data != tileLayoutClassOf(c, op.ptr) &&
                            (kind == TileOp_Tile_Load || kind == TileOp_Tile_Store) &&
                            c->prefersOwn(c->user, op, data->access));
}

/* What is loaded or stored, unless it meets accumulators of matrix instructions or accesses that go another way
 * through memory. */
static void uniteData(LayoutClasses *c, MlirOperation op, TilePointerAccess access) {
  LayoutNode *node = tileLayoutClassOf(c, op.ptr);
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < operands + results; ++i) {
    MlirValue v = i < operands ? mlirOperationGetOperand(op, i) : mlirOperationGetResult(op, i - operands);
    if (!tileTypeIsTensor(mlirValueGetType(v)) || isFree(v) || mlirValueEqual(v, access.ptr) ||
        mlirValueEqual(v, access.mask))
      continue;
    LayoutNode *data = nodeFor(c, v.ptr, mlirValueGetType(v));
    if (staysApart(c, op, data))
      continue;
    MlirOperation first = data->access.ptr ? data->access : op;
    unite(node, data);
    node = rootOf(node);
    node->access = first;
  }
}

typedef struct Visitor {
  LayoutClasses *classes;
  TilePointerList ops;
} Visitor;

static MlirWalkResult visit(MlirOperation op, void *user) {
  Visitor *v = user;
  LayoutClasses *c = v->classes;
  LayoutRole role = tileLayoutRole(op);
  if (role == LayoutRole_None)
    return MlirWalkResultAdvance;
  tilePointerListAppend(&v->ops, op.ptr);
  addValues(c, op);
  TilePointerAccess access = tilePointerAccessOf(op);
  if (access.ptr.ptr && tileTypeIsTensor(mlirValueGetType(access.ptr)))
    uniteAccess(c, op, access);
  else if (role == LayoutRole_Elementwise)
    uniteOp(c, op, 0, true);
  else if (role == LayoutRole_Dot || role == LayoutRole_Mma)
    uniteOp(c, op, 2, true);
  else if (role == LayoutRole_Reduce || role == LayoutRole_Operands)
    uniteOp(c, op, 0, false);
  else if (role == LayoutRole_Gather)
    uniteOp(c, op, 1, true);
  else if (role == LayoutRole_Shape)
    uniteSides(c, op);
  else if (role == LayoutRole_Region)
    uniteRegion(c, op);
  if (role == LayoutRole_Mma)
    tileLayoutClassOf(c, op.ptr)->isMatrix = true;
  return MlirWalkResultAdvance;
}

void tileLayoutClassesBuild(LayoutClasses *c, MlirOperation function) {
  c->nodes.arena = c->arena;
  Visitor v = {c, {.arena = c->arena}};
  mlirOperationWalk(function, visit, &v, MlirWalkPreOrder);
  c->ops = (const MlirOperation *)v.ops.items;
  c->numOps = v.ops.count;
  for (size_t i = 0; i < c->numOps; ++i) {
    TilePointerAccess access = tilePointerAccessOf(c->ops[i]);
    if (access.ptr.ptr && tileTypeIsTensor(mlirValueGetType(access.ptr)))
      uniteData(c, c->ops[i], access);
  }
}

// ---- Carrying layouts through shape ops ----

static void permutation(MlirOperation op, bool inverse, int32_t *out) {
  TileTransOp trans = tileTransOpCast(op);
  for (int32_t i = 0; i < tileTransOpGetNumOrder(trans) && i < TileLayout_MaxRank; ++i) {
    int32_t from = (int32_t)tileTransOpGetOrder(trans, i);
    if (from >= 0 && from < TileLayout_MaxRank)
      out[inverse ? from : i] = inverse ? i : from;
  }
}

/* For each dimension along which the broadcast repeats. */
static bool unbroadcast(MlirOperation op, const TileLayout *result, TileLayout *out) {
  int64_t from[TileLayout_MaxRank], to[TileLayout_MaxRank];
  int rank = tileTypeGetShape(mlirValueGetType(mlirOperationGetOperand(op, 0)), from, TileLayout_MaxRank);
  tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), to, TileLayout_MaxRank);
  TileLayout l = *result;
  for (int i = 0; i < rank; ++i)
    if (from[i] != to[i] && !tileLayoutUnbroadcast(&l, i, &l))
      return false;
  *out = l;
  return true;
}

static bool broadcast(MlirOperation op, const TileLayout *operand, TileLayout *out) {
  int64_t from[TileLayout_MaxRank], to[TileLayout_MaxRank];
  int rank = tileTypeGetShape(mlirValueGetType(mlirOperationGetOperand(op, 0)), from, TileLayout_MaxRank);
  tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), to, TileLayout_MaxRank);
  TileLayout l = *operand;
  for (int i = 0; i < rank; ++i)
    if (from[i] != to[i] && !tileLayoutBroadcast(&l, i, to[i], true, &l))
      return false;
  *out = l;
  return true;
}

bool tileLayoutCarryBack(MlirOperation op, const TileLayout *result, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank];
  int32_t perm[TileLayout_MaxRank] = {0};
  int rank = tileTypeGetShape(mlirValueGetType(mlirOperationGetOperand(op, 0)), shape, TileLayout_MaxRank);
  switch (tileOpKind(op)) {
  case TileOp_Tile_ExpandDims:
    return tileLayoutSlice(result, (int32_t)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op)), out);
  case TileOp_Tile_Broadcast:
    return unbroadcast(op, result, out);
  case TileOp_Tile_Reshape:
    return tileLayoutReshape(result, shape, rank, out);
  case TileOp_Tile_Trans:
    permutation(op, true, perm);
    return tileLayoutTranspose(result, perm, out);
  case TileOp_Tile_Join:
    return tileLayoutSplit(result, out, NULL);
  case TileOp_Tile_Split:
    return tileLayoutJoin(result, out);
  case TileOp_Tile_Cat:
    return tileLayoutHalve(result, 0, out, NULL);
  default:
    return false;
  }
}

bool tileLayoutCarryForward(MlirOperation op, const TileLayout *operand, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank];
  int32_t perm[TileLayout_MaxRank] = {0};
  int rank = tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape, TileLayout_MaxRank);
  switch (tileOpKind(op)) {
  case TileOp_Tile_ExpandDims:
    return tileLayoutExpandDims(operand, (int32_t)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op)), out);
  case TileOp_Tile_Broadcast:
    return broadcast(op, operand, out);
  case TileOp_Tile_Reduce:
    return tileLayoutSlice(operand, (int32_t)tileReduceOpGetAxis(tileReduceOpCast(op)), out);
  case TileOp_Tile_Reshape:
    return tileLayoutReshape(operand, shape, rank, out);
  case TileOp_Tile_Trans:
    permutation(op, false, perm);
    return tileLayoutTranspose(operand, perm, out);
  case TileOp_Tile_Join:
    return tileLayoutJoin(operand, out);
  case TileOp_Tile_Split:
    return tileLayoutSplit(operand, out, NULL);
  case TileOp_Tile_Cat:
    return tileLayoutCat(operand, 0, out);
  default:
    return false;
  }
}
