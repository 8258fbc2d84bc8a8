/* Logarithm.c - log and its family, in integer and float arithmetic: the hardware's log2 is only absolutely
 * accurate near 1.
 *
 * x = 2^e * (1 + f), f in [-1/3, 1/3]; log(1 + f) = f + f^2 * Q(f). */
#include "Functions.h"

/* Relative error of f + f^2 * Q(f) below 2^-27.6. */
static const double q[] = {-0x1.0p-1,     0x1.555506p-2,  -0x1.fffefcp-3, 0x1.99d044p-3, -0x1.559c46p-3,
                           0x1.1ed660p-3, -0x1.f332a4p-4, 0x1.1e67a2p-3,  -0x1.07c96cp-3};

typedef struct Split {
  MlirValue e, f; ///< floats
} Split;

/* The exponent is what the bits above those of 2/3 hold. */
static Split split(MathBuilder *m, MlirValue x) {
  MlirValue subnormal = mathCompareK(m, MathOrder_LT, x, 0x1.0p-126);
  MlirValue scaled = mathSelect(m, subnormal, mathMulK(m, x, 0x1.0p23), x);
  MlirValue bias = mathSelect(m, subnormal, mathConstant(m, -23), mathConstant(m, 0));
  MlirValue bits = mathBits(m, scaled);
  MlirValue above = mathIntOpK(m, TileOp_Arith_SubI, bits, 0x3f2aaaab);
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_AndI, above, -(1 << 23));
  MlirValue mantissa = mathFromBits(m, mathIntOp(m, TileOp_Arith_SubI, bits, exponent));
  /* An exact conversion of a multiple of 2^23. */
  MlirValue e = mathFmaK(m, mathToFloat(m, exponent), 0x1.0p-23, bias);
  return (Split){e, mathAddK(m, mantissa, -1)};
}

/* What the split cannot see: 0 gives -inf; below 0 and NaN give NaN; +inf gives itself. */
static MlirValue special(MathBuilder *m, MlirValue x, MlirValue y) {
  MlirValue infinity = mathConstant(m, INFINITY);
  MlirValue inside = mathCompareInt(m, MathIntOrder_ULT, mathIntOpK(m, TileOp_Arith_SubI, mathBits(m, x), 1),
                                    mathInt(m, 0x7f800000 - 1));
  MlirValue outside = mathFma(m, x, infinity, infinity); /* -x: NaN, also -inf */
  MlirValue zero = mathCompareK(m, MathOrder_EQ, x, 0);
  outside = mathSelect(m, zero, mathConstant(m, -INFINITY), outside);
  return mathSelect(m, inside, y, outside);
}

MlirValue mathLog(MathBuilder *m, const MlirValue *x) {
  Split s = split(m, x[0]);
  MlirValue y = mathFma(m, mathMul(m, s.f, s.f), mathPolynomial(m, s.f, q, TILE_COUNTOF(q)), s.f);
  return special(m, x[0], mathFmaK(m, s.e, 0x1.62e430p-1, y));
}

typedef struct Base {
  double e, eLow; ///< 1 / log2(base): e has so few bits that its multiples by exponents are exact
  double f, fLow; ///< 1 / ln(base)
  double q[9];    ///< Q / ln(base)
} Base;

/* (e * ln 2 + f + f^2 * Q(f)) / ln(base): the sum of the two large terms is kept with what its rounding
 * loses. */
static MlirValue otherBase(MathBuilder *m, MlirValue x, const Base *base) {
  Split s = split(m, x);
  MathPair f = mathExactProduct(m, s.f, mathConstant(m, base->f));
  MathPair y = mathExactSum(m, mathMulK(m, s.e, base->e), f.high);
  MlirValue low = mathAdd(m, mathFmaK(m, s.f, base->fLow, f.low), y.low);
  if (base->eLow != 0)
    low = mathFmaK(m, s.e, base->eLow, low);
  low = mathFma(m, mathMul(m, s.f, s.f), mathPolynomial(m, s.f, base->q, TILE_COUNTOF(base->q)), low);
  return special(m, x, mathAdd(m, y.high, low));
}

MlirValue mathLog2(MathBuilder *m, const MlirValue *x) {
  static const Base two = {1,
                           0,
                           0x1.715476p+0,
                           0x1.4ae0c0p-26,
                           {-0x1.715476p-1, 0x1.ec7030p-2, -0x1.7153e0p-2, 0x1.279d6ep-2, -0x1.ecd0cap-3,
                            0x1.9de610p-3, -0x1.6850dep-3, 0x1.9cdc2cp-3, -0x1.7bd478p-3}};
  return otherBase(m, x[0], &two);
}

MlirValue mathLog10(MathBuilder *m, const MlirValue *x) {
  static const Base ten = {0x1.344000p-2,
                           0x1.3509f8p-18,
                           0x1.bcb7b2p-2,
                           -0x1.5b235ep-27,
                           {-0x1.bcb7b2p-3, 0x1.287a2ep-3, -0x1.bcb66cp-4, 0x1.63f6e4p-4, -0x1.28c148p-4,
                            0x1.f2259ap-5, -0x1.b0e842p-5, 0x1.f228d2p-5, -0x1.cc9460p-5}};
  return otherBase(m, x[0], &ten);
}

/* f in [-1/4, 1/2]: relative error below 2^-27.6. */
static const double q1p[] = {-0x1.0p-1,     0x1.5555a4p-2,  -0x1.00004ap-2, 0x1.99699ep-3, -0x1.54ed96p-3,
                             0x1.28807cp-3, -0x1.0d98f6p-3, 0x1.acf4a2p-4,  -0x1.71e2f4p-5};

/* 1 + x = 2^e * (1 + f): e comes from the rounded sum, f = x * 2^-e + (2^-e - 1) from x itself, in one
 * rounding. 2^-e alone may be too small for a float, 2^(2-e) is not. 1 + f is in [3/4, 3/2], of the two ends
 * 3/4 for negative x and 3/2 for others: so f is exact for |x| < 1. */
MlirValue mathLog1p(MathBuilder *m, const MlirValue *x) {
  MlirValue sum = mathAddK(m, x[0], 1);
  MlirValue negative = mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x[0]), 31);
  MlirValue above = mathIntOpK(m, TileOp_Arith_SubI, mathBits(m, sum), 0x3f400001);
  above = mathIntOp(m, TileOp_Arith_AddI, above, negative);
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_AndI, above, -(1 << 23));
  MlirValue scale = mathFromBits(m, mathIntOp(m, TileOp_Arith_SubI, mathInt(m, 0x40800000), exponent));
  MlirValue scaled = mathFromBits(m, mathIntOp(m, TileOp_Arith_SubI, mathBits(m, x[0]), exponent));
  MlirValue f = mathAdd(m, scaled, mathFmaK(m, scale, 0.25, mathConstant(m, -1)));
  /* e * ln 2 is exact with 16 bits of ln 2; its sum with f is kept with what the rounding loses. */
  MlirValue e = mathToFloat(m, exponent); // times 2^23
  MathPair y = mathExactSum(m, mathMulK(m, e, 0x1.62e400p-24), f);
  y.low = mathFmaK(m, e, 0x1.7f7d1cp-43, y.low);
  y.low = mathFma(m, mathMul(m, f, f), mathPolynomial(m, f, q1p, TILE_COUNTOF(q1p)), y.low);
  MlirValue r = special(m, sum, mathAdd(m, y.high, y.low));
  MlirValue zero = mathCompareK(m, MathOrder_EQ, x[0], 0); /* keeps -0 */
  return mathSelect(m, zero, x[0], r);
}
