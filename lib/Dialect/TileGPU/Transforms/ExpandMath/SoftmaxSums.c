/* SoftmaxSums.c - sums of powers one of which is 1, as in every softmax.
 *
 *   %m = tile.reduce %x by maximum        // or of arith.select %mask, %x, ...
 *   %e = math.exp (%x - %m)               // %m through expand_dims, broadcast and splat
 *   %s = tile.reduce %e by addf           // or of arith.select %mask, %e, 0 with the same mask
 *
 * The power of the largest element is 1, none is negative: the sum is at least 1 and at most the number of elements; NaN
 * where an element is NaN or infinite; 0 where the mask keeps nothing. */
#include "Externs.h"
#include "Quotients.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include <math.h>

static bool isKind(MlirOperation op, TileOpKind kind) { return op.ptr && tileOpKind(op) == kind; }

/* The reduction of one tensor that the value is, or a copy of along the axis that it reduced; null if it is none. */
static TileReduceOp reductionOf(MlirValue v) {
  int64_t axis = -1;
  MlirOperation def = tileValueGetDefiningOp(v);
  if (isKind(def, TileOp_Tile_Broadcast))
    def = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
  if (isKind(def, TileOp_Tile_ExpandDims)) {
    axis = tileExpandDimsOpGetAxis(tileExpandDimsOpCast(def));
    def = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
  } else if (isKind(def, TileOp_Tile_Splat)) {
    axis = 0;
    def = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
  }
  TileReduceOp reduce = tileReduceOpCast(def);
  bool fits = !tileReduceOpIsNull(reduce) && mlirOperationGetNumOperands(def) == 1 &&
              (axis < 0 || tileReduceOpGetAxis(reduce) == axis);
  return fits ? reduce : (TileReduceOp){{NULL}};
}

static TileOpKind combinerKind(TileReduceOp reduce) {
  MlirOperation by = tileReduceOpIsNull(reduce) ? reduce.op : tileCombinerOp(reduce.op, 0);
  return by.ptr ? tileOpKind(by) : TileOp_None;
}

/* What a mask keeps of a value, and what stands for the rest; the value itself and null if there is no mask. */
typedef struct Kept {
  MlirValue mask, value, rest;
} Kept;

static Kept keptOf(MlirValue v) {
  ArithSelectOp select = arithSelectOpCast(tileValueGetDefiningOp(v));
  if (arithSelectOpIsNull(select))
    return (Kept){.value = v};
  return (Kept){arithSelectOpGetCondition(select), arithSelectOpGetTrueValue(select),
                arithSelectOpGetFalseValue(select)};
}

static bool isPower(MlirOperation op) {
  if (!op.ptr)
    return false;
  TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_Tile_ExternElementwise) {
    TileElementType family;
    const MathExtern *known = mathExternLookup(op, &family);
    kind = known ? known->kind : TileOp_None;
  }
  return kind == TileOp_Math_Exp || kind == TileOp_Math_Exp2;
}

/* Whether `top` is the largest of the elements x that `terms` are made of: of all, or of those that the mask keeps. */
static bool isTopOf(TileReduceOp top, MlirValue x, Kept terms) {
  MlirValue all = mlirOperationGetOperand(top.op, 0);
  Kept elements = keptOf(all);
  double zero, lowest;
  if (!terms.mask.ptr)
    return mlirValueEqual(all, x);
  return elements.mask.ptr && mlirValueEqual(terms.mask, elements.mask) &&
         mlirValueEqual(elements.value, x) && mathConstantOf(terms.rest, &zero) && zero == 0 &&
         mathConstantOf(elements.rest, &lowest) && lowest == -INFINITY;
}

bool mathIsSoftmaxSum(MlirValue v) {
  TileReduceOp sum = reductionOf(v);
  if (combinerKind(sum) != TileOp_Arith_AddF)
    return false;
  Kept terms = keptOf(mlirOperationGetOperand(sum.op, 0));
  MlirOperation power = tileValueGetDefiningOp(terms.value);
  if (!isPower(power))
    return false;
  MlirOperation difference = tileValueGetDefiningOp(mlirOperationGetOperand(power, 0));
  if (!isKind(difference, TileOp_Arith_SubF))
    return false;
  TileReduceOp top = reductionOf(mlirOperationGetOperand(difference, 1));
  TileOpKind kind = combinerKind(top);
  return (kind == TileOp_Arith_MaximumF || kind == TileOp_Arith_MaxNumF) &&
         tileReduceOpGetAxis(top) == tileReduceOpGetAxis(sum) &&
         isTopOf(top, mlirOperationGetOperand(difference, 0), terms);
}
