/* Bessel.c - j0, j1, y0 and y1.
 *
 * Below 8: by pieces, each as (x - zero) times a polynomial around a zero of the function, the zero as a sum
 * of two floats, so that the result is relatively accurate beside it; towards 0 as polynomials in x^2, and y
 * with its logarithm. From 8 on: amplitude and phase, sqrt(2 / (pi x)) * M(1 / x^2) * cos(x - (2 n + 1) pi /
 * 4 + T(1 / x^2) / x). */
#include "BesselTables.h"
#include "Functions.h"

static const BesselPiece *of(MathBuilder *m, const BesselPiece pieces[2]) {
  return &pieces[mathWidth(m) == 64];
}

static MlirValue distance(MathBuilder *m, MlirValue x, double zero, double zeroLow) {
  return mathAddK(m, mathAddK(m, x, -zero), -zeroLow);
}

static MlirValue piece(MathBuilder *m, MlirValue x, const BesselPiece *p) {
  MlirValue t = distance(m, x, p->zero, p->zeroLow);
  return mathMul(m, t, mathPolynomial(m, t, p->c, p->terms));
}

/* (x^2 - zero^2) * polynomial(x^2). */
static MlirValue evenPiece(MathBuilder *m, MlirValue x, const BesselPiece *p) {
  MlirValue t = distance(m, x, p->zero, p->zeroLow), z = mathMul(m, x, x);
  return mathMul(m, mathMul(m, t, mathAddK(m, x, p->zero)), mathPolynomial(m, z, p->c, p->terms));
}

/* The wave of order n for x >= 8; quarter 0: J, 3: Y (a sine is the cosine of a quarter turn less). 0 at
 * infinity. */
static MlirValue wave(MathBuilder *m, MlirValue x, int order, int quarter) {
  const BesselWave *w = &besselWaves[order][mathWidth(m) == 64];
  double quarterPi = MATH_PICK(m, 0x1.921fb6p-1, 0x1.921fb54442d18p-1);
  MlirValue inverse = mathDiv(m, mathConstant(m, 1), x), z = mathMul(m, inverse, inverse);
  MlirValue root = mathWidth(m) == 64 ? mathWideRsqrt(m, &x) : mathUnary(m, TileOp_Math_Rsqrt, x);
  MlirValue amplitude =
      mathMul(m, root, mathConstant(m, MATH_PICK(m, 0x1.988454p-1, 0x1.9884533d43651p-1))); /* sqrt(2 / pi) */
  amplitude = mathMul(m, amplitude, mathPolynomial(m, z, w->amplitude, w->terms));
  MathReduced r = mathReduceHalfPi(m, x);
  MlirValue phase = mathMul(m, inverse, mathPolynomial(m, z, w->phase, w->terms));
  /* - pi / 4 and the phase's drift may leave the quarter turn; whole quarter turns go to the quadrant. */
  MlirValue angle = mathAdd(m, mathAddK(m, r.remainder, -quarterPi), phase);
  MlirValue below = mathCompareK(m, MathOrder_LT, angle, -quarterPi);
  angle = mathSelect(m, below, mathAddK(m, angle, 2 * quarterPi), angle);
  int offset = quarter - order;
  MlirValue quadrant = mathIntOpK(m, TileOp_Arith_AddI, r.quadrant, offset);
  quadrant = mathSelectInt(m, below, mathIntOpK(m, TileOp_Arith_AddI, r.quadrant, offset - 1), quadrant);
  MlirValue y = mathMul(m, mathCosineOf(m, (MathReduced){angle, quadrant}), amplitude);
  return mathSelect(m, mathCompareK(m, MathOrder_EQ, x, INFINITY), mathConstant(m, 0), y);
}

typedef struct WaveKind {
  int order, quarter;
} WaveKind;

static void waveRare(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  const WaveKind *kind = user;
  out[0] = wave(m, x[0], kind->order, kind->quarter);
}

/* y below 8, the wave from there on. */
static MlirValue orWave(MathBuilder *m, MlirValue x, MlirValue y, int order, int quarter) {
  WaveKind kind = {order, quarter};
  mathRarely(m, mathCompareK(m, MathOrder_GE, x, 8), waveRare, &x, &kind, 1, &y);
  return y;
}

