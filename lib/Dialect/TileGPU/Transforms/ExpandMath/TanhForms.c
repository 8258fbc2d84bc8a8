/* TanhForms.c - tanh that the text writes as a quotient, beside products.
 *
 *   %y = arith.mulf %x, 2 log2(e)
 *   %e = math.exp2 %y                        // or math.exp of 2 x
 *   %d = arith.addf %e, 1            becomes   %t = math.tanh %x
 *   %q = arith.divf 2, %d
 *   %t = arith.subf 1, %q                    // or c - 2 c / (e + 1), the other way round, or as a multiply-add of 1 / (e + 1)
 *
 * A soft cap is often written so. The special function unit takes two numbers a score for it beside the one of the softmax; of what is small, as
 * scores are, a polynomial is cheaper (ScaledTanh.c), and nothing is cancelled: the quotient's form is off by 2^-24 of 1 where t is small. Infinite
 * powers give 1, and powers that are 0 give -1, in both. */
#include "TanhForms.h"
#include "Externs.h"
#include "Quotients.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Support/PointerMap.h"
#include <math.h>

static MlirOperation onlyFor(MlirValue v, MlirOperation user) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileValueHasOneUse(v) &&
                 mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(user))
             ? op
             : (MlirOperation){NULL};
}

static TileOpKind kindOf(MlirOperation op) {
  TileElementType family;
  if (!op.ptr || tileOpKind(op) != TileOp_Tile_ExternElementwise)
    return op.ptr ? tileOpKind(op) : TileOp_None;
  const MathExtern *known = mathExternLookup(op, &family);
  return known ? known->kind : TileOp_None;
}

/* offset + factor / (power + 1), power = exp2(y) or exp(y). */
typedef struct Form {
  double offset, factor;
  MlirOperation quotient, power;
} Form;

/* One operand is a constant: it, and the other operand. */
static bool splitConstant(MlirOperation op, double *out_constant, MlirValue *out_other) {
  for (intptr_t i = 0; i < 2; ++i)
    if (mathConstantOf(mlirOperationGetOperand(op, i), out_constant)) {
      *out_other = mlirOperationGetOperand(op, 1 - i);
      return true;
    }
  return false;
}

/* The quotient that is added to a constant, and how. */
static bool findQuotient(MlirOperation op, Form *f) {
  MlirValue quotient;
  f->factor = 1;
  switch (tileOpKind(op)) {
  case TileOp_Arith_SubF:
    if (!splitConstant(op, &f->offset, &quotient))
      return false;
    if (mlirValueEqual(quotient, mlirOperationGetOperand(op, 1)))
      f->factor = -1;
    else
      f->offset = -f->offset;
    break;
  case TileOp_Arith_AddF:
    if (!splitConstant(op, &f->offset, &quotient))
      return false;
    break;
  case TileOp_Math_Fma:
    if (!splitConstant(op, &f->factor, &quotient) ||
        !mathConstantOf(mlirOperationGetOperand(op, 2), &f->offset))
      return false;
    break;
  default:
    return false;
  }
  f->quotient = onlyFor(quotient, op);
  return kindOf(f->quotient) == TileOp_Arith_DivF;
}

static bool findPower(Form *f) {
  double above, one;
  MlirValue power;
  if (!mathConstantOf(mlirOperationGetOperand(f->quotient, 0), &above))
    return false;
  f->factor *= above;
  MlirOperation sum = onlyFor(mlirOperationGetOperand(f->quotient, 1), f->quotient);
  if (kindOf(sum) != TileOp_Arith_AddF || !splitConstant(sum, &one, &power) || one != 1)
    return false;
  f->power = onlyFor(power, sum);
  const TileOpKind kind = kindOf(f->power);
  return kind == TileOp_Math_Exp || kind == TileOp_Math_Exp2;
}

/* y times a number, into which a constant factor of y goes; y itself where that makes 1. */
static MlirValue argument(MathBuilder *m, MlirOperation power) {
  static const double halfLn2 = 0.34657359027997264, tiny = 0x1p-22;
  double k = kindOf(power) == TileOp_Math_Exp2 ? halfLn2 : 0.5, constant;
  MlirValue y = mlirOperationGetOperand(power, 0), other;
  MlirOperation product = tileValueGetDefiningOp(y);
  if (product.ptr && tileOpKind(product) == TileOp_Arith_MulF && splitConstant(product, &constant, &other) &&
      fabs(constant * k) > 0x1p-20 && fabs(constant * k) < 0x1p20) {
    k *= constant;
    y = other;
  }
  return fabs(k - 1) < tiny ? y : mathMulK(m, y, k);
}

bool mathFormTanh(MathBuilder *m, MlirOperation op) {
  Form f;
  if (!findQuotient(op, &f) || !findPower(&f) || f.offset == 0 || f.factor != -2 * f.offset)
    return false;
  mlirRewriterBaseSetInsertionPointBefore(m->b, op);
  MlirValue t = mathEmit(m, TileOp_Math_Tanh, MathType_Float, 1, (MlirValue[]){argument(m, f.power)});
  t = f.offset == 1 ? t : mathMulK(m, t, f.offset);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), t);
  TileArena arena = {0};
  TilePointerMap gone = {.arena = &arena};
  tileEraseUnused(m->b, &gone, op);
  tileArenaRelease(&arena);
  return true;
}
