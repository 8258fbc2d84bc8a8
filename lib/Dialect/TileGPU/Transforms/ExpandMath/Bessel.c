/* Bessel.c - j0, j1, y0 and y1.
 *
 * Below 8: by pieces, each as (x - zero) times a polynomial around a zero of the function, the zero as a sum
 * of two floats, so that the result is relatively accurate beside it; towards 0 as polynomials in x^2, and y
 * with its logarithm. From 8 on: amplitude and phase, sqrt(2 / (pi x)) * M(1 / x^2) * cos(x - (2 n + 1) pi /
 * 4 + T(1 / x^2) / x). */
#include "Functions.h"

enum { MAX_TERMS = 11 };

/* (x - zero) * polynomial(x - zero). */
typedef struct Piece {
  double zero, zeroLow;
  int terms;
  double c[MAX_TERMS];
} Piece;

static MlirValue distance(MathBuilder *m, MlirValue x, double zero, double zeroLow) {
  return mathAddK(m, mathAddK(m, x, -zero), -zeroLow);
}

static MlirValue piece(MathBuilder *m, MlirValue x, const Piece *p) {
  MlirValue t = distance(m, x, p->zero, p->zeroLow);
  return mathMul(m, t, mathPolynomial(m, t, p->c, p->terms));
}

/* (x^2 - zero^2) * polynomial(x^2). */
static MlirValue evenPiece(MathBuilder *m, MlirValue x, const Piece *p) {
  MlirValue t = distance(m, x, p->zero, p->zeroLow), z = mathMul(m, x, x);
  return mathMul(m, mathMul(m, t, mathAddK(m, x, p->zero)), mathPolynomial(m, z, p->c, p->terms));
}

/* Relative errors of the pieces: below 2^-24. */
static const Piece j0Near0 = {0x1.33d152p+1,
                              0x1.d2e368p-24,
                              7,
                              {-0x1.62214cp-3, 0x1.b4c4fep-7, -0x1.a0456ap-12, 0x1.adc99ep-18,
                               -0x1.177f66p-24, 0x1.ec5aa0p-32, -0x1.09a41ep-39}};
static const Piece j0Near6 = {0x1.6148f6p+2,
                              -0x1.34f46ep-24,
                              11,
                              {0x1.5c6e60p-2, -0x1.f8f72ep-6, -0x1.b214d6p-5, 0x1.2f7fa0p-8, 0x1.27dceap-9,
                               -0x1.6f430ep-13, -0x1.8550ecp-15, 0x1.a6e472p-19, 0x1.27ed92p-21,
                               -0x1.8bd2e8p-26, -0x1.5b9340p-28}};
/* J1 / x in x^2, for x <= 3.75. */
static const double j1Near0[] = {0x1.0p-1,       -0x1.0p-4,       0x1.555554p-9,  -0x1.c71c26p-15,
                                 0x1.6c1080p-21, -0x1.83dac2p-28, 0x1.2253bcp-35, -0x1.13601ap-43};
static const Piece j1Near4 = {0x1.ea7558p+1,
                              -0x1.4a121ep-24,
                              9,
                              {-0x1.9c6cf6p-2, 0x1.ae8a38p-5, 0x1.b589bcp-5, -0x1.53748ep-8, -0x1.24abd6p-9,
                               0x1.6e0e76p-13, 0x1.81911ep-15, -0x1.892414p-19, -0x1.060c46p-21}};
static const Piece j1Near7 = {0x1.c0ff60p+2,
                              -0x1.8971b6p-23,
                              9,
                              {0x1.33518cp-2, -0x1.5e70dcp-6, -0x1.80c8a0p-5, 0x1.9a4a30p-9, 0x1.140b96p-9,
                               -0x1.06e42ep-13, -0x1.7c46c6p-15, 0x1.2c93f4p-19, 0x1.443130p-21}};
/* y0 - 2 / pi * log(x / zero) * j0. */
static const Piece y0Near1 = {
    0x1.c982ecp-1,
    -0x1.cafa06p-27,
    6,
    {0x1.750812p-3, -0x1.12584ap-6, 0x1.268b84p-11, -0x1.4c0fbcp-17, 0x1.ced0f0p-24, -0x1.9c4036p-31}};
static const Piece y0Near4 = {0x1.fa9534p+1,
                              0x1.b30ad4p-24,
                              9,
                              {-0x1.9c3426p-2, 0x1.a09c9ap-5, 0x1.df6d5cp-5, -0x1.c119a4p-8, -0x1.1e2f74p-9,
                               0x1.9a1e72p-13, 0x1.a9acb0p-15, -0x1.53aad6p-18, -0x1.924106p-23}};
static const Piece y0Near7 = {0x1.c581dcp+2,
                              0x1.39c840p-24,
                              9,
                              {0x1.334ccap-2, -0x1.5aef62p-6, -0x1.8969cap-5, 0x1.b2f19ep-9, 0x1.1d3790p-9,
                               -0x1.26e234p-13, -0x1.8237b8p-15, 0x1.66c472p-19, 0x1.4d1e2ap-21}};
/* (y1 - 2 / pi * log(x / zero) * j1) * x. */
static const Piece y1Near2 = {0x1.193beep+1,
                              -0x1.6401b8p-24,
                              7,
                              {0x1.0e14bep-3, 0x1.069926p-6, -0x1.7c2c3cp-10, 0x1.5b9990p-15, -0x1.4e8f18p-21,
                               0x1.8d11e6p-28, -0x1.0fd412p-35}};
