/* InverseTrig.c - asin, acos, atan and atan2. */
#include "Functions.h"

/* asin(x) = x + x * z * A(z), z = x^2 <= 1/4: relative errors below 2^-27.5 and 2^-57. */
static const double asinTail32[] = {0x1.5555ccp-3, 0x1.3300c4p-4, 0x1.749b2ap-5, 0x1.8b0574p-6,
                                    0x1.5a68d0p-5};
static const double asinTail64[] = {0x1.5555555555562p-3, 0x1.3333333330686p-4, 0x1.6db6db709cb35p-5,
                                    0x1.f1c71b096e128p-6, 0x1.6e8bd45fa9b47p-6, 0x1.1c4a87bd068cep-6,
                                    0x1.ca14808d4a874p-7, 0x1.75c90bb6fc242p-7, 0x1.60352472c2957p-7,
                                    0x1.ef6c568274340p-9, 0x1.6264a864d0506p-6, -0x1.5861487ca81c6p-6,
                                    0x1.0bfe6d4fbb00ap-5};

/* pi / 2 as a sum of two. */
static double halfPi(MathBuilder *m) { return MATH_PICK(m, 0x1.921fb6p+0, 0x1.921fb54442d18p+0); }
static double halfPiLow(MathBuilder *m) { return MATH_PICK(m, -0x1.777a5cp-25, 0x1.1a62633145c07p-54); }

typedef struct Half {
  MlirValue isSmall;        ///< |x| <= 1/2
  MlirValue argument, tail; ///< asin(argument) = argument + tail
} Half;

/* x itself up to 1/2, else s = sqrt((1 - |x|) / 2): asin(|x|) = pi / 2 - 2 asin(s), acos(|x|) = 2 asin(s). */
static Half halve(MathBuilder *m, MlirValue x) {
  MlirValue a = mathAbs(m, x), half = mathConstant(m, 0.5);
  MlirValue isSmall = mathCompare(m, MathOrder_LE, a, half);
  MlirValue zLarge = mathFmaK(m, a, -0.5, half); /* exact */
  MlirValue z = mathSelect(m, isSmall, mathMul(m, x, x), zLarge);
  MlirValue s = mathSelect(m, isSmall, x, mathUnary(m, TileOp_Math_Sqrt, zLarge));
  MlirValue p = mathMul(m, z, MATH_POLYNOMIAL(m, z, asinTail32, asinTail64));
  return (Half){isSmall, s, mathMul(m, s, p)};
}

MlirValue mathAsin(MathBuilder *m, const MlirValue *x) {
  Half h = halve(m, x[0]);
  MlirValue y = mathAdd(m, h.argument, h.tail);
  MathPair large = mathExactSum(m, mathConstant(m, halfPi(m)), mathMulK(m, h.argument, -2));
  large.low = mathFmaK(m, h.tail, -2, mathAddK(m, large.low, halfPiLow(m)));
  return mathSelect(m, h.isSmall, y, mathCopySign(m, mathAdd(m, large.high, large.low), x[0]));
}

MlirValue mathAcos(MathBuilder *m, const MlirValue *x) {
  Half h = halve(m, x[0]);
  MlirValue tail = mathSub(m, h.tail, mathConstant(m, halfPiLow(m)));
  MlirValue y = mathSub(m, mathConstant(m, halfPi(m)), mathAdd(m, h.argument, tail));
  MlirValue s = mathAdd(m, h.argument, h.tail);
  MlirValue positive = mathAdd(m, s, s), negative = mathSub(m, mathConstant(m, 2 * halfPi(m)), positive);
  MlirValue large = mathSelect(m, mathCompareK(m, MathOrder_LT, x[0], 0), negative, positive);
  return mathSelect(m, h.isSmall, y, large);
}

