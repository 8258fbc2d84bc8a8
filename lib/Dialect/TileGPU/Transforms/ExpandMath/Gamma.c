/* Gamma.c - lgamma and tgamma. */
#include "Functions.h"

/* lgamma(1 + t) = t * A(t), -0.3 <= t <= 0.7; lgamma(2 + t) = t * B(t), -0.5 <= t <= 1.5: relative errors
 * below 2^-25.1 and 2^-24.6. */
static const double nearOne[] = {-0x1.2788d0p-1, 0x1.a51a66p-1, -0x1.9a4dbap-2, 0x1.1513e2p-2,
                                 -0x1.a8859cp-3, 0x1.5aa5fep-3, -0x1.29bd98p-3, 0x1.0df074p-3,
                                 -0x1.d091f0p-4, 0x1.20cbd4p-4, -0x1.559c12p-6};
static const double nearTwo[] = {0x1.b0ee60p-2,   0x1.4a34d2p-2, -0x1.13e02ep-4,  0x1.512688p-6,
                                 -0x1.e3b478p-8,  0x1.7cea3cp-9, -0x1.4221c8p-10, 0x1.09067cp-11,
                                 -0x1.44c664p-13, 0x1.80f6c2p-16};
/* Stirling: lgamma(x) = (x - 1/2) log(x) - x + log(2 pi) / 2 + S(1 / x^2) / x, x >= 3.5: below 2^-31. */
static const double stirling[] = {0x1.555542p-4, -0x1.6b7eb8p-9, 0x1.71bd20p-11};

/* For 0.3 < a, or any |a| < 0.7 with logA = log(|a|), whose lgamma is that of 1 + a less logA. */
static MlirValue lgammaRight(MathBuilder *m, MlirValue a, MlirValue logA) {
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 0x1.666666p-1), zero = mathConstant(m, 0);
  MlirValue t = mathSelect(m, isSmall, a, mathAddK(m, a, -1));
  MlirValue first = mathMul(m, t, mathPolynomial(m, t, nearOne, TILE_COUNTOF(nearOne)));
  first = mathSub(m, first, mathSelect(m, isSmall, logA, zero));
  MlirValue u = mathAddK(m, a, -2);
  MlirValue second = mathMul(m, u, mathPolynomial(m, u, nearTwo, TILE_COUNTOF(nearTwo)));
  MlirValue r = mathDiv(m, mathConstant(m, 1), a);
  MlirValue s = mathMul(m, r, mathPolynomial(m, mathMul(m, r, r), stirling, TILE_COUNTOF(stirling)));
  /* log(2 pi) / 2 - 1/2 + (a - 1/2) (log(a) - 1). */
  MlirValue third = mathFma(m, mathAddK(m, a, -0.5), mathAddK(m, logA, -1), mathAddK(m, s, 0x1.acfe38p-2));
  MlirValue y = mathSelect(m, mathCompareK(m, MathOrder_LT, a, 3.5), second, third);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0x1.b33334p+0), first, y);
}

/* x: |argument| and the lgamma of that. */
static void lgammaReflected(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MlirValue sine = mathAbs(m, mathSinPi(m, x)), zero = mathConstant(m, 0);
  MlirValue ratio = mathDiv(m, mathConstant(m, 0x1.921fb6p+1), mathMul(m, x[0], sine));
  MlirValue y = mathSub(m, mathLog(m, &ratio), x[1]);
  out[0] = mathSelect(m, mathCompare(m, MathOrder_EQ, sine, zero), mathConstant(m, INFINITY), y);
}

/* Left of -0.3: lgamma(-a) = log(pi / (a |sin(pi a)|)) - lgamma(a); infinite at integers. */
MlirValue mathLgamma(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), logA = mathLog(m, &a), infinity = mathConstant(m, INFINITY);
  MlirValue reflect = mathCompareK(m, MathOrder_LT, x[0], -0x1.333334p-2);
  MlirValue y = lgammaRight(m, mathSelect(m, reflect, a, x[0]), logA), arguments[] = {a, y};
  mathRarely(m, reflect, lgammaReflected, arguments, NULL, 1, &y);
  y = mathSelect(m, mathCompare(m, MathOrder_EQ, a, infinity), infinity, y);
  return mathAddK(m, y, 0); /* +0 at 1 and 2 */
}

/* Gamma(t), 1 <= t <= 2, in t - 1.5: relative error below 2^-24.7; gamma(x) / (sqrt(2 pi) x^(x - 1/2) e^-x)
 * in 1 / x, x >= 4: below 2^-29. */
static const double gammaMiddle[] = {0x1.c5bf8ap-1, 0x1.08ea1cp-5,  0x1.a8c362p-2, -0x1.b76c36p-4,
                                     0x1.289adap-3, -0x1.3ea28cp-4, 0x1.cfc3a6p-5, -0x1.25df30p-5,
                                     0x1.1ac472p-5, -0x1.906580p-6};
