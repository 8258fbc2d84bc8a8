/* Exponential.c - exp and its family from exp2. */
#include "Functions.h"

/* 2^low = 1 + low * ln 2 to second order. The correction is not finite where power is infinite or low is not.
 */
MlirValue mathCorrectPower(MathBuilder *m, MlirValue power, MlirValue low) {
  MlirValue correction = mathMul(m, mathMulK(m, low, 0x1.62e430p-1), power);
  MlirValue finite = mathCompareK(m, MathOrder_LT, mathAbs(m, correction), INFINITY);
  return mathSelect(m, finite, mathAdd(m, power, correction), power);
}

/* exp(x) = 2^t * 2^c with t = x * log2(e) rounded and c the exact rest, so that the error of the product,
 * which grows with |x|, is taken back. */
MlirValue mathExp(MathBuilder *m, const MlirValue *x) {
  const double log2e = 0x1.715476p+0, log2eLow = 0x1.4ae0c0p-26;
  MlirValue t = mathMulK(m, x[0], log2e);
  MlirValue c = mathFmaK(m, x[0], log2eLow, mathFmaK(m, x[0], log2e, mathNeg(m, t)));
  return mathCorrectPower(m, mathUnary(m, TileOp_Math_Exp2, t), c);
}

/* x = n ln 2 + r; expm1(x) = 2^n expm1(r) + (2^n - 1). n is 0 up to 1/2, where the sum would cancel. n up to
 * 128 is applied as 2^(n-1), then doubled, so that the last step overflows where the result does. */
MlirValue mathExpM1(MathBuilder *m, const MlirValue *x) {
  /* expm1(r) = r + r^2 * Q(r), |r| < 1/2: relative error below 2^-27.6. */
  static const double q[] = {0x1.000002p-1, 0x1.555558p-3,  0x1.5551bep-5,
                             0x1.110d08p-7, 0x1.6f4a6ep-10, 0x1.a53e3ap-13};
  MlirValue zero = mathConstant(m, 0), a = mathAbs(m, x[0]);
  /* Below -25 the result is -1; NaN stays. */
  MlirValue low = mathCompareK(m, MathOrder_LT, x[0], -25), high = mathCompareK(m, MathOrder_GT, x[0], 89);
  MlirValue clamped =
      mathSelect(m, high, mathConstant(m, 89), mathSelect(m, low, mathConstant(m, -25), x[0]));
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 0.5);
  MathRounded n = mathRoundSmall(m, mathSelect(m, isSmall, zero, mathMulK(m, clamped, 0x1.715476p+0)));
  MlirValue r = mathFmaK(m, n.value, -0x1.62e430p-1, clamped);
  r = mathFmaK(m, n.value, 0x1.05c610p-29, r);
  MlirValue p = mathFma(m, mathMul(m, r, r), mathPolynomial(m, r, q, TILE_COUNTOF(q)), r);
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_ShLI, n.bits, 23);
  MlirValue half = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, exponent, 126 << 23)); /* 2^(n-1) */
  /* half - 1/2 in two parts; the lower is 0 unless n > 24, and p * half is exact where it is. */
  MlirValue upper = mathAddK(m, half, -0.5), lower = mathAddK(m, mathSub(m, half, upper), -0.5);
  MlirValue y = mathAdd(m, mathFma(m, p, half, lower), upper);
  y = mathAdd(m, y, y);
  MlirValue tiny = mathCompareK(m, MathOrder_LT, a, 0x1.0p-25); /* where p * half could vanish */
  return mathSelect(m, tiny, x[0], y);
}
