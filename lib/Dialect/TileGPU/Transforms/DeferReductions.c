/* DeferReductions.c - tile-gpu-defer-reductions: what a loop only accumulates is reduced once, behind the loop.
 *
 *   %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %init) -> f32 {
 *     %s = tile.reduce %x axis = 0 : tensor<1024xf32> -> f32 { addf }
 *     %next = arith.addf %acc, %s : f32
 *     scf.yield %next : f32
 *   }
 * becomes
 *   %neutral = arith.constant dense<-0.0> : tensor<1024xf32>
 *   %xs = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %neutral) -> tensor<1024xf32> {
 *     %next = arith.addf %acc, %x : tensor<1024xf32>
 *     scf.yield %next : tensor<1024xf32>
 *   }
 *   %s = tile.reduce %xs axis = 0 : tensor<1024xf32> -> f32 { addf }
 *   %r = arith.addf %init, %s : f32
 *
 * Inner loops first: what leaves them may be accumulated by the loop around.
 *
 * requires: module attributes of convert-tile-to-tile-gpu, no layouts yet.
 * ensures: the same results; sums and products of floats round in another order. */
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"

typedef struct Defer {
  TileBuilder b;
  int64_t mostElements; ///< of a tensor that a program may carry
  uint64_t *count;
} Defer;

/* One carried value that is only accumulated. */
typedef struct Accumulation {
  MlirOperation loop, combine, reduce;
  intptr_t index; ///< of the carried value
  MlirValue carried, elements;
} Accumulation;

/* The reduction whose result `combine` adds to the carried value, by the same op; null if it is no such one. */
static MlirOperation reductionOf(MlirOperation combine, MlirValue carried) {
  MlirOperation none = {NULL};
  if (mlirOperationGetNumOperands(combine) != 2 || !tileKindIsCommutative(tileOpKind(combine)))
    return none;
  MlirValue x = mlirOperationGetOperand(combine, 0), y = mlirOperationGetOperand(combine, 1);
  MlirValue sum = mlirValueEqual(x, carried) ? y : x;
  MlirOperation reduce = tileValueGetDefiningOp(sum);
  if (!reduce.ptr || tileOpKind(reduce) != TileOp_Tile_Reduce || mlirOperationGetNumOperands(reduce) != 1 ||
      !tileValueHasOneUse(sum) ||
      !mlirBlockEqual(mlirOperationGetBlock(reduce), mlirOperationGetBlock(combine)))
    return none;
  MlirOperation by = tileCombinerOp(reduce, 0);
  return by.ptr && tileOpKind(by) == tileOpKind(combine) ? reduce : none;
}

static bool findAccumulation(const Defer *d, MlirOperation loop, intptr_t i, Accumulation *out) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue carried = mlirBlockGetArgument(body, i + 1);
  MlirOperation combine = tileValueOnlyUser(carried), yield = mlirBlockGetTerminator(body);
  if (!combine.ptr || !mlirBlockEqual(mlirOperationGetBlock(combine), body) ||
      mlirOperationGetNumResults(combine) != 1 ||
      !mlirOperationEqual(tileValueOnlyUser(mlirOperationGetResult(combine, 0)), yield) ||
      !mlirValueEqual(mlirOperationGetOperand(yield, i), mlirOperationGetResult(combine, 0)))
    return false;
  MlirOperation reduce = reductionOf(combine, carried);
  if (!reduce.ptr)
    return false;
  MlirValue elements = mlirOperationGetOperand(reduce, 0);
  MlirType type = mlirValueGetType(elements);
  *out = (Accumulation){loop, combine, reduce, i, carried, elements};
  return tileTypeNumElements(type) <= d->mostElements &&
         tileNeutralElement(tileOpKind(combine), tileTypeGetElement(type)).ptr;
}

