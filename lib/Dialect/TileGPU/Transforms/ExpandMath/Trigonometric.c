/* Trigonometric.c - sine, cosine and tangent from the reduced argument. */
#include "Functions.h"

/* sin(r) = r + r * z * S(z), relative error below 2^-28; cos(r) = 1 + z * C(z), below 2^-33; z = r^2. */
static const double sine[] = {-0x1.555546p-3, 0x1.11077cp-7, -0x1.9955aep-13};
static const double cosine[] = {-0x1.0p-1, 0x1.55554ap-5, -0x1.6c0c1ap-10, 0x1.99e0eep-16};

typedef struct SineCosine {
  MlirValue sine, cosine;
} SineCosine;

static SineCosine kernels(MathBuilder *m, MlirValue r) {
  MlirValue z = mathMul(m, r, r);
  /* z * S + 0 is +0 for r = -0, and so the sum below stays -0. */
  MlirValue s = mathFma(m, z, mathPolynomial(m, z, sine, TILE_COUNTOF(sine)), mathConstant(m, 0));
  MlirValue c = mathPolynomial(m, z, cosine, TILE_COUNTOF(cosine));
  return (SineCosine){mathFma(m, s, r, r), mathFma(m, z, c, mathConstant(m, 1))};
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

MlirValue mathCos(MathBuilder *m, const MlirValue *x) {
  MathReduced r = mathReduceHalfPi(m, x[0]);
  SineCosine k = kernels(m, r.remainder);
  MlirValue y = mathSelect(m, isOdd(m, r.quadrant), k.sine, k.cosine);
  return mathFlipSign(m, y, mathIntOpK(m, TileOp_Arith_AddI, r.quadrant, 1), 1);
}
