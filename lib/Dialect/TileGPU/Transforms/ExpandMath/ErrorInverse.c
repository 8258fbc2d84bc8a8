/* ErrorInverse.c - inverses of the error functions: erfinv(x) = x * P(w), w = -log(1 - x^2). */
#include "Functions.h"

/* (P(w) - P(0)) / w for w <= 5, in w - 2.5: relative error of P below 2^-26.2. */
static const double central[] = {0x1.f7f51cp-3,  0x1.dbe330p-13, -0x1.cdd4e8p-10,
                                 0x1.aafe6ap-13, 0x1.8d15b0p-18, -0x1.242a76p-18,
                                 0x1.783ef8p-22, 0x1.8eb8c0p-25, -0x1.2d8614p-27};
/* 5 <= w <= 17, in sqrt(w) - 3: below 2^-26. */
static const double tail[] = {0x1.6a9efcp+1,   0x1.006dc6p+0,  0x1.357db4p-7,  -0x1.f4837cp-8,
                              0x1.74e1c0p-8,   -0x1.d7c97ep-9, 0x1.836a90p-10, -0x1.a8c04cp-15,
                              -0x1.3e5c68p-12, 0x1.cf05f2p-14};
/* P(w) / sqrt(w) for 15.5 <= w <= 105, in 1 / sqrt(w): below 2^-26.3. */
static const double far[] = {0x1.001c6ep+0,  -0x1.0b4994p-5, -0x1.21b0dap+0, 0x1.f997aap+1,
                             -0x1.14e108p+3, 0x1.a1d17cp+3,  -0x1.2a412cp+3};

/* x * P(w), with P(0) = sqrt(pi) / 2 to more than f32's digits. */
static MlirValue inner(MathBuilder *m, MlirValue x, MlirValue w, MlirValue root) {
  MlirValue a = mathMul(m, w, mathPolynomial(m, mathAddK(m, w, -2.5), central, TILE_COUNTOF(central)));
  a = mathFmaK(m, x, 0x1.c5bf88p-1, mathMul(m, x, mathAddK(m, a, 0x1.1b4ef6p-25)));
  MlirValue b = mathPolynomial(m, mathAddK(m, root, -3), tail, TILE_COUNTOF(tail));
  return mathSelect(m, mathCompareK(m, MathOrder_LT, w, 5), a, mathMul(m, b, x));
}

// ---- f64 ----

/* R of P(w) = sqrt(pi) / 2 + w * R, w <= 5, in w - 2.5: below 2^-58. */
static const double wideCentral[] = {
    0x1.f7f51afdae3fep-3,   0x1.dbe4239db5665p-13,  -0x1.cdd16cffaf4a5p-10, 0x1.aaf86340f91ddp-13,
    0x1.89643bcf40790p-18,  -0x1.2378174db1ee4p-18, 0x1.8df9af691e487p-22,  0x1.735dc34b207cdp-25,
    -0x1.99c9709db0449p-27, 0x1.d47ab6741005cp-32,  0x1.a74a17405b73dp-33,  -0x1.006ee98e10ff0p-35,
    -0x1.b70da70ee5a76p-41, 0x1.7ce285a84e2e2p-41,  -0x1.fbbe3930092a1p-45, -0x1.1cac8b8589b78p-47,
    0x1.211ad0236bb78p-49,  -0x1.94a04e1c81987p-55, -0x1.53faf9de8639dp-55, 0x1.28cc2d5578f71p-58,
    0x1.8fe1945193b2bp-62,  -0x1.3fe1129488ee2p-64};
/* P(w) / sqrt(w), 5 <= w <= 750, in 1 / sqrt(w): below 2^-20, to start from. */
static const double wideFar[] = {0x1.0002d6cf653d2p+0,  -0x1.8cd207cd8bb84p-7, -0x1.95eaa03ee3a8bp+0,
                                 0x1.2da4091be14ddp+3,  -0x1.7f379eef202edp+5, 0x1.70dc15b74bb17p+7,
                                 -0x1.c984e40a2b8aep+8, 0x1.481dfbb5d5c92p+9,  -0x1.c89ebd0e7a5cbp+8,
                                 0x1.839db7d0c3e38p+6};

/* Two steps of Newton on log(erfc(y)) = log(c): x is w and c; a positive y. */
static void wideOuter(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MlirValue w = x[0], wanted = mathWideLog(m, &x[1]);
  MlirValue root = mathUnary(m, TileOp_Math_Sqrt, w), inverse = mathDiv(m, mathConstant(m, 1), root);
  MlirValue y = mathMul(m, root, mathPolynomial(m, inverse, wideFar, TILE_COUNTOF(wideFar)));
  y = mathMul(m, y, mathSub(m, mathConstant(m, 1), x[1]));
  for (int i = 0; i < 2; ++i) {
    MlirValue scaled = mathScaledComplement(m, y).high;
    MathPair square = mathExactProduct(m, y, y);
    /* log(erfcx(y)) - y^2 - log(c). */
    MlirValue rest = mathSub(m, mathSub(m, mathWideLog(m, &scaled), wanted), square.high);
    rest = mathSub(m, rest, square.low);
    y = mathFma(m, rest, mathMulK(m, scaled, 0x1.c5bf891b4ef6bp-1), y);
  }
  out[0] = y;
}

