/* Power.c - x^y = 2^(y * log2(x)), the logarithm and its product with y as sums of two floats. */
#include "Functions.h"

enum { MAX_TAIL = 8 };

/* log2(1 + f) = s * (k0 + z * (k1 + z * C(z))), s = f / (2 + f), z = s^2. */
typedef struct Format {
  int digits;
  int64_t rootHalf; ///< bits of sqrt(1/2)
  double smallest, scale;
  int scaleBits;
  double k0, k0Low, k1, k1Low;
  int terms;
  double c[MAX_TAIL]; ///< relative error of the logarithm below 2^-36 and 2^-66
} Format;

static const Format single = {23,
                              0x3f3504f3,
                              0x1.0p-126,
                              0x1.0p24,
                              24,
                              0x1.715476p+1,
                              0x1.4ae0c0p-25,
                              0x1.ec709ep-1,
                              -0x1.e2fe02p-28,
                              3,
                              {0x1.277712p-1, 0x1.a5b8c8p-2, 0x1.5a3b06p-2}};
static const Format twice = {52,
                             0x3fe6a09e667f3bcd,
                             0x1.0p-1022,
                             0x1.0p54,
                             54,
                             0x1.71547652b82fep+1,
                             0x1.777d0ffda0d24p-55,
                             0x1.ec709dc3a03fdp-1,
                             0x1.d27f05548af0cp-55,
                             8,
                             {0x1.2776c50ef9bfcp-1, 0x1.a61762a7aefc7p-2, 0x1.484b13d694befp-2,
                              0x1.0c9a8544e9795p-2, 0x1.c68ee4b457eb6p-3, 0x1.8a0a58b0da3d5p-3,
                              0x1.58f136f876f60p-3, 0x1.6249719c5ee1dp-3}};

static const Format *formatOf(MathBuilder *m) { return mathWidth(m) == 64 ? &twice : &single; }

typedef struct Mantissa {
  MlirValue e, f; ///< a = 2^e * (1 + f), 1 + f in [sqrt(1/2), sqrt(2))
} Mantissa;

static Mantissa splitPositive(MathBuilder *m, MlirValue a) {
  const Format *t = formatOf(m);
  MlirValue subnormal = mathCompareK(m, MathOrder_LT, a, t->smallest);
  MlirValue bits = mathBits(m, mathSelect(m, subnormal, mathMulK(m, a, t->scale), a));
  MlirValue above = mathIntOpK(m, TileOp_Arith_SubI, bits, t->rootHalf);
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_AndI, above, -((int64_t)1 << t->digits));
  MlirValue mantissa = mathFromBits(m, mathIntOp(m, TileOp_Arith_SubI, bits, exponent));
  MlirValue bias = mathSelect(m, subnormal, mathConstant(m, -t->scaleBits), mathConstant(m, 0));
  MlirValue e = mathFmaK(m, mathToFloat(m, exponent), ldexp(1, -t->digits), bias);
  return (Mantissa){e, mathAddK(m, mantissa, -1)};
}

/* s = f / (2 + f) as a pair; 2 + f is in [1.7, 2.5], of what infinity and NaN are split into too. */
static MathPair ratio(MathBuilder *m, MlirValue f) {
  MlirValue d = mathAddK(m, f, 2), dLow = mathSub(m, f, mathAddK(m, d, -2));
  MlirValue reciprocal = mathWidth(m) == 64 ? mathDiv(m, mathConstant(m, 1), d) : mathReciprocalNormal(m, d);
  MlirValue s = mathMul(m, f, reciprocal), minusS = mathNeg(m, s);
  MlirValue rest = mathFma(m, minusS, dLow, mathFma(m, minusS, d, f));
  return (MathPair){s, mathMul(m, rest, reciprocal)};
}

/* The terms of k0 and k1 as pairs; the rest is below 2^-12 of the whole. */
static MathPair logMantissa(MathBuilder *m, MlirValue f) {
  const Format *t = formatOf(m);
  MathPair s = ratio(m, f), z = mathExactProduct(m, s.high, s.high);
  z.low = mathFma(m, mathAdd(m, s.high, s.high), s.low, z.low);
  MlirValue k1High = mathConstant(m, t->k1);
  MathPair q = mathExactProduct(m, z.high, k1High);
  q.low = mathFma(m, z.low, k1High, mathFmaK(m, z.high, t->k1Low, q.low));
  MlirValue z2 = mathMul(m, z.high, z.high);
  q.low = mathFma(m, z2, mathPolynomial(m, z.high, t->c, t->terms), q.low);
  MathPair g = mathExactSum(m, mathConstant(m, t->k0), q.high);
  g.low = mathAdd(m, mathAddK(m, q.low, t->k0Low), g.low);
  MathPair l = mathExactProduct(m, s.high, g.high);
  l.low = mathFma(m, s.low, g.high, mathFma(m, s.high, g.low, l.low));
  return l;
}

/* log2(a), a >= 0: of 0 and infinity -infinity and infinity. Where the sum need not be rounded again, its low part may be a few
 * units of the last digit. */
static MathPair log2Pair(MathBuilder *m, MlirValue a, bool isRounded) {
  Mantissa p = splitPositive(m, a);
  MathPair l = logMantissa(m, p.f), h = mathExactSum(m, p.e, l.high);
  h.low = mathAdd(m, h.low, l.low);
  if (isRounded)
    h = mathExactSum(m, h.high, h.low);
  MlirValue isZero = mathCompareK(m, MathOrder_EQ, a, 0), finite = mathCompareK(m, MathOrder_LT, a, INFINITY);
  h.high = mathSelect(m, isZero, mathConstant(m, -INFINITY), mathSelect(m, finite, h.high, a)); /* also NaN */
  return h;
}

MathPair mathLog2Pair(MathBuilder *m, MlirValue a) { return log2Pair(m, a, true); }

/* a^y in general. */
static MlirValue powPositive(MathBuilder *m, MlirValue a, MlirValue y) {
  MathPair h = log2Pair(m, a, mathWidth(m) == 64), t = mathExactProduct(m, y, h.high);
  MlirValue inside = mathCompareK(m, MathOrder_LT, mathAbs(m, t.high), INFINITY);
  t.low = mathSelect(m, inside, mathFma(m, y, h.low, t.low), mathConstant(m, 0));
  if (mathWidth(m) == 64)
    return mathWideExp2(m, t);
  MathScale s = mathScaleOf(m, t.high);
  MlirValue r = mathAdd(m, mathSub(m, t.high, s.n), t.low);
  return mathMul(m, mathExp2Normal(m, r), s.power); /* vanishes where the first factor would be subnormal */
}

MlirValue mathPow(MathBuilder *m, const MlirValue *x) {
  MlirValue zero = mathConstant(m, 0), one = mathConstant(m, 1), infinity = mathConstant(m, INFINITY);
  MlirValue base = x[0], a = mathAbs(m, base),
            yFinite = mathCompare(m, MathOrder_NE, mathAbs(m, x[1]), infinity);
  double largest = mathWidth(m) == 64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
  /* An infinite exponent acts as the largest one: 1 stays 1. */
  MlirValue y = mathSelect(m, yFinite, x[1], mathCopySign(m, mathConstant(m, largest), x[1]));
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
  /* 1 stays 1, which needs care only where the exponent is NaN: a constant one is not. */
  MlirValue ordered = mathCompare(m, MathOrder_EQ, x[1], x[1]);
  r = mathSelect(m, ordered, r, mathSelect(m, mathCompare(m, MathOrder_EQ, base, one), one, r));
  return mathSelect(m, mathCompare(m, MathOrder_EQ, x[1], zero), one, r);
}
