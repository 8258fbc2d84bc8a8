/* Wide.c - f64: exp and its family, tanh and erf. There is no hardware to help: everything is a polynomial.
 */
#include "Functions.h"

/* expm1(r) = r + r^2 * Q(r), -0.5 <= r <= 0.525: relative error below 2^-57. */
static const double expm1Tail[] = {0x1.0p-1,
                                   0x1.5555555555555p-3,
                                   0x1.5555555555608p-5,
                                   0x1.11111111113aep-7,
                                   0x1.6c16c16bebd84p-10,
                                   0x1.a01a019f352c7p-13,
                                   0x1.a01a022cd0bc2p-16,
                                   0x1.71de3c707c94fp-19,
                                   0x1.27e41b4a1fff7p-22,
                                   0x1.ae5fc5d417af2p-26,
                                   0x1.20448b00c3178p-29,
                                   0x1.653bcd0731241p-33};
static const double log2e = 0x1.71547652b82fep+0;
/* ln 2 in two parts, the first so short that its multiples by exponents are exact. */
static const double ln2 = 0x1.62e42fefap-1, ln2Low = 0x1.cf79abc9e3b3ap-40;

/* expm1(r.high + r.low). */
static MlirValue expm1Small(MathBuilder *m, MathPair r) {
  MlirValue q = mathPolynomial(m, r.high, expm1Tail, TILE_COUNTOF(expm1Tail));
  return mathAdd(m, r.high, mathFma(m, mathMul(m, r.high, r.high), q, r.low));
}

/* x - n ln 2, with what its rounding loses. */
static MathPair reduce(MathBuilder *m, MlirValue x, MlirValue n) {
  MlirValue upper = mathFmaK(m, n, -ln2, x), r = mathFmaK(m, n, -ln2Low, upper);
  return (MathPair){r, mathFmaK(m, n, -ln2Low, mathSub(m, upper, r))};
}

/* d * (k + kLow). */
static MathPair scaled(MathBuilder *m, MlirValue d, double k, double kLow) {
  MathPair r = mathExactProduct(m, d, mathConstant(m, k));
  return (MathPair){r.high, mathFmaK(m, d, kLow, r.low)};
}

/* (1 + p) * 2^n, n given by the bits of a rounded sum, in two factors: only the last product may round. */
static MlirValue timesPower(MathBuilder *m, MlirValue p, MlirValue bits) {
  MlirValue n = mathIntOpK(m, TileOp_Arith_SubI, bits, 0x4338000000000000);
  MlirValue half = mathIntOpK(m, TileOp_Arith_ShRSI, n, 1), rest = mathIntOp(m, TileOp_Arith_SubI, n, half);
  MlirValue parts[] = {half, rest};
  for (int i = 0; i < 2; ++i) {
    MlirValue exponent = mathIntOpK(m, TileOp_Arith_ShLI, parts[i], 52);
    parts[i] = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, exponent, 1023ll << 52));
  }
  return mathMul(m, mathFma(m, p, parts[0], parts[0]), parts[1]);
}

/* NaN stays. */
static MlirValue clamp(MathBuilder *m, MlirValue x, double low, double high) {
  x = mathSelect(m, mathCompareK(m, MathOrder_LT, x, low), mathConstant(m, low), x);
  return mathSelect(m, mathCompareK(m, MathOrder_GT, x, high), mathConstant(m, high), x);
}

MlirValue mathWideExp(MathBuilder *m, const MlirValue *x) {
  MlirValue y = clamp(m, x[0], -760, 720);
  MathRounded n = mathRoundSmall(m, mathMulK(m, y, log2e));
  return timesPower(m, expm1Small(m, reduce(m, y, n.value)), n.bits);
}

MlirValue mathWideExpScaled(MathBuilder *m, MlirValue x, int shift) {
  MlirValue y = clamp(m, x, -760, 720);
  MathRounded n = mathRoundSmall(m, mathMulK(m, y, log2e));
  MlirValue bits = mathIntOpK(m, TileOp_Arith_SubI, n.bits, shift);
  return timesPower(m, expm1Small(m, reduce(m, y, n.value)), bits);
}

