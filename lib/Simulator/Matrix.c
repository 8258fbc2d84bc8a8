/* Matrix.c - a warp's matrix product: fragments to dense matrices, the product, and back.
 *
 * Products are exact in f64. NVIDIA: sums as TensorCore.h says. AMD: a chain of fused multiply-adds of f32 in
 * ascending k. f64 is such a chain too; integers are exact. */
#include "Matrix.h"
#include <string.h>

enum { MAX_OPERAND = 4096, MAX_RESULT = 4096 };

typedef struct Dense {
  double a[MAX_OPERAND], b[MAX_OPERAND], c[MAX_RESULT];
} Dense;

/// Of elements that may begin in one slot of 32 bits and end in the next one.
static uint64_t straddling(const SimWarp *w, const SimFragment *f, unsigned lane, unsigned i) {
  const unsigned bit = i * f->elementBits, last = (bit + f->elementBits - 1) / 32;
  uint32_t low, high;
  memcpy(&low, w->regs + f->slots[bit / 32] + lane * sizeof low, sizeof low);
  memcpy(&high, w->regs + f->slots[last] + lane * sizeof high, sizeof high);
  return ((uint64_t)high << 32 | low) >> bit % 32 & ((UINT64_C(1) << f->elementBits) - 1);
}

static uint64_t bitsOf(const SimWarp *w, const SimFragment *f, unsigned lane, unsigned i) {
  uint64_t slot = 0;
  if (!f->perSlot)
    return straddling(w, f, lane, i);
  const size_t size = (size_t)1 << f->slotLog2Bytes;
  memcpy(&slot, w->regs + f->slots[i / f->perSlot] + lane * size, size);
  slot >>= i % f->perSlot * f->elementBits;
  return f->elementBits == 64 ? slot : slot & ((UINT64_C(1) << f->elementBits) - 1);
}

static double numberOf(const SimFragment *f, uint64_t bits) {
  switch (f->number) {
  case SimNumber_F16:
    return (double)tileF16ToF32((uint16_t)bits);
  case SimNumber_BF16:
    return (double)tileBF16ToF32((uint16_t)bits);
  case SimNumber_TF32:
    return (double)tileF32FromBits((uint32_t)bits & ~UINT32_C(0x1FFF));
  case SimNumber_F32:
    return (double)tileF32FromBits((uint32_t)bits);
  case SimNumber_F64:
    return tileF64FromBits(bits);
  case SimNumber_Float8:
    return f->float8[bits];
  case SimNumber_Signed:
    return (double)tileWrap((int64_t)bits, f->elementBits);
  default:
    return (double)bits;
  }
}

/// `pattern`: whose registers a lane takes.
static void gather(const SimWarp *w, const SimFragment *f, unsigned lanes, unsigned pattern, bool isNegated,
                   double *dense) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < f->size; ++i) {
      const double x = numberOf(f, bitsOf(w, f, simPatternLane(pattern, lane), i));
      dense[f->map[lane * f->size + i]] = isNegated ? -x : x;
    }
}

static double scaleOf(const SimWarp *w, const SimScale *scale, unsigned lane) {
  uint32_t bits;
  memcpy(&bits, w->regs + scale->slot + lane * sizeof bits, sizeof bits);
  bits = bits >> 8 * scale->byte & 0xFF;
  return bits == 0xFF ? NAN : ldexp(1, (int)bits - 127);
}

enum { SCALED_RUN = 32 };

static void scaleOperands(const SimWarp *w, const SimMatrixOp *op, double *a, double *b) {
  const SimMatrixShape *s = &op->shape;
  for (unsigned k = 0; k < s->k; ++k) {
    for (unsigned row = 0; row < s->m; ++row)
      a[row * s->k + k] *= scaleOf(w, &op->scaleA, row + k / SCALED_RUN * s->m);
    for (unsigned column = 0; column < s->n; ++column)
      b[k * s->n + column] *= scaleOf(w, &op->scaleB, column + k / SCALED_RUN * s->n);
  }
}

