/* BesselReference.c - j0, j1, y0 and y1 by their power series in 113 bits, right beside their zeros too, up to 16 (NIST's
 * Digital Library of Mathematical Functions, 10.2.2 and 10.8); the C library's from there on. */
#include "BesselReference.h"
#include <math.h>

#ifdef __SIZEOF_FLOAT128__
typedef __float128 Quad;
#else
typedef long double Quad; // 113 bits where it is not 80 wide
#endif

static Quad pi(void) {
  return (Quad)0x1.921fb54442d18p+1 + (Quad)0x1.1a62633145c07p-53 + (Quad)-0x1.f1976b7ed8fbcp-109;
}
static Quad euler(void) {
  return (Quad)0x1.2788cfc6fb619p-1 + (Quad)-0x1.6cb90701fbfabp-58 + (Quad)-0x1.34a95e3133c51p-112;
}

static Quad exponential(Quad x) {
  Quad term = 1, sum = 1;
  x /= 64;
  for (int k = 1; k < 40; ++k)
    sum += term *= x / k;
  for (int i = 0; i < 6; ++i)
    sum *= sum;
  return sum;
}

/* One step of Newton's. */
static Quad logarithm(Quad x) {
  Quad y = logl((long double)x), e = exponential(y);
  return y + (x - e) / e;
}

/* Sum of (-1)^k c(k) (x / 2)^(2 k + n) / (k! (k + n)!), c: 1, or the harmonic numbers of k and k + n added. */
static Quad series(Quad x, int n, bool harmonic) {
  Quad half = x / 2, term = n ? half : 1, sum = 0, first = 0, second = n;
  int k = 0;
  do { // terms fall from half of x on
    sum += harmonic ? term * (first + second) : term;
    ++k;
    term *= -half * half / ((Quad)k * (k + n));
    first += (Quad)1 / k;
    second += (Quad)1 / (k + n);
  } while (term * term > (Quad)1e-72 * sum * sum);
  return sum;
}

static Quad second(Quad x, int n) {
  Quad y = 2 * (logarithm(x / 2) + euler()) * series(x, n, false) - series(x, n, true);
  return (n ? y - 2 / x : y) / pi();
}

enum { LIMIT = 16 };

long double referenceJ0(long double x) {
  return fabsl(x) < LIMIT ? (long double)series(x, 0, false) : j0l(x);
}
long double referenceJ1(long double x) {
  return fabsl(x) < LIMIT && x != 0 ? (long double)series(x, 1, false) : j1l(x);
}
/* Towards 0 the exponential would have no power of two, and the logarithm of 80 bits will do. */
static bool near(long double x) { return x > 0x1p-20L && x < LIMIT; }
long double referenceY0(long double x) { return near(x) ? (long double)second(x, 0) : y0l(x); }
long double referenceY1(long double x) { return near(x) ? (long double)second(x, 1) : y1l(x); }
