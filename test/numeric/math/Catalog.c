/* Catalog.c - expander, reference, bound and interval of interest per function. The bounds of f32 are those
 * that CUDA's programming guide publishes for the same function; those of f64 are a little above what is reached. */
#include "Catalog.h"
#include "BesselReference.h"
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

static const long double piLong = 3.14159265358979323846264338327950288L;

/* Of pi times x, |x| <= 1/4 but for the quarter turns. */
static long double turn(long double x, int ahead) {
  long double y = fmodl(x, 2), n = rintl(2 * y), r = piLong * (y - n / 2);
  int quadrant = (int)n + ahead;
  long double v = quadrant & 1 ? cosl(r) : sinl(r);
  return quadrant & 2 ? -v : v;
}
static long double sinpiLong(long double x) { return x == truncl(x) ? x * 0 : turn(x, 0); }
static long double cospiLong(long double x) { return turn(x, 1) + 0; }
static long double rcbrtLong(long double x) { return 1 / cbrtl(x); }
static long double rhypotLong(long double x, long double y) { return 1 / hypotl(x, y); }
static long double lgammaLong(long double x) {
  int sign; /* lgamma itself would write a global */
  return lgammal_r(x, &sign);
}
/* From 60 on by its asymptotic series. */
static long double erfcxLong(long double x) {
  if (x < 60)
    return expl(x * x) * erfcl(x);
  long double u = 1 / (2 * x * x);
  return (1 - u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u)))) / (x * sqrtl(piLong));
}
/* erfinv where 1 - |x| is c: Newton's method on log(erfc), or on erf near 0. */
static long double inverseOf(long double x, long double c) {
  if (!(c > 0))
    return c == 0 ? copysignl(INFINITY, x) : NAN;
  long double a = fabsl(x), y = a < 0.5L ? a * 0.886L : sqrtl(-logl(c * (2 - c)));
  for (int i = 0; i < 12; ++i) {
    if (a < 0.5L)
      y -= (erfl(y) - a) * sqrtl(piLong) / 2 * expl(y * y);
    else
      y += (logl(erfcxLong(y)) - y * y - logl(c)) * erfcxLong(y) * sqrtl(piLong) / 2;
  }
  return copysignl(y, x);
}
static long double erfinvLong(long double x) { return x == 0 ? x : inverseOf(x, 1 - fabsl(x)); }
static long double erfcinvLong(long double x) { return inverseOf(1 - x, x < 1 ? x : 2 - x); }
static long double normcdfLong(long double x) { return erfcl(-x / sqrtl(2)) / 2; }
static long double normcdfinvLong(long double x) { return -sqrtl(2) * erfcinvLong(2 * x) + 0; }
/* The series at 0: all of its terms are positive. */
static long double modifiedLong(long double x, int order) {
  if (!(fabsl(x) < 12000))
    return isnan(x) ? x : order && x < 0 ? -INFINITY : INFINITY;
  long double q = x * x / 4, term = order ? x / 2 : 1, sum = 0;
  for (int k = 1; sum + term != sum; ++k, term *= q / ((long double)(k - 1) * (k - 1 + order)))
    sum += term;
  return order && x == 0 ? x : sum;
}
static long double i0Long(long double x) { return modifiedLong(x, 0); }
static long double i1Long(long double x) { return modifiedLong(x, 1); }

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

/* Bounds for f32 and f64. */
#define BOTH(NAME, EXPANDER, BOUND, BOUND64, FROM, TO)                                                       \
  WIDE(NAME, EXPANDER, EXPANDER, BOUND, BOUND64, FROM, TO)
#define UNARY(NAME, EXPANDER, BOUND, FROM, TO)                                                               \
  {                                                                                                          \
    #NAME, 1, .f32 = EXPANDER, .bound32 = BOUND, .unary = NAME, .unaryLong = NAME##l, .from = {FROM},        \
        .to = {                                                                                              \
          TO                                                                                                 \
        }                                                                                                    \
  }
/* Of what the C library lacks. */
#define OTHER(NAME, EXPANDER, BOUND, BOUND64, REFERENCE, FROM, TO)                                           \
  {                                                                                                          \
    #NAME, 1, .f32 = EXPANDER, .f64 = EXPANDER, .bound32 = BOUND, .bound64 = BOUND64, .unary = REFERENCE,    \
        .unaryLong = NAME##Long, .from = {FROM}, .to = {                                                     \
          TO                                                                                                 \
        }                                                                                                    \
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
#define BESSEL(NAME, LONG, EXPANDER, FROM, BOUND64)                                                          \
  {#NAME,                                                                                                    \
   1,                                                                                                        \
   .f32 = EXPANDER,                                                                                          \
   .f64 = EXPANDER,                                                                                          \
   .bound32 = 9,                                                                                             \
   .bound64 = BOUND64,                                                                                       \
   .unary = NAME,                                                                                            \
   .unaryLong = LONG,                                                                                        \
   .from = {FROM},                                                                                           \
   .to = {20},                                                                                               \
   .absoluteFrom = 8,                                                                                        \
   .absoluteBound = 2.2e-6,                                                                                  \
   .absoluteBound64 = 5e-14}
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
#define BINARY(NAME, EXPANDER, BOUND, BOUND64, F0, T0, F1, T1)                                               \
  {                                                                                                          \
    #NAME, 2, .f32 = EXPANDER, .f64 = EXPANDER, .bound32 = BOUND, .bound64 = BOUND64, .binary = NAME,        \
        .binaryLong = NAME##l, .from = {F0, F1}, .to = {                                                     \
          T0,                                                                                                \
          T1                                                                                                 \
        }                                                                                                    \
  }