// ---- Products: a is [m][k], b is [k][n], c is [m][n] ----

static void multiply(const SimMatrixShape *s, const double *a, const double *b, double *c) {
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned k = 0; k < s->k; ++k) {
      const double x = a[row * s->k + k];
      for (unsigned column = 0; column < s->n; ++column)
        c[row * s->n + column] += x * b[k * s->n + column];
    }
}

/// Numbers of places where two bits differ.
static void countDifferent(const SimMatrixShape *s, const double *a, const double *b, double *c) {
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned k = 0; k < s->k; ++k)
      for (unsigned column = 0; column < s->n; ++column)
        c[row * s->n + column] += a[row * s->k + k] != b[k * s->n + column];
}

static double quiet(double x) { return tileF64FromBits(tileF64Bits(x) | UINT64_C(1) << 51); }

/// Of several NaN the one of b, else of the sum, else of a: as an H200 chooses.
static double fuse(double a, double b, double c) {
  const uint64_t defaultNaN = UINT64_C(0xFFF8) << 48;
  const double sum = fma(a, b, c);
  if (!isnan(sum))
    return sum;
  return isnan(b) ? quiet(b) : isnan(c) ? quiet(c) : isnan(a) ? quiet(a) : tileF64FromBits(defaultNaN);
}

static void multiplyFused64(const SimMatrixShape *s, const double *a, const double *b, double *c) {
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned k = 0; k < s->k; ++k)
      for (unsigned column = 0; column < s->n; ++column)
        c[row * s->n + column] = fuse(a[row * s->k + k], b[k * s->n + column], c[row * s->n + column]);
}

#define FUSED32                                                                                              \
  for (unsigned row = 0; row < s->m; ++row)                                                                  \
    for (unsigned k = 0; k < s->k; ++k) {                                                                    \
      const float x = (float)a[row * s->k + k];                                                              \
      for (unsigned column = 0; column < s->n; ++column)                                                     \
        c[row * s->n + column] =                                                                             \
            (double)fmaf(x, (float)b[k * s->n + column], (float)c[row * s->n + column]);                     \
    }

static void fused32(const SimMatrixShape *s, const double *restrict a, const double *restrict b,
                    double *restrict c) {
  FUSED32
}

#if defined(__x86_64__)
/// The same bits from the host's own instruction, many columns at a time.
__attribute__((target("avx2,fma"))) static void fused32Fast(const SimMatrixShape *s, const double *restrict a,
                                                            const double *restrict b, double *restrict c) {
  FUSED32
}
#endif

static void multiplyFused32(const SimMatrixShape *s, const double *a, const double *b, double *c) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) {
    fused32Fast(s, a, b, c);
    return;
  }
#endif
  fused32(s, a, b, c);
}

/// Scaled factors do not fit f32. They have few bits, so that a sum that f64 rounds is far from f32's ties.
static void multiplyScaled(const SimMatrixShape *s, const double *a, const double *b, double *c) {
  for (unsigned row = 0; row < s->m; ++row)
    for (unsigned k = 0; k < s->k; ++k)
      for (unsigned column = 0; column < s->n; ++column) {
        double *sum = &c[row * s->n + column];
        *sum = (double)(float)(*sum + a[row * s->k + k] * b[k * s->n + column]);
      }
}

static void multiplyBlock(const SimMatrixOp *op, const double *a, const double *b, double *c) {
  const SimMatrixShape *s = &op->shape;
  if (op->c.number == SimNumber_F64)
    multiplyFused64(s, a, b, c);
  else if (op->scaled)
    multiplyScaled(s, a, b, c);
  else if (op->differs)
    countDifferent(s, a, b, c);
  else if (op->c.number == SimNumber_Signed || op->c.number == SimNumber_Unsigned)
    multiply(s, a, b, c);
  else if (s->family != SimMatrix_MmaSync)
    multiplyFused32(s, a, b, c);
  else if (op->asHalves)
    simTensorCoreFloat8AsHalf(s, op->sum, op->c.elementBits == 16, a, b, c);
  else
    simTensorCoreMultiply(s, op->sum, a, b, c);
}