/* atan(q) for 0 <= q <= 1 as q + tail: relative errors below 2^-28.5 and 2^-55. */
static MlirValue atanTail(MathBuilder *m, MlirValue q) {
  static const double single[] = {-0x1.55553ep-2, 0x1.9991e4p-3,  -0x1.242086p-3,
                                  0x1.c08c50p-4,  -0x1.580930p-4, 0x1.da2aa4p-5,
                                  -0x1.fd8030p-6, 0x1.642872p-7,  -0x1.d363a8p-10};
  static const double twice[] = {-0x1.5555555555553p-2,  0x1.999999999936ap-3,  -0x1.249249246f843p-3,
                                 0x1.c71c71bb97c5dp-4,   -0x1.745d162ba29cbp-4, 0x1.3b139fc5808b2p-4,
                                 -0x1.111051247a409p-4,  0x1.e1d5e0d4c014cp-5,  -0x1.aedff8b822d56p-5,
                                 0x1.84c62dd1cf858p-5,   -0x1.5f4f1cf912a4ap-5, 0x1.3952d5afaf123p-5,
                                 -0x1.0cff6d063fcf4p-5,  0x1.ad4bdc1126573p-6,  -0x1.318173d3edc52p-6,
                                 0x1.731fe35c06a4ap-7,   -0x1.6f5a2705666d1p-8, 0x1.18d3ce2872eb3p-9,
                                 -0x1.345697f555218p-11, 0x1.ae1c9d08d8094p-14, -0x1.1d1ccb6bd7935p-17};
  MlirValue z = mathMul(m, q, q);
  return mathMul(m, mathMul(m, z, MATH_POLYNOMIAL(m, z, single, twice)), q);
}

/* Beyond 1: pi / 2 - atan(1 / x), the reciprocal with one step of Newton. */
MlirValue mathAtan(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), one = mathConstant(m, 1);
  MlirValue large = mathCompare(m, MathOrder_GT, a, one);
  MlirValue b = mathBinary(m, TileOp_Arith_MinNumF, a, mathConstant(m, 0x1.0p64));
  MlirValue inverse = mathDiv(m, one, b);
  inverse = mathFma(m, mathFma(m, mathNeg(m, b), inverse, one), inverse, inverse);
  MlirValue q = mathSelect(m, large, inverse, a);
  MlirValue tail = atanTail(m, q);
  MlirValue other = mathSub(m, mathConstant(m, halfPi(m)), mathAdd(m, q, mathAddK(m, tail, -halfPiLow(m))));
  return mathCopySign(m, mathSelect(m, large, other, mathAdd(m, q, tail)), x[0]);
}

/* atan2(y, x): the angle q of the nearer axis, from a quotient of the smaller by the larger that is corrected
 * to less than 1 ulp, then mirrored at the diagonal and at the axes. */
MlirValue mathAtan2(MathBuilder *m, const MlirValue *x) {
  MlirValue ay = mathAbs(m, x[0]), ax = mathAbs(m, x[1]), zero = mathConstant(m, 0);
  MlirValue steep = mathCompare(m, MathOrder_GT, ay, ax);
  MlirValue small = mathSelect(m, steep, ax, ay), large = mathSelect(m, steep, ay, ax);
  MlirValue q = mathExactDiv(m, small, large);
  /* Equal sizes: also infinity / infinity, and 0 / 0, which is 0. */
  MlirValue diagonal = mathSelect(m, mathCompare(m, MathOrder_EQ, ax, zero), zero, mathConstant(m, 1));
  q = mathSelect(m, mathCompare(m, MathOrder_EQ, ay, ax), diagonal, q);
  MlirValue tail = atanTail(m, q);
  MlirValue near = mathAdd(m, q, tail);
  MlirValue mirrored =
      mathSub(m, mathConstant(m, halfPi(m)), mathAdd(m, q, mathAddK(m, tail, -halfPiLow(m))));
  MlirValue r = mathSelect(m, steep, mirrored, near);
  MlirValue left = mathCompare(m, MathOrder_LT, mathCopySign(m, mathConstant(m, 1), x[1]), zero);
  MlirValue turned = mathSub(m, mathConstant(m, 2 * halfPi(m)), mathAddK(m, r, -2 * halfPiLow(m)));
  return mathCopySign(m, mathSelect(m, left, turned, r), x[0]);
}
