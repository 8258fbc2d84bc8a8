/* Catalog.c - expander, reference, bound and interval of interest per function. The bounds are those that
 * CUDA's programming guide publishes for the same function. */
#include "Catalog.h"
#include "SpecialFunctions.h"
#include <math.h>

static MlirValue exp2Primitive(MathBuilder *m, const MlirValue *x) {
  return mathUnary(m, TileOp_Math_Exp2, x[0]);
}
static double referenceRsqrt(double x) { return 1 / sqrt(x); }
static double referenceLgamma(double x) {
  int sign; /* lgamma itself would write a global */
  return lgamma_r(x, &sign);
}
static MlirValue rsqrt32(MathBuilder *m, const MlirValue *x) { return mathUnary(m, TileOp_Math_Rsqrt, x[0]); }

/* f64's own function where that is exact, or rounds as the expansion does. */
static long double fmodExact(long double x, long double y) { return fmod((double)x, (double)y); }
static long double remainderExact(long double x, long double y) { return remainder((double)x, (double)y); }
static long double nextafterExact(long double x, long double y) { return nextafter((double)x, (double)y); }
static long double fdimExact(long double x, long double y) { return fdim((double)x, (double)y); }
/* The length of a vector of f32: squares neither overflow nor vanish in f64. */
static double lengthOf(const double *x, int n) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[i];
    infinite |= isinf(x[i]);
  }
  return infinite ? INFINITY : sqrt(sum); /* as hypot: also beside a NaN */
}
static double norm3Reference(const double *x) { return lengthOf(x, 3); }
static double norm4Reference(const double *x) { return lengthOf(x, 4); }
static double rnorm3Reference(const double *x) { return 1 / lengthOf(x, 3); }
static double rnorm4Reference(const double *x) { return 1 / lengthOf(x, 4); }

static double nextafter32(double x, double y) { return nextafterf((float)x, (float)y); }
static double fdim32(double x, double y) { return fdimf((float)x, (float)y); }

#define WIDE(NAME, EXPANDER, WIDE_EXPANDER, BOUND, BOUND64, FROM, TO)                                        \
  {                                                                                                          \
    #NAME, 1, .f32 = EXPANDER, .f64 = WIDE_EXPANDER, .bound32 = BOUND, .bound64 = BOUND64, .unary = NAME,    \
        .unaryLong = NAME##l, .from = {FROM}, .to = {                                                        \
          TO                                                                                                 \
        }                                                                                                    \
  }
static MlirValue expPrecise(MathBuilder *m, const MlirValue *x) {
  m->precise = true;
  MlirValue y = mathExp(m, x);
  m->precise = false;
  return y;
}

#define UNARY(NAME, EXPANDER, BOUND, FROM, TO)                                                               \
  {                                                                                                          \
    #NAME, 1, .f32 = EXPANDER, .bound32 = BOUND, .unary = NAME, .unaryLong = NAME##l, .from = {FROM},        \
        .to = {                                                                                              \
          TO                                                                                                 \
        }                                                                                                    \
  }
#define OTHER(NAME, EXPANDER, BOUND, REFERENCE, FROM, TO)                                                    \
  {                                                                                                          \
    #NAME, 1, .f32 = EXPANDER, .bound32 = BOUND, .unary = REFERENCE, .from = {FROM}, .to = { TO }            \
  }
#define NORM(NAME, ARITY, EXPANDER, BOUND, REFERENCE)                                                        \
  {#NAME,                                                                                                    \
   ARITY,                                                                                                    \
   .f32 = EXPANDER,                                                                                          \
   .bound32 = BOUND,                                                                                         \
   .many = REFERENCE,                                                                                        \
   .from = {-9, -9, -9, -9},                                                                                 \
   .to = {9, 9, 9, 9}}
/* Relative below 8, absolute above. */
#define BESSEL(NAME, EXPANDER, FROM)                                                                         \
  {#NAME,          1,          .f32 = EXPANDER,   .bound32 = 9,           .unary = NAME,                     \
   .from = {FROM}, .to = {20}, .absoluteFrom = 8, .absoluteBound = 2.2e-6}
/* Of two arguments, exact in both types; at random exponents quotients are huge. */
#define EXACT(NAME, EXPANDER)                                                                                \
  {#NAME,                                                                                                    \
   2,                                                                                                        \
   .f32 = EXPANDER,                                                                                          \
   .f64 = EXPANDER,                                                                                          \
   .binary = NAME,                                                                                           \
   .binaryLong = NAME##Exact,                                                                                \
   .from = {-100, -9},                                                                                       \
   .to = {100, 9}}
#define BINARY(NAME, EXPANDER, BOUND, F0, T0, F1, T1)                                                        \
  {                                                                                                          \
    #NAME, 2, .f32 = EXPANDER, .bound32 = BOUND, .binary = NAME, .binaryLong = NAME##l, .from = {F0, F1},    \
        .to = {                                                                                              \
          T0,                                                                                                \
          T1                                                                                                 \
        }                                                                                                    \
  }

