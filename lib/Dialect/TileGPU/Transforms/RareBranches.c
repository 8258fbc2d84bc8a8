/* RareBranches.c - what few threads need, behind a branch. */
#include "RareBranches.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { PART = 16, PARTS = 4, LEAST = 8 }; ///< registers of a part, at most; parts and registers, at least
enum { MANY = 64, SHORT = 3 };            ///< registers, whose signs leave room for little else, and ops

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

/* How many of the ops are needed for `v`. */
static size_t countNeeded(TileArena *arena, MlirValue v, const TilePointerMap *inner,
                          const TilePointerList *ops) {
  TilePointerMap needed = {.arena = arena};
  size_t n = 0;
  markNeeded(v, inner, &needed);
  for (size_t i = 0; i < ops->count; ++i)
    n += isIn(&needed, (MlirOperation){(void *)ops->items[i]});
  return n;
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

/* What a selection is in a branch. */
typedef struct Rare {
  TileBuilder b;
  TileArena *arena;
  MlirOperation select;
  MlirAttribute rare; ///< true: the rare value holds for all elements
  TilePointerMap inner;
  TilePointerList ops;
  MlirValue ahead; ///< the usual value, if it stands in front of the branch; null: the branch has it
} Rare;

static SCFIfOp branchOn(const Rare *r) {
  MlirLocation loc = mlirOperationGetLocation(r->select);
  MlirType type = mlirValueGetType(mlirOperationGetResult(r->select, 0)),
           i1 = mlirIntegerTypeGet(mlirOperationGetContext(r->select), 1);
  MlirValue any =
      tileGPUAnyOpGetResult(tileGPUAnyOpCreate(r->b, loc, i1, mlirOperationGetOperand(r->select, 0)));
  return scfIfOpCreate(r->b, loc, 1, &type, any);
}

/* What nearly always holds. */
static void writeUsual(Rare *r, SCFIfOp branch) {
  mlirRewriterBaseSetInsertionPointToEnd(r->b, tileRegionAddBlock(scfIfOpGetElseRegion(branch)));
  MlirValue usual =
      r->ahead.ptr ? r->ahead
                   : copyNeeded(r->b, r->arena, mlirOperationGetOperand(r->select, 2), &r->inner, &r->ops);
  scfYieldOpCreate(r->b, mlirOperationGetLocation(r->select), 1, &usual);
}

/* What may hold for some: the ops themselves. */
static void writeRare(Rare *r, SCFIfOp branch) {
  mlirRewriterBaseSetInsertionPointToEnd(r->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  const bool isWhole = mlirAttributeIsABool(r->rare) && mlirBoolAttrGetValue(r->rare);
  MlirValue needed = isWhole ? mlirOperationGetOperand(r->select, 1) : mlirOperationGetResult(r->select, 0);
  MlirOperation yield = scfYieldOpCreate(r->b, mlirOperationGetLocation(r->select), 1, &needed).op;
  for (size_t i = r->ops.count; i-- > 0;)
    mlirOperationMoveBefore((MlirOperation){(void *)r->ops.items[i]}, yield);
  mlirOperationMoveBefore(r->select, yield);
}

static void askByParts(SCFIfOp branch, int32_t parts) {
  mlirOperationSetDiscardableAttributeByName(branch.op, tileStr("tile_gpu.parts"),
                                             tileI32Attr(mlirOperationGetContext(branch.op), parts));
}

/* Parts of the elements ask for themselves, behind a branch for all of them: the usual path is one piece of text, without jumps over what is
 * rare (instructions would not be there in time). */
static SCFIfOp branchByParts(Rare *r, SCFIfOp whole, int32_t parts) {
  writeUsual(r, whole);
  mlirRewriterBaseSetInsertionPointToEnd(r->b, tileRegionAddBlock(scfIfOpGetThenRegion(whole)));
  SCFIfOp branch = branchOn(r);
  MlirValue result = scfIfOpGetResults(branch, 0);
  scfYieldOpCreate(r->b, mlirOperationGetLocation(r->select), 1, &result);
  askByParts(branch, parts);
  return branch;
}

bool tileBranchIfRare(TileBuilder b, TileArena *arena, MlirOperation select, bool byParts) {
  MlirValue condition = mlirOperationGetOperand(select, 0), result = mlirOperationGetResult(select, 0);
  Rare r = {.b = b,
            .arena = arena,
            .select = select,
            .rare = mlirOperationGetDiscardableAttributeByName(select, tileStr("tile_gpu.rare")),
            .inner = {.arena = arena},
            .ops = {.arena = arena}};
  TileLayout layout;
  if (!r.rare.ptr || !tileTypeIsTensor(mlirValueGetType(condition)))
    return false;
  collectInner(select, &r.inner, &r.ops);
  mlirRewriterBaseSetInsertionPointBefore(b, select);
  // With a sign of which the usual value is made, too, many numbers are two for each at a branch in front of it, one behind. That is worth it
  // for more than three ops: they would wait for the branch otherwise, beside products (measured: 0.97 of the time for three behind it).
  const bool isSign = !byParts && tileOpKind(tileValueGetDefiningOp(condition)) == TileOp_Arith_CmpI;
  if (isSign && tileLayoutOfType(mlirValueGetType(result), &layout) &&
      tileLayoutNumRegisters(&layout) >= MANY &&
      countNeeded(arena, mlirOperationGetOperand(select, 2), &r.inner, &r.ops) > SHORT)
    r.ahead = copyNeeded(b, arena, mlirOperationGetOperand(select, 2), &r.inner, &r.ops);
  SCFIfOp branch = branchOn(&r);
  if (isSign && tileOpKind(mlirOperationGetParentOperation(branch.op)) == TileOp_SCF_For)
    mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(scfIfOpGetCondition(branch)),
                                               tileStr("tile_gpu.warp"),
                                               mlirUnitAttrGet(mlirOperationGetContext(select)));
  mlirValueReplaceAllUsesOfWith(result, scfIfOpGetResults(branch, 0));
  if (byParts && tileLayoutOfType(mlirValueGetType(result), &layout) &&
      tileLayoutNumRegisters(&layout) >= PARTS * LEAST) {
    const int32_t asked = (int32_t)(tileLayoutNumRegisters(&layout) / PART),
                  parts = asked > PARTS ? asked : PARTS;
    MlirOperation around = mlirOperationGetParentOperation(branch.op);
    if (mlirOperationGetDiscardableAttributeByName(around, tileStr("tile_gpu.parts")).ptr)
      askByParts(branch, parts);
    else
      branch = branchByParts(&r, branch, parts);
  }
  writeUsual(&r, branch);
  writeRare(&r, branch);
  return true;
}
