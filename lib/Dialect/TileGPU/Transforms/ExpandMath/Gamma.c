/* Gamma.c - lgamma and tgamma. */
#include "Functions.h"

/* lgamma(1 + t) = t * A(t), -0.3 <= t <= 0.7; lgamma(2 + t) = t * B(t), -0.5 <= t <= 1.5: relative errors
 * below 2^-25.1 and 2^-24.6, for f64 2^-52 and 2^-54. */
static const double nearOne32[] = {-0x1.2788d0p-1, 0x1.a51a66p-1, -0x1.9a4dbap-2, 0x1.1513e2p-2,
                                   -0x1.a8859cp-3, 0x1.5aa5fep-3, -0x1.29bd98p-3, 0x1.0df074p-3,
                                   -0x1.d091f0p-4, 0x1.20cbd4p-4, -0x1.559c12p-6};
static const double nearOne64[] = {
    -0x1.2788cfc6fb619p-1, 0x1.a51a6625307cfp-1, -0x1.9a4d55beab1d2p-2, 0x1.151322ac7e5dcp-2,
    -0x1.a8b9c17ac5a1dp-3, 0x1.5b40cb0f6763bp-3, -0x1.2703a1d0ea42ap-3, 0x1.010b36c03731cp-3,
    -0x1.c80674ed20602p-4, 0x1.9a01e7a862e80p-4, -0x1.748bc22d1c811p-4, 0x1.5569a47a3c69fp-4,
    -0x1.3b22d3f613591p-4, 0x1.24b19e48994a2p-4, -0x1.110be2ef667b1p-4, 0x1.fdf39aa02eb33p-5,
    -0x1.de472f173cc63p-5, 0x1.cce3d179ed98dp-5, -0x1.cd471ad5473b7p-5, 0x1.be1418f573310p-5,
    -0x1.69f19ba9c6c77p-5, 0x1.aa543a2f89d23p-6, -0x1.3777590aa2f75p-7, 0x1.a1b7ceb477376p-10};
static const double nearTwo32[] = {0x1.b0ee60p-2,   0x1.4a34d2p-2, -0x1.13e02ep-4,  0x1.512688p-6,
                                   -0x1.e3b478p-8,  0x1.7cea3cp-9, -0x1.4221c8p-10, 0x1.09067cp-11,
                                   -0x1.44c664p-13, 0x1.80f6c2p-16};
static const double nearTwo64[] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,  -0x1.13e001a557604p-4,  0x1.51322ac7d848bp-6,
    -0x1.e404fc219016ep-8,  0x1.7add6eadb7119p-9,  -0x1.38ac5c2ba3e81p-10, 0x1.0b36af85858dcp-11,
    -0x1.d3fd4c9d2f405p-13, 0x1.a127b18237dd0p-14, -0x1.78de57842bf8dp-15, 0x1.580db4cf6f0f9p-16,
    -0x1.3cbcc2527ac1bp-17, 0x1.259a02d8cd2f1p-18, -0x1.11b5b6dabde2cp-19, 0x1.004c083bd9ebbp-20,
    -0x1.e1aaf3687a291p-22, 0x1.c77852b3dd787p-23, -0x1.b4e799ad1f618p-24, 0x1.a75ad18bb9365p-25,
    -0x1.8b4c8bd361c38p-26, 0x1.4543b687dbbacp-27, -0x1.aa320ac826453p-29, 0x1.90c3b9c2f9006p-31,
    -0x1.d76e88502ef86p-34, 0x1.022a336dea7efp-37};
/* Stirling: lgamma(x) = (x - 1/2) log(x) - x + log(2 pi) / 2 + S(1 / x^2) / x, x >= 3.5: below 2^-31 and 2^-60. */
static const double stirling64[] = {0x1.5555555555509p-4,   -0x1.6c16c16ae64f1p-9, 0x1.a019fe2326972p-11,
                                    -0x1.38122f468f4bdp-11, 0x1.b905a0d7f9e2ep-11, -0x1.f11f75172679cp-10,
                                    0x1.81312365fc7e1p-8,   -0x1.49c17925a774ap-6, 0x1.cf7ff70373312p-5,
                                    -0x1.5e10efc5ad4b7p-4};
static const double stirling32[] = {0x1.555542p-4, -0x1.6b7eb8p-9, 0x1.71bd20p-11};

static const double pi32 = 0x1.921fb6p+1, pi64 = 0x1.921fb54442d18p+1;

static MlirValue logarithm(MathBuilder *m, MlirValue x) {
  return mathWidth(m) == 64 ? mathWideLog(m, &x) : mathLog(m, &x);
}

