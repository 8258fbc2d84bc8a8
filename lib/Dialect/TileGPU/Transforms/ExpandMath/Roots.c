/* Roots.c - cube roots and lengths. */
#include "Functions.h"

typedef struct Scaled {
  MlirValue a;    ///< |x|, small ones times 2^48 (f64: 2^600) to keep residuals normal
  MlirValue back; ///< what the root of `a` is to be multiplied by
} Scaled;

static Scaled scaleUp(MathBuilder *m, MlirValue x, double back) {
  MlirValue a = mathAbs(m, x);
  MlirValue small = mathCompareK(m, MathOrder_LT, a, MATH_PICK(m, 0x1.0p-80, 0x1.0p-800));
  return (Scaled){mathSelect(m, small, mathMulK(m, a, MATH_PICK(m, 0x1.0p48, 0x1.0p600)), a),
                  mathSelect(m, small, mathConstant(m, back), mathConstant(m, 1))};
}

/* 2^(l k) near a power of a. */
static MlirValue powerNear(MathBuilder *m, MlirValue a, double k) {
  MlirValue l = mathWidth(m) == 64 ? mathWideLog2(m, &a) : mathUnary(m, TileOp_Math_Log2, a);
  MlirValue exponent = mathMulK(m, l, k);
  return mathWidth(m) == 64 ? mathWideExp2Of(m, &exponent) : mathExp2Normal(m, exponent);
}

static double third(MathBuilder *m) { return MATH_PICK(m, 0x1.555556p-2, 0x1.5555555555555p-2); }

/* One Newton step from 2^(log2(a) / 3): y + (a - y^3) / (3 y^2), the residual in doubled precision, the
 * divisor as another power. */
MlirValue mathCbrt(MathBuilder *m, const MlirValue *x) {
  Scaled s = scaleUp(m, x[0], MATH_PICK(m, 0x1.0p-16, 0x1.0p-200));
  MlirValue y = powerNear(m, s.a, third(m));
  MlirValue inverse = powerNear(m, s.a, -2 * third(m));
  MathPair square = mathExactProduct(m, y, y);
  MlirValue minusY = mathNeg(m, y);
  MlirValue rest = mathFma(m, minusY, square.low, mathFma(m, minusY, square.high, s.a));
  y = mathCorrect(m, y, mathMul(m, mathMulK(m, rest, third(m)), inverse));
  return mathCopySign(m, mathMul(m, y, s.back), x[0]);
}

/* y + y * (1 - a y^3) / 3 from 2^(-log2(a) / 3). */
MlirValue mathRcbrt(MathBuilder *m, const MlirValue *x) {
  Scaled s = scaleUp(m, x[0], MATH_PICK(m, 0x1.0p16, 0x1.0p200));
  MlirValue y = powerNear(m, s.a, -third(m));
  MathPair square = mathExactProduct(m, y, y), product = mathExactProduct(m, s.a, y);
  MlirValue minus = mathNeg(m, product.high);
  MlirValue rest = mathFma(m, minus, square.high, mathConstant(m, 1));
  rest = mathFma(m, minus, square.low, mathFma(m, mathNeg(m, product.low), square.high, rest));
  y = mathCorrect(m, y, mathMul(m, mathMulK(m, y, third(m)), rest));
  return mathCopySign(m, mathMul(m, y, s.back), x[0]);
}

typedef struct Squares {
  MlirValue sum;      ///< of the squares of the scaled arguments
  MlirValue back;     ///< undoes the scale
  MlirValue scale;    ///< was applied
  MlirValue infinite; ///< one of the arguments is
} Squares;

/* Scaled by 2^80 or 2^-80 (f64: 2^600, 2^-600) where a square could vanish or overflow. */
static Squares squares(MathBuilder *m, const MlirValue *x, int n) {
  MlirValue largest = mathAbs(m, x[0]);
  for (int i = 1; i < n; ++i)
    largest = mathBinary(m, TileOp_Arith_MaxNumF, largest, mathAbs(m, x[i]));
  MlirValue up = mathConstant(m, MATH_PICK(m, 0x1.0p80, 0x1.0p600)), one = mathConstant(m, 1);
  MlirValue down = mathConstant(m, MATH_PICK(m, 0x1.0p-80, 0x1.0p-600));
  MlirValue large = mathCompareK(m, MathOrder_GT, largest, MATH_PICK(m, 0x1.0p60, 0x1.0p500));
  MlirValue small = mathCompareK(m, MathOrder_LT, largest, MATH_PICK(m, 0x1.0p-40, 0x1.0p-400));
  Squares s = {.scale = mathSelect(m, large, down, mathSelect(m, small, up, one)),
               .back = mathSelect(m, large, up, mathSelect(m, small, down, one)),
               .infinite = mathCompareK(m, MathOrder_EQ, largest, INFINITY)};
  for (int i = 0; i < n; ++i) {
    MlirValue y = mathMul(m, x[i], s.scale);
    s.sum = i ? mathFma(m, y, y, s.sum) : mathMul(m, y, y);
  }
  return s;
}

static MlirValue length(MathBuilder *m, const MlirValue *x, int n) {
  Squares s = squares(m, x, n);
  MlirValue y = mathMul(m, mathUnary(m, TileOp_Math_Sqrt, s.sum), s.back);
  return mathSelect(m, s.infinite, mathConstant(m, INFINITY), y);
}

static MlirValue reciprocalLength(MathBuilder *m, const MlirValue *x, int n) {
  Squares s = squares(m, x, n);
  MlirValue y = mathWidth(m) == 64 ? mathWideRsqrt(m, &s.sum) : mathUnary(m, TileOp_Math_Rsqrt, s.sum);
  MathPair p = mathExactProduct(m, s.sum, y);
  MlirValue minusY = mathNeg(m, y), rest = mathFma(m, minusY, p.high, mathConstant(m, 1));
  rest = mathFma(m, minusY, p.low, rest); /* 1 - sum * y^2 */
  y = mathMul(m, mathCorrect(m, y, mathMul(m, mathMulK(m, y, 0.5), rest)), s.scale);
  return mathSelect(m, s.infinite, mathConstant(m, 0), y);
}

MlirValue mathHypot(MathBuilder *m, const MlirValue *x) { return length(m, x, 2); }
MlirValue mathNorm3(MathBuilder *m, const MlirValue *x) { return length(m, x, 3); }
MlirValue mathNorm4(MathBuilder *m, const MlirValue *x) { return length(m, x, 4); }
MlirValue mathRhypot(MathBuilder *m, const MlirValue *x) { return reciprocalLength(m, x, 2); }
MlirValue mathRnorm3(MathBuilder *m, const MlirValue *x) { return reciprocalLength(m, x, 3); }
MlirValue mathRnorm4(MathBuilder *m, const MlirValue *x) { return reciprocalLength(m, x, 4); }
