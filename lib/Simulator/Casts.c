/* Casts.c - between integers and floats of every type. The source's width is `param`, the result's `bits`. */
#include "Kernels.h"

#define PROLOGUE(FROM, TO)                                                                                   \
  const FROM *restrict a = (const FROM *)(const void *)(regs + i->a);                                        \
  TO *restrict r = (TO *)(void *)result;

// ---- Integers: extension and truncation ----

#define EXTEND(FB, FROM, FS, TB, TO)                                                                         \
  static void zext##FB##To##TB(const SimInsn *i, const char *regs, char *result) {                           \
    PROLOGUE(FROM, TO)                                                                                       \
    const TO ones = (TO)((TO) ~(TO)0 >> ((TB) - i->bits));                                                   \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = (TO)a[k] & ones;                                                                                \
  }                                                                                                          \
  static void sext##FB##To##TB(const SimInsn *i, const char *regs, char *result) {                           \
    PROLOGUE(FROM, TO)                                                                                       \
    const TO ones = (TO)((TO) ~(TO)0 >> ((TB) - i->bits));                                                   \
    const unsigned shift = (FB) - (unsigned)i->param;                                                        \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = (TO)(FS)((FS)(FROM)(a[k] << shift) >> shift) & ones;                                            \
  }
#define EXTEND_FROM(FB, FROM, FS)                                                                            \
  EXTEND(FB, FROM, FS, 8, uint8_t)                                                                           \
  EXTEND(FB, FROM, FS, 16, uint16_t)                                                                         \
  EXTEND(FB, FROM, FS, 32, uint32_t)                                                                         \
  EXTEND(FB, FROM, FS, 64, uint64_t)                                                                         \
  EXTEND(FB, FROM, FS, 128, SimU128)
EXTEND_FROM(8, uint8_t, int8_t)
EXTEND_FROM(16, uint16_t, int16_t)
EXTEND_FROM(32, uint32_t, int32_t)
EXTEND_FROM(64, uint64_t, int64_t)
EXTEND_FROM(128, SimU128, SimS128)
#define EXTEND_ROW(NAME, FB)                                                                                 \
  {                                                                                                          \
    {                                                                                                        \
      NAME##FB##To8, NAME##FB##To16, NAME##FB##To32, NAME##FB##To64, NAME##FB##To128                         \
    }                                                                                                        \
  }
#define EXTEND_TABLE(NAME)                                                                                   \
  {EXTEND_ROW(NAME, 8), EXTEND_ROW(NAME, 16), EXTEND_ROW(NAME, 32), EXTEND_ROW(NAME, 64),                    \
   EXTEND_ROW(NAME, 128)}
const SimKernels simZExt[5] = EXTEND_TABLE(zext);
const SimKernels simSExt[5] = EXTEND_TABLE(sext);

// ---- Floats ----

static inline double loadF16(uint16_t x) { return (double)tileF16ToF32(x); }
static inline double loadBF16(uint16_t x) { return (double)tileBF16ToF32(x); }
static inline double loadF32(float x) { return (double)x; }
static inline double loadF64(double x) { return x; }
static inline uint16_t storeF16(double x) { return tileF32ToF16(tileF64ToF32Odd(x)); }
static inline uint16_t storeBF16(double x) { return tileF32ToBF16(tileF64ToF32Odd(x)); }
static inline float storeF32(double x) { return (float)x; }
static inline double storeF64(double x) { return x; }

#define FLOAT_CAST(FT, FROM, TT, TO)                                                                         \
  static void cast##FT##To##TT(const SimInsn *i, const char *regs, char *result) {                           \
    PROLOGUE(FROM, TO)                                                                                       \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = store##TT(load##FT(a[k]));                                                                      \
  }
#define FLOAT_CASTS(FT, FROM)                                                                                \
  FLOAT_CAST(FT, FROM, F16, uint16_t)                                                                        \
  FLOAT_CAST(FT, FROM, BF16, uint16_t)                                                                       \
  FLOAT_CAST(FT, FROM, F32, float)                                                                           \
  FLOAT_CAST(FT, FROM, F64, double)
FLOAT_CASTS(F16, uint16_t)
FLOAT_CASTS(BF16, uint16_t)
FLOAT_CASTS(F32, float)
FLOAT_CASTS(F64, double)
#define FLOAT_ROW(FT)                                                                                        \
  {                                                                                                          \
    {                                                                                                        \
      cast##FT##ToF16, cast##FT##ToBF16, cast##FT##ToF32, cast##FT##ToF64                                    \
    }                                                                                                        \
  }
const SimKernels simFloatCast[4] = {FLOAT_ROW(F16), FLOAT_ROW(BF16), FLOAT_ROW(F32), FLOAT_ROW(F64)};

// ---- Floats to integers: truncated, saturated to the result's width, NaN gives 0 ----

