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

/* exp(x^2) * erfc(x) = r * G(t), r = 1 / (x + 2), t = 1 - 4 r, for every x >= 0: relative errors below
 * 2^-25.8 and 2^-54. */
MathPair mathScaledComplement(MathBuilder *m, MlirValue x) {
  static const double single[] = {-0x1.5fd386p-1, 0x1.1e2dbap-2, -0x1.2a8a84p-5,  -0x1.604c0cp-6,
                                  0x1.a90eaep-8,  0x1.90ac92p-9, -0x1.c2ed32p-11, -0x1.394ffep-11,
                                  0x1.30d366p-14, 0x1.6032f0p-14};
  static const double twice[] = {
      -0x1.5fd386754eff8p-1,  0x1.1e2deea6b1171p-2,   -0x1.2a88e6107dfa7p-5,  -0x1.606e415528f28p-6,
      0x1.a89eaff930d26p-8,   0x1.9517bb6feee43p-9,   -0x1.b6fbfa05d3fbep-11, -0x1.5ba4383892659p-11,
      0x1.2054533116e87p-15,  0x1.2efa29206a49dp-13,  0x1.1e74d9960c55cp-15,  -0x1.6c01a2699ac8bp-16,
      -0x1.0e6c54fd79425p-16, -0x1.2de0c1b470f32p-20, 0x1.e82f7dcd71369p-19,  0x1.0c65f1c6db7d5p-19,
      0x1.eb64092fcbd06p-27,  -0x1.31099dc0223f7p-21, -0x1.6d9b2c38d4761p-22, -0x1.a442453b0166ap-28,
      0x1.0bbb1bee2d6b7p-23,  0x1.007ab830b3ea3p-24,  -0x1.37f4cd5c2df4fp-26, -0x1.589feb6311ceap-26,
      -0x1.558c553289dd3p-31, 0x1.57619cfe1ca62p-29,  0x1.bb60584945a6fp-32};
  MlirValue one = mathConstant(m, 1), d = mathAddK(m, x, 2), r = mathDiv(m, one, d);
  /* One step of Newton, for the sum before it was rounded. */
  MlirValue minusR = mathNeg(m, r), dLow = mathSub(m, x, mathAddK(m, d, -2));
  MlirValue residual = mathFma(m, minusR, dLow, mathFma(m, minusR, d, one));
  r = mathCorrect(m, r, mathMul(m, residual, r));
  MlirValue t = mathFmaK(m, r, -4, one), rest = MATH_POLYNOMIAL(m, t, single, twice);
  /* g0 + t * rest and its product with r are kept with what they lose. */
  MlirValue g0 = mathConstant(m, MATH_PICK(m, 0x1.058672p+0, 0x1.058671b52c776p+0)),
            high = mathFma(m, t, rest, g0);
  MlirValue low = mathFma(m, t, rest, mathSub(m, g0, high));
  MathPair y = mathExactProduct(m, r, high);
  return (MathPair){y.high, mathFma(m, r, low, y.low)};
}

/* exp(s.high + s.low) * y. */
static MlirValue timesExp(MathBuilder *m, MathPair s, MathPair y) {
  if (mathWidth(m) == 64) {
    MlirValue power = mathWideExpOf(m, s);
    return mathFma(m, power, y.high, mathMul(m, power, y.low));
  }
  MathPowerParts e = mathExpParts(m, s);
  MlirValue product = mathAdd(m, mathFma(m, e.p, y.high, y.low), y.high);
  return mathMul(m, mathMul(m, product, e.first), e.second);
}

/* erf(x) for |x| < 1. */
static MlirValue erfNear(MathBuilder *m, MlirValue x) {
  if (mathWidth(m) == 64)
    return mathWideErfSmall(m, x);
  MlirValue p = mathPolynomial(m, mathMul(m, x, x), erfSmall, TILE_COUNTOF(erfSmall));
  return mathFma(m, x, p, x);
}

/* Beyond 10.5 (f64: 28) the result is 0 or 2, and squares need not be larger. */
static MlirValue limited(MathBuilder *m, MlirValue a, double limit) {
  return mathSelect(m, mathCompareK(m, MathOrder_GT, a, limit), mathConstant(m, limit), a);
}

static MlirValue mirrored(MathBuilder *m, MlirValue x, MlirValue y, double whole) {
  return mathSelect(m, mathCompareK(m, MathOrder_LT, x, 0), mathSub(m, mathConstant(m, whole), y), y);
}

MlirValue mathErfc(MathBuilder *m, const MlirValue *x) {
  MlirValue a = limited(m, mathAbs(m, x[0]), MATH_PICK(m, 10.5, 28.0));
  MlirValue y = timesExp(m, mathExactProduct(m, mathNeg(m, a), a), mathScaledComplement(m, a));
  y = mirrored(m, x[0], y, 2);
  /* Near 0, 1 - erf(x). */
  MlirValue near = mathSub(m, mathConstant(m, 1), erfNear(m, x[0]));
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0.46875), near, y);
}

/* erfc(-x / sqrt(2)) / 2, the square of that argument taken from x. */
MlirValue mathNormCdf(MathBuilder *m, const MlirValue *x) {
  MlirValue a = limited(m, mathAbs(m, x[0]), MATH_PICK(m, 15.0, 39.0));
  MathPair s = mathExactProduct(m, a, mathMulK(m, a, -0.5));
  MlirValue y = timesExp(
      m, s, mathScaledComplement(m, mathMulK(m, a, MATH_PICK(m, 0x1.6a09e6p-1, 0x1.6a09e667f3bcdp-1))));
  return mirrored(m, mathNeg(m, x[0]), mathMulK(m, y, 0.5), 1);
}

/* Of negative x: 2 exp(x^2) - erfcx(-x). */
MlirValue mathErfcx(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), b = limited(m, a, MATH_PICK(m, 9.4375, 26.75));
  MathPair f = mathScaledComplement(m, a), two = {mathConstant(m, 2), mathConstant(m, 0)};
  MathPair square = mathExactProduct(m, b, b);
  MlirValue e = mathWidth(m) == 64 ? mathMulK(m, mathWideExpOf(m, square), 2) : timesExp(m, square, two);
  MlirValue y = mathAdd(m, f.high, f.low);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, x[0], 0), mathSub(m, e, y), y);
}
