/* BesselModified.c - the modified Bessel functions i0 and i1. */
#include "Functions.h"

enum { SMALL = 10, LARGE = 6, WIDE_SMALL = 20, WIDE_LARGE = 18 };

typedef struct Order {
  double small[SMALL];          ///< I0(x), I1(x) / x in x^2, x <= 8: relative error below 2^-26.5
  double large[LARGE];          ///< exp(-x) * sqrt(x) * I(x) in 1 / x, x >= 8: below 2^-26.6
  double wideSmall[WIDE_SMALL]; ///< the same for f64, x <= 11: below 2^-54
  double wideLarge[WIDE_LARGE]; ///< x >= 11: below 2^-54
} Order;

static const Order orders[] = {
    {{0x1.0p+0, 0x1.000002p-2, 0x1.ffffb0p-7, 0x1.c7200ap-12, 0x1.c6f81cp-18, 0x1.24057ap-24, 0x1.fcceaep-32,
      0x1.71bf2ep-39, 0x1.a7a3f0p-48, 0x1.068346p-54},
     {0x1.988450p-2, 0x1.989438p-5, 0x1.c5263cp-6, 0x1.3822b2p-5, -0x1.8d6834p-5, 0x1.f60498p-2},
     {0x1.p+0,
      0x1.p-2,
      0x1.p-6,
      0x1.c71c71c71c71dp-12,
      0x1.c71c71c71c715p-18,
      0x1.23456789abd46p-24,
      0x1.02e85c08984bfp-31,
      0x1.522a43f65e0a4p-39,
      0x1.522a43f5bab98p-47,
      0x1.0b313290db972p-55,
      0x1.560187e04bedep-64,
      0x1.69caa393063d3p-73,
      0x1.419763dc4121ep-82,
      0x1.e7298b10acc06p-92,
      0x1.3e099367dad3dp-101,
      0x1.6adde2a9709fap-111,
      0x1.63e978c48a21ap-121,
      0x1.5dc1abcaf7dacp-131,
      0x1.3ff34ab9e7784p-142,
      0x1.60900c6764e0fp-151},
     {0x1.9884533d43658p-2, 0x1.9884533d2e523p-5, 0x1.cb94de058730ap-6, 0x1.deba9ed1fe272p-6,
      0x1.6eafd61f5b055p-5, 0x1.69cb49d5cc758p-4, 0x1.a4fa748161569p-2, -0x1.3713d3a16c844p+3,
      0x1.b1118966b11ffp+8, -0x1.9968374aa2b78p+13, 0x1.204f6b55b492fp+18, -0x1.2ac42c80e354cp+22,
      0x1.c19ca6685d32ap+25, -0x1.dd08865284d95p+28, 0x1.527d03fb36d7cp+31, -0x1.2288180e24c81p+33,
      0x1.e068275217772p+33, -0x1.1ee9fe1f7768cp+32}},
    {{0x1.0p-1, 0x1.0p-4, 0x1.55554cp-9, 0x1.c71d92p-15, 0x1.6c0a42p-21, 0x1.84e51ep-28, 0x1.24a92ap-35,
      0x1.68d69ep-43, 0x1.a45b64p-52, 0x1.8dfd22p-59},
     {0x1.988456p-2, -0x1.3266b2p-3, -0x1.7c1d14p-5, -0x1.924b66p-5, 0x1.06d55ap-5, -0x1.07bbeap-1},
     {0x1.p-1,
      0x1.p-4,
      0x1.5555555555555p-9,
      0x1.c71c71c71c71dp-15,
      0x1.6c16c16c16c14p-21,
      0x1.845c8a0ce516fp-28,
      0x1.27e4fb7789b28p-35,
      0x1.522a43f65a1cbp-43,
      0x1.2c9758daa0b3ep-51,
      0x1.ab81ea7d74febp-60,
      0x1.f1769750d7d6dp-69,
      0x1.e263824af58a9p-78,
      0x1.8bce19a4d84f7p-87,
      0x1.16605b61e0ac7p-96,
      0x1.5342825bd51c7p-106,
      0x1.6ab9399ca6956p-116,
      0x1.4fb73c6c3626fp-126,
      0x1.344d748ab1e5fp-136,
      0x1.1875a2d45a183p-147,
      0x1.14ad83f1cd304p-156},
     {0x1.9884533d43649p-2, -0x1.32633e6ded06cp-3, -0x1.7efc0e3bf012ap-5, -0x1.4f1c5072ac03fp-5,
      -0x1.d76a663675949p-5, -0x1.bbe9a422da25cp-4, -0x1.d5fa6a183f543p-2, 0x1.3e26ecb232e32p+3,
      -0x1.bd6bdfbfc0d7cp+8, 0x1.a336001e3c810p+13, -0x1.25ebf2a1aa839p+18, 0x1.2ee96620bc8e5p+22,
      -0x1.c49c18b3917c5p+25, 0x1.db667b0333da5p+28, -0x1.4c0351dafb298p+31, 0x1.14944dbe0ddefp+33,
      -0x1.a6527cfcfb8d8p+33, 0x1.6827775cbe1a1p+30}}};

/* Beyond 714 the result is infinite. */
static MlirValue wideLarge(MathBuilder *m, MlirValue a, const Order *o) {
  a = mathSelect(m, mathCompareK(m, MathOrder_GT, a, 720), mathConstant(m, 720), a);
  MlirValue p = mathPolynomial(m, mathDiv(m, mathConstant(m, 1), a), o->wideLarge, WIDE_LARGE);
  p = mathMul(m, p, mathWideRsqrt(m, &a));
  return mathMulK(m, mathMul(m, mathWideExpScaled(m, a, 8), p), 256);
}

/* Beyond 92 the result is infinite. */
static MlirValue large(MathBuilder *m, MlirValue a, const Order *o) {
  a = mathSelect(m, mathCompareK(m, MathOrder_GT, a, 96), mathConstant(m, 96), a);
  MathPair argument = {a, mathConstant(m, 0)};
  MathPowerParts e = mathExpParts(m, argument);
  MlirValue p = mathPolynomial(m, mathDiv(m, mathConstant(m, 1), a), o->large, LARGE);
  p = mathMul(m, p, mathUnary(m, TileOp_Math_Rsqrt, a));
  return mathMul(m, mathMul(m, mathFma(m, e.p, p, p), e.first), e.second);
}

static MlirValue small(MathBuilder *m, MlirValue a, const Order *o) {
  return MATH_POLYNOMIAL(m, mathMul(m, a, a), o->small, o->wideSmall);
}

static MlirValue choose(MathBuilder *m, MlirValue a, MlirValue near, const Order *o) {
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, MATH_PICK(m, 8.0, 11.0));
  return mathSelect(m, isSmall, near, mathWidth(m) == 64 ? wideLarge(m, a, o) : large(m, a, o));
}

MlirValue mathI0(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  return choose(m, a, small(m, a, &orders[0]), &orders[0]);
}

MlirValue mathI1(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  return mathCopySign(m, choose(m, a, mathMul(m, a, small(m, a, &orders[1])), &orders[1]), x[0]);
}
