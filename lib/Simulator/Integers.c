/* Integers.c - integer arithmetic of every width. Numbers lie in containers with zeros above their width;
 * what is undefined in LLVM (a shift by the width or more) gives 0, division by zero is reported before. */
#include "Kernels.h"

/// What a loop of container T (S signed, B bits) needs.
#define PROLOGUE(T, S, B)                                                                                    \
  const T *restrict a = (const T *)(const void *)(regs + i->a);                                              \
  const T *restrict b = (const T *)(const void *)(regs + i->b);                                              \
  T *restrict r = (T *)(void *)result;                                                                       \
  const unsigned bits = i->bits, shift = (B) - bits;                                                         \
  const T ones = (T)((T) ~(T)0 >> shift);                                                                    \
  (void)b, (void)shift, (void)ones, (void)bits;

#define SIGNED(S, x) ((S)((S)((x) << shift) >> shift))

#define LOOP(NAME, T, S, B, EXPR)                                                                            \
  static void NAME##B(const SimInsn *i, const char *regs, char *result) {                                    \
    PROLOGUE(T, S, B)                                                                                        \
    for (uint32_t k = 0; k < i->count; ++k) {                                                                \
      const T x = a[k], y = b[k];                                                                            \
      (void)y;                                                                                               \
      r[k] = (T)(EXPR(T, S, x, y)) & ones;                                                                   \
    }                                                                                                        \
  }