/* For 0.3 < a, or any |a| < 0.7 with logA = log(|a|), whose lgamma is that of 1 + a less logA. */
static MlirValue lgammaRight(MathBuilder *m, MlirValue a, MlirValue logA) {
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 0x1.666666p-1), zero = mathConstant(m, 0);
  MlirValue t = mathSelect(m, isSmall, a, mathAddK(m, a, -1));
  MlirValue first = mathMul(m, t, MATH_POLYNOMIAL(m, t, nearOne32, nearOne64));
  first = mathSub(m, first, mathSelect(m, isSmall, logA, zero));
  MlirValue u = mathAddK(m, a, -2);
  MlirValue second = mathMul(m, u, MATH_POLYNOMIAL(m, u, nearTwo32, nearTwo64));
  MlirValue r = mathDiv(m, mathConstant(m, 1), a);
  MlirValue s = mathMul(m, r, MATH_POLYNOMIAL(m, mathMul(m, r, r), stirling32, stirling64));
  /* log(2 pi) / 2 - 1/2 + (a - 1/2) (log(a) - 1). */
  MlirValue third = mathFma(m, mathAddK(m, a, -0.5), mathAddK(m, logA, -1),
                            mathAddK(m, s, MATH_PICK(m, 0x1.acfe38p-2, 0x1.acfe390c97d69p-2)));
  MlirValue y = mathSelect(m, mathCompareK(m, MathOrder_LT, a, 3.5), second, third);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0x1.b33334p+0), first, y);
}

/* x: |argument| and the lgamma of that. */
static void lgammaReflected(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MlirValue sine = mathAbs(m, mathSinPi(m, x)), zero = mathConstant(m, 0);
  MlirValue ratio = mathDiv(m, mathConstant(m, MATH_PICK(m, pi32, pi64)), mathMul(m, x[0], sine));
  MlirValue y = mathSub(m, logarithm(m, ratio), x[1]);
  out[0] = mathSelect(m, mathCompare(m, MathOrder_EQ, sine, zero), mathConstant(m, INFINITY), y);
}

/* Left of -0.3: lgamma(-a) = log(pi / (a |sin(pi a)|)) - lgamma(a); infinite at integers. */
MlirValue mathLgamma(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), logA = logarithm(m, a), infinity = mathConstant(m, INFINITY);
  MlirValue reflect = mathCompareK(m, MathOrder_LT, x[0], -0x1.333334p-2);
  MlirValue y = lgammaRight(m, mathSelect(m, reflect, a, x[0]), logA), arguments[] = {a, y};
  mathRarely(m, reflect, lgammaReflected, arguments, NULL, 1, &y);
  y = mathSelect(m, mathCompare(m, MathOrder_EQ, a, infinity), infinity, y);
  return mathAddK(m, y, 0); /* +0 at 1 and 2 */
}

/* Gamma(t), 1 <= t <= 2, in t - 1.5: relative errors below 2^-24.7 and 2^-54; gamma(x) / (sqrt(2 pi)
 * x^(x - 1/2) e^-x) in 1 / x, x >= 4: below 2^-29 and 2^-56. */
static const double gammaMiddle64[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.08ea88ee56187p-5,   0x1.a8c4dba620c11p-2,  -0x1.b77ac1ca2d093p-4,
    0x1.283bd37504a90p-3,  -0x1.3d88cfe5a8dbep-4,  0x1.e022b72a79001p-5,  -0x1.374fd593e424bp-5,
    0x1.a752ccdec298cp-6,  -0x1.1a2c34779d87ep-6,  0x1.7990f80dc33ebp-7,  -0x1.f7f9bbc911edap-8,
    0x1.50634be6b6e27p-8,  -0x1.c0d4dfbe5c3ffp-9,  0x1.2a00c50b0348cp-9,  -0x1.8c782e2e41681p-10,
    0x1.1503efed36fe5p-10, -0x1.77613732fc3bap-11, 0x1.5cae9ec1a0ca2p-12, -0x1.a624a6cc5e8e4p-13,
    0x1.8d9f4135ef1a0p-12, -0x1.196a2e5ebee6ep-12};
static const double gammaMiddle32[] = {0x1.c5bf8ap-1, 0x1.08ea1cp-5,  0x1.a8c362p-2, -0x1.b76c36p-4,
                                       0x1.289adap-3, -0x1.3ea28cp-4, 0x1.cfc3a6p-5, -0x1.25df30p-5,
                                       0x1.1ac472p-5, -0x1.906580p-6};
static const double gammaTail64[] = {0x1.p+0,
                                     0x1.5555555555723p-4,
                                     0x1.c71c71c441ce0p-9,
                                     -0x1.5f72680ab85bdp-9,
                                     -0x1.e13f2d606d3e3p-13,
                                     0x1.9b1df1eefce8ap-11,
                                     0x1.1da0721efa623p-14,
                                     -0x1.2d93c57cec8e6p-11,
                                     -0x1.665a24d09adc9p-13,
                                     0x1.6ed0af1077babp-10,
                                     -0x1.a140bf3873b27p-10,
                                     0x1.57fd433b8a70ap-11};
static const double gammaTail32[] = {0x1.0p+0, 0x1.555524p-4, 0x1.c8114ep-9, -0x1.6b51b2p-9, 0x1.cb9118p-13};

