/* SpecialFunctions.c - sines of multiples of pi, inverse error functions and modified Bessel functions, in the precision of
 * long double, by series and Newton's method: slow, and good to far below an ulp of f32. */
#include "SpecialFunctions.h"
#include <math.h>

double interpRcbrt(double x) { return 1 / cbrt(x); }

/* In long double, whose pi is good to 2^-64; the reduction is exact. */
static const long double pi = 3.141592653589793238462643383279502884L;

double interpSinPi(double x) {
  if (!isfinite(x))
    return NAN;
  if (x == trunc(x))
    return copysign(0.0, x);
  long double y = fmodl(x, 2), n = rintl(2 * y), r = pi * (y - n / 2);
  switch ((int)n & 3) {
  case 0:
    return (double)sinl(r);
  case 1:
    return (double)cosl(r);
  case 2:
    return (double)-sinl(r);
  default:
    return (double)-cosl(r);
  }
}

double interpCosPi(double x) {
  if (!isfinite(x))
    return NAN;
  long double y = fabsl(fmodl(x, 2)), n = rintl(2 * y), r = pi * (y - n / 2);
  double s;
  switch ((int)n & 3) {
  case 0:
    s = (double)cosl(r);
    break;
  case 1:
    s = (double)-sinl(r);
    break;
  case 2:
    s = (double)-cosl(r);
    break;
  default:
    s = (double)sinl(r);
    break;
  }
  return s == 0 ? 0.0 : s;
}

/* Beyond 20 the asymptotic series; x^2 in two parts before. */
double interpErfcx(double x) {
  if (x > 20) {
    long double term = 1, sum = 1;
    for (int n = 1; n < 12; ++n)
      sum += term *= -(2 * n - 1) / (2.0L * x * x);
    return (double)(sum / (x * sqrtl(pi)));
  }
  return (double)(expl((long double)x * x) * erfcl(x));
}

double interpNormCdf(double x) { return (double)(0.5L * erfcl(-x / sqrtl(2))); }

/* y with erfc(y) = x for 0 < x <= 1, by Newton's method on the logarithm. */
static long double inverseComplement(long double x) {
  long double w = -logl(x), y = x > 0.3L ? (1 - x) * 0.9L : sqrtl(w) - 0.3L * (w > 1);
  for (int i = 0; i < 30; ++i) {
    long double c = erfcl(y), step = c * (logl(c) - logl(x)) / (2 / sqrtl(pi) * expl(-y * y));
    y += step;
    if (fabsl(step) <= 1e-16L * fabsl(y))
      break;
  }
  return y;
}

/* y with erf(y) = x for 0 <= x < 1/2. */
static long double inverseSmall(long double x) {
  long double y = x * 0.886226925452758L;
  for (int i = 0; i < 20; ++i) {
    long double step = (erfl(y) - x) / (2 / sqrtl(pi) * expl(-y * y));
    y -= step;
    if (fabsl(step) <= 1e-16L * fabsl(y))
      break;
  }
  return y;
}

double interpErfInv(double x) {
  double a = fabs(x);
  if (!(a <= 1))
    return NAN;
  long double y = a == 1 ? INFINITY : a < 0.5 ? inverseSmall(a) : inverseComplement(1 - (long double)a);
  return copysign((double)y, x);
}

static double complementInverse(long double x) {
  if (!(x >= 0 && x <= 2))
    return NAN;
  if (x == 0 || x == 2)
    return x == 0 ? INFINITY : -INFINITY;
  if (x > 0.5L && x < 1.5L)
    return x <= 1 ? (double)inverseSmall(1 - x) : (double)-inverseSmall(x - 1);
  return x < 1 ? (double)inverseComplement(x) : (double)-inverseComplement(2 - x);
}

double interpErfcInv(double x) { return complementInverse(x); }
double interpNormCdfInv(double x) {
  double y = complementInverse(2 * (long double)x);
  return y == 0 ? 0.0 : -y * sqrt(2);
}

double interpRhypot(double x, double y) { return 1 / hypot(x, y); }

/* The power series: all terms are positive. Beyond 714 the functions overflow in f64. */
static double series(double x, int order) {
  if (isnan(x))
    return x;
  if (fabs(x) > 720)
    return order && x < 0 ? -INFINITY : INFINITY;
  long double half = x / 2.0L, term = order ? half : 1, sum = term;
  for (int k = 1; k < 2000; ++k) {
    term *= half * half / (k * (long double)(k + order));
    sum += term;
    if (fabsl(term) < fabsl(sum) * 1e-20L)
      break;
  }
  return (double)sum;
}
double interpBesselI0(double x) { return series(x, 0); }
double interpBesselI1(double x) { return series(x, 1); }
