/* Power.c - x^y = 2^(y * log2(x)), the logarithm and its product with y as sums of two floats. */
#include "Functions.h"

typedef struct Mantissa {
  MlirValue e, f; ///< a = 2^e * (1 + f), 1 + f in [sqrt(1/2), sqrt(2))
} Mantissa;

static Mantissa splitPositive(MathBuilder *m, MlirValue a) {
  MlirValue subnormal = mathCompareK(m, MathOrder_LT, a, 0x1.0p-126);
  MlirValue bits = mathBits(m, mathSelect(m, subnormal, mathMulK(m, a, 0x1.0p24), a));
  MlirValue above = mathIntOpK(m, TileOp_Arith_SubI, bits, 0x3f3504f3);
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_AndI, above, -(1 << 23));
  MlirValue mantissa = mathFromBits(m, mathIntOp(m, TileOp_Arith_SubI, bits, exponent));
  MlirValue bias = mathSelect(m, subnormal, mathConstant(m, -24), mathConstant(m, 0));
  return (Mantissa){mathFmaK(m, mathToFloat(m, exponent), 0x1.0p-23, bias), mathAddK(m, mantissa, -1)};
}

/* s = f / (2 + f) as a pair. */
static MathPair ratio(MathBuilder *m, MlirValue f) {
  MlirValue d = mathAddK(m, f, 2), dLow = mathSub(m, f, mathAddK(m, d, -2));
  MlirValue reciprocal = mathDiv(m, mathConstant(m, 1), d);
  MlirValue s = mathMul(m, f, reciprocal), minusS = mathNeg(m, s);
  MlirValue rest = mathFma(m, minusS, dLow, mathFma(m, minusS, d, f));
  return (MathPair){s, mathMul(m, rest, reciprocal)};
}

/* log2(1 + f) = s * (k0 + z * (k1 + z * C(z))), z = s^2; k0 and the term of k1 as pairs, the rest is below
 * 2^-12 of the whole. */
static MathPair logMantissa(MathBuilder *m, MlirValue f) {
  static const double c[] = {0x1.277712p-1, 0x1.a5b8c8p-2, 0x1.5a3b06p-2};
  const double k0 = 0x1.715476p+1, k0Low = 0x1.4ae0c0p-25, k1 = 0x1.ec709ep-1, k1Low = -0x1.e2fe02p-28;
  MathPair s = ratio(m, f), z = mathExactProduct(m, s.high, s.high);
  z.low = mathFma(m, mathAdd(m, s.high, s.high), s.low, z.low);
  MlirValue k1High = mathConstant(m, k1);
  MathPair q = mathExactProduct(m, z.high, k1High);
  q.low = mathFma(m, z.low, k1High, mathFmaK(m, z.high, k1Low, q.low));
  MlirValue z2 = mathMul(m, z.high, z.high);
  q.low = mathFma(m, z2, mathPolynomial(m, z.high, c, TILE_COUNTOF(c)), q.low);
  MathPair g = mathExactSum(m, mathConstant(m, k0), q.high);
  g.low = mathAdd(m, mathAddK(m, q.low, k0Low), g.low);
  MathPair l = mathExactProduct(m, s.high, g.high);
  l.low = mathFma(m, s.low, g.high, mathFma(m, s.high, g.low, l.low));
  return l;
}

/* |x|^|y| in general; a = 0 and infinity through their logarithm. */
static MlirValue powPositive(MathBuilder *m, MlirValue a, MlirValue y) {
  Mantissa p = splitPositive(m, a);
  MathPair l = logMantissa(m, p.f), h = mathExactSum(m, p.e, l.high);
  h = mathExactSum(m, h.high, mathAdd(m, h.low, l.low));
  MlirValue infinity = mathConstant(m, INFINITY), zero = mathConstant(m, 0);
  MlirValue isZero = mathCompare(m, MathOrder_EQ, a, zero),
            finite = mathCompare(m, MathOrder_LT, a, infinity);
  h.high = mathSelect(m, isZero, mathConstant(m, -INFINITY), mathSelect(m, finite, h.high, a)); /* also NaN */
  MathPair t = mathExactProduct(m, y, h.high);
  t.low = mathFma(m, y, h.low, t.low);
  return mathCorrectPower(m, mathUnary(m, TileOp_Math_Exp2, t.high), t.low);
}

MlirValue mathPow(MathBuilder *m, const MlirValue *x) {
  MlirValue zero = mathConstant(m, 0), one = mathConstant(m, 1), infinity = mathConstant(m, INFINITY);
  MlirValue base = x[0], a = mathAbs(m, base),
            yFinite = mathCompare(m, MathOrder_NE, mathAbs(m, x[1]), infinity);
  /* An infinite exponent acts as the largest one: 1 stays 1. */
  MlirValue y = mathSelect(m, yFinite, x[1], mathCopySign(m, mathConstant(m, 0x1.fffffep127), x[1]));
  MlirValue r = powPositive(m, a, y);
  MlirValue half = mathMulK(m, y, 0.5);
  MlirValue whole = mathCompare(m, MathOrder_EQ, mathUnary(m, TileOp_Math_Trunc, y), y);
  MlirValue halfWhole = mathCompare(m, MathOrder_EQ, mathUnary(m, TileOp_Math_Trunc, half), half);
  /* Odd exponents carry the sign of x; others have none; a negative number has no fractional powers. */
  MlirValue odd = mathSelect(m, halfWhole, r, mathCopySign(m, r, base));
  MlirValue nan = mathConstant(m, NAN);
  MlirValue isNegative = mathCompare(m, MathOrder_LT, base, zero);
  MlirValue fraction = mathSelect(m, isNegative, nan, r);
  fraction = mathSelect(m, mathCompare(m, MathOrder_LT, a, infinity), fraction, r);
  r = mathSelect(m, whole, odd, fraction);
  r = mathSelect(m, mathCompare(m, MathOrder_EQ, base, one), one, r);
  return mathSelect(m, mathCompare(m, MathOrder_EQ, x[1], zero), one, r);
}
