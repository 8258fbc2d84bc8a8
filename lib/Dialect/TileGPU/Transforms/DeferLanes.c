/* DeferLanes.c - tile-gpu-defer-lanes: lanes add what they hold of a row behind the loop that scales and adds sums of rows.
 *
 *   %r = scf.for ... iter_args(%l = %zero) {
 *     %s = tile.reduce %p axis = 1 { addf } : tensor<64x128xf32, #acc> -> tensor<64xf32>
 *     %n = math.fma %l, %a, %s
 *     scf.yield %n
 * becomes, four lanes sharing a row in which each holds two neighbours of every eight,
 *   %x = scf.for ... iter_args(%l = %zeros) {
 *     %q = tile.reshape %p : tensor<64x128xf32, #acc> -> tensor<64x16x4x2xf32>
 *     %s = tile.reduce (axes 3 and 1) of %q : tensor<64x4xf32>        no lane needs another's
 *     %n = math.fma %l, (%a, broadcast), %s
 *     scf.yield %n
 *   %r = tile.reduce %x axis = 1 { addf } : tensor<64x4xf32> -> tensor<64xf32>
 *
 * requires: layouts.  ensures: the same sums, added in another order. */
#include "OwnColumns.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Bits.h"

/* One carried sum: next = carried * factor + reduce(elements), without factor: carried + reduce(elements). */
typedef struct Sum {
  TileBuilder b;
  MlirLocation loc;
  MlirOperation loop, reduce, multiply, add; ///< multiply null: the add is a fused one, or there is no factor
  intptr_t index;
  MlirValue carried, factor;
  TileOwnColumns own;
} Sum;

/* The other operand of a commutative op. */
static MlirValue other(MlirOperation op, MlirValue v) {
  return mlirOperationGetOperand(op, mlirValueEqual(mlirOperationGetOperand(op, 0), v) ? 1 : 0);
}

/* carried * factor + x, or carried + x: x. */
static MlirValue findAdd(Sum *s) {
  const MlirValue none = {NULL};
  MlirOperation user = tileValueOnlyUser(s->carried);
  if (!user.ptr)
    return none;
  s->add = user;
  if (tileOpKind(user) == TileOp_Math_Fma) {
    if (mlirValueEqual(mlirOperationGetOperand(user, 2), s->carried))
      return none;
    s->factor = other(user, s->carried);
    return mlirOperationGetOperand(user, 2);
  }
  if (tileOpKind(user) == TileOp_Arith_MulF) {
    s->multiply = user;
    s->factor = other(user, s->carried);
    s->add = tileValueOnlyUser(mlirOperationGetResult(user, 0));
  }
  if (!s->add.ptr || tileOpKind(s->add) != TileOp_Arith_AddF)
    return none;
  return other(s->add, s->multiply.ptr ? mlirOperationGetResult(s->multiply, 0) : s->carried);
}

static bool isSumOfRows(MlirOperation reduce) {
  MlirOperation by;
  int64_t shape[3];
  return reduce.ptr && tileOpKind(reduce) == TileOp_Tile_Reduce && mlirOperationGetNumOperands(reduce) == 1 &&
         tileValueHasOneUse(mlirOperationGetResult(reduce, 0)) &&
         tileReduceOpGetAxis(tileReduceOpCast(reduce)) == 1 &&
         tileTypeGetShape(mlirValueGetType(mlirOperationGetOperand(reduce, 0)), shape, 3) == 2 &&
         (by = tileCombinerOp(reduce, 0)).ptr && tileOpKind(by) == TileOp_Arith_AddF;
}

static bool findSum(Sum *s) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(s->loop, 0));
  MlirOperation yield = mlirBlockGetTerminator(body);
  s->carried = mlirBlockGetArgument(body, s->index + 1);
  MlirValue sum = findAdd(s);
  s->reduce = sum.ptr ? tileValueGetDefiningOp(sum) : (MlirOperation){NULL};
  TileLayout layout, row, factor, sliced;
  return mlirTypeIsAF32(tileTypeGetElement(mlirValueGetType(s->carried))) &&
         tileValueIsZero(scfForOpGetInitArgs(scfForOpCast(s->loop), s->index)) && isSumOfRows(s->reduce) &&
         mlirOperationGetBlock(s->reduce).ptr == body.ptr && mlirOperationGetBlock(s->add).ptr == body.ptr &&
         mlirOperationEqual(tileValueOnlyUser(mlirOperationGetResult(s->add, 0)), yield) &&
         mlirValueEqual(mlirOperationGetOperand(yield, s->index), mlirOperationGetResult(s->add, 0)) &&
         tileLayoutOfType(mlirValueGetType(mlirOperationGetOperand(s->reduce, 0)), &layout) &&
         tileOwnColumnsOf(&layout, &s->own) && tileLayoutOfType(mlirValueGetType(s->carried), &row) &&
         tileLayoutSlice(&s->own.partial, 1, &sliced) && tileLayoutEqual(&row, &sliced) &&
         (!s->factor.ptr ||
          (tileLayoutOfType(mlirValueGetType(s->factor), &factor) && tileLayoutEqual(&factor, &row)));
}