static inline int64_t toSigned(double x, unsigned bits) {
  const double limit = ldexp(1, (int)bits - 1);
  if (isnan(x))
    return 0;
  return x >= limit ? (int64_t)((UINT64_C(1) << (bits - 1)) - 1) : x < -limit ? (int64_t)-limit : (int64_t)x;
}
static inline uint64_t toUnsigned(double x, unsigned bits) {
  if (!(x > 0))
    return 0;
  return x >= ldexp(1, (int)bits) ? UINT64_MAX >> (64 - bits) : (uint64_t)x;
}

#define TO_INT(FT, FROM, TB, TO)                                                                             \
  static void s##FT##To##TB(const SimInsn *i, const char *regs, char *result) {                              \
    PROLOGUE(FROM, TO)                                                                                       \
    const TO ones = (TO)((TO) ~(TO)0 >> ((TB) - i->bits));                                                   \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = (TO)toSigned(load##FT(a[k]), i->bits) & ones;                                                   \
  }                                                                                                          \
  static void u##FT##To##TB(const SimInsn *i, const char *regs, char *result) {                              \
    PROLOGUE(FROM, TO)                                                                                       \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = (TO)toUnsigned(load##FT(a[k]), i->bits);                                                        \
  }
#define TO_INTS(FT, FROM)                                                                                    \
  TO_INT(FT, FROM, 8, uint8_t)                                                                               \
  TO_INT(FT, FROM, 16, uint16_t)                                                                             \
  TO_INT(FT, FROM, 32, uint32_t)                                                                             \
  TO_INT(FT, FROM, 64, uint64_t)
TO_INTS(F16, uint16_t)
TO_INTS(BF16, uint16_t)
TO_INTS(F32, float)
TO_INTS(F64, double)
#define TO_INT_ROW(P, FT)                                                                                    \
  {                                                                                                          \
    {                                                                                                        \
      P##FT##To8, P##FT##To16, P##FT##To32, P##FT##To64                                                      \
    }                                                                                                        \
  }
const SimKernels simFloatToS[4] = {TO_INT_ROW(s, F16), TO_INT_ROW(s, BF16), TO_INT_ROW(s, F32),
                                   TO_INT_ROW(s, F64)};
const SimKernels simFloatToU[4] = {TO_INT_ROW(u, F16), TO_INT_ROW(u, BF16), TO_INT_ROW(u, F32),
                                   TO_INT_ROW(u, F64)};

// ---- Integers to floats, rounded once ----

static inline uint16_t sToF16(int64_t x) { return (uint16_t)tileIntToFloat(TileElementType_F16, x, true); }
static inline uint16_t uToF16(uint64_t x) {
  return (uint16_t)tileIntToFloat(TileElementType_F16, (int64_t)x, false);
}
static inline uint16_t sToBF16(int64_t x) { return (uint16_t)tileIntToFloat(TileElementType_BF16, x, true); }
static inline uint16_t uToBF16(uint64_t x) {
  return (uint16_t)tileIntToFloat(TileElementType_BF16, (int64_t)x, false);
}
static inline float sToF32(int64_t x) { return (float)x; }
static inline float uToF32(uint64_t x) { return (float)x; }
static inline double sToF64(int64_t x) { return (double)x; }
static inline double uToF64(uint64_t x) { return (double)x; }

#define FROM_INT(FB, FROM, FS, TT, TO)                                                                       \
  static void s##FB##To##TT(const SimInsn *i, const char *regs, char *result) {                              \
    PROLOGUE(FROM, TO)                                                                                       \
    const unsigned shift = (FB) - (unsigned)i->param;                                                        \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = sTo##TT((FS)((FS)(FROM)(a[k] << shift) >> shift));                                              \
  }                                                                                                          \
  static void u##FB##To##TT(const SimInsn *i, const char *regs, char *result) {                              \
    PROLOGUE(FROM, TO)                                                                                       \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = uTo##TT(a[k]);                                                                                  \
  }
#define FROM_INTS(FB, FROM, FS)                                                                              \
  FROM_INT(FB, FROM, FS, F16, uint16_t)                                                                      \
  FROM_INT(FB, FROM, FS, BF16, uint16_t)                                                                     \
  FROM_INT(FB, FROM, FS, F32, float)                                                                         \
  FROM_INT(FB, FROM, FS, F64, double)
FROM_INTS(8, uint8_t, int8_t)
FROM_INTS(16, uint16_t, int16_t)
FROM_INTS(32, uint32_t, int32_t)
FROM_INTS(64, uint64_t, int64_t)
#define FROM_INT_ROW(P, FB)                                                                                  \
  {                                                                                                          \
    {                                                                                                        \
      P##FB##ToF16, P##FB##ToBF16, P##FB##ToF32, P##FB##ToF64                                                \
    }                                                                                                        \
  }
const SimKernels simSToFloat[5] = {FROM_INT_ROW(s, 8), FROM_INT_ROW(s, 16), FROM_INT_ROW(s, 32),
                                   FROM_INT_ROW(s, 64)};
const SimKernels simUToFloat[5] = {FROM_INT_ROW(u, 8), FROM_INT_ROW(u, 16), FROM_INT_ROW(u, 32),
                                   FROM_INT_ROW(u, 64)};
