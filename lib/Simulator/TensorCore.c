/* TensorCore.c - sums that are aligned, cut off and added as integers. */
#include "TensorCore.h"
#include <math.h>
#include <string.h>

/// Below every exponent of a product of f32 numbers: what a zero has.
enum { NO_EXPONENT = -1000, MAX_SIDE = 16, MAX_OPERAND = 1024 };

/// floor(log2(|x|)) of finite numbers that are no subnormals of f64.
static bool exponentsOf(const double *x, unsigned count, int *out) {
  for (unsigned i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7FF);
    if (exponent == 0x7FF)
      return false;
    out[i] = exponent ? exponent - 1023 : NO_EXPONENT;
  }
  return true;
}

static double powerOfTwo(int exponent) {
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// Towards zero to 24 bits; the last place is an f32's at least.
static double cutOff(double x) {
  int exponent;
  if (!exponentsOf(&x, 1, &exponent) || exponent == NO_EXPONENT)
    return x;
  const int last = exponent < -126 ? -149 : exponent - 23;
  return trunc(x * powerOfTwo(-last)) * powerOfTwo(last);
}

/// One row of c, products [first, end).
static void addPass(const SimMatrixShape *s, int guardBits, const double *a, const int *ea, const double *b,
                    const int *eb, unsigned first, unsigned end, double *c) {
  int exponent[MAX_SIDE];
  double scale[MAX_SIDE], sum[MAX_SIDE];
  exponentsOf(c, s->n, exponent);
  for (unsigned k = first; k < end; ++k)
    for (unsigned column = 0; column < s->n; ++column) {
      const int e = ea[k] + eb[k * s->n + column];
      exponent[column] = e > exponent[column] ? e : exponent[column];
    }
  for (unsigned column = 0; column < s->n; ++column) {
    exponent[column] = exponent[column] < -300 ? -300 : exponent[column];
    scale[column] = powerOfTwo(23 + guardBits - exponent[column]);
    sum[column] = (double)(int32_t)(c[column] * scale[column]);
  }
  for (unsigned k = first; k < end; ++k)
    for (unsigned column = 0; column < s->n; ++column)
      sum[column] += (double)(int32_t)(a[k] * b[k * s->n + column] * scale[column]);
  for (unsigned column = 0; column < s->n; ++column)
    c[column] = cutOff(sum[column] * powerOfTwo(exponent[column] - 23 - guardBits));
}

bool simTensorCoreMultiply(const SimMatrixShape *s, SimSumRule rule, const double *a, const double *b,
                           double *c) {
  int ea[MAX_OPERAND], eb[MAX_OPERAND], ec[MAX_SIDE * MAX_SIDE];
  if (!exponentsOf(a, s->m * s->k, ea) || !exponentsOf(b, s->k * s->n, eb) ||
      !exponentsOf(c, s->m * s->n, ec))
    return false;
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned first = 0; first < s->k; first += rule.terms) {
      const unsigned end = first + rule.terms < s->k ? first + rule.terms : s->k;
      addPass(s, rule.guardBits, a + row * s->k, ea + row * s->k, b, eb, first, end, c + row * s->n);
    }
  return true;
}
