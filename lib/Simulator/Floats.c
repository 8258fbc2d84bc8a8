/* Floats.c - floating-point arithmetic, each operation rounded once to its type (docs/spec/numerics.md).
 *
 * f16 computes in f32 and rounds: 24 bits are enough for + - * / and sqrt (Figueroa). bf16 computes in f64
 * and rounds to odd on the way, so that its subnormals are right too. Functions of f32 are computed in f64;
 * that is also the model of the approximate instructions (docs/simulator.md lists their documented errors).
 */
#include "Kernels.h"

static inline float loadF16(uint16_t x) { return tileF16ToF32(x); }
static inline uint16_t storeF16(float x) { return tileF32ToF16(x); }
static inline double loadBF16(uint16_t x) { return (double)tileBF16ToF32(x); }
static inline uint16_t storeBF16(double x) { return tileF32ToBF16(tileF64ToF32Odd(x)); }
static inline float loadF32(float x) { return x; }
static inline double loadF64(double x) { return x; }
/// Functions of f16 come in f64 and must not round twice.
static inline uint16_t roundF16(double x) { return tileF32ToF16(tileF64ToF32Odd(x)); }

/// Container C holds the type, V computes it.
#define LOOP(NAME, TYPE, C, V, LOAD, STORE, EXPR)                                                            \
  static void NAME##TYPE(const SimInsn *i, const char *regs, char *result) {                                 \
    const C *restrict a = (const C *)(const void *)(regs + i->a);                                            \
    const C *restrict b = (const C *)(const void *)(regs + i->b);                                            \
    C *restrict r = (C *)(void *)result;                                                                     \
    for (uint32_t k = 0; k < i->count; ++k) {                                                                \
      const V x = LOAD(a[k]), y = LOAD(b[k]);                                                                \
      (void)y;                                                                                               \
      r[k] = STORE(EXPR);                                                                                    \
    }                                                                                                        \
  }