MlirValue mathWideExpOf(MathBuilder *m, MathPair x) {
  MlirValue y = clamp(m, x.high, -760, 720);
  MathRounded n = mathRoundSmall(m, mathMulK(m, y, log2e));
  MathPair r = reduce(m, y, n.value), s = mathExactSum(m, r.high, x.low);
  s.low = mathAdd(m, s.low, r.low);
  r = s;
  return timesPower(m, expm1Small(m, r), n.bits);
}

MlirValue mathWideExp2(MathBuilder *m, MathPair x) {
  MlirValue inside = mathCompareK(m, MathOrder_LT, mathAbs(m, x.high), 1100);
  x.low = mathSelect(m, inside, x.low, mathConstant(m, 0));
  x.high = clamp(m, x.high, -1100, 1100);
  MathRounded n = mathRoundSmall(m, x.high);
  MlirValue d = mathAdd(m, mathSub(m, x.high, n.value), x.low);
  MathPair r = scaled(m, d, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
  return timesPower(m, expm1Small(m, r), n.bits);
}

MlirValue mathWideExp2Of(MathBuilder *m, const MlirValue *x) {
  MathPair pair = {x[0], mathConstant(m, 0)};
  return mathWideExp2(m, pair);
}

/* n = round(x * log2(10)), r = (x - n * log10(2)) * ln(10). */
MlirValue mathWideExp10(MathBuilder *m, const MlirValue *x) {
  MlirValue y = clamp(m, x[0], -330, 310);
  MathRounded n = mathRoundSmall(m, mathMulK(m, y, 0x1.a934f0979a371p+1));
  MlirValue upper = mathFmaK(m, n.value, -0x1.34413509f8p-2, y),
            d = mathFmaK(m, n.value, 0x1.80433b83b532ap-44, upper);
  MlirValue lost = mathFmaK(m, n.value, 0x1.80433b83b532ap-44, mathSub(m, upper, d));
  MathPair r = scaled(m, d, 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53);
  r.low = mathFmaK(m, lost, 0x1.26bb1bbb55516p+1, r.low);
  return timesPower(m, expm1Small(m, r), n.bits);
}

/* As for f32 (Exponential.c): n is 0 up to 1/2; the result is 2 * (2^(n-1) p + (2^(n-1) - 1/2)). */
MlirValue mathWideExpM1(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), y = clamp(m, x[0], -45, 710);
  MlirValue t = mathFmaK(m, y, log2e, mathConstant(m, -0x1.58p-4));
  MlirValue small = mathCompareK(m, MathOrder_LT, a, 0.5);
  MathRounded n = mathRoundSmall(m, mathSelect(m, small, mathConstant(m, 0), t));
  MlirValue p = expm1Small(m, reduce(m, y, n.value));
  MlirValue exponent = mathIntOpK(m, TileOp_Arith_ShLI, n.bits, 52);
  MlirValue half = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, exponent, 1022ll << 52));
  MlirValue upper = mathAddK(m, half, -0.5), lower = mathAddK(m, mathSub(m, half, upper), -0.5);
  MlirValue e = mathAdd(m, mathFma(m, p, half, lower), upper);
  return mathSelect(m, mathCompareK(m, MathOrder_LT, a, 0x1.0p-54), x[0], mathAdd(m, e, e));
}

/* x + x * z * T(z), z = x^2, up to 0.35: relative error below 2^-59; then E / (E + 2), E = expm1(2 |x|), the
 * quotient corrected by its remainder; 1 beyond 20. */
