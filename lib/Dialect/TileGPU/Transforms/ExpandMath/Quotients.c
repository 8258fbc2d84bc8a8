/* Quotients.c - fast divisions whose divisor is known well enough to leave out what a division has to do for any.
 *
 * By a sum that cannot be small, as in every logistic function:
 *
 *   %e = math.exp %x                    %s = math.fma %e, 0.25, 0.25
 *   %b = arith.addf %e, 1      becomes  %t = arith.mulf %a, 0.25
 *   %q = arith.divf %a, %b              %q = arith.divf %t, %s {tile_gpu.normal}
 *
 * A fast division has to scale a divisor below 2^-126 up and one above 2^126 down before it takes the reciprocal. Of a
 * constant and something that is not negative only the latter can occur, and a quarter of it is always in range.
 * The quotient is the same unless |a| < 2^-124, where a quarter of a is rounded: 2.5 ulp of a subnormal at most.
 *
 * By a number that came from an integer, as in every mean, or that counts (Counts.c): 0 or between 1 and 2^64, so that nothing is
 * scaled. By the sum of a softmax (SoftmaxSums.c): 0 or between 1 and the number of elements.
 *
 *   %q = arith.divf %a, %n     becomes  %q = arith.divf %a, %n {tile_gpu.normal}
 *
 * By a square root, as in every variance: the instruction for its reciprocal is at most 1.52 ulp off, half as much as
 * those of root and quotient together.
 *
 *   %s = math.sqrt %x                   %r = math.rsqrt %x
 *   %q = arith.divf %a, %s     becomes  %q = arith.mulf %a, %r      (%r itself if %a is 1) */
#include "Quotients.h"
#include "Externs.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

bool mathConstantOf(MlirValue v, double *out_value) {
  MlirAttribute number = tileValueConstantNumber(v);
  if (!number.ptr || !mlirAttributeIsAFloat(number))
    return false;
  *out_value = mlirFloatAttrGetValueDouble(number);
  return true;
}

/* Never below zero; may be NaN. */
static bool isNotNegative(MlirValue v) {
  MlirOperation def = tileValueGetDefiningOp(v);
  if (!def.ptr)
    return false;
  TileOpKind kind = tileOpKind(def);
  if (kind == TileOp_Arith_MulF)
    return mlirValueEqual(mlirOperationGetOperand(def, 0), mlirOperationGetOperand(def, 1));
  if (kind == TileOp_Tile_ExternElementwise) {
    TileElementType family;
    const MathExtern *known = mathExternLookup(def, &family);
    kind = known ? known->kind : TileOp_None;
  }
  return kind == TileOp_Math_Exp || kind == TileOp_Math_Exp2 || kind == TileOp_Math_AbsF;
}

/* value = constant + the result, which is not negative. */
static MlirValue summand(MlirValue value, double *out_constant) {
  static const double least = 0x1p-120;
  MlirOperation def = tileValueGetDefiningOp(value);
  if (def.ptr && tileOpKind(def) == TileOp_Arith_AddF)
    for (int i = 0; i < 2; ++i) {
      MlirValue rest = mlirOperationGetOperand(def, 1 - i);
      if (mathConstantOf(mlirOperationGetOperand(def, i), out_constant) && *out_constant >= least &&
          isNotNegative(rest))
        return rest;
    }
  return (MlirValue){NULL};
}

static bool isRoot(MlirValue v) {
  MlirOperation def = tileValueGetDefiningOp(v);
  return def.ptr && tileOpKind(def) == TileOp_Math_Sqrt;
}

bool mathIsQuotient(MlirOperation op) {
  double constant;
  if (tileOpKind(op) != TileOp_Arith_DivF ||
      tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0))) != TileElementType_F32)
    return false;
  MlirValue divisor = mlirOperationGetOperand(op, 1);
  return mathIsCount(divisor) || isRoot(divisor) || mathIsSoftmaxSum(divisor) ||
         summand(divisor, &constant).ptr;
}

static void markNormal(MathBuilder *m, MlirOperation quotient) {
  mlirOperationSetDiscardableAttributeByName(quotient, tileStr("tile_gpu.normal"),
                                             mlirUnitAttrGet(m->context));
}

static MlirValue timesReciprocalRoot(MathBuilder *m, MlirOperation op) {
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue x = mlirOperationGetOperand(tileValueGetDefiningOp(mlirOperationGetOperand(op, 1)), 0);
  MlirValue r = mathEmit(m, TileOp_Math_Rsqrt, MathType_Float, 1, &x);
  double one;
  return mathConstantOf(a, &one) && one == 1 ? r : mathBinary(m, TileOp_Arith_MulF, a, r);
}

static MlirValue byQuarter(MathBuilder *m, MlirOperation op) {
  double constant;
  MlirValue rest = summand(mlirOperationGetOperand(op, 1), &constant);
  MlirValue divisor = mathFmaK(m, rest, 0.25, mathConstant(m, 0.25 * constant));
  MlirValue quotient =
      mathBinary(m, TileOp_Arith_DivF, mathMulK(m, mlirOperationGetOperand(op, 0), 0.25), divisor);
  markNormal(m, tileValueGetDefiningOp(quotient));
  return quotient;
}

void mathScaleQuotient(MathBuilder *m, MlirOperation op) {
  MlirValue divisor = mlirOperationGetOperand(op, 1);
  if (mathIsCount(divisor) || mathIsSoftmaxSum(divisor)) {
    markNormal(m, op);
    return;
  }
  mlirRewriterBaseSetInsertionPointBefore(m->b, op);
  MlirValue result = isRoot(divisor) ? timesReciprocalRoot(m, op) : byQuarter(m, op);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirRewriterBaseEraseOp(m->b, op);
}
