/* Hyperbolic.c - tanh and its family. */
#include "Functions.h"

/* tanh(x) = x + x * z * T(z), z = x^2, |x| < 0.63: relative error below 2^-27.7. */
static const double small[] = {-0x1.555532p-2, 0x1.1106e4p-3, -0x1.b8318ap-5, 0x1.51d4dap-6, -0x1.7449f2p-8};

/* tanh(x) = 1 - 2 / (exp(2 x) + 1) away from 0, where the difference loses nothing. */
MlirValue mathTanh(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), z = mathMul(m, x[0], x[0]), one = mathConstant(m, 1);
  MlirValue power = mathUnary(m, TileOp_Math_Exp2, mathMulK(m, a, 0x1.715476p+1));
  MlirValue large = mathSub(m, one, mathDiv(m, mathConstant(m, 2), mathAdd(m, power, one)));
  large = mathCopySign(m, large, x[0]);
  MlirValue t = mathFma(m, z, mathPolynomial(m, z, small, TILE_COUNTOF(small)), mathConstant(m, 0));
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 0.625);
  return mathSelect(m, isSmall, mathFma(m, t, x[0], x[0]), large);
}
