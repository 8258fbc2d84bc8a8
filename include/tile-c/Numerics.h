/* Numerics.h - what a number means: conversions, rounding, saturation, NaN rules and integer corner cases of
 * every type.
 *
 * Plain C with no LLVM behind it. The interpreter, the simulator and the run-time library call it, and the
 * back ends' lowering has to agree with it bit for bit. docs/spec/numerics.md is the same as a table, with
 * the reasons.
 *
 * The carrier of float values is `double`: every value of every float type is exactly a double, so that a
 * conversion is one decode (exact) and one encode (one rounding). Bits travel in the low bits of an integer.
 * A NaN stays a NaN through every function and keeps its sign in conversions (the FNUZ formats have no sign
 * for it); its payload means nothing and comes out canonical where a function encodes one.
 *
 * Sources: IEEE 754-2019 (formats, rounding, minNum/minimum, nextUp); OCP 8-bit Floating Point
 * Specification 1.0 (E4M3FN, E5M2); "8-bit Numerical Formats for Deep Neural Networks", arXiv:2206.02915 (the
 * FNUZ pair). */
#ifndef TILE_C_NUMERICS_H
#define TILE_C_NUMERICS_H
#include "tile-c/ElementType.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileRoundingMode {
  TileRoundingMode_NearestEven, ///< rtne
  TileRoundingMode_TowardZero   ///< rtz
} TileRoundingMode;

/// What becomes of a magnitude above the largest finite value (infinity included; NaN never changes).
typedef enum TileOverflow {
  TileOverflow_Default,  ///< 8-bit formats saturate, all others go to infinity as IEEE 754 says
  TileOverflow_Saturate, ///< the largest finite value of the same sign
  TileOverflow_NonFinite ///< infinity, or NaN where the format has no infinity
} TileOverflow;

// ---- Floats: bits and values ----

/// The value of `bits`, exactly. `type` is a float type.
double tileFloatDecode(TileElementType type, uint64_t bits);
/// The bits of `value` in `type` after one rounding. With TileRoundingMode_TowardZero a finite value never
/// becomes infinite.
uint64_t tileFloatEncode(TileElementType type, double value, TileRoundingMode rounding,
                         TileOverflow overflow);
/// From one float type to another, rounded once (f64 to f16 directly, never through f32).
uint64_t tileFloatConvert(TileElementType from, uint64_t bits, TileElementType to, TileRoundingMode rounding,
                          TileOverflow overflow);
/// The neighbour of `bits` in the direction of `toward` (a value of the same type); NaN if either is NaN.
uint64_t tileFloatNextAfter(TileElementType type, uint64_t bits, uint64_t toward);
bool tileFloatIsNaN(TileElementType type, uint64_t bits);
/// The canonical NaN of `type`.
uint64_t tileFloatNaN(TileElementType type);
/// Largest finite value.
double tileFloatMax(TileElementType type);

/// Element `index` of an array of float `type`.
double tileFloatLoad(TileElementType type, const void *array, int64_t index);
/// Stores with round to nearest even and default overflow.
void tileFloatStore(TileElementType type, void *array, int64_t index, double value);

// ---- Floats and integers ----

/// Float to integer of `bits` (1 to 64): truncated toward zero, saturated to 32 bits (64 if bits > 32), NaN
/// gives 0, then wrapped to `bits`. The result is sign-extended (zero-extended for one bit). Unsigned:
/// negative values give 0.
int64_t tileFloatToInt(double value, unsigned bits, bool isSigned);
/// Integer (sign-extended in `value`; unsigned: all 64 bits count) to a float type, rounded once to nearest
/// even.
uint64_t tileIntToFloat(TileElementType type, int64_t value, bool isSigned);

/// Element of an array of an integer type, sign-extended (i1: 0 or 1), and its store, which wraps.
int64_t tileIntLoad(TileElementType type, const void *array, int64_t index);
void tileIntStore(TileElementType type, void *array, int64_t index, int64_t value);

/// `count` elements of an array of float `type` as doubles, exactly; and back with round to nearest even,
/// once, and default overflow. The arrays do not overlap.
void tileFloatDecodeArray(TileElementType type, const void *source, int64_t count, double *destination);
void tileFloatEncodeArray(TileElementType type, const double *source, int64_t count, void *destination);
/// The same for integers (tileIntLoad, tileIntStore).
void tileIntDecodeArray(TileElementType type, const void *source, int64_t count, int64_t *destination);
void tileIntEncodeArray(TileElementType type, const int64_t *source, int64_t count, void *destination);

/// Converts `count` elements between any two types by the rules above; integers are signed. The arrays do not
/// overlap.
void tileConvertElements(TileElementType from, const void *source, TileElementType to, void *destination,
                         int64_t count);

// ---- Float arithmetic ----

/// a * b + c with one rounding to `type`; the operands are values of `type`. Right for every type, f64
/// included.
double tileFloatFma(TileElementType type, double a, double b, double c);
/// `value` rounded to `type` and back: the result of an operation of `type` whose exact or correctly rounded
/// f64 result is `value`. For +, -, *, / and sqrt on operands of f16, bf16 or an f8 type this is the
/// correctly rounded result: 53 >= 2 p + 2 (Figueroa, "When is double rounding innocuous?", 1995), and no
/// such result is an f64 subnormal. f32 has 24 bits and 53 >= 50 too.
double tileFloatRound(TileElementType type, double value);

