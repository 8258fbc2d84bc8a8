/* Remainder.c - fmod and IEEE remainder, exact for every pair of arguments.
 *
 * x / y = 2^d * mx / my with both mantissas in [1, 2). As in long division, r = mx * 2^d is reduced by so
 * many bits at a time that a quotient fits a float with room for its error: r <- r * 2^K - q * my, q =
 * round(r * 2^K / my). All values are multiples of the last place of a number in [1, 2), and the difference
 * is below 2: nothing rounds. Steps beyond d change nothing. */
#include "Functions.h"

typedef struct Format {
  int width, digits;    ///< bits; of the mantissa, without the leading one
  int bits;             ///< K
  int steps;            ///< of K bits, for the largest d
  double normal, scale; ///< smallest normal number; a power of two that makes subnormals normal
  int scaleBits;
} Format;

static const Format single = {32, 23, 20, 13, 0x1.0p-126, 0x1.0p24, 24};
static const Format twice = {64, 52, 48, 43, 0x1.0p-1022, 0x1.0p53, 53};

static const Format *formatOf(MathBuilder *m) { return mathWidth(m) == 64 ? &twice : &single; }
static int64_t oneBits(const Format *f) { return f->width == 64 ? 1023ll << 52 : 127ll << 23; }
static int bias(const Format *f) { return f->width == 64 ? 1023 : 127; }

typedef struct Parts {
  MlirValue mantissa, exponent; ///< float in [1, 2); integer
} Parts;

static Parts split(MathBuilder *m, MlirValue a) {
  const Format *f = formatOf(m);
  MlirValue subnormal = mathCompareK(m, MathOrder_LT, a, f->normal);
  MlirValue bits = mathBits(m, mathSelect(m, subnormal, mathMulK(m, a, f->scale), a));
  MlirValue back = mathSelectInt(m, subnormal, mathInt(m, f->scaleBits), mathInt(m, 0));
  MlirValue e = mathIntOp(m, TileOp_Arith_SubI, mathIntOpK(m, TileOp_Arith_ShRUI, bits, f->digits), back);
  MlirValue fraction = mathIntOpK(m, TileOp_Arith_AndI, bits, (1ll << f->digits) - 1);
  return (Parts){mathFromBits(m, mathIntOpK(m, TileOp_Arith_OrI, fraction, oneBits(f))), e};
}

/* 2^n for n in the range of normal numbers. */
static MlirValue power(MathBuilder *m, MlirValue n) {
  const Format *f = formatOf(m);
  MlirValue e = mathIntOpK(m, TileOp_Arith_ShLI, n, f->digits);
  return mathFromBits(m, mathIntOpK(m, TileOp_Arith_AddI, e, oneBits(f)));
}

typedef struct Step {
  MlirValue r, q; ///< what is left, and the bits of the last quotient
} Step;

static Step step(MathBuilder *m, MlirValue r, MlirValue divisor, MlirValue inverse) {
  MathRounded q = mathRoundSmall(m, mathMul(m, r, inverse));
  return (Step){mathFma(m, mathNeg(m, q.value), divisor, r), q.bits};
}

/* x: what is left, the last quotient, the divisor, its inverse, and the steps to take. */
static void moreSteps(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  const Format *f = user;
  Step s = {x[0], x[1]};
  for (int i = 0; i < f->steps; ++i) {
    Step next = step(m, mathMulK(m, s.r, ldexp(1, f->bits)), x[2], x[3]);
    MlirValue active = mathCompareInt(m, MathIntOrder_LT, mathInt(m, i), x[4]);
    s.r = mathSelect(m, active, next.r, s.r);
    s.q = mathSelectInt(m, active, next.q, s.q);
  }
  out[0] = s.r;
  out[1] = s.q;
}

/* |r| <= 0.6 my after all steps. */
static Step divide(MathBuilder *m, MlirValue mx, MlirValue my, MlirValue d) {
  const Format *f = formatOf(m);
  MlirValue inverse = mathDiv(m, mathConstant(m, 1), my), zero = mathInt(m, 0);
  /* d = first + K * n: n by a multiplication that is exact for these few values. */
  MlirValue n =
      mathIntOpK(m, TileOp_Arith_ShRSI, mathIntOpK(m, TileOp_Arith_MulI, d, 65536 / f->bits + 1), 16);
  n = mathSelectInt(m, mathCompareInt(m, MathIntOrder_LT, d, zero), zero, n);
  MlirValue first = mathIntOp(m, TileOp_Arith_SubI, d, mathIntOpK(m, TileOp_Arith_MulI, n, f->bits));
  Step s = step(m, mathMul(m, mx, power(m, first)), my, inverse);
  MlirValue x[] = {s.r, s.q, my, inverse, n}, values[] = {s.r, s.q};
  mathRarely(m, mathCompareInt(m, MathIntOrder_NE, n, zero), moreSteps, x, f, 2, values);
  return (Step){values[0], values[1]};
}

