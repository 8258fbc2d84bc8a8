/* ErrorFunctions.c - erf and its family. */
#include "Functions.h"

/* erf(x) = x + x * P(x^2), |x| < 1: relative error below 2^-24.3. */
static const double erfSmall[] = {0x1.06eba2p-3,  -0x1.81267cp-2, 0x1.ce0a68p-4,
                                  -0x1.b5b142p-6, 0x1.4288ccp-8,  -0x1.281730p-11};
/* log2(erfc(x)) = x * L(x), 1 <= x <= 3.9: relative error of erf below 2^-30.7. Falls below -25 for all
 * larger x. */
static const double erfcLog[] = {-0x1.a0dc50p+0, -0x1.d506ccp-1, -0x1.3ac28ep-3, 0x1.1bc360p-5,
                                 -0x1.634234p-8, 0x1.092c20p-11, -0x1.51e9aap-16};

/* log2(erfc(x)) = x * A(x), 0 <= x <= 4: absolute error of erf below 2^-25.8; falls below -25 for all larger x. */
static const double erfcLogAdded[] = {-0x1.a0be9ep+0,  -0x1.d63aacp-1, -0x1.301722p-3, 0x1.cee886p-6,
                                      -0x1.9620fap-11, -0x1.8672cp-10, 0x1.d3261p-12,  -0x1.7c7edcp-15};

/* Where a number of 1 or more is added, the absolute error alone counts: one form for all arguments. */
static MlirValue erfAdded(MathBuilder *m, MlirValue x) {
  MlirValue a = mathAbs(m, x);
  MlirValue exponent = mathMul(m, a, mathPolynomial(m, a, erfcLogAdded, TILE_COUNTOF(erfcLogAdded)));
  return mathCopySign(m, mathSub(m, mathConstant(m, 1), mathExp2Normal(m, exponent)), x);
}

MlirValue mathErf(MathBuilder *m, const MlirValue *x) {
  if (m->added)
    return erfAdded(m, x[0]);
  MlirValue a = mathAbs(m, x[0]), one = mathConstant(m, 1);
  MlirValue exponent = mathMul(m, a, mathPolynomial(m, a, erfcLog, TILE_COUNTOF(erfcLog)));
  MlirValue large = mathSub(m, one, mathExp2Normal(m, exponent));
  large = mathCopySign(m, large, x[0]);
  MlirValue p = mathPolynomial(m, mathMul(m, a, a), erfSmall, TILE_COUNTOF(erfSmall));
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 1);
  return mathSelect(m, isSmall, mathFma(m, x[0], p, x[0]), large);
}

/* exp(x^2) * erfc(x) = r * G(t), r = 1 / (x + 2), t = 1 - 4 r, for every x >= 0: relative error below
 * 2^-25.8. */
static MathPair scaledComplement(MathBuilder *m, MlirValue x) {
  static const double g[] = {-0x1.5fd386p-1, 0x1.1e2dbap-2, -0x1.2a8a84p-5,  -0x1.604c0cp-6,
                             0x1.a90eaep-8,  0x1.90ac92p-9, -0x1.c2ed32p-11, -0x1.394ffep-11,
                             0x1.30d366p-14, 0x1.6032f0p-14};
  MlirValue one = mathConstant(m, 1), d = mathAddK(m, x, 2), r = mathDiv(m, one, d);
  /* One step of Newton, for the sum before it was rounded. */
  MlirValue minusR = mathNeg(m, r), dLow = mathSub(m, x, mathAddK(m, d, -2));
  MlirValue residual = mathFma(m, minusR, dLow, mathFma(m, minusR, d, one));
  r = mathCorrect(m, r, mathMul(m, residual, r));
  MlirValue t = mathFmaK(m, r, -4, one), rest = mathPolynomial(m, t, g, TILE_COUNTOF(g));
  /* g0 + t * rest and its product with r are kept with what they lose. */
  MlirValue g0 = mathConstant(m, 0x1.058672p+0), high = mathFma(m, t, rest, g0);
  MlirValue low = mathFma(m, t, rest, mathSub(m, g0, high));
  MathPair y = mathExactProduct(m, r, high);
  return (MathPair){y.high, mathFma(m, r, low, y.low)};
}

/* exp(s.high + s.low) * y. */
static MlirValue timesExp(MathBuilder *m, MathPair s, MathPair y) {
  MathPowerParts e = mathExpParts(m, s);
  MlirValue product = mathAdd(m, mathFma(m, e.p, y.high, y.low), y.high);
  return mathMul(m, mathMul(m, product, e.first), e.second);
}

/* Beyond 10.5 the result is 0 or 2, and squares need not be larger. */
static MlirValue limited(MathBuilder *m, MlirValue a, double limit) {
  return mathSelect(m, mathCompareK(m, MathOrder_GT, a, limit), mathConstant(m, limit), a);
}

static MlirValue mirrored(MathBuilder *m, MlirValue x, MlirValue y, double whole) {
  return mathSelect(m, mathCompareK(m, MathOrder_LT, x, 0), mathSub(m, mathConstant(m, whole), y), y);
}

MlirValue mathErfc(MathBuilder *m, const MlirValue *x) {
  MlirValue a = limited(m, mathAbs(m, x[0]), 10.5);
  MlirValue y = timesExp(m, mathExactProduct(m, mathNeg(m, a), a), scaledComplement(m, a));
  y = mirrored(m, x[0], y, 2);
  /* Near 0, 1 - erf(x). */
  MlirValue p = mathPolynomial(m, mathMul(m, a, a), erfSmall, TILE_COUNTOF(erfSmall));
  MlirValue near = mathSub(m, mathConstant(m, 1), mathFma(m, x[0], p, x[0]));
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0.46875), near, y);
}

/* erfc(-x / sqrt(2)) / 2, the square of that argument taken from x. */
MlirValue mathNormCdf(MathBuilder *m, const MlirValue *x) {
  MlirValue a = limited(m, mathAbs(m, x[0]), 15);
  MathPair s = mathExactProduct(m, a, mathMulK(m, a, -0.5));
  MlirValue y = timesExp(m, s, scaledComplement(m, mathMulK(m, a, 0x1.6a09e6p-1)));
  return mirrored(m, mathNeg(m, x[0]), mathMulK(m, y, 0.5), 1);
}

/* Of negative x: 2 exp(x^2) - erfcx(-x). */
MlirValue mathErfcx(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), b = limited(m, a, 9.4375);
  MathPair f = scaledComplement(m, a), two = {mathConstant(m, 2), mathConstant(m, 0)};
  MlirValue e = timesExp(m, mathExactProduct(m, b, b), two), y = mathAdd(m, f.high, f.low);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, x[0], 0), mathSub(m, e, y), y);
}