/* gamma(a) * 2^shift, a >= 4, in f64. */
static MlirValue gammaWide(MathBuilder *m, MlirValue a, MathPair sum, MlirValue shift) {
  sum.high = mathAdd(m, sum.high, shift); /* exact: no shift but of large ones */
  MlirValue r = mathDiv(m, mathConstant(m, 1), a);
  return mathMul(m, mathWideExp2(m, sum), mathPolynomial(m, r, gammaTail64, TILE_COUNTOF(gammaTail64)));
}

/* factor * gamma(a), a >= 4, through a^(a - 1/2) e^-a with the exponent as a sum of two. In f64 the factor's exponent is
 * given. */
static MlirValue gammaLarge(MathBuilder *m, MlirValue a, MlirValue factor) {
  double most = MATH_PICK(m, 43.0, 190.0); /* beyond every float */
  a = mathSelect(m, mathCompareK(m, MathOrder_GT, a, most), mathConstant(m, most), a);
  MathPair l = mathLog2Pair(m, a), t = mathExactProduct(m, mathAddK(m, a, -0.5), l.high);
  t.low = mathFma(m, mathAddK(m, a, -0.5), l.low, t.low);
  /* - a * log2(e) + log2(sqrt(2 pi)). */
  MathPair e = mathExactProduct(m, a, mathConstant(m, MATH_PICK(m, -0x1.715476p+0, -0x1.71547652b82fep+0)));
  MathPair sum = mathExactSum(m, t.high, e.high);
  sum.low = mathAdd(m, mathAdd(m, sum.low, t.low),
                    mathFmaK(m, a, MATH_PICK(m, -0x1.4ae0c0p-26, -0x1.777d0ffda0d24p-56), e.low));
  sum.low = mathAddK(m, sum.low, MATH_PICK(m, 0x1.53643ap+0, 0x1.536439a4c6efcp+0));
  sum = mathExactSum(m, sum.high, sum.low);
  if (mathWidth(m) == 64)
    return gammaWide(m, a, sum, factor);
  MathPowerParts power = mathExp2Parts(m, sum);
  MlirValue r = mathDiv(m, mathConstant(m, 1), a);
  MlirValue tail = mathPolynomial(m, r, gammaTail32, TILE_COUNTOF(gammaTail32));
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
  MlirValue g = MATH_POLYNOMIAL(m, u, gammaMiddle32, gammaMiddle64);
  g = mathMul(m, g, mathSelect(m, two, minusOne, one));
  g = mathMul(m, g, mathSelect(m, three, minusTwo, one));
  return mathSelect(m, below, mathExactDiv(m, g, a), g);
}

/* x: the magnitude and the factor. */
static void gammaRare(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  out[0] = gammaLarge(m, x[0], x[1]);
}

/* gamma(-a) = -pi / (a sin(pi a) gamma(a)), gamma(a) scaled down by 2^64 (f64: 2^200) where it is large: the result is
 * subnormal before gamma(a) overflows. x: the argument, gamma(a), and what undoes the scale. */
static void gammaReflected(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MlirValue sine = mathSinPi(m, x), g = x[1]; /* of x: the sign is its own */
  MathPair p = mathExactProduct(m, mathAbs(m, x[0]), sine);
  MlirValue denominator = mathFma(m, p.high, g, mathMul(m, p.low, g));
  MlirValue y = mathExactDiv(m, mathConstant(m, MATH_PICK(m, pi32, pi64)), denominator);
  MlirValue pole = mathCompareK(m, MathOrder_EQ, sine, 0);
  out[0] = mathSelect(m, pole, mathConstant(m, NAN), mathMul(m, y, x[2]));
}

MlirValue mathTgamma(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), zero = mathConstant(m, 0), one = mathConstant(m, 1);
  MlirValue negative = mathCompare(m, MathOrder_LT, x[0], zero);
  MlirValue large = mathCompareK(m, MathOrder_GE, a, 4);
  bool wide = mathWidth(m) == 64;
  /* Scaled down: all that are large, of f64 only those whose exponent stays exact. */
  MlirValue scaled = wide ? mathCompareK(m, MathOrder_GT, a, 100) : large;
  MlirValue factor = wide ? mathSelect(m, negative, mathSelect(m, scaled, mathConstant(m, -200), zero), zero)
                          : mathSelect(m, negative, mathConstant(m, 0x1.0p-64), one);
  MlirValue y = gammaSmall(m, a), magnitude[] = {a, factor};
  mathRarely(m, large, gammaRare, magnitude, NULL, 1, &y);
  MlirValue back = mathSelect(m, scaled, mathConstant(m, MATH_PICK(m, 0x1.0p-64, 0x1.0p-200)), one),
            arguments[] = {x[0], y, back};
  mathRarely(m, negative, gammaReflected, arguments, NULL, 1, &y);
  MlirValue reciprocal = mathExactDiv(m, one, x[0]); /* near 0, and with the sign of -0 */
  double tiny = MATH_PICK(m, 0x1.0p-26, 0x1.0p-54);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, tiny), reciprocal, y);
}