/* r * 2^e, e the biased exponent of y or, for subnormal y, what it would be. */
static MlirValue rescale(MathBuilder *m, MlirValue r, MlirValue e) {
  const Format *f = formatOf(m);
  MlirValue low = mathCompareInt(m, MathIntOrder_LT, e, mathInt(m, 1));
  MlirValue up = mathSelectInt(m, low, mathIntOpK(m, TileOp_Arith_AddI, e, f->scaleBits), e);
  MlirValue y = mathMul(m, r, power(m, mathIntOpK(m, TileOp_Arith_SubI, up, bias(f))));
  return mathMul(m, y, mathSelect(m, low, mathConstant(m, 1 / f->scale), mathConstant(m, 1)));
}

/* NaN for y = 0, x infinite, NaN; x where `whole` says that it is its own remainder. */
static MlirValue finish(MathBuilder *m, const MlirValue *x, MlirValue y, MlirValue whole) {
  MlirValue a = mathAbs(m, x[0]), b = mathAbs(m, x[1]);
  y = mathSelect(m, whole, x[0], y);
  y = mathSelect(m, mathCompareK(m, MathOrder_EQ, b, INFINITY), x[0], y);
  MlirValue finite = mathCompareK(m, MathOrder_LT, a, INFINITY),
            positive = mathCompareK(m, MathOrder_GT, b, 0);
  MlirValue nan = mathConstant(m, NAN);
  return mathSelect(m, finite, mathSelect(m, positive, y, nan), nan);
}

MlirValue mathFmod(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), b = mathAbs(m, x[1]), zero = mathConstant(m, 0);
  Parts px = split(m, a), py = split(m, b);
  Step s = divide(m, px.mantissa, py.mantissa, mathIntOp(m, TileOp_Arith_SubI, px.exponent, py.exponent));
  MlirValue negative = mathCompare(m, MathOrder_LT, s.r, zero);
  MlirValue r = mathSelect(m, negative, mathAdd(m, s.r, py.mantissa), s.r);
  r = mathCopySign(m, rescale(m, r, py.exponent), x[0]);
  return finish(m, x, r, mathCompare(m, MathOrder_LT, a, b));
}

/* To the nearest multiple of y, halfway to the even one: the last quotient's parity is that of the whole. */
MlirValue mathRemainder(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), b = mathAbs(m, x[1]);
  Parts px = split(m, a), py = split(m, b);
  MlirValue d = mathIntOp(m, TileOp_Arith_SubI, px.exponent, py.exponent), least = mathInt(m, -1);
  MlirValue far = mathCompareInt(m, MathIntOrder_LT, d, least); /* |x| < |y| / 2 */
  Step s = divide(m, px.mantissa, py.mantissa, mathSelectInt(m, far, least, d));
  MlirValue half = mathMulK(m, py.mantissa, 0.5), size = mathAbs(m, s.r);
  MlirValue odd = mathCompareInt(m, MathIntOrder_NE, mathIntOpK(m, TileOp_Arith_AndI, s.q, 1), mathInt(m, 0));
  MlirValue past = mathCompare(m, MathOrder_GT, size, half), at = mathCompare(m, MathOrder_EQ, size, half);
  MlirValue other = mathSub(m, s.r, mathCopySign(m, py.mantissa, s.r));
  MlirValue r = mathSelect(m, at, mathSelect(m, odd, other, s.r), s.r);
  r = mathSelect(m, past, other, r);
  MlirValue y = rescale(m, r, py.exponent), zero = mathCompareK(m, MathOrder_EQ, r, 0);
  MlirValue sign = mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x[0]), mathWidth(m) - 1);
  y = mathSelect(m, zero, mathCopySign(m, y, x[0]), mathFlipSign(m, y, sign, 0));
  return finish(m, x, y, far);
}
