/* BesselModified.c - the modified Bessel functions i0 and i1. */
#include "Functions.h"

enum { SMALL = 10, LARGE = 6 };

typedef struct Order {
  double small[SMALL]; ///< I0(x), I1(x) / x in x^2, x <= 8: relative error below 2^-26.5
  double large[LARGE]; ///< exp(-x) * sqrt(x) * I(x) in 1 / x, x >= 8: below 2^-26.6
} Order;

static const Order orders[] = {
    {{0x1.0p+0, 0x1.000002p-2, 0x1.ffffb0p-7, 0x1.c7200ap-12, 0x1.c6f81cp-18, 0x1.24057ap-24, 0x1.fcceaep-32,
      0x1.71bf2ep-39, 0x1.a7a3f0p-48, 0x1.068346p-54},
     {0x1.988450p-2, 0x1.989438p-5, 0x1.c5263cp-6, 0x1.3822b2p-5, -0x1.8d6834p-5, 0x1.f60498p-2}},
    {{0x1.0p-1, 0x1.0p-4, 0x1.55554cp-9, 0x1.c71d92p-15, 0x1.6c0a42p-21, 0x1.84e51ep-28, 0x1.24a92ap-35,
      0x1.68d69ep-43, 0x1.a45b64p-52, 0x1.8dfd22p-59},
     {0x1.988456p-2, -0x1.3266b2p-3, -0x1.7c1d14p-5, -0x1.924b66p-5, 0x1.06d55ap-5, -0x1.07bbeap-1}}};

/* Beyond 92 the result is infinite. */
static MlirValue large(MathBuilder *m, MlirValue a, const Order *o) {
  a = mathSelect(m, mathCompareK(m, MathOrder_GT, a, 96), mathConstant(m, 96), a);
  MathPair argument = {a, mathConstant(m, 0)};
  MathPowerParts e = mathExpParts(m, argument);
  MlirValue p = mathPolynomial(m, mathDiv(m, mathConstant(m, 1), a), o->large, LARGE);
  p = mathMul(m, p, mathUnary(m, TileOp_Math_Rsqrt, a));
  return mathMul(m, mathMul(m, mathFma(m, e.p, p, p), e.first), e.second);
}

MlirValue mathI0(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  MlirValue small = mathPolynomial(m, mathMul(m, a, a), orders[0].small, SMALL);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 8), small, large(m, a, &orders[0]));
}

MlirValue mathI1(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  MlirValue small = mathMul(m, a, mathPolynomial(m, mathMul(m, a, a), orders[1].small, SMALL));
  MlirValue y = mathSelect(m, mathCompareK(m, MathOrder_LT, a, 8), small, large(m, a, &orders[1]));
  return mathCopySign(m, y, x[0]);
}
