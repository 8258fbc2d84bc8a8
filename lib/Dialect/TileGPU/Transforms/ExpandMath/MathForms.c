/* MathForms.c - combinations of the seven functions of MathBuilder.h that expanders use all the time. */
#include "MathBuilder.h"

MlirValue mathUnary(MathBuilder *m, TileOpKind kind, MlirValue x) {
  return mathEmit(m, kind, MathType_Float, 1, &x);
}

MlirValue mathBinary(MathBuilder *m, TileOpKind kind, MlirValue a, MlirValue b) {
  MlirValue x[] = {a, b};
  return mathEmit(m, kind, MathType_Float, 2, x);
}

MlirValue mathAdd(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_AddF, a, b); }
MlirValue mathSub(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_SubF, a, b); }
MlirValue mathMul(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_MulF, a, b); }
MlirValue mathDiv(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_DivF, a, b); }

MlirValue mathExactDiv(MathBuilder *m, MlirValue a, MlirValue b) {
  return mathBinary(m, MATH_PICK(m, TileOp_Tile_PreciseDivF, TileOp_Arith_DivF), a, b);
}

MlirValue mathFma(MathBuilder *m, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue x[] = {a, b, c};
  return mathEmit(m, TileOp_Math_Fma, MathType_Float, 3, x);
}

MlirValue mathAddK(MathBuilder *m, MlirValue a, double k) { return mathAdd(m, a, mathConstant(m, k)); }
MlirValue mathMulK(MathBuilder *m, MlirValue a, double k) { return mathMul(m, a, mathConstant(m, k)); }
MlirValue mathFmaK(MathBuilder *m, MlirValue a, double k, MlirValue c) {
  return mathFma(m, a, mathConstant(m, k), c);
}

MlirValue mathNeg(MathBuilder *m, MlirValue x) { return mathUnary(m, TileOp_Arith_NegF, x); }
MlirValue mathAbs(MathBuilder *m, MlirValue x) { return mathUnary(m, TileOp_Math_AbsF, x); }
MlirValue mathCopySign(MathBuilder *m, MlirValue magnitude, MlirValue sign) {
  return mathBinary(m, TileOp_Math_CopySign, magnitude, sign);
}

MlirValue mathSelect(MathBuilder *m, MlirValue c, MlirValue t, MlirValue f) {
  MlirValue x[] = {c, t, f};
  return mathEmit(m, TileOp_Arith_Select, MathType_Float, 3, x);
}

MlirValue mathCompareK(MathBuilder *m, MathOrder order, MlirValue a, double k) {
  return mathCompare(m, order, a, mathConstant(m, k));
}

MlirValue mathCorrect(MathBuilder *m, MlirValue y, MlirValue correction) {
  MlirValue finite = mathCompareK(m, MathOrder_LT, mathAbs(m, correction), INFINITY);
  return mathSelect(m, finite, mathAdd(m, y, correction), y);
}

MlirValue mathPolynomial(MathBuilder *m, MlirValue x, const double *c, int n) {
  MlirValue sum = mathConstant(m, c[n - 1]);
  for (int i = n - 2; i >= 0; --i)
    sum = mathFma(m, sum, x, mathConstant(m, c[i]));
  return sum;
}

/* Adding 1.5 * 2^23 leaves no bit for a fraction: the sum's last bits are the integer. */
MathRounded mathRoundSmall(MathBuilder *m, MlirValue x) {
  MlirValue big = mathConstant(m, mathWidth(m) == 64 ? 0x1.8p52 : 0x1.8p23);
  MlirValue sum = mathAdd(m, x, big);
  return (MathRounded){mathSub(m, sum, big), mathBits(m, sum)};
}

MathPair mathExactProduct(MathBuilder *m, MlirValue a, MlirValue b) {
  MlirValue high = mathMul(m, a, b);
  return (MathPair){high, mathFma(m, a, b, mathNeg(m, high))};
}

MathPair mathExactSum(MathBuilder *m, MlirValue a, MlirValue b) {
  MlirValue high = mathAdd(m, a, b);
  return (MathPair){high, mathAdd(m, mathSub(m, a, high), b)};
}

MlirValue mathBits(MathBuilder *m, MlirValue x) {
  return mathEmit(m, TileOp_Arith_Bitcast, MathType_Int, 1, &x);
}
MlirValue mathFromBits(MathBuilder *m, MlirValue x) {
  return mathEmit(m, TileOp_Arith_Bitcast, MathType_Float, 1, &x);
}

MlirValue mathIntOp(MathBuilder *m, TileOpKind kind, MlirValue a, MlirValue b) {
  MlirValue x[] = {a, b};
  return mathEmit(m, kind, MathType_Int, 2, x);
}

MlirValue mathIntOpK(MathBuilder *m, TileOpKind kind, MlirValue a, int64_t k) {
  return mathIntOp(m, kind, a, mathInt(m, k));
}

MlirValue mathSelectInt(MathBuilder *m, MlirValue c, MlirValue t, MlirValue f) {
  MlirValue x[] = {c, t, f};
  return mathEmit(m, TileOp_Arith_Select, MathType_Int, 3, x);
}

MlirValue mathToFloat(MathBuilder *m, MlirValue x) {
  return mathEmit(m, TileOp_Arith_SIToFP, MathType_Float, 1, &x);
}

MlirValue mathConvert(MathBuilder *m, TileOpKind kind, MathType result, MlirValue x) {
  return mathEmit(m, kind, result, 1, &x);
}

MlirValue mathFlipSign(MathBuilder *m, MlirValue x, MlirValue n, int bit) {
  int top = mathWidth(m) - 1;
  MlirValue mask = mathIntOpK(m, TileOp_Arith_ShLI, n, top - bit);
  mask = mathIntOpK(m, TileOp_Arith_AndI, mask, top == 63 ? INT64_MIN : INT32_MIN);
  return mathFromBits(m, mathIntOp(m, TileOp_Arith_XOrI, mathBits(m, x), mask));
}
