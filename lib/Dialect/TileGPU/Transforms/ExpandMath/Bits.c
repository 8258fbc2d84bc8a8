/* Bits.c - functions of a float's exponent and last place, for f32 and f64. */
#include "Functions.h"

static int digits(MathBuilder *m) { return mathWidth(m) == 64 ? 52 : 23; }
static int bias(MathBuilder *m) { return mathWidth(m) == 64 ? 1023 : 127; }
static double smallestNormal(MathBuilder *m) { return mathWidth(m) == 64 ? 0x1.0p-1022 : 0x1.0p-126; }

/* The neighbour in y's direction: one unit more or less of the magnitude. */
MlirValue mathNextAfter(MathBuilder *m, const MlirValue *x) {
  MlirValue zero = mathConstant(m, 0), one = mathInt(m, 1), bits = mathBits(m, x[0]);
  MlirValue up = mathCompare(m, MathOrder_LT, x[0], x[1]),
            positive = mathCompare(m, MathOrder_GT, x[0], zero);
  MlirValue grows = mathSelectInt(m, positive, one, mathInt(m, -1));
  MlirValue shrinks = mathSelectInt(m, positive, mathInt(m, -1), one);
  MlirValue moved = mathIntOp(m, TileOp_Arith_AddI, bits, mathSelectInt(m, up, grows, shrinks));
  MlirValue smallest = mathCopySign(m, mathFromBits(m, one), x[1]);
  MlirValue y = mathSelect(m, mathCompare(m, MathOrder_EQ, x[0], zero), smallest, mathFromBits(m, moved));
  y = mathSelect(m, mathCompare(m, MathOrder_EQ, x[0], x[1]), x[1], y);
  return mathSelect(m, mathCompare(m, MathOrder_Unordered, x[0], x[1]), mathConstant(m, NAN), y);
}

typedef struct Exponent {
  MlirValue value;  ///< unbiased, of finite numbers other than 0
  MlirValue bits;   ///< of the number, subnormals scaled up
  MlirValue inside; ///< finite and not 0
} Exponent;

static Exponent exponentOf(MathBuilder *m, MlirValue x) {
  MlirValue a = mathAbs(m, x);
  MlirValue subnormal = mathCompareK(m, MathOrder_LT, a, smallestNormal(m));
  MlirValue scaled = mathSelect(m, subnormal, mathMulK(m, x, ldexp(1, digits(m) + 1)), x);
  MlirValue bits = mathBits(m, scaled);
  MlirValue e = mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, mathAbs(m, scaled)), digits(m));
  MlirValue offset = mathSelectInt(m, subnormal, mathInt(m, bias(m) + digits(m) + 1), mathInt(m, bias(m)));
  MlirValue finite = mathCompareK(m, MathOrder_LT, a, INFINITY),
            nonZero = mathCompareK(m, MathOrder_GT, a, 0);
  MlirValue both[] = {finite, nonZero};
  return (Exponent){mathIntOp(m, TileOp_Arith_SubI, e, offset), bits,
                    mathEmit(m, TileOp_Arith_AndI, MathType_Bool, 2, both)};
}

/* log2 of the magnitude, rounded down, as a float. */
MlirValue mathLogb(MathBuilder *m, const MlirValue *x) {
  Exponent e = exponentOf(m, x[0]);
  MlirValue a = mathAbs(m, x[0]), zero = mathCompareK(m, MathOrder_EQ, a, 0);
  MlirValue outside = mathSelect(m, zero, mathConstant(m, -INFINITY), a);
  return mathSelect(m, e.inside, mathToFloat(m, e.value), outside);
}

/* The same as an integer: of 0 and NaN the smallest, of infinity the largest i32. */
MlirValue mathIlogb(MathBuilder *m, const MlirValue *x) {
  Exponent e = exponentOf(m, x[0]);
  MlirValue infinite = mathCompareK(m, MathOrder_EQ, mathAbs(m, x[0]), INFINITY);
  MlirValue outside = mathSelectInt(m, infinite, mathInt(m, INT32_MAX), mathInt(m, INT32_MIN));
  return mathSelectInt(m, e.inside, e.value, outside);
}

/* x * 2^n. The exponent is added in integers; where the result is subnormal it is first made 2^64 (2^128)
 * times too large, so that one multiplication rounds. */
MlirValue mathLdexp(MathBuilder *m, const MlirValue *x) {
  int64_t limit = mathWidth(m) == 64 ? 4400 : 600, lift = mathWidth(m) == 64 ? 128 : 64;
  MlirValue n = mathIntOpK(m, TileOp_Arith_MaxSI, mathIntOpK(m, TileOp_Arith_MinSI, x[1], limit), -limit);
  Exponent e = exponentOf(m, x[0]);
  MlirValue sum = mathIntOp(m, TileOp_Arith_AddI, e.value, n);
  MlirValue low = mathCompareInt(m, MathIntOrder_LT, sum, mathInt(m, 1 - bias(m)));
  sum = mathSelectInt(m, low, mathIntOpK(m, TileOp_Arith_AddI, sum, lift), sum);
  /* Kept within the normal numbers: below them the result is 0 all the same, above it is infinite. */
  MlirValue field = mathIntOpK(m, TileOp_Arith_MaxSI, sum, 1 - bias(m));
  MlirValue over = mathCompareInt(m, MathIntOrder_GE, field, mathInt(m, bias(m) + 1));
  MlirValue under = mathCompareInt(m, MathIntOrder_LT, sum, mathInt(m, 1 - bias(m)));
  field = mathIntOpK(m, TileOp_Arith_ShLI, mathIntOpK(m, TileOp_Arith_AddI, field, bias(m)), digits(m));
  int64_t keep = ((int64_t)1 << digits(m)) - 1; /* the mantissa; the sign comes back below */
  MlirValue y =
      mathFromBits(m, mathIntOp(m, TileOp_Arith_OrI, mathIntOpK(m, TileOp_Arith_AndI, e.bits, keep), field));
  y = mathMul(m, y, mathSelect(m, low, mathConstant(m, ldexp(1, -(int)lift)), mathConstant(m, 1)));
  y = mathSelect(m, over, mathConstant(m, INFINITY), mathSelect(m, under, mathConstant(m, 0), y));
  return mathSelect(m, e.inside, mathCopySign(m, y, x[0]), x[0]);
}