/// IEEE 754-2008 minNum / maxNum: a number wins over a NaN; -0 is less than +0.
static inline double tileMinNum(double a, double b) {
  return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}
static inline double tileMaxNum(double a, double b) {
  return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && !signbit(a)) ? a : b;
}
/// IEEE 754-2019 minimum / maximum: a NaN wins; -0 is less than +0.
static inline double tileMinimum(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : a < b || (a == b && signbit(a)) ? a : b;
}
static inline double tileMaximum(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : a > b || (a == b && !signbit(a)) ? a : b;
}

/// An f32 as a matrix unit reads it for tf32: 8 exponent and 10 stored fraction bits. Tensor cores ignore the
/// 13 low bits, which is rounding toward zero; `TileRoundingMode_NearestEven` is what a cvt before it would
/// give. NaN is kept.
float tileRoundTF32(float value, TileRoundingMode rounding);

static inline uint32_t tileF32Bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}
static inline float tileF32FromBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
static inline uint64_t tileF64Bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}
static inline double tileF64FromBits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

/// f16 to f32, exact and without a branch: the exponent is rebased by a multiplication that also normalises
/// subnormals.
static inline float tileF16ToF32(uint16_t half) {
  uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13;
  float value = tileF32FromBits(magnitude) * 0x1p112f;
  uint32_t bits = tileF32Bits(value);
  bits = magnitude >= 0x7C00u << 13 ? bits | 0x7F800000u : bits;
  return tileF32FromBits(bits | (uint32_t)(half & 0x8000) << 16);
}
/// f32 to f16, round to nearest even.
static inline uint16_t tileF32ToF16(float value) {
  uint32_t bits = tileF32Bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000)
    return (uint16_t)(sign | 0x7E00);
  if (magnitude >= 0x47800000) // 65536 and above; 65520 to 65536 carry into infinity below
    return (uint16_t)(sign | 0x7C00);
  if (magnitude < 0x38800000) // below 2^-14: the addition rounds at the subnormals' unit, 2^-24
    return (uint16_t)(sign | (tileF32Bits(tileF32FromBits(magnitude) + 0.5f) - 0x3F000000));
  uint32_t odd = magnitude >> 13 & 1;
  return (uint16_t)(sign | (magnitude - 0x38000000 + 0xFFF + odd) >> 13);
}
static inline float tileBF16ToF32(uint16_t bfloat) { return tileF32FromBits((uint32_t)bfloat << 16); }
/// f32 to bf16, round to nearest even.
static inline uint16_t tileF32ToBF16(float value) {
  uint32_t bits = tileF32Bits(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return (uint16_t)(bits >> 16 & 0x8000) | 0x7FC0;
  return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// f64 to f32 rounded to odd: an inexact result is the neighbour with an odd last bit. A further rounding to
/// a format of at most 22 bits of precision is then as good as one from `value` (Boldo and Melquiond, 2008).
static inline float tileF64ToF32Odd(double value) {
  float nearest = (float)value;
  uint32_t bits = tileF32Bits(nearest);
  bits -= fabs((double)nearest) > fabs(value); // toward zero
  return (double)nearest == value || isnan(value) ? nearest : tileF32FromBits(bits | 1);
}

// ---- Integer corner cases ----

/// `value` wrapped to `bits` (1 to 64) and sign-extended; one bit is zero-extended.
static inline int64_t tileWrap(int64_t value, unsigned bits) {
  if (bits == 1)
    return value & 1;
  return bits >= 64 ? value : (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}
/// `value` as an unsigned number of `bits`.
static inline uint64_t tileUnsigned(int64_t value, unsigned bits) {
  return bits >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

/* Operands below are integers of `bits`, as tileWrap leaves them; so are results. One-bit values are
 * unsigned, except that signed operations read 1 as -1. */

/// Shifts by an amount read as unsigned; the width or more shifts everything out: 0, or the sign (arithmetic
/// right).
int64_t tileShiftLeft(int64_t a, int64_t amount, unsigned bits);
int64_t tileShiftRightSigned(int64_t a, int64_t amount, unsigned bits);
int64_t tileShiftRightUnsigned(int64_t a, int64_t amount, unsigned bits);

/// Division rounds toward zero. A divisor of 0 acts as 1 (x / 0 = x, x % 0 = 0); the smallest value over -1
/// wraps to itself with remainder 0.
int64_t tileDivSigned(int64_t a, int64_t b, unsigned bits);
int64_t tileDivUnsigned(int64_t a, int64_t b, unsigned bits);
int64_t tileRemSigned(int64_t a, int64_t b, unsigned bits);
int64_t tileRemUnsigned(int64_t a, int64_t b, unsigned bits);
/// The same corner cases, rounded down or up.
int64_t tileFloorDivSigned(int64_t a, int64_t b, unsigned bits);
int64_t tileCeilDivSigned(int64_t a, int64_t b, unsigned bits);
int64_t tileCeilDivUnsigned(int64_t a, int64_t b, unsigned bits);

/// The upper half of the 2 * bits product.
int64_t tileMulHighSigned(int64_t a, int64_t b, unsigned bits);
int64_t tileMulHighUnsigned(int64_t a, int64_t b, unsigned bits);

#ifdef __cplusplus
}
#endif
#endif
