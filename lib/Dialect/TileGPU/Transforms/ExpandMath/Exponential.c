/* Exponential.c - exp and its family. */
#include "Functions.h"

/* Clamped so that 2^n is a normal float: where t is beyond, 2^(t - n) overflows or vanishes by itself. A NaN
 * does not reach n. */
MathScale mathScaleOf(MathBuilder *m, MlirValue t) {
  t = mathBinary(m, TileOp_Arith_MinNumF, t, mathConstant(m, 127));
  MathRounded n = mathRoundSmall(m, mathBinary(m, TileOp_Arith_MaxNumF, t, mathConstant(m, -126)));
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_ShLI, n.bits, 23);
  return (MathScale){n.value, mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, exponent, 127 << 23))};
}

/* base^x = 2^n * 2^r, n = floor(t), t = x * log2(base); r = t - n is taken from x again, with more of the
 * logarithm's digits, since t's rounding error grows with |x|. (With r in [0, 1] the hardware's exp2 is a
 * little better than around 0.)
 *
 * n is held to -126 ... 127, so that 2^n is a normal float: where t is beyond, 2^r overflows or vanishes. That is
 * done on a scale of 0 to 1, to which multiplications saturate at no cost on both vendors. A NaN does not reach
 * n. In the last bits of `sum` is n + 127, the exponent field of 2^n. */
static MlirValue power(MathBuilder *m, MlirValue x, double log2Base, double log2BaseLow) {
  const double least = -126, span = 127 - least, big = 0x1.8p23 + 127;
  MlirValue t = mathFmaK(m, x, (float)(log2Base / span), mathConstant(m, (float)((-0.5 - least) / span)));
  t = mathBinary(m, TileOp_Arith_MinNumF, t, mathConstant(m, 1));
  t = mathBinary(m, TileOp_Arith_MaxNumF, t, mathConstant(m, 0));
  MlirValue sum = mathFmaK(m, t, span, mathConstant(m, big + least));
  MlirValue scale = mathFromBits(m, mathIntOpK(m, TileOp_Arith_ShLI, mathBits(m, sum), 23));
  MlirValue r = mathFmaK(m, x, log2Base, mathNeg(m, mathAddK(m, sum, -big)));
  r = mathFmaK(m, x, log2BaseLow, r);
  return mathMul(m, mathExp2Normal(m, r), scale); /* vanishes where the first factor would be subnormal */
}

/* By polynomial, without the hardware's exp2: beyond -105 and 89 the result is 0 and infinity. */
static MlirValue expPrecise(MathBuilder *m, MlirValue x) {
  MlirValue y = mathSelect(m, mathCompareK(m, MathOrder_LT, x, -105), mathConstant(m, -105), x);
  y = mathSelect(m, mathCompareK(m, MathOrder_GT, y, 89), mathConstant(m, 89), y);
  MathPowerParts e = mathExpParts(m, (MathPair){y, mathConstant(m, 0)});
  return mathMul(m, mathFma(m, e.p, e.first, e.first), e.second);
}

MlirValue mathExp(MathBuilder *m, const MlirValue *x) {
  return m->precise ? expPrecise(m, x[0]) : power(m, x[0], 0x1.715476p+0, 0x1.4ae0c0p-26);
}
MlirValue mathExp10(MathBuilder *m, const MlirValue *x) {
  return power(m, x[0], 0x1.a934f0p+1, 0x1.2f346ep-24);
}

/* expm1(r) = r + r^2 * Q(r), -0.5 < r < 0.525: relative error below 2^-27.7. */
static const double expm1Tail[] = {0x1.000002p-1, 0x1.555558p-3,  0x1.5551bep-5,
                                   0x1.110d08p-7, 0x1.6f4a6ep-10, 0x1.a53e50p-13};

static MlirValue expm1Small(MathBuilder *m, MlirValue r) {
  MlirValue p = mathPolynomial(m, r, expm1Tail, TILE_COUNTOF(expm1Tail));
  return mathFma(m, mathMul(m, r, r), p, r);
}

typedef struct Reduced {
  MlirValue p;        ///< expm1(r), x = n ln 2 + r
  MlirValue exponent; ///< n in a float's exponent field
} Reduced;

