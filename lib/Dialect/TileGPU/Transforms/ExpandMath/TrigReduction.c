/* TrigReduction.c - arguments of sine and cosine to the quarter turn around 0, for every finite f32 and f64.
 *
 * Up to some size (Cody and Waite): n = round(x * 2 / pi), x - n * pi / 2 with pi / 2 in three parts; by fma
 * the first step is exact and the others round at the size of what is left. All parts are positive, so that
 * -0 stays. Above (Payne and Hanek): x is an integer times a power of two, so only about three words of 4 /
 * pi matter: those before make multiples of four quarter turns, those after are too small. The product is
 * taken in integers, its bits are the quadrant and a fixed-point fraction. */
#include "Functions.h"

enum { MAX_WORDS = 20 };

typedef struct Format {
  int width, digits, bias;
  double twoOverPi, parts[3], limit; ///< of the first method
  int indexBits;                     ///< bits of an exponent above those that count within a word
  uint64_t words[MAX_WORDS];         ///< floor(4 / pi * 2^(width * i)) modulo 2^width
  uint64_t halfPi;                   ///< pi / 2 * 2^(width - 1)
} Format;

static const Format single = {
    32,
    23,
    127,
    0x1.45f306p-1,
    {0x1.921fb4p+0, 0x1.4442d0p-24, 0x1.846988p-48},
    0x1.0p16,
    2,
    {0x00000001, 0x45f306dc, 0x9c882a53, 0xf84eafa3, 0xea69bb81, 0xb6c52b32, 0x78872083},
    0xc90fdaa2};

static const Format twice = {64,
                             52,
                             1023,
                             0x1.45f306dc9c883p-1,
                             {0x1.921fb54442d18p+0, 0x1.1a62633145c06p-54, 0x1.c1cd129024e08p-107},
                             0x1.0p20,
                             4,
                             {0x0000000000000001, 0x45f306dc9c882a53, 0xf84eafa3ea69bb81, 0xb6c52b3278872083,
                              0xfca2c757bd778ac3, 0x6e48dc74849ba5c0, 0x0c925dd413a32439, 0xfc3bd63962534e7d,
                              0xd1046bea5d768909, 0xd338e04d68befc82, 0x7323ac7306a673e9, 0x3908bf177bf25076,
                              0x3ff12fffbc0b301f, 0xde5e2316b414da3e, 0xda6cfd9e4f96136e, 0x9e8c7ecd3cbfd45a,
                              0xea4f758fd7cbe2f6, 0x7a0e73ef14a525d4, 0xd7f6bf623f1aba10},
                             0xc90fdaa22168c235};

static const Format *formatOf(MathBuilder *m) { return mathWidth(m) == 64 ? &twice : &single; }

static MathReduced reduceSmall(MathBuilder *m, MlirValue x) {
  const Format *f = formatOf(m);
  MathRounded n = mathRoundSmall(m, mathMulK(m, x, f->twoOverPi));
  MlirValue r = mathFmaK(m, n.value, -f->parts[0], x);
  r = mathFmaK(m, n.value, -f->parts[1], r);
  if (!m->narrow)
    r = mathFmaK(m, n.value, -f->parts[2], r);
  return (MathReduced){r, n.bits};
}

/* Word first + k of the table, k given by `bits` conditions from the lowest bit on. */
static MlirValue wordFrom(MathBuilder *m, const MlirValue *conditions, int bits, int first) {
  if (bits == 0)
    return mathInt(m, (int64_t)formatOf(m)->words[first]);
  MlirValue low = wordFrom(m, conditions, bits - 1, first),
            high = wordFrom(m, conditions, bits - 1, first + (1 << (bits - 1)));
  return mathSelectInt(m, conditions[bits - 1], high, low);
}

/* The word that begins `shift` bits (less than its width) into high:low; rest: width - 1 - shift. */
static MlirValue funnel(MathBuilder *m, MlirValue high, MlirValue low, MlirValue shift, MlirValue rest) {
  MlirValue right = mathIntOp(m, TileOp_Arith_ShRUI, mathIntOpK(m, TileOp_Arith_ShRUI, low, 1), rest);
  return mathIntOp(m, TileOp_Arith_OrI, mathIntOp(m, TileOp_Arith_ShLI, high, shift), right);
}

static MlirValue carry(MathBuilder *m, MlirValue sum, MlirValue addend) {
  MlirValue less = mathCompareInt(m, MathIntOrder_ULT, sum, addend);
  return mathSelectInt(m, less, mathInt(m, 1), mathInt(m, 0));
}

typedef struct Fixed {
  MlirValue whole, high, low; ///< whole + (high:low) / 2^(2 * width)
} Fixed;

/* mantissa * (p[0]:p[1]:p[2]) without the lowest word. */
static Fixed multiply(MathBuilder *m, MlirValue mantissa, const MlirValue *p) {
  MlirValue tail = mathIntOp(m, TileOp_Tile_MulhiUI, mantissa, p[2]);
  MlirValue low = mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Arith_MulI, mantissa, p[1]), tail);
  MlirValue c = carry(m, low, tail);
  MlirValue upperHalf = mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Tile_MulhiUI, mantissa, p[1]), c);
  MlirValue high =
      mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Arith_MulI, mantissa, p[0]), upperHalf);
  c = carry(m, high, upperHalf);
  MlirValue whole = mathIntOp(m, TileOp_Arith_AddI, mathIntOp(m, TileOp_Tile_MulhiUI, mantissa, p[0]), c);
  return (Fixed){whole, high, low};
}

