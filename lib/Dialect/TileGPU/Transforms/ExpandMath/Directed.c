/* Directed.c - conversions and arithmetic with a rounding direction, m->mode.
 *
 * A result rounded to nearest is moved by one unit where the sign of what it lost asks for it. For f32 what
 * was lost is computed in f64, where products, and sums as pairs, are exact; for f64 by the error-free forms
 * of MathForms.c, on scaled values where the loss itself would vanish. */
#include "Functions.h"

/* One unit up (by 1) or down (by -1) in value. From 0 to the smallest number. */
static MlirValue moved(MathBuilder *m, MlirValue y, bool up) {
  MlirValue bits = mathBits(m, y), zero = mathInt(m, 0);
  MlirValue negative = mathCompareInt(m, MathIntOrder_LT, bits, zero);
  MlirValue next = mathIntOp(m, TileOp_Arith_AddI, bits,
                             mathSelectInt(m, negative, mathInt(m, up ? -1 : 1), mathInt(m, up ? 1 : -1)));
  int64_t sign = mathWidth(m) == 64 ? INT64_MIN : INT32_MIN;
  MlirValue fromZero = mathInt(m, up ? 1 : sign + 1);
  MlirValue isZero = mathCompareK(m, MathOrder_EQ, y, 0);
  return mathFromBits(m, mathSelectInt(m, isZero, fromZero, next));
}

static MlirValue both(MathBuilder *m, MlirValue a, MlirValue b) {
  MlirValue x[] = {a, b};
  return mathEmit(m, TileOp_Arith_AndI, MathType_Bool, 2, x);
}

/* y rounded to nearest; low: it should be more (lost > 0), high: less. */
static MlirValue adjust(MathBuilder *m, MlirValue y, MlirValue low, MlirValue high) {
  MlirValue up = mathSelect(m, low, moved(m, y, true), y), down = mathSelect(m, high, moved(m, y, false), y);
  switch (m->mode) {
  case MathRounding_Up:
    return up;
  case MathRounding_Down:
    return down;
  case MathRounding_Zero: {
    MlirValue negative = mathCompareInt(m, MathIntOrder_LT, mathBits(m, y), mathInt(m, 0));
    return mathSelect(m, negative, up, down);
  }
  default:
    return y;
  }
}

static MlirValue byLoss(MathBuilder *m, MlirValue y, MathBuilder *lossBuilder, MlirValue lost) {
  return adjust(m, y, mathCompareK(lossBuilder, MathOrder_GT, lost, 0),
                mathCompareK(lossBuilder, MathOrder_LT, lost, 0));
}

// ---- Floats to integers ----

static MlirValue integral(MathBuilder *m, MlirValue x) {
  static const TileOpKind kinds[] = {[MathRounding_Nearest] = TileOp_Math_RoundEven,
                                     [MathRounding_Down] = TileOp_Math_Floor,
                                     [MathRounding_Up] = TileOp_Math_Ceil,
                                     [MathRounding_Zero] = TileOp_Math_Trunc};
  return mathUnary(m, kinds[m->mode], x);
}

MlirValue mathToI32(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_FPToSI, MathType_I32, integral(m, x[0]));
}
MlirValue mathToU32(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_FPToUI, MathType_I32, integral(m, x[0]));
}
MlirValue mathToI64(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_FPToSI, MathType_I64, integral(m, x[0]));
}
MlirValue mathToU64(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_FPToUI, MathType_I64, integral(m, x[0]));
}
MlirValue mathRoundToI64(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_FPToSI, MathType_I64, mathRound(m, x));
}

// ---- Integers to floats, f64 to f32 ----

MlirValue mathF64ToF32(MathBuilder *m, const MlirValue *x) {
  MathBuilder narrow = mathWithWidth(m, 32);
  MlirValue y = mathConvert(m, TileOp_Arith_TruncF, MathType_F32, x[0]);
  MlirValue back = mathConvert(m, TileOp_Arith_ExtF, MathType_F64, y);
  MlirValue low = mathCompare(m, MathOrder_LT, back, x[0]), high = mathCompare(m, MathOrder_GT, back, x[0]);
  return adjust(&narrow, y, low, high);
}