static const double gammaTail[] = {0x1.0p+0, 0x1.555524p-4, 0x1.c8114ep-9, -0x1.6b51b2p-9, 0x1.cb9118p-13};

/* factor * gamma(a), a >= 4, through a^(a - 1/2) e^-a with the exponent as a sum of two. */
static MlirValue gammaLarge(MathBuilder *m, MlirValue a, MlirValue factor) {
  a = mathSelect(m, mathCompareK(m, MathOrder_GT, a, 43), mathConstant(m, 43), a); /* beyond every float */
  MathPair l = mathLog2Pair(m, a), t = mathExactProduct(m, mathAddK(m, a, -0.5), l.high);
  t.low = mathFma(m, mathAddK(m, a, -0.5), l.low, t.low);
  /* - a * log2(e) + log2(sqrt(2 pi)). */
  MathPair e = mathExactProduct(m, a, mathConstant(m, -0x1.715476p+0));
  MathPair sum = mathExactSum(m, t.high, e.high);
  sum.low = mathAdd(m, mathAdd(m, sum.low, t.low), mathFmaK(m, a, -0x1.4ae0c0p-26, e.low));
  sum.low = mathAddK(m, sum.low, 0x1.53643ap+0);
  sum = mathExactSum(m, sum.high, sum.low);
  MathPowerParts power = mathExp2Parts(m, sum);
  MlirValue r = mathDiv(m, mathConstant(m, 1), a);
  MlirValue tail = mathPolynomial(m, r, gammaTail, TILE_COUNTOF(gammaTail));
  MlirValue product = mathMul(m, mathFma(m, power.p, tail, tail), factor);
  return mathMul(m, mathMul(m, product, power.first), power.second);
}

/* gamma(a) for 0 <= a < 4 from gamma in [1, 2]. */
static MlirValue gammaSmall(MathBuilder *m, MlirValue a) {
  MlirValue one = mathConstant(m, 1);
  MlirValue below = mathCompare(m, MathOrder_LT, a, one), two = mathCompareK(m, MathOrder_GE, a, 2);
  MlirValue three = mathCompareK(m, MathOrder_GE, a, 3);
  MlirValue minusOne = mathAddK(m, a, -1), minusTwo = mathAddK(m, a, -2);
  MlirValue u = mathSelect(m, two, mathAddK(m, a, -2.5), mathAddK(m, a, -1.5));
  u = mathSelect(m, three, mathAddK(m, a, -3.5), mathSelect(m, below, mathAddK(m, a, -0.5), u));
  MlirValue g = mathPolynomial(m, u, gammaMiddle, TILE_COUNTOF(gammaMiddle));
  g = mathMul(m, g, mathSelect(m, two, minusOne, one));
  g = mathMul(m, g, mathSelect(m, three, minusTwo, one));
  return mathSelect(m, below, mathBinary(m, TileOp_Tile_PreciseDivF, g, a), g);
}

/* x: the magnitude and the factor. */
static void gammaRare(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  out[0] = gammaLarge(m, x[0], x[1]);
}

/* gamma(-a) = -pi / (a sin(pi a) gamma(a)), gamma(a) scaled down by 2^64 where it is large: the result is
 * subnormal before gamma(a) overflows. x: the argument, gamma(a), and what undoes the scale. */
static void gammaReflected(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MlirValue sine = mathSinPi(m, x), g = x[1]; /* of x: the sign is its own */
  MathPair p = mathExactProduct(m, mathAbs(m, x[0]), sine);
  MlirValue denominator = mathFma(m, p.high, g, mathMul(m, p.low, g));
  MlirValue y = mathBinary(m, TileOp_Tile_PreciseDivF, mathConstant(m, 0x1.921fb6p+1), denominator);
  MlirValue pole = mathCompareK(m, MathOrder_EQ, sine, 0);
  out[0] = mathSelect(m, pole, mathConstant(m, NAN), mathMul(m, y, x[2]));
}

MlirValue mathTgamma(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), zero = mathConstant(m, 0), one = mathConstant(m, 1);
  MlirValue negative = mathCompare(m, MathOrder_LT, x[0], zero);
  MlirValue large = mathCompareK(m, MathOrder_GE, a, 4);
  MlirValue factor = mathSelect(m, negative, mathConstant(m, 0x1.0p-64), one);
  MlirValue y = gammaSmall(m, a), magnitude[] = {a, factor};
  mathRarely(m, large, gammaRare, magnitude, NULL, 1, &y);
  MlirValue back = mathSelect(m, large, mathConstant(m, 0x1.0p-64), one), arguments[] = {x[0], y, back};
  mathRarely(m, negative, gammaReflected, arguments, NULL, 1, &y);
  MlirValue reciprocal =
      mathBinary(m, TileOp_Tile_PreciseDivF, one, x[0]); /* near 0, and with the sign of -0 */
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0x1.0p-26), reciprocal, y);
}
