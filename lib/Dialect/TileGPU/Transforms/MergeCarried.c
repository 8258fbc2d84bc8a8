/* MergeCarried.c - tile-gpu-merge-carried: scalars that a loop carries and that are always equal become one.
 *
 *   %r:2 = scf.for ... iter_args(%a = %c0, %b = %c0) {
 *     %a1 = tile_gpu.advance %a of 2
 *     %b1 = tile_gpu.advance %b of 2
 *     ... %a, %b ...
 *     scf.yield %a1, %b1
 * becomes
 *   %r:2 = scf.for ... iter_args(%a = %c0, %b = %c0) {
 *     %a1 = tile_gpu.advance %a of 2
 *     %b1 = tile_gpu.advance %a of 2
 *     ... %a, %a ...
 *     scf.yield %a1, %b1
 * and canonicalization removes what is left of %b. Two carried scalars are equal if they start as one value and, taken to be
 * equal, what the body makes of them is.
 *
 * requires: nothing.
 * ensures: no two carried scalars of a loop are equal for that reason, but for those without uses. */
#include "tile-c/Collect.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_STEPS = 16 };

/* Two carried scalars that are taken to be equal. */
typedef struct Pair {
  MlirValue kept, other;
} Pair;

static bool haveSameAttributes(MlirOperation x, MlirOperation y) {
  const intptr_t n = mlirOperationGetNumAttributes(x);
  if (n != mlirOperationGetNumAttributes(y))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute a = mlirOperationGetAttribute(x, i);
    if (!mlirAttributeEqual(a.attribute, mlirOperationGetAttributeByName(y, mlirIdentifierStr(a.name))))
      return false;
  }
  return true;
}

static bool isPure(MlirOperation op) {
  return (tileOpIsPure(op) || tileOpKind(op) == TileOp_TileGPU_Advance) && !mlirOperationGetNumRegions(op) &&
         mlirOperationGetNumResults(op) == 1;
}

static bool areEqual(const Pair *pair, MlirValue a, MlirValue b, int depth) {
  if (mlirValueEqual(a, b) || (mlirValueEqual(a, pair->kept) && mlirValueEqual(b, pair->other)))
    return true;
  MlirOperation x = tileValueGetDefiningOp(a), y = tileValueGetDefiningOp(b);
  if (depth == MOST_STEPS || !x.ptr || !y.ptr || tileOpKind(x) != tileOpKind(y) || !isPure(x) || !isPure(y) ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) || !haveSameAttributes(x, y))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i)
    if (!areEqual(pair, mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i), depth + 1))
      return false;
  return true;
}

static bool merges(SCFForOp loop, MlirBlock body, intptr_t i, intptr_t k) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  const Pair pair = {mlirBlockGetArgument(body, i + 1), mlirBlockGetArgument(body, k + 1)}, none = {0};
  return !tileTypeIsTensor(mlirValueGetType(pair.kept)) &&
         mlirTypeEqual(mlirValueGetType(pair.kept), mlirValueGetType(pair.other)) &&
         areEqual(&none, scfForOpGetInitArgs(loop, i), scfForOpGetInitArgs(loop, k), 0) &&
         areEqual(&pair, mlirOperationGetOperand(yield, i), mlirOperationGetOperand(yield, k), 0);
}

static bool isUsed(SCFForOp loop, MlirBlock body, intptr_t i) {
  return !tileValueIsUnused(mlirBlockGetArgument(body, i + 1)) ||
         !tileValueIsUnused(mlirOperationGetResult(loop.op, i));
}

static uint64_t mergeLoop(SCFForOp loop) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  const intptr_t n = scfForOpGetNumInitArgs(loop);
  uint64_t merged = 0;
  for (intptr_t i = 0; i < n; ++i)
    for (intptr_t k = i + 1; k < n; ++k) {
      if (!isUsed(loop, body, i) || !isUsed(loop, body, k) || !merges(loop, body, i, k))
        continue;
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, k + 1), mlirBlockGetArgument(body, i + 1));
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop.op, k), mlirOperationGetResult(loop.op, i));
      ++merged;
    }
  return merged;
}

MlirLogicalResult tileGPUMergeCarriedRun(MlirOperation module, const TileGPUMergeCarriedParams *params) {
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    *params->numScalars += mergeLoop(scfForOpCast((MlirOperation){(void *)loops.items[i]}));
  tileArenaRelease(&arena);
  return tileSuccess();
}