/* erfinv(x) with c = 1 - |x| and w = -log(1 - x^2). */
static MlirValue wideInverse(MathBuilder *m, MlirValue x, MlirValue c, MlirValue w) {
  MlirValue a =
      mathMul(m, w, mathPolynomial(m, mathAddK(m, w, -2.5), wideCentral, TILE_COUNTOF(wideCentral)));
  a = mathFmaK(m, x, 0x1.c5bf891b4ef6bp-1, mathMul(m, x, mathAddK(m, a, -0x1.618f13eb7ca89p-55)));
  MlirValue y = mathAbs(m, a), arguments[] = {w, c};
  MlirValue isOuter = mathCompareK(m, MathOrder_GE, w, 5), infinite = mathCompareK(m, MathOrder_EQ, c, 0);
  mathRarely(m, isOuter, wideOuter, arguments, NULL, 1, &y);
  return mathCopySign(m, mathSelect(m, infinite, mathConstant(m, INFINITY), y), x);
}

static MlirValue wideErfInv(MathBuilder *m, MlirValue x) {
  MlirValue one = mathConstant(m, 1), rest = mathFma(m, mathNeg(m, x), x, one);
  MlirValue w = mathNeg(m, mathWideLog(m, &rest));
  return wideInverse(m, x, mathSub(m, one, mathAbs(m, x)), w);
}

static MlirValue wideErfcInv(MathBuilder *m, MlirValue x) {
  MlirValue other = mathSub(m, mathConstant(m, 2), x), rest = mathMul(m, x, other);
  MlirValue w = mathNeg(m, mathWideLog(m, &rest)), argument = mathSub(m, mathConstant(m, 1), x);
  MlirValue c = mathSelect(m, mathCompareK(m, MathOrder_LT, x, 1), x, other);
  return wideInverse(m, argument, c, w);
}

// ---- All ----

/* Outside [-1, 1] the logarithm gives NaN; at the ends it is infinite and so is the result. */
MlirValue mathErfInv(MathBuilder *m, const MlirValue *x) {
  if (mathWidth(m) == 64)
    return wideErfInv(m, x[0]);
  MlirValue rest = mathFma(m, mathNeg(m, x[0]), x[0], mathConstant(m, 1));
  MlirValue w = mathNeg(m, mathLog(m, &rest));
  MlirValue y = inner(m, x[0], w, mathUnary(m, TileOp_Math_Sqrt, w));
  MlirValue infinite = mathCompareK(m, MathOrder_EQ, w, INFINITY);
  return mathSelect(m, infinite, mathCopySign(m, w, x[0]), y);
}

/* erfinv(1 - x), 1 - x^2 of it being x (2 - x). */
static MlirValue complementInverse(MathBuilder *m, MlirValue x) {
  if (mathWidth(m) == 64)
    return wideErfcInv(m, x);
  MlirValue argument = mathSub(m, mathConstant(m, 1), x);
  MlirValue rest = mathMul(m, x, mathSub(m, mathConstant(m, 2), x));
  MlirValue w = mathNeg(m, mathLog(m, &rest));
  MlirValue root = mathUnary(m, TileOp_Math_Sqrt, w);
  MlirValue inverse = mathUnary(m, TileOp_Math_Rsqrt, w);
  MlirValue outer = mathMul(m, root, mathPolynomial(m, inverse, far, TILE_COUNTOF(far)));
  MlirValue y = mathSelect(m, mathCompareK(m, MathOrder_LT, w, 16), inner(m, argument, w, root),
                           mathMul(m, outer, argument));
  MlirValue infinite = mathCompareK(m, MathOrder_EQ, w, INFINITY);
  return mathSelect(m, infinite, mathCopySign(m, w, argument), y);
}

MlirValue mathErfcInv(MathBuilder *m, const MlirValue *x) { return complementInverse(m, x[0]); }

/* -sqrt(2) * erfcinv(2 x). */
MlirValue mathNormCdfInv(MathBuilder *m, const MlirValue *x) {
  MlirValue y = complementInverse(m, mathAdd(m, x[0], x[0]));
  return mathAddK(m, mathMulK(m, y, MATH_PICK(m, -0x1.6a09e6p+0, -0x1.6a09e667f3bcdp+0)), 0); /* +0 for 1/2 */
}