const MathCase mathCases[] = {
    {"exp", 1, .f32 = mathExp, .f64 = mathWideExp, .bound32 = 2, .allowed32 = 2.8, .bound64 = 1, .unary = exp,
     .unaryLong = expl, .from = {-105}, .to = {90}},
    {"exp10", 1, .f32 = mathExp10, .f64 = mathWideExp10, .bound32 = 2, .allowed32 = 2.8, .bound64 = 1,
     .unary = exp10, .unaryLong = exp10l, .from = {-46}, .to = {39}},
    {"tan", 1, .f32 = mathTan, .f64 = mathTan, .bound32 = 4, .allowed32 = 4.4, .bound64 = 3, .unary = tan,
     .unaryLong = tanl, .from = {-100}, .to = {100}},
    BOTH(asin, mathAsin, 2, 2, -1, 1),
    BOTH(acos, mathAcos, 2, 2, -1, 1),
    BOTH(atan, mathAtan, 2, 2, -3, 3),
    BOTH(sinh, mathSinh, 3, 3, -90, 90),
    BOTH(cosh, mathCosh, 2, 2, -90, 90),
    BOTH(asinh, mathAsinh, 3, 3, -10, 10),
    BOTH(acosh, mathAcosh, 4, 4, 1, 10),
    BOTH(atanh, mathAtanh, 3, 3, -1, 1),
    BINARY(atan2, mathAtan2, 3, 3, -1, 1, -1, 1),
    BOTH(cbrt, mathCbrt, 1, 1, -10, 10),
    OTHER(rcbrt, mathRcbrt, 1, 1, interpRcbrt, -10, 10),
    OTHER(sinpi, mathSinPi, 1, 2, interpSinPi, -4, 4),
    OTHER(cospi, mathCosPi, 1, 2, interpCosPi, -4, 4),
    BOTH(erfc, mathErfc, 4, 5, -4, 10.1),
    OTHER(erfcx, mathErfcx, 4, 4, interpErfcx, -9.4, 12),
    {"erfinv", 1, .f32 = mathErfInv, .f64 = mathErfInv, .bound32 = 2, .allowed32 = 2.1, .bound64 = 5,
     .unary = interpErfInv, .unaryLong = erfinvLong, .from = {-1}, .to = {1}},
    OTHER(erfcinv, mathErfcInv, 4, 6, interpErfcInv, 0, 2),
    OTHER(normcdf, mathNormCdf, 5, 5, interpNormCdf, -14.5, 6),
    OTHER(normcdfinv, mathNormCdfInv, 5, 7, interpNormCdfInv, 0, 1),
    BINARY(hypot, mathHypot, 3, 2, -10, 10, -10, 10),
    {"rhypot", 2, .f32 = mathRhypot, .f64 = mathRhypot, .bound32 = 2, .bound64 = 2, .binary = interpRhypot,
     .binaryLong = rhypotLong, .from = {-10, -10}, .to = {10, 10}},
    NORM(norm3d, 3, mathNorm3, 3, norm3Reference),
    NORM(norm4d, 4, mathNorm4, 3, norm4Reference),
    NORM(rnorm3d, 3, mathRnorm3, 2, rnorm3Reference),
    NORM(rnorm4d, 4, mathRnorm4, 2, rnorm4Reference),
    BOTH(tgamma, mathTgamma, 5, 8, -40, 36),
    {"lgamma", 1, .f32 = mathLgamma, .f64 = mathLgamma, .bound32 = 6, .bound64 = 6, .unary = referenceLgamma,
     .unaryLong = lgammaLong, .from = {0}, .to = {20}, .exceptFrom = -10.001, .exceptTo = -2.264},
    OTHER(i0, mathI0, 6, 6, interpBesselI0, -92, 92),
    OTHER(i1, mathI1, 6, 6, interpBesselI1, -92, 92),
    BESSEL(j0, referenceJ0, mathJ0, -20, 7),
    BESSEL(j1, referenceJ1, mathJ1, -20, 7),
    BESSEL(y0, referenceY0, mathY0, 0, 7),
    BESSEL(y1, referenceY1, mathY1, 0, 7),
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
