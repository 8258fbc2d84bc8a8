/* Hyperbolic.c - sinh, cosh, tanh and their inverses. */
#include "Functions.h"

/* tanh(x) = x + x * z * T(z), z = x^2, |x| < 0.76: relative error below 2^-24.7. */
static const double tanhTail[] = {-0x1.555498p-2, 0x1.10eb54p-3, -0x1.b52a52p-5, 0x1.4127b0p-6,
                                  -0x1.351c88p-8};
/* sinh(x) = x + x * z * S(z), |x| < 1: relative errors below 2^-31.5 and 2^-56. */
static const double sinhTail32[] = {0x1.555556p-3, 0x1.1110e4p-7, 0x1.a01fc4p-13, 0x1.75f048p-19};
static const double sinhTail64[] = {0x1.5555555555556p-3,  0x1.11111111110b4p-7,  0x1.a01a01a0280bap-13,
                                    0x1.71de3a4640ad1p-19, 0x1.ae64677f88475p-26, 0x1.611a18374d069p-33,
                                    0x1.b4df511f2a67cp-41};

/* x + x * z * P(z); z * P + 0 is +0 where x is -0 and P < 0, and so the sum stays -0. */
static MlirValue oddPolynomial(MathBuilder *m, MlirValue x, const double *c, int n) {
  MlirValue z = mathMul(m, x, x);
  MlirValue p = mathFma(m, z, mathPolynomial(m, z, c, n), mathConstant(m, 0));
  return mathFma(m, p, x, x);
}

/* tanh(x) = 1 - 2 / (exp(2 x) + 1) away from 0, where the difference loses nothing. A quarter of the
 * divisor is one that needs no scaling, up to infinity. */
static void tanhLarge(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MlirValue power = mathExp2Normal(m, mathMulK(m, mathAbs(m, x[0]), 0x1.715476p+1));
  MlirValue quarter = mathFmaK(m, power, 0.25, mathConstant(m, 0.25));
  MlirValue large = mathFmaK(m, mathReciprocalNormal(m, quarter), -0.5, mathConstant(m, 1));
  out[0] = mathCopySign(m, large, x[0]);
}

/* For every argument, beside threads that need none of it: on other values than theirs, or LLVM would compute what both have in common
 * in front of the branch and keep it beside the arguments. */
static void tanhWhole(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  MlirValue operands[] = {x[0], mathConstant(m, 1)}, large;
  MlirValue most = mathEmit(m, TileOp_Arith_MinimumF, MathType_Float, 2, operands);
  tanhLarge(m, x, user, &large);
  out[0] = mathSelect(m, mathCompareK(m, MathOrder_GE, mathAbs(m, most), 0.75), large,
                      oddPolynomial(m, most, tanhTail, TILE_COUNTOF(tanhTail)));
}

/* The same without a care for arguments near 0, where only the absolute error counts. */
static MlirValue tanhAdded(MathBuilder *m, MlirValue x) {
  MlirValue power = mathExp2Normal(m, mathMulK(m, x, 0x1.715476p+1));
  MlirValue quarter = mathFmaK(m, power, 0.25, mathConstant(m, 0.25));
  return mathFmaK(m, mathReciprocalNormal(m, quarter), -0.5, mathConstant(m, 1));
}

/* Scores of attention are small beside the cap that they are divided by: there threads whose arguments are all near 0
 * go past the two primitives. Elsewhere nothing is known of them, and a branch keeps all alive at once. */
MlirValue mathTanh(MathBuilder *m, const MlirValue *x) {
  if (m->added)
    return tanhAdded(m, x[0]);
  bool branches = m->branches;
  MlirValue y = oddPolynomial(m, x[0], tanhTail, TILE_COUNTOF(tanhTail));
  MlirValue isLarge = mathCompareK(m, MathOrder_GE, mathAbs(m, x[0]), 0.75);
  m->branches = branches && m->besideProduct;
  m->whole = m->branches;
  mathRarely(m, isLarge, m->whole ? tanhWhole : tanhLarge, x, NULL, 1, &y);
  m->whole = false;
  m->branches = branches;
  return y;
}