/* i32 is exact in f64. */
static MlirValue from32(MathBuilder *m, TileOpKind kind, MlirValue x) {
  MathBuilder wide = mathWithWidth(m, 64);
  MlirValue exact = mathConvert(m, kind, MathType_F64, x);
  return mathF64ToF32(&wide, &exact);
}
MlirValue mathI32ToF32(MathBuilder *m, const MlirValue *x) { return from32(m, TileOp_Arith_SIToFP, x[0]); }
MlirValue mathU32ToF32(MathBuilder *m, const MlirValue *x) { return from32(m, TileOp_Arith_UIToFP, x[0]); }
MlirValue mathI32ToF64(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_SIToFP, MathType_F64, x[0]);
}
MlirValue mathU32ToF64(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_UIToFP, MathType_F64, x[0]);
}

/* The integer is compared with what the float converts back to; 2^63 or 2^64 itself, which does not fit, is
 * too much. */
static MlirValue from64(MathBuilder *m, MlirValue x, int width, bool isSigned) {
  MathBuilder target = mathWithWidth(m, width);
  MlirValue y = mathConvert(m, isSigned ? TileOp_Arith_SIToFP : TileOp_Arith_UIToFP,
                            width == 64 ? MathType_F64 : MathType_F32, x);
  MlirValue back = mathConvert(m, isSigned ? TileOp_Arith_FPToSI : TileOp_Arith_FPToUI, MathType_I64, y);
  MlirValue low = mathCompareInt(m, isSigned ? MathIntOrder_LT : MathIntOrder_ULT, back, x);
  MlirValue high = mathCompareInt(m, isSigned ? MathIntOrder_LT : MathIntOrder_ULT, x, back);
  MlirValue beyond[] = {high, mathCompareK(&target, MathOrder_GE, y, isSigned ? 0x1.0p63 : 0x1.0p64)};
  high = mathEmit(m, TileOp_Arith_OrI, MathType_Bool, 2, beyond);
  return adjust(&target, y, low, high);
}
MlirValue mathI64ToF32(MathBuilder *m, const MlirValue *x) { return from64(m, x[0], 32, true); }
MlirValue mathU64ToF32(MathBuilder *m, const MlirValue *x) { return from64(m, x[0], 32, false); }
MlirValue mathI64ToF64(MathBuilder *m, const MlirValue *x) { return from64(m, x[0], 64, true); }
MlirValue mathU64ToF64(MathBuilder *m, const MlirValue *x) { return from64(m, x[0], 64, false); }

// ---- Arithmetic ----

/* a + b exactly, whichever is larger. */
static MathPair twoSum(MathBuilder *m, MlirValue a, MlirValue b) {
  MlirValue s = mathAdd(m, a, b), bPart = mathSub(m, s, a), aPart = mathSub(m, s, bPart);
  return (MathPair){s, mathAdd(m, mathSub(m, a, aPart), mathSub(m, b, bPart))};
}

static MlirValue isFinite(MathBuilder *m, MlirValue x) {
  return mathCompareK(m, MathOrder_LT, mathAbs(m, x), INFINITY);
}

/* Where finite arguments overflowed, less than infinity was meant. */
static MlirValue overflow(MathBuilder *m, MlirValue y, MlirValue rounded, MlirValue argumentsFinite) {
  MlirValue infinite = mathCompareK(m, MathOrder_EQ, mathAbs(m, y), INFINITY);
  MlirValue positive = mathCompareK(m, MathOrder_GT, y, 0), negative = mathCompareK(m, MathOrder_LT, y, 0);
  return mathSelect(m, both(m, infinite, argumentsFinite), adjust(m, y, negative, positive), rounded);
}

static MlirValue ext(MathBuilder *m, MlirValue x) {
  return mathConvert(m, TileOp_Arith_ExtF, MathType_F64, x);
}