const MathCase mathCases[] = {
    {"exp", 1, .f32 = mathExp, .f64 = mathWideExp, .bound32 = 2, .allowed32 = 2.8, .bound64 = 1, .unary = exp,
     .unaryLong = expl, .from = {-105}, .to = {90}},
    {"exp10", 1, .f32 = mathExp10, .f64 = mathWideExp10, .bound32 = 2, .allowed32 = 2.8, .bound64 = 1,
     .unary = exp10, .unaryLong = exp10l, .from = {-46}, .to = {39}},
    {"tan", 1, .f32 = mathTan, .bound32 = 4, .allowed32 = 4.4, .unary = tan, .from = {-100}, .to = {100}},
    UNARY(asin, mathAsin, 2, -1, 1),
    UNARY(acos, mathAcos, 2, -1, 1),
    UNARY(atan, mathAtan, 2, -3, 3),
    UNARY(sinh, mathSinh, 3, -90, 90),
    UNARY(cosh, mathCosh, 2, -90, 90),
    UNARY(asinh, mathAsinh, 3, -10, 10),
    UNARY(acosh, mathAcosh, 4, 1, 10),
    UNARY(atanh, mathAtanh, 3, -1, 1),
    BINARY(atan2, mathAtan2, 3, -1, 1, -1, 1),
    UNARY(cbrt, mathCbrt, 1, -10, 10),
    OTHER(rcbrt, mathRcbrt, 1, interpRcbrt, -10, 10),
    OTHER(sinpi, mathSinPi, 1, interpSinPi, -4, 4),
    OTHER(cospi, mathCosPi, 1, interpCosPi, -4, 4),
    UNARY(erfc, mathErfc, 4, -4, 10.1),
    OTHER(erfcx, mathErfcx, 4, interpErfcx, -9.4, 12),
    {"erfinv", 1, .f32 = mathErfInv, .bound32 = 2, .allowed32 = 2.1, .unary = interpErfInv, .from = {-1},
     .to = {1}},
    OTHER(erfcinv, mathErfcInv, 4, interpErfcInv, 0, 2),
    OTHER(normcdf, mathNormCdf, 5, interpNormCdf, -14.5, 6),
    OTHER(normcdfinv, mathNormCdfInv, 5, interpNormCdfInv, 0, 1),
    BINARY(hypot, mathHypot, 3, -10, 10, -10, 10),
    {"rhypot", 2, .f32 = mathRhypot, .bound32 = 2, .binary = interpRhypot, .from = {-10, -10},
     .to = {10, 10}},
    NORM(norm3d, 3, mathNorm3, 3, norm3Reference),
    NORM(norm4d, 4, mathNorm4, 3, norm4Reference),
    NORM(rnorm3d, 3, mathRnorm3, 2, rnorm3Reference),
    NORM(rnorm4d, 4, mathRnorm4, 2, rnorm4Reference),
    UNARY(tgamma, mathTgamma, 5, -40, 36),
    {"lgamma", 1, .f32 = mathLgamma, .bound32 = 6, .unary = referenceLgamma, .from = {0}, .to = {20},
     .exceptFrom = -10.001, .exceptTo = -2.264},
    OTHER(i0, mathI0, 6, interpBesselI0, -92, 92),
    OTHER(i1, mathI1, 6, interpBesselI1, -92, 92),
    BESSEL(j0, mathJ0, -20),
    BESSEL(j1, mathJ1, -20),
    BESSEL(y0, mathY0, 0),
    BESSEL(y1, mathY1, 0),
    EXACT(fmod, mathFmod),
    EXACT(remainder, mathRemainder),
    {"nextafter", 2, .f32 = mathNextAfter, .f64 = mathNextAfter, .binary = nextafter32,
     .binaryLong = nextafterExact, .from = {-9, -9}, .to = {9, 9}},
    {"fdim", 2, .f32 = mathFdim, .f64 = mathFdim, .binary = fdim32, .binaryLong = fdimExact, .from = {-9, -9},
     .to = {9, 9}},
    {"logb", 1, .f32 = mathLogb, .f64 = mathLogb, .unary = logb, .unaryLong = logbl, .from = {-9}, .to = {9}},
    {"exp2", 1, .f32 = exp2Primitive, .f64 = mathWideExp2Of, .bound32 = 2, .allowed32 = 3, .bound64 = 1,
     .unary = exp2, .unaryLong = exp2l, .from = {-150}, .to = {129}},
    {"exp-precise", 1, .f32 = expPrecise, .bound32 = 1, .unary = exp, .from = {-105}, .to = {90}},
    WIDE(expm1, mathExpM1, mathWideExpM1, 1, 1, -20, 90),
    WIDE(log, mathLog, mathWideLog, 1, 1, 0, 4),
    WIDE(log2, mathLog2, mathWideLog2, 1, 1, 0, 4),
    WIDE(log10, mathLog10, mathWideLog10, 2, 1, 0, 4),
    WIDE(log1p, mathLog1p, mathWideLog1p, 1, 1, -1, 3),
    WIDE(sin, mathSin, mathSin, 2, 2, -100, 100),
    WIDE(cos, mathCos, mathCos, 2, 2, -100, 100),
    WIDE(tanh, mathTanh, mathWideTanh, 2, 2, -10, 10),
    WIDE(erf, mathErf, mathWideErf, 2, 2, -4, 4),
    UNARY(round, mathRound, 0, -100, 100),
    {"rsqrt", 1, .f32 = rsqrt32, .bound32 = 2, .unary = referenceRsqrt, .from = {0}, .to = {4}},
    {"pow", 2, .f32 = mathPow, .f64 = mathPow, .bound32 = 4, .bound64 = 2, .binary = pow, .binaryLong = powl,
     .from = {0, -80}, .to = {3, 80}},
};
const int mathNumCases = TILE_COUNTOF(mathCases);