static const Piece y1Near5 = {0x1.5b7fe4p+2,
                              0x1.d0f606p-23,
                              11,
                              {-0x1.5c7c56p-2, 0x1.00b9f8p-5, 0x1.a15dacp-5, -0x1.10a376p-8, -0x1.1be844p-9,
                               0x1.3391d4p-13, 0x1.85b84cp-15, -0x1.833860p-19, -0x1.1ff8c4p-21,
                               0x1.dbc2a6p-26, 0x1.bfa334p-29}};

typedef struct Wave {
  double amplitude[4], phase[4];
  double turns; ///< (2 n + 1) / 2 quarter turns
} Wave;

static const Wave waves[] = {{{0x1.0p+0, -0x1.fffabcp-5, 0x1.a3bee2p-4, -0x1.a87c02p-2},
                              {-0x1.fffffap-4, 0x1.0a9460p-4, -0x1.a21ce2p-3, 0x1.188fc0p+0},
                              0.5},
                             {{0x1.0p+0, 0x1.7ffe34p-3, -0x1.891c5cp-3, 0x1.43c4c0p-1},
                              {0x1.7ffffep-2, -0x1.4ff10ap-3, 0x1.745df0p-2, -0x1.a5c30ep+0},
                              1.5}};

/* The wave of order n for x >= 8; quarter 0: J, 3: Y (a sine is the cosine of a quarter turn less). 0 at
 * infinity. */
static MlirValue wave(MathBuilder *m, MlirValue x, int order, int quarter) {
  const Wave *w = &waves[order];
  MlirValue inverse = mathDiv(m, mathConstant(m, 1), x), z = mathMul(m, inverse, inverse);
  MlirValue amplitude =
      mathMul(m, mathUnary(m, TileOp_Math_Rsqrt, x), mathConstant(m, 0x1.988454p-1)); /* sqrt(2 / pi) */
  amplitude = mathMul(m, amplitude, mathPolynomial(m, z, w->amplitude, TILE_COUNTOF(w->amplitude)));
  MathReduced r = mathReduceHalfPi(m, x);
  MlirValue phase = mathMul(m, inverse, mathPolynomial(m, z, w->phase, TILE_COUNTOF(w->phase)));
  /* - pi / 4 and the phase's drift may leave the quarter turn; whole quarter turns go to the quadrant. */
  MlirValue angle = mathAdd(m, mathAddK(m, r.remainder, -0x1.921fb6p-1), phase);
  MlirValue below = mathCompareK(m, MathOrder_LT, angle, -0x1.921fb6p-1);
  angle = mathSelect(m, below, mathAddK(m, angle, 0x1.921fb6p+0), angle);
  int offset = quarter - (int)w->turns;
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
  MlirValue y = orWave(m, a, piece(m, a, &j0Near6), 0, 0);
  return below(m, a, 4, evenPiece(m, a, &j0Near0), y);
}

static MlirValue j1Small(MathBuilder *m, MlirValue x) {
  return mathMul(m, x, mathPolynomial(m, mathMul(m, x, x), j1Near0, TILE_COUNTOF(j1Near0)));
}

/* 1 where the sign bit is set. */
static MlirValue signOf(MathBuilder *m, MlirValue x) {
  return mathIntOpK(m, TileOp_Arith_ShRUI, mathBits(m, x), 31);
}

MlirValue mathJ1(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]);
  MlirValue y = orWave(m, a, piece(m, a, &j1Near7), 1, 0);
  y = below(m, a, 5.5, piece(m, a, &j1Near4), y);
  return mathFlipSign(m, below(m, a, 2.5, j1Small(m, a), y), signOf(m, x[0]), 0);
}

/* log(x / zero) = log1p((x - zero) / zero) * 2 / pi: relatively accurate at the zero. */
static MlirValue logOver(MathBuilder *m, MlirValue x, const Piece *p, double logZero) {
  MlirValue t = mathMulK(m, distance(m, x, p->zero, p->zeroLow), (float)(1 / p->zero));
  /* Towards 0, where t has no digits left, log(x) - log(zero). */
  MlirValue far = mathAddK(m, mathLog(m, &x), -logZero);
  MlirValue l = below(m, x, 0.25, far, mathLog1p(m, &t));
  return mathMulK(m, l, 0x1.45f306p-1);
}

/* Of negative x NaN, of 0 -infinity. */
static MlirValue domain(MathBuilder *m, MlirValue x, MlirValue y) {
  MlirValue zero = mathConstant(m, 0);
  y = mathSelect(m, mathCompare(m, MathOrder_LT, x, zero), mathConstant(m, NAN), y);
  return mathSelect(m, mathCompare(m, MathOrder_EQ, x, zero), mathConstant(m, -INFINITY), y);
}

MlirValue mathY0(MathBuilder *m, const MlirValue *x) {
  MlirValue y = orWave(m, x[0], piece(m, x[0], &y0Near7), 0, 3);
  y = below(m, x[0], 5.5, piece(m, x[0], &y0Near4), y);
  MlirValue j = evenPiece(m, x[0], &j0Near0);
  MlirValue small = mathFma(m, logOver(m, x[0], &y0Near1, -0x1.cce4b8p-4), j, evenPiece(m, x[0], &y0Near1));
  return domain(m, x[0], below(m, x[0], 2.5, small, y));
}

MlirValue mathY1(MathBuilder *m, const MlirValue *x) {
  MlirValue y = orWave(m, x[0], piece(m, x[0], &y1Near5), 1, 3);
  MlirValue rest = mathDiv(m, evenPiece(m, x[0], &y1Near2), x[0]);
  MlirValue small = mathFma(m, logOver(m, x[0], &y1Near2, 0x1.930642p-1), j1Small(m, x[0]), rest);
  return domain(m, x[0], below(m, x[0], 3.75, small, y));
}
