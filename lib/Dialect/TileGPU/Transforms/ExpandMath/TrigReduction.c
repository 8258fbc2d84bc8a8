/* TrigReduction.c - arguments of sine and cosine to the quarter turn around 0, for every finite float.
 *
 * Below 2^16 (Cody and Waite): n = round(x * 2 / pi), x - n * pi / 2 with pi / 2 in three parts; by fma the
 * first step is exact and the others round at the size of what is left. All parts are positive, so that -0
 * stays. Above (Payne and Hanek): x is an integer times a power of two, so only about 96 bits of 4 / pi
 * matter: those before make multiples of four quarter turns, those after are too small. The product is taken
 * in integers, its bits are the quadrant and a fixed-point fraction. */
#include "Functions.h"

static MathReduced reduceSmall(MathBuilder *m, MlirValue x) {
  MathRounded n = mathRoundSmall(m, mathMulK(m, x, 0x1.45f306p-1));
  MlirValue r = mathFmaK(m, n.value, -0x1.921fb4p+0, x);
  r = mathFmaK(m, n.value, -0x1.4442d0p-24, r);
  if (!m->narrow)
    r = mathFmaK(m, n.value, -0x1.846988p-48, r);
  return (MathReduced){r, n.bits};
}

/* floor(4 / pi * 2^(32 i)) modulo 2^32. */
static const uint32_t fourOverPi[] = {0x00000001, 0x45f306dc, 0x9c882a53, 0xf84eafa3,
                                      0xea69bb81, 0xb6c52b32, 0x78872083};

static MlirValue word(MathBuilder *m, int i) { return mathInt(m, (int32_t)fourOverPi[i]); }

/* Word first + k of the table, k = 0 ... 3 given by its two bits. */
static MlirValue wordFrom(MathBuilder *m, MlirValue odd, MlirValue upper, int first) {
  MlirValue low = mathSelectInt(m, odd, word(m, first + 1), word(m, first));
  MlirValue high = mathSelectInt(m, odd, word(m, first + 3), word(m, first + 2));
  return mathSelectInt(m, upper, high, low);
}

/* The 32 bits that begin `shift` bits (0 to 31) into high:low. */
static MlirValue funnel(MathBuilder *m, MlirValue high, MlirValue low, MlirValue shift, MlirValue rest) {
  MlirValue right = mathIntOp(m, TileOp_Arith_ShRUI, mathIntOpK(m, TileOp_Arith_ShRUI, low, 1), rest);
  return mathIntOp(m, TileOp_Arith_OrI, mathIntOp(m, TileOp_Arith_ShLI, high, shift), right);
}

static MlirValue carry(MathBuilder *m, MlirValue sum, MlirValue addend) {
  MlirValue less = mathCompareInt(m, MathIntOrder_ULT, sum, addend);
  return mathSelectInt(m, less, mathInt(m, 1), mathInt(m, 0));
}

typedef struct Fixed {
  MlirValue whole, high, low; ///< whole + (high:low) / 2^64
} Fixed;

/* x * 2 / pi modulo a multiple of 4, for |x| >= 2. */
static Fixed quarterTurns(MathBuilder *m, MlirValue bits) {
  MlirValue mantissa = mathIntOpK(m, TileOp_Arith_OrI, mathIntOpK(m, TileOp_Arith_ShLI, bits, 8), INT32_MIN);
  MlirValue e = mathIntOpK(m, TileOp_Arith_AndI, mathIntOpK(m, TileOp_Arith_ShRUI, bits, 23), 0xff);
  e = mathIntOpK(m, TileOp_Arith_SubI, e, 127); /* |x| = mantissa / 2^31 * 2^e */
  MlirValue shift = mathIntOpK(m, TileOp_Arith_AndI, e, 31);
  MlirValue rest = mathIntOp(m, TileOp_Arith_SubI, mathInt(m, 31), shift);
  MlirValue zero = mathInt(m, 0);
  MlirValue odd = mathCompareInt(m, MathIntOrder_NE, mathIntOpK(m, TileOp_Arith_AndI, e, 32), zero);
  MlirValue upper = mathCompareInt(m, MathIntOrder_NE, mathIntOpK(m, TileOp_Arith_AndI, e, 64), zero);
  MlirValue w[4], p[3];
  for (int i = 0; i < 4; ++i)
    w[i] = wordFrom(m, odd, upper, i);
  for (int i = 0; i < 3; ++i)
    p[i] = funnel(m, w[i], w[i + 1], shift, rest);
  MlirValue tail = mathIntOp(m, TileOp_Tile_MulhiUI, mantissa, p[2]);
  MlirValue low = mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Arith_MulI, mantissa, p[1]), tail);
  MlirValue c = carry(m, low, tail);
  MlirValue upperHalf = mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Tile_MulhiUI, mantissa, p[1]), c);
  MlirValue high =
      mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Arith_MulI, mantissa, p[0]), upperHalf);
  MlirValue whole = mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Tile_MulhiUI, mantissa, p[0]),
                              carry(m, high, upperHalf));
  return (Fixed){whole, high, low};
}