static MlirValue expQuarter(MathBuilder *m, MlirValue a) {
  return mathWidth(m) == 64 ? mathWideExpScaled(m, a, 2) : mathExpQuarter(m, a);
}

/* e = exp(|x|) / 4, so that only the last step overflows; exp(-|x|) / 4 = 1 / (16 e). */
MlirValue mathSinh(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), e = expQuarter(m, a);
  MlirValue half = mathSub(m, e, mathDiv(m, mathConstant(m, 0.0625), e));
  MlirValue large = mathCopySign(m, mathAdd(m, half, half), x[0]);
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 1);
  const double *tail = MATH_PICK(m, sinhTail32, sinhTail64);
  int terms = MATH_PICK(m, (int)TILE_COUNTOF(sinhTail32), (int)TILE_COUNTOF(sinhTail64));
  return mathSelect(m, isSmall, oddPolynomial(m, x[0], tail, terms), large);
}

MlirValue mathCosh(MathBuilder *m, const MlirValue *x) {
  MlirValue e = expQuarter(m, mathAbs(m, x[0]));
  MlirValue half = mathAdd(m, e, mathDiv(m, mathConstant(m, 0.0625), e));
  return mathAdd(m, half, half);
}

static MlirValue logOfOneAnd(MathBuilder *m, const MlirValue *x) {
  return mathWidth(m) == 64 ? mathWideLog1p(m, x) : mathLog1p(m, x);
}

/* log1p(t), and where a is so large that its square is of no use, log(a) + ln 2. */
static MlirValue logOrLarge(MathBuilder *m, MlirValue a, MlirValue t) {
  MlirValue large = mathCompareK(m, MathOrder_GT, a, MATH_PICK(m, 0x1.0p40, 0x1.0p300));
  MlirValue argument = mathSelect(m, large, a, t);
  MlirValue ln2 = mathSelect(m, large, mathConstant(m, MATH_PICK(m, 0x1.62e430p-1, 0x1.62e42fefa39efp-1)),
                             mathConstant(m, 0));
  return mathAdd(m, logOfOneAnd(m, &argument), ln2);
}

/* asinh(a) = log1p(a + a^2 / (1 + sqrt(1 + a^2))). */
MlirValue mathAsinh(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), one = mathConstant(m, 1);
  MlirValue root = mathUnary(m, TileOp_Math_Sqrt, mathFma(m, a, a, one));
  MlirValue t = mathDiv(m, mathMul(m, a, a), mathAdd(m, root, one));
  return mathCopySign(m, logOrLarge(m, a, mathAdd(m, a, t)), x[0]);
}

/* acosh(1 + t) = log1p(t + sqrt(t^2 + 2 t)). */
MlirValue mathAcosh(MathBuilder *m, const MlirValue *x) {
  MlirValue t = mathAddK(m, x[0], -1);
  t = mathSelect(m, mathCompareK(m, MathOrder_LT, t, 0), mathConstant(m, NAN), t);
  MlirValue root = mathUnary(m, TileOp_Math_Sqrt, mathFma(m, t, t, mathAdd(m, t, t)));
  return logOrLarge(m, t, mathAdd(m, t, root));
}

/* atanh(a) = log1p(2 a / (1 - a)) / 2, the quotient corrected by its remainder (1 - a is d + dLow). */
MlirValue mathAtanh(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), one = mathConstant(m, 1);
  MlirValue d = mathSub(m, one, a), dLow = mathSub(m, mathSub(m, one, d), a);
  MlirValue reciprocal = mathDiv(m, one, d), twice = mathAdd(m, a, a);
  MlirValue q = mathMul(m, twice, reciprocal), minusQ = mathNeg(m, q);
  MlirValue rest = mathFma(m, minusQ, dLow, mathFma(m, minusQ, d, twice));
  q = mathCorrect(m, q, mathMul(m, rest, reciprocal));
  return mathCopySign(m, mathMulK(m, logOfOneAnd(m, &q), 0.5), x[0]);
}