/* carried + elements; where the reduction may, without a rounding of elements that are products. */
static MlirOperation combineElements(const Defer *d, const Accumulation *a) {
  MlirType type = mlirValueGetType(a->elements);
  ArithMulFOp product = arithMulFOpCast(tileValueGetDefiningOp(a->elements));
  if (tileReduceOpGetContract(tileReduceOpCast(a->reduce)) && !arithMulFOpIsNull(product)) {
    mlirRewriterBaseSetInsertionPointBefore(d->b, a->combine);
    return mathFmaOpCreate(d->b, mlirOperationGetLocation(a->combine), type, arithMulFOpGetLhs(product),
                           arithMulFOpGetRhs(product), a->carried, (MlirAttribute){NULL})
        .op;
  }
  MlirOperation wide = mlirOperationClone(a->combine);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(a->combine), a->combine, wide);
  mlirOperationSetOperand(wide, 0, a->carried);
  mlirOperationSetOperand(wide, 1, a->elements);
  mlirValueSetType(mlirOperationGetResult(wide, 0), type);
  return wide;
}

/* carried + elements instead of carried + reduced. */
static void accumulateElements(const Defer *d, const Accumulation *a) {
  MlirType type = mlirValueGetType(a->elements);
  MlirOperation wide = combineElements(d, a);
  MlirOperation yield = mlirBlockGetTerminator(mlirOperationGetBlock(a->combine));
  mlirOperationSetOperand(yield, a->index, mlirOperationGetResult(wide, 0));
  mlirValueSetType(a->carried, type);
}

/* Behind the loop: the start value with the reduced elements. */
static void reduceBehind(const Defer *d, const Accumulation *a) {
  MlirValue result = mlirOperationGetResult(a->loop, a->index);
  MlirValue start = mlirOperationGetOperand(a->loop, a->index + 3);
  MlirType type = mlirValueGetType(a->elements);
  MlirOperation reduce = mlirOperationClone(a->reduce), combine = mlirOperationClone(a->combine);
  MlirBlock block = mlirOperationGetBlock(a->loop);
  mlirBlockInsertOwnedOperationAfter(block, a->loop, reduce);
  mlirBlockInsertOwnedOperationAfter(block, reduce, combine);
  mlirOperationSetOperand(combine, 0, start);
  mlirOperationSetOperand(combine, 1, mlirOperationGetResult(reduce, 0));
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(combine, 0));
  mlirValueSetType(result, type);
  mlirOperationSetOperand(reduce, 0, result);
  MlirAttribute neutral = tileNeutralElement(tileOpKind(a->combine), tileTypeGetElement(type));
  mlirRewriterBaseSetInsertionPointBefore(d->b, a->loop);
  MlirValue zero = arithConstantOpGetResult(arithConstantOpCreate(
      d->b, mlirOperationGetLocation(a->loop), type, mlirDenseElementsAttrSplatGet(type, neutral)));
  mlirOperationSetOperand(a->loop, a->index + 3, zero);
}

static MlirWalkResult deferLoop(MlirOperation op, void *user) {
  const Defer *d = user;
  for (intptr_t i = 0; tileOpKind(op) == TileOp_SCF_For && i < mlirOperationGetNumResults(op); ++i) {
    Accumulation a;
    if (!findAccumulation(d, op, i, &a))
      continue;
    accumulateElements(d, &a);
    reduceBehind(d, &a);
    mlirRewriterBaseEraseOp(d->b, a.combine);
    mlirRewriterBaseEraseOp(d->b, a.reduce);
    ++*d->count;
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUDeferReductionsRun(MlirOperation op, const TileGPUDeferReductionsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(op, &target));
  Defer d = {.b = mlirIRRewriterCreate(mlirOperationGetContext(op)),
             .mostElements = params->mostRegisters * target.info.warpSize * target.numWarps,
             .count = params->numDeferred};
  mlirOperationWalk(op, deferLoop, &d, MlirWalkPostOrder);
  mlirIRRewriterDestroy(d.b);
  return tileSuccess();
}
