/* Integers.c - the integer functions of libdevice, and those between bits and floats. Values of type
 * MathType_Int have the width of the builder's float type. */
#include "Functions.h"

MlirValue mathAbsInt(MathBuilder *m, const MlirValue *x) {
  return mathEmit(m, TileOp_Math_AbsI, MathType_Int, 1, x);
}

/* The signed product's upper half from the unsigned one's: a negative factor counts 2^width too much. */
MlirValue mathMulHigh(MathBuilder *m, const MlirValue *x) {
  int last = mathWidth(m) - 1;
  MlirValue high = mathIntOp(m, TileOp_Tile_MulhiUI, x[0], x[1]);
  for (int i = 0; i < 2; ++i) {
    MlirValue sign = mathIntOpK(m, TileOp_Arith_ShRSI, x[i], last); /* 0 or -1 */
    high = mathIntOp(m, TileOp_Arith_SubI, high, mathIntOp(m, TileOp_Arith_AndI, sign, x[1 - i]));
  }
  return high;
}

/* The product of the lower 24 bits; m->mode: the shift that extends them. */
MlirValue mathMul24(MathBuilder *m, const MlirValue *x) {
  MlirValue y[2];
  for (int i = 0; i < 2; ++i)
    y[i] = mathIntOpK(m, (TileOpKind)m->mode, mathIntOpK(m, TileOp_Arith_ShLI, x[i], 8), 8);
  return mathIntOp(m, TileOp_Arith_MulI, y[0], y[1]);
}

/* |x - y| + z, unsigned or (m->mode) signed comparison. */
MlirValue mathSad(MathBuilder *m, const MlirValue *x) {
  MlirValue high = mathIntOp(m, m->mode ? TileOp_Arith_MaxSI : TileOp_Arith_MaxUI, x[0], x[1]);
  MlirValue low = mathIntOp(m, m->mode ? TileOp_Arith_MinSI : TileOp_Arith_MinUI, x[0], x[1]);
  return mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Arith_SubI, high, low), x[2]);
}

/* (x + y) / 2 rounded down, without overflow; m->mode: the right shift. */
MlirValue mathAverage(MathBuilder *m, const MlirValue *x) {
  MlirValue half = mathIntOpK(m, (TileOpKind)m->mode, mathIntOp(m, TileOp_Arith_XOrI, x[0], x[1]), 1);
  return mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Arith_AndI, x[0], x[1]), half);
}

/* Rounded up. */
MlirValue mathAverageUp(MathBuilder *m, const MlirValue *x) {
  MlirValue half = mathIntOpK(m, (TileOpKind)m->mode, mathIntOp(m, TileOp_Arith_XOrI, x[0], x[1]), 1);
  return mathIntOp(m, TileOp_Arith_SubI, mathIntOp(m, TileOp_Arith_OrI, x[0], x[1]), half);
}

/* Counts are i32 whatever the argument. */
static MlirValue count(MathBuilder *m, MlirValue n) {
  return mathWidth(m) == 64 ? mathConvert(m, TileOp_Arith_TruncI, MathType_I32, n) : n;
}

MlirValue mathCountLeadingZeros(MathBuilder *m, const MlirValue *x) {
  return count(m, mathEmit(m, TileOp_Math_CountLeadingZeros, MathType_Int, 1, x));
}

MlirValue mathPopulation(MathBuilder *m, const MlirValue *x) {
  return count(m, mathEmit(m, TileOp_Math_CtPop, MathType_Int, 1, x));
}

/* Position of the lowest one from 1 on; 0 if there is none. */
MlirValue mathFindFirst(MathBuilder *m, const MlirValue *x) {
  MlirValue zero = mathInt(m, 0), none = mathCompareInt(m, MathIntOrder_EQ, x[0], zero);
  MlirValue n =
      mathIntOpK(m, TileOp_Arith_AddI, mathEmit(m, TileOp_Math_CountTrailingZeros, MathType_Int, 1, x), 1);
  return count(m, mathSelectInt(m, none, zero, n));
}

