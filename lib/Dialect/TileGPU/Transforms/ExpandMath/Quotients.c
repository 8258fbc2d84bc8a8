/* Quotients.c - divisions by a sum that cannot be small, as in every logistic function.
 *
 *   %e = math.exp %x                    %s = math.fma %e, 0.25, 0.25
 *   %b = arith.addf %e, 1      becomes  %t = arith.mulf %a, 0.25
 *   %q = arith.divf %a, %b              %q = arith.divf %t, %s {tile_gpu.normal}
 *
 * A fast division has to scale a divisor below 2^-126 up and one above 2^126 down before it takes the reciprocal. Of a
 * constant and something that is not negative only the latter can occur, and a quarter of it is always in range.
 * The quotient is the same unless |a| < 2^-124, where a quarter of a is rounded: 2.5 ulp of a subnormal at most. */
#include "Quotients.h"
#include "Externs.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

/* The value of a float constant, the same in all elements; 0 for anything else. */
static double constantOf(MlirValue v) {
  ArithConstantOp op = arithConstantOpCast(tileValueGetDefiningOp(v));
  if (arithConstantOpIsNull(op))
    return 0;
  MlirAttribute value = arithConstantOpGetValueAttr(op);
  if (mlirAttributeIsAFloat(value))
    return mlirFloatAttrGetValueDouble(value);
  return mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value)
             ? (double)mlirDenseElementsAttrGetFloatSplatValue(value)
             : 0;
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
    const MathExtern *known =
        mathExternLookup(tileExternElementwiseOpGetSymbol(tileExternElementwiseOpCast(def)), &family);
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
      *out_constant = constantOf(mlirOperationGetOperand(def, i));
      if (*out_constant >= least && isNotNegative(rest))
        return rest;
    }
  return (MlirValue){NULL};
}

bool mathIsQuotient(MlirOperation op) {
  double constant;
  return tileOpKind(op) == TileOp_Arith_DivF &&
         tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0))) == TileElementType_F32 &&
         summand(mlirOperationGetOperand(op, 1), &constant).ptr;
}

void mathScaleQuotient(MathBuilder *m, MlirOperation op) {
  double constant;
  MlirValue rest = summand(mlirOperationGetOperand(op, 1), &constant);
  mlirRewriterBaseSetInsertionPointBefore(m->b, op);
  MlirValue divisor = mathFmaK(m, rest, 0.25, mathConstant(m, 0.25 * constant));
  MlirValue result =
      mathBinary(m, TileOp_Arith_DivF, mathMulK(m, mlirOperationGetOperand(op, 0), 0.25), divisor);
  mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(result), tileStr("tile_gpu.normal"),
                                             mlirUnitAttrGet(m->context));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirRewriterBaseEraseOp(m->b, op);
}
