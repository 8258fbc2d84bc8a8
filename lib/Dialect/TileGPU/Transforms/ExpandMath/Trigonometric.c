/* Trigonometric.c - sine, cosine and tangent from the reduced argument. */
#include "Functions.h"

/* sin(r) = r + r * z * S(z), cos(r) = 1 + z * C(z), z = r^2: relative errors below 2^-28 and 2^-33 for f32,
 * 2^-57 and 2^-59 for f64. */
static const double sine32[] = {-0x1.555546p-3, 0x1.11077cp-7, -0x1.9955aep-13};
static const double cosine32[] = {-0x1.0p-1, 0x1.55554ap-5, -0x1.6c0c1ap-10, 0x1.99e0ecp-16};
static const double sine64[] = {-0x1.5555555555549p-3, 0x1.111111110f861p-7,   -0x1.a01a019c0e4d7p-13,
                                0x1.71de3574b8f16p-19, -0x1.ae5e63ca79fd7p-26, 0x1.5d924572cf7b5p-33};
static const double cosine64[] = {-0x1.0p-1,
                                  0x1.555555555554cp-5,
                                  -0x1.6c16c16c15164p-10,
                                  0x1.a01a019caf15cp-16,
                                  -0x1.27e4f807ec417p-22,
                                  0x1.1ee9ea7a12871p-29,
                                  -0x1.8fadd68c7e532p-37};

typedef struct SineCosine {
  MlirValue sine, cosine;
} SineCosine;

static SineCosine kernels(MathBuilder *m, MlirValue r) {
  bool wide = mathWidth(m) == 64;
  MlirValue z = mathMul(m, r, r), zero = mathConstant(m, 0), one = mathConstant(m, 1);
  MlirValue s = wide ? mathPolynomial(m, z, sine64, TILE_COUNTOF(sine64))
                     : mathPolynomial(m, z, sine32, TILE_COUNTOF(sine32));
  MlirValue c = wide ? mathPolynomial(m, z, cosine64, TILE_COUNTOF(cosine64))
                     : mathPolynomial(m, z, cosine32, TILE_COUNTOF(cosine32));
  /* z * S + 0 is +0 for r = -0, and so the sum below stays -0. */
  return (SineCosine){mathFma(m, mathFma(m, z, s, zero), r, r), mathFma(m, z, c, one)};
}

static MlirValue isOdd(MathBuilder *m, MlirValue n) {
  return mathCompareInt(m, MathIntOrder_NE, mathIntOpK(m, TileOp_Arith_AndI, n, 1), mathInt(m, 0));
}

MlirValue mathSin(MathBuilder *m, const MlirValue *x) {
  MathReduced r = mathReduceHalfPi(m, x[0]);
  SineCosine k = kernels(m, r.remainder);
  MlirValue y = mathSelect(m, isOdd(m, r.quadrant), k.cosine, k.sine);
  return mathFlipSign(m, y, r.quadrant, 1);
}

MlirValue mathCos(MathBuilder *m, const MlirValue *x) { return mathCosineOf(m, mathReduceHalfPi(m, x[0])); }

MlirValue mathCosineOf(MathBuilder *m, MathReduced r) {
  SineCosine k = kernels(m, r.remainder);
  MlirValue y = mathSelect(m, isOdd(m, r.quadrant), k.sine, k.cosine);
  return mathFlipSign(m, y, mathIntOpK(m, TileOp_Arith_AddI, r.quadrant, 1), 1);
}

/* tan(r) = r + r * z * T(z), relative errors below 2^-25.7 and 2^-56; an odd number of quarter turns on, -1 / tan(r). */
MlirValue mathTan(MathBuilder *m, const MlirValue *x) {
  static const double single[] = {0x1.5554dep-2, 0x1.112de8p-3, 0x1.b58580p-5,
                                  0x1.906f66p-6, 0x1.96b1dcp-9, 0x1.33e0a8p-7};
  static const double twice[] = {0x1.5555555555558p-2,  0x1.1111111110b90p-3,   0x1.ba1ba1ba7eae7p-5,
                                 0x1.664f486887591p-6,  0x1.226e3952bdb22p-7,   0x1.d6d310040db65p-9,
                                 0x1.7dafbefb80c88p-10, 0x1.34ca8ff9050acp-11,  0x1.fe8cbfe71a714p-13,
                                 0x1.60f1111098121p-14, 0x1.16aac0fa9a2e0p-14,  -0x1.a2d1b1e130f0bp-16,
                                 0x1.95408f74897adp-15, -0x1.963e030b10c0cp-16, 0x1.49056a2436cd6p-17};
  MathReduced r = mathReduceHalfPi(m, x[0]);
  MlirValue z = mathMul(m, r.remainder, r.remainder);
  MlirValue s = mathMul(m, z, MATH_POLYNOMIAL(m, z, single, twice));
  MlirValue even = mathFma(m, s, r.remainder, r.remainder);
  MlirValue odd = mathDiv(m, mathConstant(m, -1), even);
  return mathSelect(m, isOdd(m, r.quadrant), odd, even);
}