/* Swaps neighbouring groups of 1, 2, 4 ... bits. */
MlirValue mathReverseBits(MathBuilder *m, const MlirValue *x) {
  static const int64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                  0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  MlirValue y = x[0];
  for (int i = 0; 1 << i < mathWidth(m); ++i) {
    int64_t mask = mathWidth(m) == 64 ? masks[i] : (int32_t)masks[i];
    MlirValue right = mathIntOpK(m, TileOp_Arith_AndI, mathIntOpK(m, TileOp_Arith_ShRUI, y, 1 << i), mask);
    MlirValue left = mathIntOpK(m, TileOp_Arith_ShLI, mathIntOpK(m, TileOp_Arith_AndI, y, mask), 1 << i);
    y = mathIntOp(m, TileOp_Arith_OrI, left, right);
  }
  return y;
}

/* Byte i of the result is the byte of y:x that the three low bits of nibble i of s name. */
MlirValue mathBytePermute(MathBuilder *m, const MlirValue *x) {
  MlirValue y = mathInt(m, 0);
  for (int i = 0; i < 4; ++i) {
    MlirValue selector = i ? mathIntOpK(m, TileOp_Arith_ShRUI, x[2], 4 * i) : x[2];
    MlirValue upper = mathIntOpK(m, TileOp_Arith_AndI, selector, 4),
              shift = mathIntOpK(m, TileOp_Arith_AndI, selector, 3);
    MlirValue isUpper = mathCompareInt(m, MathIntOrder_NE, upper, mathInt(m, 0));
    MlirValue word = mathSelectInt(m, isUpper, x[1], x[0]);
    MlirValue byte = mathIntOp(m, TileOp_Arith_ShRUI, word, mathIntOpK(m, TileOp_Arith_ShLI, shift, 3));
    byte = mathIntOpK(m, TileOp_Arith_ShLI, mathIntOpK(m, TileOp_Arith_AndI, byte, 255), 8 * i);
    y = mathIntOp(m, TileOp_Arith_OrI, y, byte);
  }
  return y;
}

// ---- Bits of floats ----

MlirValue mathBitsOf(MathBuilder *m, const MlirValue *x) { return mathBits(m, x[0]); }
MlirValue mathOfBits(MathBuilder *m, const MlirValue *x) { return mathFromBits(m, x[0]); }

/* m->mode: how far right, 0 or 32. */
MlirValue mathHalfOfBits(MathBuilder *m, const MlirValue *x) {
  MlirValue bits = mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x[0]), m->mode);
  return mathConvert(m, TileOp_Arith_TruncI, MathType_I32, bits);
}

MlirValue mathOfHalves(MathBuilder *m, const MlirValue *x) {
  MathBuilder wide = mathWithWidth(m, 64);
  MlirValue high = mathConvert(m, TileOp_Arith_ExtUI, MathType_I64, x[0]);
  MlirValue low = mathConvert(m, TileOp_Arith_ExtUI, MathType_I64, x[1]);
  MlirValue bits = mathIntOp(&wide, TileOp_Arith_OrI, mathIntOpK(&wide, TileOp_Arith_ShLI, high, 32), low);
  return mathFromBits(&wide, bits);
}

MlirValue mathHalfToFloat(MathBuilder *m, const MlirValue *x) {
  MlirValue half = mathConvert(m, TileOp_Arith_Bitcast, MathType_F16, x[0]);
  return mathConvert(m, TileOp_Arith_ExtF, MathType_F32, half);
}

MlirValue mathFloatToHalf(MathBuilder *m, const MlirValue *x) {
  MlirValue half = mathConvert(m, TileOp_Arith_TruncF, MathType_F16, x[0]);
  return mathConvert(m, TileOp_Arith_Bitcast, MathType_I16, half);
}

// ---- Tests ----