/* The fraction as a signed one in [-1/2, 1/2), then times pi / 2: 32 leading bits are kept, so that only the
 * conversion to float rounds. */
static MathReduced reduceLarge(MathBuilder *m, MlirValue x) {
  MlirValue bits = mathBits(m, x), one = mathInt(m, 1);
  Fixed v = quarterTurns(m, bits);
  MlirValue negative = mathIntOpK(m, TileOp_Arith_ShRSI, v.high, 31); /* 0 or -1 */
  MlirValue quadrant = mathIntOp(m, TileOp_Arith_SubI, v.whole, negative);
  MlirValue high = mathIntOp(m, TileOp_Arith_XOrI, v.high, negative);
  MlirValue low = mathIntOp(m, TileOp_Arith_XOrI, v.low, negative);
  MlirValue shift = mathEmit(m, TileOp_Math_CountLeadingZeros, MathType_Int, 1, &high);
  shift = mathIntOpK(m, TileOp_Arith_AndI, shift, 31); /* never 32; says so to LLVM */
  MlirValue rest = mathIntOp(m, TileOp_Arith_SubI, mathInt(m, 31), shift);
  MlirValue leading = funnel(m, high, low, shift, rest);
  /* pi / 2 * 2^31; half of the unsigned product fits a signed number. */
  leading = mathIntOp(m, TileOp_Tile_MulhiUI, leading, mathInt(m, (int32_t)0xc90fdaa2));
  MlirValue odd = mathIntOp(m, TileOp_Arith_AndI, leading, one);
  leading = mathIntOp(m, TileOp_Arith_OrI, mathIntOpK(m, TileOp_Arith_ShRUI, leading, 1), odd);
  MlirValue exponent = mathIntOp(m, TileOp_Arith_SubI, mathInt(m, 127 - 30), shift);
  MlirValue scale = mathFromBits(m, mathIntOpK(m, TileOp_Arith_ShLI, exponent, 23));
  MlirValue r = mathMul(m, mathToFloat(m, leading), scale);
  r = mathFlipSign(m, r, negative, 0);
  /* A negative x turns the other way. */
  MlirValue sign = mathIntOpK(m, TileOp_Arith_ShRSI, bits, 31);
  quadrant = mathIntOp(m, TileOp_Arith_SubI, mathIntOp(m, TileOp_Arith_XOrI, quadrant, sign), sign);
  r = mathFlipSign(m, r, sign, 0);
  return (MathReduced){mathFma(m, x, mathConstant(m, 0), r), quadrant}; /* infinity and NaN give NaN */
}

MathReduced mathReduceHalfPi(MathBuilder *m, MlirValue x) {
  MathReduced small = reduceSmall(m, x);
  if (m->narrow)
    return small;
  MathReduced large = reduceLarge(m, x);
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, mathAbs(m, x), 0x1.0p16);
  return (MathReduced){mathSelect(m, isSmall, small.remainder, large.remainder),
                       mathSelectInt(m, isSmall, small.quadrant, large.quadrant)};
}