/// Sums of products of small integers are exact in f64.
static uint32_t toInt32(double x, bool saturates) {
  if (saturates)
    x = x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
  return (uint32_t)(int64_t)x;
}

static uint64_t encode(const SimMatrixOp *op, double x) {
  if (op->shape.family == SimMatrix_MmaSync && isnan(x) && op->c.number != SimNumber_F64)
    return op->c.elementBits == 16 ? 0x7FFF : 0x7FFFFFFF; // what the hardware gives
  switch (op->c.number) {
  case SimNumber_F16:
    return tileF32ToF16(tileF64ToF32Odd(x));
  case SimNumber_BF16:
    return tileF32ToBF16(tileF64ToF32Odd(x));
  case SimNumber_F32:
    return tileF32Bits((float)x);
  case SimNumber_F64:
    return tileF64Bits(x);
  default:
    return toInt32(x, op->saturates);
  }
}

// ---- Checks ----

/// Copies of an operand in the upper half-wave have to equal those in the lower one.
static bool checkCopies(SimWarp *w, const SimInsn *i, const SimFragment *f, const char *name) {
  for (unsigned lane = 0; lane < 16; ++lane)
    for (unsigned k = 0; k < f->size; ++k)
      if (bitsOf(w, f, lane, k) != bitsOf(w, f, lane + 16, k))
        return simFault(w, i, (int)lane + 16,
                        "has another element %u of operand %s than lane %u, expected a copy", k, name, lane),
               false;
  return true;
}

static bool check(SimWarp *w, const SimInsn *i, const SimMatrixOp *op) {
  if (w->active != w->full)
    return simFault(w, i, __builtin_ctzll(w->full & ~w->active),
                    "is executed by a part of the warp's lanes, expected all"),
           false;
  return !op->copiesAgree || (checkCopies(w, i, &op->a, "A") && checkCopies(w, i, &op->b, "B"));
}

static bool store(SimWarp *w, const SimInsn *i, const SimMatrixOp *op, const double *dense) {
  const unsigned lanes = w->machine->program->lanes;
  const bool wantsNaN = w->machine->run->checks & TileSimCheck_NaN;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned k = 0; k < op->c.size; ++k) {
      const double x = dense[op->c.map[lane * op->c.size + k]];
      const uint64_t bits = encode(op, x);
      const size_t size = (size_t)1 << op->c.slotLog2Bytes;
      if (wantsNaN && isnan(x))
        return simFault(w, i, (int)lane, "gives NaN in element %u of the result", k), false;
      memcpy(w->regs + op->result[k * op->stride + op->offset] + lane * size, &bits, size);
    }
  return true;
}

SimStatus simMatrix(SimWarp *w, const SimInsn *i) {
  const SimMatrixOp *op = i->data;
  const SimMatrixShape *s = &op->shape;
  const unsigned lanes = w->machine->program->lanes;
  Dense dense;
  if (!check(w, i, op))
    return SimStatus_Fault;
  const SimModifiers *by = &op->modifiers;
  gather(w, &op->a, lanes, 0, by->negated & 1, dense.a);
  gather(w, &op->b, lanes, by->lanePattern, by->negated & 2, dense.b);
  gather(w, &op->c, lanes, 0, by->negated & 4, dense.c);
  if (op->scaled)
    scaleOperands(w, op, dense.a, dense.b);
  for (unsigned block = 0; block < s->blocks; ++block) {
    const unsigned blockA = (block >> by->broadcast << by->broadcast) + by->block;
    multiplyBlock(op, dense.a + blockA * s->m * s->k, dense.b + block * s->k * s->n,
                  dense.c + block * s->m * s->n);
  }
  return store(w, i, op, dense.c) ? SimStatus_Next : SimStatus_Fault;
}
