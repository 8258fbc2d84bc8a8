/* SinPi.c - sine and cosine of multiples of pi: the reduction is exact. */
#include "Functions.h"

/* sin(pi r) = pi r + r z S(z), cos(pi r) = 1 + z C(z), z = r^2, |r| <= 1/4: relative errors below 2^-33 and
 * 2^-31 for f32, 2^-56 and 2^-55 for f64. */
static const double sineTail32[] = {-0x1.4abbcep+2, 0x1.466b78p+1, -0x1.32adccp-1, 0x1.445110p-4};
static const double cosineTail32[] = {-0x1.3bd3ccp+2, 0x1.03c1aep+2, -0x1.55b144p+0, 0x1.d47b4ep-3};
static const double sineTail64[] = {-0x1.4abbce625be47p+2, 0x1.466bc67758d4ap+1,  -0x1.32d2cce32e62fp-1,
                                    0x1.507830160675fp-4,  -0x1.e300a0f887c54p-8, 0x1.e401d25faa5e4p-12};
static const double cosineTail64[] = {-0x1.3bd3cc9be45dep+2, 0x1.03c1f081b5ab3p+2,  -0x1.55d3c7e3c9867p+0,
                                      0x1.e1f50683c47c0p-3,  -0x1.a6d1eca6c1f92p-6, 0x1.f9cc4ced7bcf6p-10,
                                      -0x1.b262ee99c081dp-14};

typedef struct Turns {
  MlirValue sine, cosine, quadrant;
} Turns;

/* x modulo 2, then to the nearest multiple of 1/2. */
static Turns turns(MathBuilder *m, MlirValue x) {
  MlirValue even = mathUnary(m, TileOp_Math_RoundEven, mathMulK(m, x, 0.5));
  MlirValue y = mathFmaK(m, even, -2, x);
  MathRounded n = mathRoundSmall(m, mathAdd(m, y, y));
  MlirValue r = mathFmaK(m, n.value, -0.5, y), z = mathMul(m, r, r);
  MlirValue s = mathMul(m, mathMul(m, z, MATH_POLYNOMIAL(m, z, sineTail32, sineTail64)), r);
  double pi = MATH_PICK(m, 0x1.921fb6p+1, 0x1.921fb54442d18p+1);
  double piLow = MATH_PICK(m, -0x1.777a5cp-24, 0x1.1a62633145c07p-53);
  s = mathFmaK(m, r, pi, mathFmaK(m, r, piLow, s));
  MlirValue c = mathFma(m, z, MATH_POLYNOMIAL(m, z, cosineTail32, cosineTail64), mathConstant(m, 1));
  return (Turns){s, c, n.bits};
}

static MlirValue choose(MathBuilder *m, const Turns *t, MlirValue quadrant) {
  MlirValue odd =
      mathCompareInt(m, MathIntOrder_NE, mathIntOpK(m, TileOp_Arith_AndI, quadrant, 1), mathInt(m, 0));
  return mathFlipSign(m, mathSelect(m, odd, t->cosine, t->sine), quadrant, 1);
}

/* Integers give a zero with their sign. */
MlirValue mathSinPi(MathBuilder *m, const MlirValue *x) {
  Turns t = turns(m, x[0]);
  MlirValue whole = mathCompare(m, MathOrder_EQ, mathUnary(m, TileOp_Math_Trunc, x[0]), x[0]);
  return mathSelect(m, whole, mathMulK(m, x[0], 0), choose(m, &t, t.quadrant));
}

/* Halves give +0: the sign that the quadrant would put on it is dropped by adding 0. */
MlirValue mathCosPi(MathBuilder *m, const MlirValue *x) {
  Turns t = turns(m, x[0]);
  return mathAddK(m, choose(m, &t, mathIntOpK(m, TileOp_Arith_AddI, t.quadrant, 1)), 0);
}