static MlirValue below(MathBuilder *m, MlirValue x, double limit, MlirValue y, MlirValue other) {
  return mathSelect(m, mathCompareK(m, MathOrder_LT, x, limit), y, other);
}

MlirValue mathJ0(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  MlirValue y = orWave(m, a, piece(m, a, of(m, besselJ0Near6)), 0, 0);
  return below(m, a, MATH_PICK(m, 4, 3.5), evenPiece(m, a, of(m, besselJ0Near0)), y);
}

static MlirValue j1Small(MathBuilder *m, MlirValue x) {
  const BesselPiece *p = of(m, besselJ1Near0);
  return mathMul(m, x, mathPolynomial(m, mathMul(m, x, x), p->c, p->terms));
}

/* 1 where the sign bit is set. */
static MlirValue signOf(MathBuilder *m, MlirValue x) {
  return mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x), mathWidth(m) - 1);
}

MlirValue mathJ1(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  MlirValue y = orWave(m, a, piece(m, a, of(m, besselJ1Near7)), 1, 0);
  y = below(m, a, 5.5, piece(m, a, of(m, besselJ1Near4)), y);
  return mathFlipSign(m, below(m, a, 2.5, j1Small(m, a), y), signOf(m, x[0]), 0);
}

/* log(x / zero) = log1p((x - zero) / zero) * 2 / pi: relatively accurate at the zero. */
static MlirValue logOver(MathBuilder *m, MlirValue x, const BesselPiece *p, double logZero) {
  bool isWide = mathWidth(m) == 64;
  MlirValue t = mathMulK(m, distance(m, x, p->zero, p->zeroLow), isWide ? 1 / p->zero : (float)(1 / p->zero));
  /* Towards 0, where t has no digits left, log(x) - log(zero). */
  MlirValue far = mathAddK(m, isWide ? mathWideLog(m, &x) : mathLog(m, &x), -logZero);
  MlirValue l = below(m, x, 0.25, far, isWide ? mathWideLog1p(m, &t) : mathLog1p(m, &t));
  return mathMulK(m, l, MATH_PICK(m, 0x1.45f306p-1, 0x1.45f306dc9c883p-1));
}

/* Of negative x NaN, of 0 -infinity. */
static MlirValue domain(MathBuilder *m, MlirValue x, MlirValue y) {
  MlirValue zero = mathConstant(m, 0);
  y = mathSelect(m, mathCompare(m, MathOrder_LT, x, zero), mathConstant(m, NAN), y);
  return mathSelect(m, mathCompare(m, MathOrder_EQ, x, zero), mathConstant(m, -INFINITY), y);
}

MlirValue mathY0(MathBuilder *m, const MlirValue *x) {
  MlirValue y = orWave(m, x[0], piece(m, x[0], of(m, besselY0Near7)), 0, 3);
  y = below(m, x[0], 5.5, piece(m, x[0], of(m, besselY0Near4)), y);
  MlirValue j = evenPiece(m, x[0], of(m, besselJ0Near0));
  MlirValue small =
      mathFma(m, logOver(m, x[0], of(m, besselY0Near1), MATH_PICK(m, -0x1.cce4b8p-4, -0x1.cce4b73e6f025p-4)),
              j, evenPiece(m, x[0], of(m, besselY0Near1)));
  return domain(m, x[0], below(m, x[0], 2.5, small, y));
}

MlirValue mathY1(MathBuilder *m, const MlirValue *x) {
  MlirValue y = piece(m, x[0], of(m, besselY1Near5));
  if (mathWidth(m) == 64) // a polynomial has no digits left beside the next zero
    y = below(m, x[0], 6.75, y, piece(m, x[0], &besselWideY1Near9));
  y = orWave(m, x[0], y, 1, 3);
  MlirValue rest = mathDiv(m, evenPiece(m, x[0], of(m, besselY1Near2)), x[0]);
  MlirValue small =
      mathFma(m, logOver(m, x[0], of(m, besselY1Near2), MATH_PICK(m, 0x1.930642p-1, 0x1.930641fe98869p-1)),
              j1Small(m, x[0]), rest);
  return domain(m, x[0], below(m, x[0], 3.75, small, y));
}