/* t: x / ln 2 or what else n is to be rounded from. */
static Reduced reduce(MathBuilder *m, MlirValue x, MlirValue t) {
  MathRounded n = mathRoundSmall(m, t);
  MlirValue r = mathFmaK(m, n.value, -0x1.62e430p-1, x);
  r = mathFmaK(m, n.value, 0x1.05c610p-29, r);
  return (Reduced){expm1Small(m, r), mathIntOpK(m, TileOp_Arith_ShLI, n.bits, 23)};
}

/* n is 0 up to 1/2, where the sum 2^n p + (2^n - 1) would cancel, else such that -1/4 < p < 1/2. n up to 128
 * is applied as 2^(n-1), then doubled, so that the last step overflows where the result does. */
MlirValue mathExpM1(MathBuilder *m, const MlirValue *x) {
  MlirValue zero = mathConstant(m, 0), a = mathAbs(m, x[0]);
  /* Below -25 the result is -1; NaN stays. */
  MlirValue low = mathCompareK(m, MathOrder_LT, x[0], -25), high = mathCompareK(m, MathOrder_GT, x[0], 89);
  MlirValue clamped = mathSelect(m, low, mathConstant(m, -25), x[0]);
  clamped = mathSelect(m, high, mathConstant(m, 89), clamped);
  MlirValue t = mathFmaK(m, clamped, 0x1.715476p+0, mathConstant(m, -0x1.58p-4));
  Reduced v = reduce(m, clamped, mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0.5), zero, t));
  MlirValue half = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, v.exponent, 126 << 23)); /* 2^(n-1) */
  /* half - 1/2 in two parts; the lower is 0 unless n > 24, and p * half is exact where it is. */
  MlirValue upper = mathAddK(m, half, -0.5), lower = mathAddK(m, mathSub(m, half, upper), -0.5);
  MlirValue y = mathAdd(m, mathFma(m, v.p, half, lower), upper);
  y = mathAdd(m, y, y);
  MlirValue tiny = mathCompareK(m, MathOrder_LT, a, 0x1.0p-25); /* where p * half could vanish */
  return mathSelect(m, tiny, x[0], y);
}

MlirValue mathExpQuarter(MathBuilder *m, MlirValue x) {
  /* NaN stays; 4 exp(89.5) / 2 is infinite. */
  x = mathSelect(m, mathCompareK(m, MathOrder_GT, x, 89.5), mathConstant(m, 89.5), x);
  Reduced v = reduce(m, x, mathMulK(m, x, 0x1.715476p+0));
  MlirValue quarter = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, v.exponent, 125 << 23)); /* 2^(n-2) */
  return mathFma(m, v.p, quarter, quarter);
}

/* 2^n in two factors: the bits of the rounded sum hold n above a bias of 2^22. */
static MathPowerParts twoPowers(MathBuilder *m, MlirValue p, MlirValue bits) {
  MlirValue whole = mathIntOpK(m, TileOp_Arith_SubI, bits, 0x4b400000);
  MlirValue half = mathIntOpK(m, TileOp_Arith_ShRSI, whole, 1),
            rest = mathIntOp(m, TileOp_Arith_SubI, whole, half);
  MlirValue parts[] = {half, rest};
  for (int i = 0; i < 2; ++i) {
    MlirValue exponent = mathIntOpK(m, TileOp_Arith_ShLI, parts[i], 23);
    parts[i] = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, exponent, 127 << 23));
  }
  return (MathPowerParts){p, parts[0], parts[1]};
}

MathPowerParts mathExpParts(MathBuilder *m, MathPair x) {
  MathRounded n = mathRoundSmall(m, mathMulK(m, x.high, 0x1.715476p+0));
  MlirValue r = mathFmaK(m, n.value, -0x1.62e430p-1, x.high);
  r = mathAdd(m, mathFmaK(m, n.value, 0x1.05c610p-29, r), x.low);
  return twoPowers(m, expm1Small(m, r), n.bits);
}

MathPowerParts mathExp2Parts(MathBuilder *m, MathPair x) {
  MathRounded n = mathRoundSmall(m, x.high);
  MlirValue r = mathAdd(m, mathSub(m, x.high, n.value), x.low);
  return twoPowers(m, expm1Small(m, mathMulK(m, r, 0x1.62e430p-1)), n.bits);
}