#define KERNELS(NAME, EXPR)                                                                                  \
  LOOP(NAME, uint8_t, int8_t, 8, EXPR)                                                                       \
  LOOP(NAME, uint16_t, int16_t, 16, EXPR)                                                                    \
  LOOP(NAME, uint32_t, int32_t, 32, EXPR)                                                                    \
  LOOP(NAME, uint64_t, int64_t, 64, EXPR)                                                                    \
  LOOP(NAME, SimU128, SimS128, 128, EXPR)                                                                    \
  const SimKernels NAME = {{NAME##8, NAME##16, NAME##32, NAME##64, NAME##128}};

#define ADD(T, S, x, y)  x + y
#define SUB(T, S, x, y)  x - y
#define AND(T, S, x, y)  x &y
#define OR(T, S, x, y)   x | y
#define XOR(T, S, x, y)  x ^ y
#define SHL(T, S, x, y)  (y < bits ? (T)(x << y) : 0)
#define LSHR(T, S, x, y) (y < bits ? (T)(x >> y) : 0)
#define ASHR(T, S, x, y) (y < bits ? SIGNED(S, x) >> y : 0)
#define UMIN(T, S, x, y) (x < y ? x : y)
#define UMAX(T, S, x, y) (x > y ? x : y)
#define SMIN(T, S, x, y) (SIGNED(S, x) < SIGNED(S, y) ? x : y)
#define SMAX(T, S, x, y) (SIGNED(S, x) > SIGNED(S, y) ? x : y)
#define ABS(T, S, x, y)  (SIGNED(S, x) < 0 ? (T)0 - x : x)
#define UDIV(T, S, x, y) (y ? x / y : 0)
#define UREM(T, S, x, y) (y ? x % y : 0)
#define SDIV(T, S, x, y) (y == 0 ? 0 : y == ones ? (T)0 - x : (T)(SIGNED(S, x) / SIGNED(S, y)))
#define SREM(T, S, x, y) (y == 0 || y == ones ? 0 : (T)(SIGNED(S, x) % SIGNED(S, y)))
/* Products of narrow numbers must not become signed ones. */
#define MUL(T, S, x, y) (sizeof(T) < 4 ? (T)((uint32_t)(x) * (uint32_t)(y)) : (T)(x * y))

KERNELS(simAdd, ADD)
KERNELS(simSub, SUB)
KERNELS(simMul, MUL)
KERNELS(simAnd, AND)
KERNELS(simOr, OR)
KERNELS(simXor, XOR)
KERNELS(simShl, SHL)
KERNELS(simLShr, LSHR)
KERNELS(simAShr, ASHR)
KERNELS(simUMin, UMIN)
KERNELS(simUMax, UMAX)
KERNELS(simSMin, SMIN)
KERNELS(simSMax, SMAX)
KERNELS(simAbs, ABS)
KERNELS(simUDiv, UDIV)
KERNELS(simURem, UREM)
KERNELS(simSDiv, SDIV)
KERNELS(simSRem, SREM)

#define COPY(T, S, x, y) x
KERNELS(simCopy, COPY)

// ---- Bits ----

static unsigned leadingZeros(SimU128 x, unsigned bits) {
  unsigned n = 0;
  while (n < bits && !(x >> (bits - 1 - n) & 1))
    ++n;
  return n;
}
static unsigned trailingZeros(SimU128 x, unsigned bits) {
  unsigned n = 0;
  while (n < bits && !(x >> n & 1))
    ++n;
  return n;
}
static SimU128 reverse(SimU128 x, unsigned bits, unsigned group) {
  SimU128 r = 0, ones = ((SimU128)1 << group) - 1;
  for (unsigned n = 0; n < bits; n += group)
    r |= (x >> n & ones) << (bits - group - n);
  return r;
}
#define POPCOUNT(T, S, x, y)                                                                                 \
  __builtin_popcountll((uint64_t)(x)) +                                                                      \
      (sizeof(T) == 16 ? __builtin_popcountll((uint64_t)((SimU128)(x) >> 64)) : 0)
#define CTLZ(T, S, x, y)       leadingZeros(x, bits)
#define CTTZ(T, S, x, y)       trailingZeros(x, bits)
#define BITREVERSE(T, S, x, y) reverse(x, bits, 1)
#define BYTESWAP(T, S, x, y)   reverse(x, bits, 8)
KERNELS(simCtPop, POPCOUNT)
KERNELS(simCtlz, CTLZ)
KERNELS(simCttz, CTTZ)
KERNELS(simBitReverse, BITREVERSE)
KERNELS(simByteSwap, BYTESWAP)

/// The third operand, modulo the width.
#define AMOUNT(T)                (unsigned)(((const T *)(const void *)(regs + i->c))[k] % bits)
#define FUNNEL_LEFT(T, S, x, y)  (AMOUNT(T) ? (T)(x << AMOUNT(T)) | (T)(y >> (bits - AMOUNT(T))) : x)
#define FUNNEL_RIGHT(T, S, x, y) (AMOUNT(T) ? (T)(y >> AMOUNT(T)) | (T)(x << (bits - AMOUNT(T))) : y)
KERNELS(simFshl, FUNNEL_LEFT)
KERNELS(simFshr, FUNNEL_RIGHT)

// ---- Saturation, overflow, high halves ----

#define UADDSAT(T, S, x, y) ((T)((T)(x + y) & ones) < x ? ones : (T)(x + y))
#define USUBSAT(T, S, x, y) (x < y ? 0 : x - y)
#define SIGN(T)             ((T)((T)1 << (bits - 1)))
/// Overflow of the sum: operands of one sign, a result of the other.
#define SADD_OVER(T, x, y)  ((T)(~(x ^ y) & (x ^ (T)(x + y))) & SIGN(T))
#define SSUB_OVER(T, x, y)  ((T)((x ^ y) & (x ^ (T)(x - y))) & SIGN(T))
#define LIMIT(T, x)         (x & SIGN(T) ? SIGN(T) : (T)(SIGN(T) - 1))
#define SADDSAT(T, S, x, y) (SADD_OVER(T, x, y) ? LIMIT(T, x) : (T)(x + y))
#define SSUBSAT(T, S, x, y) (SSUB_OVER(T, x, y) ? LIMIT(T, x) : (T)(x - y))
KERNELS(simUAddSat, UADDSAT)
KERNELS(simUSubSat, USUBSAT)
KERNELS(simSAddSat, SADDSAT)
KERNELS(simSSubSat, SSUBSAT)

static SimU128 highU(SimU128 x, SimU128 y, unsigned bits) { return bits <= 64 ? x * y >> bits : 0; }
static SimU128 highS(SimS128 x, SimS128 y, unsigned bits) {
  return bits <= 64 ? (SimU128)(x * y >> bits) : 0;
}
#define MULHIGHU(T, S, x, y) highU(x, y, bits)
#define MULHIGHS(T, S, x, y) highS(SIGNED(S, x), SIGNED(S, y), bits)
KERNELS(simMulHighU, MULHIGHU)
KERNELS(simMulHighS, MULHIGHS)

/// Results are bytes.
#define BYTE_LOOP(NAME, T, S, B, EXPR)                                                                       \
  static void NAME##B(const SimInsn *i, const char *regs, char *result) {                                    \
    PROLOGUE(T, S, B)                                                                                        \
    uint8_t *restrict out = (uint8_t *)result;                                                               \
    (void)r;                                                                                                 \
    const unsigned accepted = (unsigned)i->param;                                                            \
    (void)accepted;                                                                                          \
    for (uint32_t k = 0; k < i->count; ++k) {                                                                \
      const T x = a[k], y = b[k];                                                                            \
      out[k] = (EXPR(T, S, x, y)) != 0;                                                                      \
    }                                                                                                        \
  }
#define BYTE_KERNELS(NAME, EXPR)                                                                             \
  BYTE_LOOP(NAME, uint8_t, int8_t, 8, EXPR)                                                                  \
  BYTE_LOOP(NAME, uint16_t, int16_t, 16, EXPR)                                                               \
  BYTE_LOOP(NAME, uint32_t, int32_t, 32, EXPR)                                                               \
  BYTE_LOOP(NAME, uint64_t, int64_t, 64, EXPR)                                                               \
  BYTE_LOOP(NAME, SimU128, SimS128, 128, EXPR)                                                               \
  const SimKernels NAME = {{NAME##8, NAME##16, NAME##32, NAME##64, NAME##128}};

#define COMPARE_U(T, S, x, y) ((x == y) | (x > y) << 1 | (x < y) << 2) & accepted
#define COMPARE_S(T, S, x, y)                                                                                \
  ((x == y) | (SIGNED(S, x) > SIGNED(S, y)) << 1 | (SIGNED(S, x) < SIGNED(S, y)) << 2) & accepted
BYTE_KERNELS(simCompareU, COMPARE_U)
BYTE_KERNELS(simCompareS, COMPARE_S)

#define UADD_OVERFLOW(T, S, x, y) (T)((T)(x + y) & ones) < x
#define USUB_OVERFLOW(T, S, x, y) x < y
#define SADD_OVERFLOW(T, S, x, y) SADD_OVER(T, x, y)
#define SSUB_OVERFLOW(T, S, x, y) SSUB_OVER(T, x, y)
#define UMUL_OVERFLOW(T, S, x, y) (x && (T)((T)(x * y) & ones) / x != y) || highU(x, y, bits)
#define SMUL_OVERFLOW(T, S, x, y) highS(SIGNED(S, x), SIGNED(S, y), bits < 64 ? bits - 1 : 63) + 1 > 1
BYTE_KERNELS(simUAddOverflow, UADD_OVERFLOW)
BYTE_KERNELS(simUSubOverflow, USUB_OVERFLOW)
BYTE_KERNELS(simSAddOverflow, SADD_OVERFLOW)
BYTE_KERNELS(simSSubOverflow, SSUB_OVERFLOW)
BYTE_KERNELS(simUMulOverflow, UMUL_OVERFLOW)
BYTE_KERNELS(simSMulOverflow, SMUL_OVERFLOW)

// ---- Selection: a is a condition (bytes), b and c the values ----

#define SELECT(T, B)                                                                                         \
  static void select##B(const SimInsn *i, const char *regs, char *result) {                                  \
    const uint8_t *restrict p = (const uint8_t *)(regs + i->a);                                              \
    const T *restrict x = (const T *)(const void *)(regs + i->b);                                            \
    const T *restrict y = (const T *)(const void *)(regs + i->c);                                            \
    T *restrict r = (T *)(void *)result;                                                                     \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = p[k] ? x[k] : y[k];                                                                             \
  }
SELECT(uint8_t, 8)
SELECT(uint16_t, 16)
SELECT(uint32_t, 32)
SELECT(uint64_t, 64)
SELECT(SimU128, 128)
const SimKernels simSelect = {{select8, select16, select32, select64, select128}};