/* |x| * 2 / pi modulo a multiple of 4, for |x| >= 2. */
static Fixed quarterTurns(MathBuilder *m, MlirValue bits) {
  const Format *f = formatOf(m);
  int64_t top = (int64_t)((uint64_t)1 << (f->width - 1));
  MlirValue mantissa = mathIntOpK(m, TileOp_Arith_ShLI, bits, f->width - 1 - f->digits);
  mantissa = mathIntOpK(m, TileOp_Arith_OrI, mantissa, top);
  MlirValue e = mathIntOpK(m, TileOp_Arith_ShRUI, bits, f->digits);
  e = mathIntOpK(m, TileOp_Arith_AndI, e, 2 * f->bias + 1);
  e = mathIntOpK(m, TileOp_Arith_SubI, e, f->bias); /* |x| = mantissa / 2^(width - 1) * 2^e */
  MlirValue shift = mathIntOpK(m, TileOp_Arith_AndI, e, f->width - 1);
  MlirValue rest = mathIntOp(m, TileOp_Arith_SubI, mathInt(m, f->width - 1), shift), zero = mathInt(m, 0);
  MlirValue conditions[4], w[4], p[3];
  for (int i = 0; i < f->indexBits; ++i) {
    MlirValue bit = mathIntOpK(m, TileOp_Arith_AndI, e, (int64_t)f->width << i);
    conditions[i] = mathCompareInt(m, MathIntOrder_NE, bit, zero);
  }
  for (int i = 0; i < 4; ++i)
    w[i] = wordFrom(m, conditions, f->indexBits, i);
  for (int i = 0; i < 3; ++i)
    p[i] = funnel(m, w[i], w[i + 1], shift, rest);
  return multiply(m, mantissa, p);
}

/* high:low, not negative, times pi / 2: its leading word is kept, so that only the conversion to float
 * rounds. */
static MlirValue fractionToFloat(MathBuilder *m, MlirValue high, MlirValue low) {
  const Format *f = formatOf(m);
  MlirValue shift = mathEmit(m, TileOp_Math_CountLeadingZeros, MathType_Int, 1, &high), one = mathInt(m, 1);
  shift = mathIntOpK(m, TileOp_Arith_AndI, shift, f->width - 1); /* never the width; says so to LLVM */
  MlirValue rest = mathIntOp(m, TileOp_Arith_SubI, mathInt(m, f->width - 1), shift);
  MlirValue leading = funnel(m, high, low, shift, rest);
  leading = mathIntOp(m, TileOp_Tile_MulhiUI, leading, mathInt(m, (int64_t)f->halfPi));
  /* Half of it fits a signed number; the lost bit is kept in the last one. */
  MlirValue odd = mathIntOp(m, TileOp_Arith_AndI, leading, one);
  leading = mathIntOp(m, TileOp_Arith_OrI, mathIntOp(m, TileOp_Arith_ShRUI, leading, one), odd);
  MlirValue exponent = mathIntOp(m, TileOp_Arith_SubI, mathInt(m, f->bias - (f->width - 2)), shift);
  MlirValue scale = mathFromBits(m, mathIntOpK(m, TileOp_Arith_ShLI, exponent, f->digits));
  return mathMul(m, mathToFloat(m, leading), scale);
}

static MathReduced reduceLarge(MathBuilder *m, MlirValue x) {
  int last = mathWidth(m) - 1;
  MlirValue bits = mathBits(m, x);
  Fixed v = quarterTurns(m, bits);
  /* The fraction as a signed one in [-1/2, 1/2). */
  MlirValue negative = mathIntOpK(m, TileOp_Arith_ShRSI, v.high, last); /* 0 or -1 */
  MlirValue quadrant = mathIntOp(m, TileOp_Arith_SubI, v.whole, negative);
  MlirValue high = mathIntOp(m, TileOp_Arith_XOrI, v.high, negative);
  MlirValue r = fractionToFloat(m, high, mathIntOp(m, TileOp_Arith_XOrI, v.low, negative));
  r = mathFlipSign(m, r, negative, 0);
  /* A negative x turns the other way. */
  MlirValue sign = mathIntOpK(m, TileOp_Arith_ShRSI, bits, last);
  quadrant = mathIntOp(m, TileOp_Arith_SubI, mathIntOp(m, TileOp_Arith_XOrI, quadrant, sign), sign);
  r = mathFlipSign(m, r, sign, 0);
  return (MathReduced){mathFma(m, x, mathConstant(m, 0), r), quadrant}; /* infinity and NaN give NaN */
}

static void reduceRare(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  (void)user;
  MathReduced r = reduceLarge(m, x[0]);
  out[0] = r.remainder;
  out[1] = r.quadrant;
}

MathReduced mathReduceHalfPi(MathBuilder *m, MlirValue x) {
  MathReduced small = reduceSmall(m, x);
  if (m->narrow)
    return small;
  MlirValue isLarge = mathCompareK(m, MathOrder_GE, mathAbs(m, x), formatOf(m)->limit);
  MlirValue values[] = {small.remainder, small.quadrant};
  mathRarely(m, isLarge, reduceRare, &x, NULL, 2, values);
  return (MathReduced){values[0], values[1]};
}