/// Operations that round: f16 in f32.
#define ARITHMETIC(NAME, EXPR)                                                                               \
  LOOP(NAME, F16, uint16_t, float, loadF16, storeF16, EXPR)                                                  \
  LOOP(NAME, BF16, uint16_t, double, loadBF16, storeBF16, EXPR)                                              \
  LOOP(NAME, F32, float, float, loadF32, , EXPR)                                                             \
  LOOP(NAME, F64, double, double, loadF64, , EXPR)                                                           \
  const SimKernels NAME = {{NAME##F16, NAME##BF16, NAME##F32, NAME##F64}};

/// Functions: everything in f64.
#define FUNCTION(NAME, EXPR)                                                                                 \
  LOOP(NAME, F16, uint16_t, double, loadF16, roundF16, EXPR)                                                 \
  LOOP(NAME, BF16, uint16_t, double, loadBF16, storeBF16, EXPR)                                              \
  LOOP(NAME, F32, float, double, loadF32, (float), EXPR)                                                     \
  LOOP(NAME, F64, double, double, loadF64, , EXPR)                                                           \
  const SimKernels NAME = {{NAME##F16, NAME##BF16, NAME##F32, NAME##F64}};

ARITHMETIC(simFAdd, x + y)
ARITHMETIC(simFSub, x - y)
ARITHMETIC(simFMul, x *y)
ARITHMETIC(simFDiv, x / y)

FUNCTION(simFRem, fmod(x, y))
FUNCTION(simSqrt, sqrt(x))
FUNCTION(simRsqrt, 1 / sqrt(x))
FUNCTION(simRcp, 1 / x)
FUNCTION(simExp, exp(x))
FUNCTION(simExp2, exp2(x))
FUNCTION(simExp10, exp2(x * 3.32192809488736234787)) // 10^x; within an ulp of f32
FUNCTION(simLog, log(x))
FUNCTION(simLog2, log2(x))
FUNCTION(simLog10, log10(x))
FUNCTION(simSin, sin(x))
FUNCTION(simCos, cos(x))
FUNCTION(simTanh, tanh(x))
FUNCTION(simPow, pow(x, y))
FUNCTION(simFloor, floor(x))
FUNCTION(simCeil, ceil(x))
FUNCTION(simTrunc, trunc(x))
FUNCTION(simRint, nearbyint(x))
FUNCTION(simRound, round(x))
FUNCTION(simMinNum, tileMinNum(x, y))
FUNCTION(simMaxNum, tileMaxNum(x, y))
FUNCTION(simMinimum, tileMinimum(x, y))
FUNCTION(simMaximum, tileMaximum(x, y))

// ---- Sign bits: NaNs stay as they are ----

#define SIGN_LOOP(NAME, TYPE, T, EXPR)                                                                       \
  static void NAME##TYPE(const SimInsn *i, const char *regs, char *result) {                                 \
    const T *restrict a = (const T *)(const void *)(regs + i->a);                                            \
    const T *restrict b = (const T *)(const void *)(regs + i->b);                                            \
    T *restrict r = (T *)(void *)result;                                                                     \
    const T sign = (T)((T)1 << (8 * sizeof(T) - 1));                                                         \
    for (uint32_t k = 0; k < i->count; ++k) {                                                                \
      const T x = a[k], y = b[k];                                                                            \
      (void)y;                                                                                               \
      r[k] = (T)(EXPR);                                                                                      \
    }                                                                                                        \
  }
#define SIGN_KERNELS(NAME, EXPR)                                                                             \
  SIGN_LOOP(NAME, 16, uint16_t, EXPR)                                                                        \
  SIGN_LOOP(NAME, 32, uint32_t, EXPR)                                                                        \
  SIGN_LOOP(NAME, 64, uint64_t, EXPR)                                                                        \
  const SimKernels NAME = {{NAME##16, NAME##16, NAME##32, NAME##64}};
SIGN_KERNELS(simFNeg, x ^ sign)
SIGN_KERNELS(simFAbs, x & ~sign)
SIGN_KERNELS(simCopySign, (x & ~sign) | (y & sign))

static void flush32(const SimInsn *i, const char *regs, char *result) {
  const uint32_t *restrict a = (const uint32_t *)(const void *)(regs + i->a);
  uint32_t *restrict r = (uint32_t *)(void *)result;
  for (uint32_t k = 0; k < i->count; ++k)
    r[k] = a[k] & 0x7F800000 ? a[k] : a[k] & 0x80000000;
}
const SimKernels simFtz = {{NULL, NULL, flush32, NULL}};

// ---- Fused multiply-add ----

#define FMA(TYPE, C, LOAD, EXPR)                                                                             \
  static void fma##TYPE(const SimInsn *i, const char *regs, char *result) {                                  \
    const C *restrict a = (const C *)(const void *)(regs + i->a);                                            \
    const C *restrict b = (const C *)(const void *)(regs + i->b);                                            \
    const C *restrict c = (const C *)(const void *)(regs + i->c);                                            \
    C *restrict r = (C *)(void *)result;                                                                     \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = EXPR(LOAD(a[k]), LOAD(b[k]), LOAD(c[k]));                                                       \
  }
static uint16_t fmaToF16(double x, double y, double z) {
  return roundF16(tileFloatFma(TileElementType_F16, x, y, z));
}
static uint16_t fmaToBF16(double x, double y, double z) {
  return storeBF16(tileFloatFma(TileElementType_BF16, x, y, z));
}
FMA(F16, uint16_t, loadF16, fmaToF16)
FMA(BF16, uint16_t, loadBF16, fmaToBF16)
FMA(F32, float, loadF32, fmaf)
FMA(F64, double, loadF64, fma)
const SimKernels simFma = {{fmaF16, fmaBF16, fmaF32, fmaF64}};

/* AMD's chips have none for bf16: LLVM takes f32's and rounds a second time. */
static uint16_t fmaTwiceRounded(float x, float y, float z) { return tileF32ToBF16(fmaf(x, y, z)); }
FMA(BF16AsF32, uint16_t, (float)loadBF16, fmaTwiceRounded)
const SimKernels simFmaBF16AsF32 = {{NULL, fmaBF16AsF32, NULL, NULL}};

// ---- Comparison ----

#define COMPARE(TYPE, C, V, LOAD)                                                                            \
  static void compare##TYPE(const SimInsn *i, const char *regs, char *result) {                              \
    const C *restrict a = (const C *)(const void *)(regs + i->a);                                            \
    const C *restrict b = (const C *)(const void *)(regs + i->b);                                            \
    uint8_t *restrict r = (uint8_t *)result;                                                                 \
    const unsigned accepted = (unsigned)i->param;                                                            \
    for (uint32_t k = 0; k < i->count; ++k) {                                                                \
      const V x = LOAD(a[k]), y = LOAD(b[k]);                                                                \
      const unsigned relation = (unsigned)(x == y) | (unsigned)(x > y) << 1 | (unsigned)(x < y) << 2 |       \
                                (unsigned)(x != x || y != y) << 3;                                           \
      r[k] = (relation & accepted) != 0;                                                                     \
    }                                                                                                        \
  }
COMPARE(F16, uint16_t, float, loadF16)
COMPARE(BF16, uint16_t, float, tileBF16ToF32)
COMPARE(F32, float, float, loadF32)
COMPARE(F64, double, double, loadF64)
const SimKernels simCompareF = {{compareF16, compareBF16, compareF32, compareF64}};

#define LDEXP(TYPE, C, LOAD, STORE)                                                                          \
  static void ldexp##TYPE(const SimInsn *i, const char *regs, char *result) {                                \
    const C *restrict a = (const C *)(const void *)(regs + i->a);                                            \
    const int32_t *restrict b = (const int32_t *)(const void *)(regs + i->b);                                \
    C *restrict r = (C *)(void *)result;                                                                     \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = STORE(LOAD(a[k]), b[k]);                                                                        \
  }
static uint16_t scaleF16(double x, int n) { return roundF16(ldexp(x, n)); }
static uint16_t scaleBF16(double x, int n) { return storeBF16(ldexp(x, n)); }
LDEXP(F16, uint16_t, loadF16, scaleF16)
LDEXP(BF16, uint16_t, loadBF16, scaleBF16)
LDEXP(F32, float, loadF32, ldexpf)
LDEXP(F64, double, loadF64, ldexp)
const SimKernels simLdexp = {{ldexpF16, ldexpBF16, ldexpF32, ldexpF64}};