/* Something of the sign of a * b. */
static MlirValue productSign(MathBuilder *m, MlirValue a, MlirValue b) {
  return mathFlipSign(m, a, mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, b), mathWidth(m) - 1), 0);
}

/* a * b + c; f32 arguments as they are in f64, where a * b is exact. */
static MlirValue fmaDirected(MathBuilder *m, MlirValue y, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue all = both(m, both(m, isFinite(m, a), isFinite(m, b)), isFinite(m, c));
  MathBuilder wide = mathWithWidth(m, 64);
  MlirValue lost;
  if (mathWidth(m) == 32) {
    MathPair s = twoSum(&wide, mathMul(&wide, ext(m, a), ext(m, b)), ext(m, c));
    lost = mathAdd(&wide, mathSub(&wide, s.high, ext(m, y)), s.low);
  } else { /* The error of fma as a sum, after Boldo and Muller. */
    MathPair p = mathExactProduct(m, a, b), t = twoSum(m, c, p.low), u = twoSum(m, p.high, t.high);
    lost = mathAdd(m, mathAdd(m, mathSub(m, u.high, y), u.low), t.low);
    /* A product far below c, and perhaps below every number, counts with its sign alone. (Where c is tiny as
     * well, below 2^-800, the direction may be missed.) */
    MlirValue far = both(m, mathCompareK(m, MathOrder_LT, mathAbs(m, p.high), 0x1.0p-900),
                         mathCompareK(m, MathOrder_GT, mathAbs(m, c), 0x1.0p-800));
    MlirValue nonZero = both(m, mathCompareK(m, MathOrder_GT, mathAbs(m, a), 0),
                             mathCompareK(m, MathOrder_GT, mathAbs(m, b), 0));
    lost = mathSelect(m, both(m, far, nonZero), productSign(m, a, b), lost);
  }
  return overflow(m, y, byLoss(m, y, &wide, lost), all);
}

/* An exact sum of 0 is -0 when rounding down, unless both terms were +0. */
static MlirValue zeroSum(MathBuilder *m, MlirValue y, MlirValue a, MlirValue b) {
  if (m->mode != MathRounding_Down)
    return y;
  int64_t sign = mathWidth(m) == 64 ? INT64_MIN : INT32_MIN;
  MlirValue bits = mathIntOp(m, TileOp_Arith_OrI, mathBits(m, a), mathBits(m, b));
  MlirValue zero = mathFromBits(m, mathIntOpK(m, TileOp_Arith_AndI, bits, sign));
  return mathSelect(m, mathCompareK(m, MathOrder_EQ, y, 0), zero, y);
}

MlirValue mathAddDirected(MathBuilder *m, const MlirValue *x) {
  MathPair s = twoSum(m, x[0], x[1]);
  MlirValue y =
      overflow(m, s.high, byLoss(m, s.high, m, s.low), both(m, isFinite(m, x[0]), isFinite(m, x[1])));
  return zeroSum(m, y, x[0], x[1]);
}

MlirValue mathSubDirected(MathBuilder *m, const MlirValue *x) {
  MlirValue y[] = {x[0], mathNeg(m, x[1])};
  return mathAddDirected(m, y);
}

/* x, and 2^200 times it where it is small. */
static MlirValue lifted(MathBuilder *m, MlirValue x, MlirValue small, double by) {
  return mathMul(m, x, mathSelect(m, small, mathConstant(m, by), mathConstant(m, 1)));
}

