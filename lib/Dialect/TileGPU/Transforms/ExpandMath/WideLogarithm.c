/* WideLogarithm.c - f64: log and its family.
 *
 * x = 2^e * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); s = f / (2 + f), log(1 + f) = 2 s + s * R(s^2)
 *   = f - (h - s * (h + R)), h = f^2 / 2: the small terms first. */
#include "Functions.h"

/* R(z): relative error of the logarithm below 2^-58. */
static const double series[] = {0x1.555555555557dp-1, 0x1.999999998466ep-2, 0x1.2492493fc650bp-2,
                                0x1.c71c52a102db6p-3, 0x1.74664fcdfa17ap-3, 0x1.399c33921714dp-3,
                                0x1.2f5be2aeb41fep-3};
static const double ln2 = 0x1.62e42fefap-1, ln2Low = 0x1.cf79abc9e3b3ap-40;

typedef struct Split {
  MlirValue e, f, tail; ///< log(1 + f) = f + tail
} Split;

static Split split(MathBuilder *m, MlirValue x) {
  MlirValue subnormal = mathCompareK(m, MathOrder_LT, x, 0x1.0p-1022);
  MlirValue bits = mathBits(m, mathSelect(m, subnormal, mathMulK(m, x, 0x1.0p54), x));
  MlirValue above = mathIntOpK(m, TileOp_Arith_SubI, bits, 0x3fe6a09e667f3bcd);
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_AndI, above, -(1ll << 52));
  MlirValue f = mathAddK(m, mathFromBits(m, mathIntOp(m, TileOp_Arith_SubI, bits, exponent)), -1);
  MlirValue bias = mathSelect(m, subnormal, mathConstant(m, -54), mathConstant(m, 0));
  MlirValue e = mathFmaK(m, mathToFloat(m, exponent), 0x1.0p-52, bias);
  MlirValue s = mathDiv(m, f, mathAddK(m, f, 2)), z = mathMul(m, s, s),
            h = mathMul(m, mathMulK(m, f, 0.5), f);
  MlirValue sum = mathFma(m, z, mathPolynomial(m, z, series, TILE_COUNTOF(series)), h);
  return (Split){e, f, mathFma(m, s, sum, mathNeg(m, h))};
}

/* As for f32 (Logarithm.c). */
static MlirValue special(MathBuilder *m, MlirValue x, MlirValue y) {
  MlirValue infinity = mathConstant(m, INFINITY), below = mathInt(m, (2047ll << 52) - 1);
  MlirValue inside =
      mathCompareInt(m, MathIntOrder_ULT, mathIntOpK(m, TileOp_Arith_SubI, mathBits(m, x), 1), below);
  MlirValue outside = mathFma(m, x, infinity, infinity);
  outside = mathSelect(m, mathCompareK(m, MathOrder_EQ, x, 0), mathConstant(m, -INFINITY), outside);
  return mathSelect(m, inside, y, outside);
}

/* e * ln 2 + f + (tail + low). */
static MlirValue combine(MathBuilder *m, const Split *s, MlirValue low) {
  MathPair y = mathExactSum(m, mathMulK(m, s->e, ln2), s->f);
  y.low = mathAdd(m, mathFmaK(m, s->e, ln2Low, y.low), low);
  return mathAdd(m, y.high, mathAdd(m, s->tail, y.low));
}

MlirValue mathWideLog(MathBuilder *m, const MlirValue *x) {
  Split s = split(m, x[0]);
  return special(m, x[0], combine(m, &s, mathConstant(m, 0)));
}

/* log(1 + x) = log(u) + (x - (u - 1)) / u, u the rounded sum. */
MlirValue mathWideLog1p(MathBuilder *m, const MlirValue *x) {
  MlirValue u = mathAddK(m, x[0], 1), one = mathConstant(m, 1);
  /* What the sum lost, on whichever side it was smaller. */
  MlirValue large = mathCompare(m, MathOrder_GT, x[0], one);
  MlirValue lost =
      mathSelect(m, large, mathSub(m, one, mathSub(m, u, x[0])), mathSub(m, x[0], mathAddK(m, u, -1)));
  Split s = split(m, u);
  MlirValue y = special(m, u, combine(m, &s, mathDiv(m, lost, u)));
  return mathSelect(m, mathCompareK(m, MathOrder_EQ, x[0], 0), x[0], y);
}

static MlirValue otherBase(MathBuilder *m, MlirValue x, double perE, double perELow, double k, double kLow) {
  Split s = split(m, x);
  MathPair f = mathExactProduct(m, s.f, mathConstant(m, k));
  MathPair y = mathExactSum(m, mathMulK(m, s.e, perE), f.high);
  MlirValue low = mathAdd(m, mathFmaK(m, s.f, kLow, f.low), y.low);
  low = mathFmaK(m, s.e, perELow, low);
  return special(m, x, mathAdd(m, y.high, mathFmaK(m, s.tail, k, low)));
}

MlirValue mathWideLog2(MathBuilder *m, const MlirValue *x) {
  return otherBase(m, x[0], 1, 0, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
}

MlirValue mathWideLog10(MathBuilder *m, const MlirValue *x) {
  return otherBase(m, x[0], 0x1.34413509f8p-2, -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2,
                   0x1.95355baaafad3p-57);
}