// ---- Rewriting ----

static MlirType typeOf(const Sum *s, const int64_t *shape, int rank, const TileLayout *layout) {
  MlirType element = tileTypeGetElement(mlirValueGetType(s->carried));
  return mlirRankedTensorTypeGet(rank, shape, element,
                                 tileLayoutToAttr(mlirLocationGetContext(s->loc), layout));
}

static MlirType partialType(const Sum *s) {
  return tileOwnColumnsType(&s->own, tileTypeGetElement(mlirValueGetType(s->carried)));
}

static MlirValue spread(Sum *s, MlirValue row) {
  TileLayout layout;
  const int64_t shape[2] = {s->own.shape[0], 1};
  (void)tileLayoutOfType(mlirValueGetType(row), &layout);
  if (!tileLayoutExpandDims(&layout, 1, &layout))
    return (MlirValue){NULL};
  MlirValue column = tileExpandDimsOpGetResult(tileExpandDimsOpCreate(
      s->b, s->loc, typeOf(s, shape, 2, &layout), row, tileI32Attr(mlirLocationGetContext(s->loc), 1)));
  return tileBroadcastOpGetResult(tileBroadcastOpCreate(s->b, s->loc, partialType(s), column));
}

static MlirValue copyWith(Sum *s, MlirOperation op, intptr_t n, const MlirValue *operands) {
  MlirOperation clone = mlirOperationClone(op);
  mlirRewriterBaseInsert(s->b, clone);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(clone, i, operands[i]);
  mlirValueSetType(mlirOperationGetResult(clone, 0), partialType(s));
  return mlirOperationGetResult(clone, 0);
}

static void rewriteBody(Sum *s) {
  mlirRewriterBaseSetInsertionPointBefore(s->b, s->add);
  MlirValue own = tileReduceOwn(s->b, s->reduce, mlirOperationGetOperand(s->reduce, 0), &s->own),
            left = s->carried, factor = s->factor.ptr ? spread(s, s->factor) : s->factor;
  mlirValueSetType(s->carried, partialType(s));
  if (s->multiply.ptr)
    left = copyWith(s, s->multiply, 2, (MlirValue[]){s->carried, factor});
  const bool fused = tileOpKind(s->add) == TileOp_Math_Fma;
  MlirValue next = fused ? copyWith(s, s->add, 3, (MlirValue[]){s->carried, factor, own})
                         : copyWith(s, s->add, 2, (MlirValue[]){left, own});
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(s->add, 0), next);
  mlirRewriterBaseEraseOp(s->b, s->add);
  if (s->multiply.ptr)
    mlirRewriterBaseEraseOp(s->b, s->multiply);
}

static void rewriteAround(Sum *s) {
  MlirValue result = mlirOperationGetResult(s->loop, s->index),
            old = scfForOpGetInitArgs(scfForOpCast(s->loop), s->index);
  MlirAttribute zero = mlirDenseElementsAttrGetSplatValue(
      arithConstantOpGetValueAttr(arithConstantOpCast(tileValueGetDefiningOp(old))));
  mlirRewriterBaseSetInsertionPointBefore(s->b, s->loop);
  MlirType type = partialType(s), row = mlirValueGetType(result);
  mlirOperationSetOperand(s->loop, s->index + 3,
                          arithConstantOpGetResult(arithConstantOpCreate(
                              s->b, s->loc, type, mlirDenseElementsAttrSplatGet(type, zero))));
  mlirRewriterBaseSetInsertionPointAfter(s->b, s->loop);
  mlirValueSetType(result, type);
  MlirValue whole = tileReduceAlong(s->b, s->reduce, result, 1, row);
  MlirOperation except = tileValueGetDefiningOp(whole);
  mlirValueReplaceAllUsesExcept(result, whole, 1, &except);
  mlirRewriterBaseEraseOp(s->b, s->reduce);
}

typedef struct Defer {
  TileBuilder b;
  uint64_t *count;
} Defer;

static MlirWalkResult deferLoop(MlirOperation op, void *user) {
  const Defer *d = user;
  for (intptr_t i = 0; tileOpKind(op) == TileOp_SCF_For && i < mlirOperationGetNumResults(op); ++i) {
    Sum s = {.b = d->b, .loc = mlirOperationGetLocation(op), .loop = op, .index = i};
    if (!findSum(&s))
      continue;
    rewriteBody(&s);
    rewriteAround(&s);
    ++*d->count;
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUDeferLanesRun(MlirOperation op, const TileGPUDeferLanesParams *params) {
  Defer d = {mlirIRRewriterCreate(mlirOperationGetContext(op)), params->numDeferred};
  mlirOperationWalk(op, deferLoop, &d, MlirWalkPostOrder);
  mlirIRRewriterDestroy(d.b);
  return tileSuccess();
}