MlirValue mathMulDirected(MathBuilder *m, const MlirValue *x) {
  MlirValue y = mathMul(m, x[0], x[1]), all = both(m, isFinite(m, x[0]), isFinite(m, x[1])), lost;
  MathBuilder wide = mathWithWidth(m, 64);
  if (mathWidth(m) == 32) {
    lost = mathSub(&wide, mathMul(&wide, ext(m, x[0]), ext(m, x[1])), ext(m, y));
  } else { /* the smaller factor is the one to lift */
    MlirValue aIsLess = mathCompare(m, MathOrder_LT, mathAbs(m, x[0]), mathAbs(m, x[1]));
    MlirValue less = mathSelect(m, aIsLess, x[0], x[1]), more = mathSelect(m, aIsLess, x[1], x[0]);
    MlirValue small = mathCompareK(m, MathOrder_LT, mathAbs(m, y), 0x1.0p-900);
    lost = mathFma(m, lifted(m, less, small, 0x1.0p200), more, mathNeg(m, lifted(m, y, small, 0x1.0p200)));
    /* A product that vanished altogether has its factors' sign. */
    MlirValue nonZero = mathCompareK(m, MathOrder_GT, mathAbs(m, less), 0);
    MlirValue vanished = both(m, nonZero, mathCompareK(m, MathOrder_EQ, y, 0));
    lost = mathSelect(m, vanished, productSign(m, x[0], x[1]), lost);
  }
  return overflow(m, y, byLoss(m, y, &wide, lost), all);
}

/* a / b - y has the sign of (a - y * b) * b. */
MlirValue mathDivDirected(MathBuilder *m, const MlirValue *x) {
  MlirValue y = mathBinary(m, TileOp_Tile_PreciseDivF, x[0], x[1]), rest;
  MathBuilder wide = mathWithWidth(m, 64);
  MlirValue nonZero = mathCompareK(m, MathOrder_GT, mathAbs(m, x[1]), 0);
  MlirValue all = both(m, both(m, isFinite(m, x[0]), isFinite(m, x[1])), nonZero);
  if (mathWidth(m) == 32) {
    rest = mathSub(&wide, ext(m, x[0]), mathMul(&wide, ext(m, y), ext(m, x[1])));
    rest = mathMul(&wide, rest, ext(m, x[1]));
  } else {
    MlirValue small = mathCompareK(m, MathOrder_LT, mathAbs(m, x[0]), 0x1.0p-800);
    MlirValue negated = mathNeg(m, lifted(m, y, small, 0x1.0p200));
    rest = mathFma(m, negated, x[1], lifted(m, x[0], small, 0x1.0p200));
    rest = mathFlipSign(m, rest, mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x[1]), 63), 0);
  }
  MlirValue rounded = mathSelect(m, all, byLoss(m, y, &wide, rest), y);
  return overflow(m, y, rounded, all);
}

MlirValue mathRcpDirected(MathBuilder *m, const MlirValue *x) {
  MlirValue y[] = {mathConstant(m, 1), x[0]};
  return mathDivDirected(m, y);
}

MlirValue mathSqrtDirected(MathBuilder *m, const MlirValue *x) {
  MlirValue y = mathUnary(m, TileOp_Tile_PreciseSqrt, x[0]), lost;
  MathBuilder wide = mathWithWidth(m, 64);
  if (mathWidth(m) == 32) {
    lost = mathSub(&wide, ext(m, x[0]), mathMul(&wide, ext(m, y), ext(m, y)));
  } else {
    MlirValue small = mathCompareK(m, MathOrder_LT, x[0], 0x1.0p-800), s = lifted(m, y, small, 0x1.0p100);
    lost = mathFma(m, mathNeg(m, s), s, lifted(m, x[0], small, 0x1.0p200));
  }
  return mathSelect(m, isFinite(m, y), byLoss(m, y, &wide, lost), y);
}

MlirValue mathFmaDirected(MathBuilder *m, const MlirValue *x) {
  MlirValue y = mathFma(m, x[0], x[1], x[2]);
  return zeroSum(m, fmaDirected(m, y, x[0], x[1], x[2]), mathMul(m, x[0], x[1]), x[2]);
}

/* Correctly rounded: f64's 1 / sqrt(x) is never so near a tie of f32 that its own error counts. */
MlirValue mathRsqrtExact(MathBuilder *m, const MlirValue *x) {
  MathBuilder wide = mathWithWidth(m, 64);
  MlirValue root = mathUnary(&wide, TileOp_Math_Sqrt, ext(m, x[0]));
  return mathConvert(m, TileOp_Arith_TruncF, MathType_F32, mathDiv(&wide, mathConstant(&wide, 1), root));
}