MlirValue mathWideTanh(MathBuilder *m, const MlirValue *x) {
  static const double t[] = {-0x1.5555555555554p-2,  0x1.1111111110d1ep-3,  -0x1.ba1ba1b997e13p-5,
                             0x1.664f4844279bcp-6,   -0x1.226e252a77c3bp-7, 0x1.d6ceda20a7f90p-9,
                             -0x1.7d2ca27f881ecp-10, 0x1.2ea818a712332p-11, -0x1.8912bb8c7e4c1p-13};
  MlirValue a = clamp(m, mathAbs(m, x[0]), 0, 20), twice = mathAdd(m, a, a), z = mathMul(m, a, a);
  MlirValue e = mathWideExpM1(m, &twice), d = mathAddK(m, e, 2), dLow = mathSub(m, e, mathAddK(m, d, -2));
  MlirValue inverse = mathDiv(m, mathConstant(m, 1), d), q = mathMul(m, e, inverse), minusQ = mathNeg(m, q);
  MlirValue rest = mathFma(m, minusQ, dLow, mathFma(m, minusQ, d, e));
  q = mathFma(m, rest, inverse, q);
  MlirValue small = mathFma(m, mathMul(m, z, mathPolynomial(m, z, t, TILE_COUNTOF(t))), a, a);
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 0.34375);
  return mathCopySign(m, mathSelect(m, isSmall, small, q), x[0]);
}

/* erf(x) = x + x * P(x^2) below 1: relative error below 2^-56; above, log2(erfc(x)) = x * L(x) up to 5.95,
 * where erf is 1: of erf below 2^-55. */
static const double erfSmall[] = {0x1.06eba8214db69p-3,   -0x1.812746b0379e6p-2,  0x1.ce2f21a042b34p-4,
                                  -0x1.b82ce31284f3bp-6,  0x1.565bcd0dbd962p-8,   -0x1.c02db3db4a0e4p-11,
                                  0x1.f9a321e4c8f3bp-14,  -0x1.f4d1e436055e4p-17, 0x1.b9df306df48c4p-20,
                                  -0x1.5f1f4193e93d7p-23, 0x1.f7b9a426e49f0p-27,  -0x1.38ac37c65f55cp-30,
                                  0x1.0627947a93622p-34};
static const double erfcLog[] = {-0x1.a0be827beb6aap+0,  -0x1.d63eee91c1d0ap-1,  -0x1.2fa6965593f2bp-3,
                                 0x1.c40f0fb9bb7abp-6,   0x1.40c862df6deafp-12,  -0x1.4011f599a07cbp-9,
                                 0x1.b2ad7ce041c4ep-11,  0x1.74607d136c84cp-20,  -0x1.20dffd0f784f8p-13,
                                 0x1.53124df171b6ep-14,  -0x1.ec8ec6da838e5p-16, 0x1.04ac3469b2be3p-17,
                                 -0x1.a17d4ea86c524p-20, 0x1.f905733335ea0p-23,  -0x1.c151c10c5513bp-26,
                                 0x1.16089431b927ep-29,  -0x1.abe11e3908d1ep-34, 0x1.3452473f5c8d5p-39};

MlirValue mathWideErf(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), b = clamp(m, a, 0, 0x1.7cp+2);
  MathPair exponent = {mathMul(m, b, mathPolynomial(m, b, erfcLog, TILE_COUNTOF(erfcLog))),
                       mathConstant(m, 0)};
  MlirValue large = mathCopySign(m, mathSub(m, mathConstant(m, 1), mathWideExp2(m, exponent)), x[0]);
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 1);
  return mathSelect(m, isSmall, mathWideErfSmall(m, x[0]), large);
}

MlirValue mathWideErfSmall(MathBuilder *m, MlirValue x) {
  MlirValue p = mathPolynomial(m, mathMul(m, x, x), erfSmall, TILE_COUNTOF(erfSmall));
  return mathFma(m, x, p, x);
}

MlirValue mathWideRsqrt(MathBuilder *m, const MlirValue *x) {
  return mathDiv(m, mathConstant(m, 1), mathUnary(m, TileOp_Math_Sqrt, x[0]));
}
