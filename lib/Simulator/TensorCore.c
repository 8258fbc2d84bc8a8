/* TensorCore.c - sums that are aligned, cut off and added as integers. */
#include "TensorCore.h"
#include "tile-c/Numerics.h"
#include <math.h>
#include <string.h>

/// Below every exponent of a product of f32 numbers: what a zero has.
enum { NO_EXPONENT = -1000, MAX_SIDE = 16, MAX_OPERAND = 1024 };

/// floor(log2(|x|)), at least `least`, of finite numbers that are no subnormals of f64; NO_EXPONENT of zeros.
static void exponentsOf(const double *x, unsigned count, int least, int *out) {
  for (unsigned i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7FF);
    out[i] = !exponent ? NO_EXPONENT : exponent - 1023 < least ? least : exponent - 1023;
  }
}

static double powerOfTwo(int exponent) {
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// Towards zero; the last place is an f32's at least. No negative zero.
static double cutOff(double x, int fractionBits) {
  int exponent;
  exponentsOf(&x, 1, NO_EXPONENT, &exponent);
  if (exponent == NO_EXPONENT)
    return x;
  const int last = (exponent < -126 ? -126 : exponent) - fractionBits;
  return trunc(x * powerOfTwo(-last)) * powerOfTwo(last) + 0.0;
}

/// One row of c, products [first, end).
static void addPass(const SimMatrixShape *s, SimSumRule rule, const double *a, const int *ea, const double *b,
                    const int *eb, unsigned first, unsigned end, double *c) {
  const int bits = rule.fractionBits + rule.guardBits;
  int exponent[MAX_SIDE];
  double scale[MAX_SIDE], sum[MAX_SIDE];
  exponentsOf(c, s->n, rule.leastSum, exponent);
  for (unsigned k = first; k < end; ++k)
    for (unsigned column = 0; column < s->n; ++column) {
      const int e = ea[k] + eb[k * s->n + column];
      exponent[column] = e > exponent[column] ? e : exponent[column];
    }
  for (unsigned column = 0; column < s->n; ++column) {
    exponent[column] = exponent[column] < -300 ? -300 : exponent[column];
    scale[column] = powerOfTwo(bits - exponent[column]);
    sum[column] = (double)(int32_t)(c[column] * scale[column]);
  }
  for (unsigned k = first; k < end; ++k)
    for (unsigned column = 0; column < s->n; ++column)
      sum[column] += (double)(int32_t)(a[k] * b[k * s->n + column] * scale[column]);
  for (unsigned column = 0; column < s->n; ++column) {
    const double exact = sum[column] * powerOfTwo(exponent[column] - bits);
    c[column] = rule.isHalf && end == s->k ? exact : cutOff(exact, rule.fractionBits);
  }
}

static void multiplyFinite(const SimMatrixShape *s, SimSumRule rule, const double *a, const double *b,
                           double *c) {
  int ea[MAX_OPERAND], eb[MAX_OPERAND];
  exponentsOf(a, s->m * s->k, rule.leastA, ea);
  exponentsOf(b, s->k * s->n, rule.leastB, eb);
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned first = 0; first < s->k; first += rule.terms) {
      const unsigned end = first + rule.terms < s->k ? first + rule.terms : s->k;
      addPass(s, rule, a + row * s->k, ea + row * s->k, b, eb, first, end, c + row * s->n);
    }
}

// ---- Infinities and NaN ----

static bool allFinite(const double *x, unsigned count) {
  bool finite = true;
  for (unsigned i = 0; i < count; ++i)
    finite &= isfinite(x[i]) != 0;
  return finite;
}

static void copyFinite(const double *from, unsigned count, double *to) {
  for (unsigned i = 0; i < count; ++i)
    to[i] = isfinite(from[i]) ? from[i] : 0;
}

/// The sum of one element if it is no finite one, or has terms that are not; else `finite`.
static double specialSum(const SimMatrixShape *s, const double *a, const double *b, double c, double finite) {
  bool special = !isfinite(c);
  for (unsigned k = 0; k < s->k; ++k) {
    special |= !isfinite(a[k]) || !isfinite(b[k * s->n]);
    c += a[k] * b[k * s->n];
  }
  return special ? c : finite;
}

void simTensorCoreMultiply(const SimMatrixShape *s, SimSumRule rule, const double *a, const double *b,
                           double *c) {
  double finiteA[MAX_OPERAND], finiteB[MAX_OPERAND], finiteC[MAX_SIDE * MAX_SIDE];
  if (allFinite(a, s->m * s->k) && allFinite(b, s->k * s->n) && allFinite(c, s->m * s->n)) {
    multiplyFinite(s, rule, a, b, c);
    return;
  }
  copyFinite(a, s->m * s->k, finiteA);
  copyFinite(b, s->k * s->n, finiteB);
  copyFinite(c, s->m * s->n, finiteC);
  multiplyFinite(s, rule, finiteA, finiteB, finiteC);
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned column = 0; column < s->n; ++column) {
      double *sum = &c[row * s->n + column];
      *sum = specialSum(s, a + row * s->k, b + column, *sum, finiteC[row * s->n + column]);
    }
}

// ---- 8-bit floats on Hopper ----

/// Every k whose second bit is `pass`, in order.
static void takePass(const SimMatrixShape *s, unsigned pass, const double *a, const double *b, double *passA,
                     double *passB) {
  const unsigned depth = s->k / 2;
  for (unsigned i = 0; i < depth; ++i) {
    const unsigned k = i / 2 * 4 + pass * 2 + i % 2;
    for (unsigned row = 0; row < s->m; ++row)
      passA[row * depth + i] = a[row * s->k + k];
    memcpy(passB + i * s->n, b + k * s->n, s->n * sizeof *b);
  }
}

static double roundToHalf(double x) { return (double)tileF16ToF32(tileF32ToF16(tileF64ToF32Odd(x))); }

void simTensorCoreFloat8AsHalf(const SimMatrixShape *s, SimSumRule rule, bool halfSums, const double *a,
                               const double *b, double *c) {
  double passA[MAX_OPERAND], passB[MAX_OPERAND], sum[MAX_SIDE * MAX_SIDE] = {0};
  SimMatrixShape half = *s;
  half.k = s->k / 2;
  for (unsigned pass = 0; pass < 2; ++pass) {
    takePass(s, pass, a, b, passA, passB);
    simTensorCoreMultiply(&half, rule, passA, passB, sum);
    for (unsigned i = 0; halfSums && i < s->m * s->n; ++i)
      sum[i] = roundToHalf(sum[i]);
  }
  for (unsigned i = 0; i < s->m * s->n; ++i)
    c[i] = halfSums ? c[i] + sum[i] : (double)((float)c[i] + (float)sum[i]);
}