MlirValue mathTest(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  switch (m->mode) {
  case MathTest_NaN:
    return mathCompare(m, MathOrder_Unordered, a, a);
  case MathTest_Infinite:
    return mathCompareK(m, MathOrder_EQ, a, INFINITY);
  case MathTest_Finite:
    return mathCompareK(m, MathOrder_LT, a, INFINITY);
  case MathTest_Sign:
    return mathCompareInt(m, MathIntOrder_LT, mathBits(m, x[0]), mathInt(m, 0));
  default:
    break;
  }
  double smallest = m->mode == MathTest_NormalHalf ? 0x1.0p-14
                    : mathWidth(m) == 64           ? 0x1.0p-1022
                                                   : 0x1.0p-126;
  MlirValue both[] = {mathCompareK(m, MathOrder_GE, a, smallest), mathCompareK(m, MathOrder_LT, a, INFINITY)};
  return mathEmit(m, TileOp_Arith_AndI, MathType_Bool, 2, both);
}

MlirValue mathTestInt(MathBuilder *m, const MlirValue *x) {
  return mathConvert(m, TileOp_Arith_ExtUI, MathType_I32, mathTest(m, x));
}

// ---- With an i32 beside the float ----

/* An i32 as an integer of the float's width. */
static MlirValue widen(MathBuilder *m, MlirValue n) {
  return mathWidth(m) == 64 ? mathConvert(m, TileOp_Arith_ExtSI, MathType_Int, n) : n;
}

MlirValue mathLdexpI32(MathBuilder *m, const MlirValue *x) {
  MlirValue y[] = {x[0], widen(m, x[1])};
  return mathLdexp(m, y);
}

MlirValue mathIlogbI32(MathBuilder *m, const MlirValue *x) { return count(m, mathIlogb(m, x)); }

/* The conversion may lose the parity of a large exponent: it is put back by the sign. */
MlirValue mathPowI32(MathBuilder *m, const MlirValue *x) {
  MlirValue n = widen(m, x[1]), magnitude[] = {mathAbs(m, x[0]), mathToFloat(m, n)};
  MlirValue y = mathPow(m, magnitude);
  MlirValue negative = mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x[0]), mathWidth(m) - 1);
  return mathFlipSign(m, y, mathIntOp(m, TileOp_Arith_AndI, negative, n), 0);
}

/* math.ipowi: by squaring. A negative exponent gives the integer part of the reciprocal: of 1 and -1 what
 * their powers are, else 0 (also of 0). */
MlirValue mathIntPow(MathBuilder *m, const MlirValue *x) {
  MlirValue one = mathInt(m, 1), zero = mathInt(m, 0), base = x[0], y = one;
  for (int i = 0; i < mathWidth(m); ++i) {
    MlirValue bit =
        mathIntOpK(m, TileOp_Arith_AndI, i ? mathIntOpK(m, TileOp_Arith_ShRUI, x[1], i) : x[1], 1);
    MlirValue set = mathCompareInt(m, MathIntOrder_NE, bit, zero);
    y = mathIntOp(m, TileOp_Arith_MulI, y, mathSelectInt(m, set, base, one));
    if (i + 1 < mathWidth(m))
      base = mathIntOp(m, TileOp_Arith_MulI, base, base);
  }
  MlirValue negative = mathCompareInt(m, MathIntOrder_LT, x[1], zero);
  MlirValue isOne = mathCompareInt(m, MathIntOrder_EQ, x[0], one);
  MlirValue isMinusOne = mathCompareInt(m, MathIntOrder_EQ, x[0], mathInt(m, -1));
  MlirValue odd = mathIntOpK(m, TileOp_Arith_AndI, x[1], 1);
  /* 1 - 2 * odd. */
  MlirValue sign = mathIntOp(m, TileOp_Arith_SubI, one, mathIntOp(m, TileOp_Arith_AddI, odd, odd));
  MlirValue reciprocal = mathSelectInt(m, isOne, one, mathSelectInt(m, isMinusOne, sign, zero));
  return mathSelectInt(m, negative, reciprocal, y);
}
