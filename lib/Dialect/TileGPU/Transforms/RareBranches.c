/* RareBranches.c - what few threads need, behind a branch. */
#include "RareBranches.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { PART = 16, PARTS = 4, LEAST = 8 }; ///< registers of a part, at most; parts and registers, at least

static void *find(const TilePointerMap *map, MlirOperation op) {
  return op.ptr ? tilePointerMapFind(map, op.ptr) : NULL;
}

static bool isIn(const TilePointerMap *set, MlirOperation op) { return find(set, op) != NULL; }

/* Whether only ops of the set, or the selection's two values, take the op's results. */
static bool isInnerOnly(MlirOperation op, MlirOperation select, const TilePointerMap *inner) {
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isValue = mlirOperationEqual(user, select) && mlirOpOperandGetOperandNumber(use) > 0;
    if (!isValue && !isIn(inner, user))
      return false;
  }
  return true;
}

/* The element-wise ops in front of the selection that are for its values alone, the last one first. */
static void collectInner(MlirOperation select, TilePointerMap *inner, TilePointerList *ops) {
  TilePointerList before = {.arena = ops->arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(select));
       !mlirOperationEqual(op, select); op = mlirOperationGetNextInBlock(op))
    tilePointerListAppend(&before, op.ptr);
  for (size_t i = before.count; i-- > 0;) {
    MlirOperation op = {(void *)before.items[i]};
    if (!tileOpIsElementwise(op) || !isInnerOnly(op, select, inner))
      continue;
    tilePointerMapSet(inner, op.ptr, op.ptr);
    tilePointerListAppend(ops, op.ptr);
  }
}

/* Marks what `v` follows from in the set. */
static void markNeeded(MlirValue v, const TilePointerMap *inner, TilePointerMap *needed) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!isIn(inner, op) || isIn(needed, op))
    return;
  tilePointerMapSet(needed, op.ptr, op.ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    markNeeded(mlirOperationGetOperand(op, i), inner, needed);
}

/* Copies of the needed ops at the builder's place; what `v` is there. */
static MlirValue copyNeeded(TileBuilder b, TileArena *arena, MlirValue v, const TilePointerMap *inner,
                            const TilePointerList *ops) {
  TilePointerMap needed = {.arena = arena}, copies = {.arena = arena};
  markNeeded(v, inner, &needed);
  for (size_t i = ops->count; i-- > 0;) {
    MlirOperation op = {(void *)ops->items[i]};
    if (!isIn(&needed, op))
      continue;
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      void *from = find(&copies, tileValueGetDefiningOp(mlirOperationGetOperand(op, k)));
      if (from)
        mlirOperationSetOperand(copy, k, mlirOperationGetResult((MlirOperation){from}, 0));
    }
    mlirRewriterBaseInsert(b, copy);
    tilePointerMapSet(&copies, op.ptr, copy.ptr);
  }
  void *last = find(&copies, tileValueGetDefiningOp(v));
  return last ? mlirOperationGetResult((MlirOperation){last}, 0) : v;
}

bool tileBranchIfRare(TileBuilder b, TileArena *arena, MlirOperation select, bool byParts) {
  MlirValue condition = mlirOperationGetOperand(select, 0), result = mlirOperationGetResult(select, 0);
  MlirAttribute rare = mlirOperationGetDiscardableAttributeByName(select, tileStr("tile_gpu.rare"));
  if (!rare.ptr || !tileTypeIsTensor(mlirValueGetType(condition)))
    return false;
  MlirLocation loc = mlirOperationGetLocation(select);
  MlirType type = mlirValueGetType(result), i1 = mlirIntegerTypeGet(mlirOperationGetContext(select), 1);
  TilePointerMap inner = {.arena = arena};
  TilePointerList ops = {.arena = arena};
  collectInner(select, &inner, &ops);
  mlirRewriterBaseSetInsertionPointBefore(b, select);
  // Of a sign of which the usual value is made, too, nothing is saved by a branch in front of it, which would keep it from the product.
  const bool isAhead = !byParts && tileOpKind(tileValueGetDefiningOp(condition)) == TileOp_Arith_CmpI;
  MlirValue usual = mlirOperationGetOperand(select, 2);
  if (isAhead)
    usual = copyNeeded(b, arena, usual, &inner, &ops);
  MlirValue any = tileGPUAnyOpGetResult(tileGPUAnyOpCreate(b, loc, i1, condition));
  SCFIfOp branch = scfIfOpCreate(b, loc, 1, &type, any);
  TileLayout layout;
  if (byParts && tileLayoutOfType(type, &layout) && tileLayoutNumRegisters(&layout) >= PARTS * LEAST) {
    const int32_t parts = (int32_t)(tileLayoutNumRegisters(&layout) / PART);
    mlirOperationSetDiscardableAttributeByName(
        branch.op, tileStr("tile_gpu.parts"),
        tileI32Attr(mlirOperationGetContext(select), parts > PARTS ? parts : PARTS));
  }
  mlirValueReplaceAllUsesOfWith(result, scfIfOpGetResults(branch, 0));
  mlirRewriterBaseSetInsertionPointToEnd(b, tileRegionAddBlock(scfIfOpGetElseRegion(branch)));
  if (!isAhead)
    usual = copyNeeded(b, arena, usual, &inner, &ops);
  scfYieldOpCreate(b, loc, 1, &usual);
  mlirRewriterBaseSetInsertionPointToEnd(b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  // True: the rare value holds for all elements.
  const bool isWhole = mlirAttributeIsABool(rare) && mlirBoolAttrGetValue(rare);
  MlirValue needed = isWhole ? mlirOperationGetOperand(select, 1) : result;
  MlirOperation yield = scfYieldOpCreate(b, loc, 1, &needed).op;
  for (size_t i = ops.count; i-- > 0;)
    mlirOperationMoveBefore((MlirOperation){(void *)ops.items[i]}, yield);
  mlirOperationMoveBefore(select, yield);
  return true;
}
