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

/* Outside [-1, 1] the logarithm gives NaN; at the ends it is infinite and so is the result. */
MlirValue mathErfInv(MathBuilder *m, const MlirValue *x) {
  MlirValue rest = mathFma(m, mathNeg(m, x[0]), x[0], mathConstant(m, 1));
  MlirValue w = mathNeg(m, mathLog(m, &rest));
  MlirValue y = inner(m, x[0], w, mathUnary(m, TileOp_Math_Sqrt, w));
  MlirValue infinite = mathCompareK(m, MathOrder_EQ, w, INFINITY);
  return mathSelect(m, infinite, mathCopySign(m, w, x[0]), y);
}

/* erfinv(1 - x), 1 - x^2 of it being x (2 - x). */
static MlirValue complementInverse(MathBuilder *m, MlirValue x) {
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
  return mathAddK(m, mathMulK(m, y, -0x1.6a09e6p+0), 0); /* +0 for 1/2 */
}
