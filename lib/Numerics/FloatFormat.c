/* FloatFormat.c - the float formats as a table, and the one decoder and the one encoder that serve them all.
 */
#include "FloatFormat.h"
#include "tile-c/Numerics.h"

static const TileFloatFormat formats[TileElementType_Count] = {
    [TileElementType_F16] = {5, 10, 15, TileSpecials_IEEE, 0x7BFF, 0x7E00},
    [TileElementType_BF16] = {8, 7, 127, TileSpecials_IEEE, 0x7F7F, 0x7FC0},
    [TileElementType_F32] = {8, 23, 127, TileSpecials_IEEE, 0x7F7FFFFF, 0x7FC00000},
    [TileElementType_F64] = {11, 52, 1023, TileSpecials_IEEE, 0x7FEFFFFFFFFFFFFF, 0x7FF8000000000000},
    [TileElementType_F8E4M3FN] = {4, 3, 7, TileSpecials_FN, 0x7E, 0x7F},
    [TileElementType_F8E5M2] = {5, 2, 15, TileSpecials_IEEE, 0x7B, 0x7F},
    [TileElementType_F8E4M3FNUZ] = {4, 3, 8, TileSpecials_FNUZ, 0x7F, 0x80},
    [TileElementType_F8E5M2FNUZ] = {5, 2, 16, TileSpecials_FNUZ, 0x7F, 0x80},
};

const TileFloatFormat *tileFloatFormat(TileElementType type) { return &formats[type]; }

uint64_t tileFloatSignBit(TileElementType type) {
  return UINT64_C(1) << (formats[type].exponentBits + formats[type].mantissaBits);
}

bool tileFloatIsNaN(TileElementType type, uint64_t bits) {
  const TileFloatFormat *f = &formats[type];
  if (f->specials == TileSpecials_FNUZ)
    return bits == f->nan;
  uint64_t magnitude = bits & (tileFloatSignBit(type) - 1);
  return magnitude > f->maxFinite + (f->specials == TileSpecials_IEEE);
}

uint64_t tileFloatNaN(TileElementType type) { return formats[type].nan; }
double tileFloatMax(TileElementType type) { return tileFloatDecode(type, formats[type].maxFinite); }

double tileFloatDecode(TileElementType type, uint64_t bits) {
  if (type == TileElementType_F32)
    return tileF32FromBits((uint32_t)bits);
  if (type == TileElementType_F64)
    return tileF64FromBits(bits);
  const TileFloatFormat *f = &formats[type];
  uint64_t signBit = tileFloatSignBit(type), magnitude = bits & (signBit - 1);
  if (tileFloatIsNaN(type, bits)) // of a format without signed NaNs: positive
    return bits & signBit && magnitude ? -(double)NAN : (double)NAN;
  double value;
  if (magnitude > f->maxFinite) {
    value = (double)INFINITY;
  } else {
    int exponent = (int)(magnitude >> f->mantissaBits);
    uint64_t significand = magnitude & ((UINT64_C(1) << f->mantissaBits) - 1);
    if (exponent == 0)
      exponent = 1; // subnormal: the exponent of the smallest normal, no hidden bit
    else
      significand |= UINT64_C(1) << f->mantissaBits;
    // The scale is a power of two within f64's normal range for every format narrower than f64.
    int scale = exponent - f->bias - f->mantissaBits;
    value = (double)significand * tileF64FromBits((uint64_t)(scale + 1023) << 52);
  }
  return bits & signBit ? -value : value;
}

/// The bits of a magnitude above maxFinite. `isInfinite`: it was infinite already, not rounded up.
static uint64_t overflowBits(TileElementType type, bool isInfinite, TileRoundingMode rounding,
                             TileOverflow overflow) {
  const TileFloatFormat *f = &formats[type];
  if (overflow == TileOverflow_Default)
    overflow = tileElementTypeBits(type) == 8 ? TileOverflow_Saturate : TileOverflow_NonFinite;
  if (overflow == TileOverflow_Saturate || (rounding == TileRoundingMode_TowardZero && !isInfinite))
    return f->maxFinite;
  return f->specials == TileSpecials_IEEE ? f->maxFinite + 1 : f->nan;
}

uint64_t tileFloatPack(TileElementType type, bool negative, uint64_t significand, int exponent,
                       TileRoundingMode rounding, TileOverflow overflow) {
  const TileFloatFormat *f = &formats[type];
  uint64_t sign = negative ? tileFloatSignBit(type) : 0;
  if (significand == 0)
    return f->specials == TileSpecials_FNUZ ? 0 : sign;
  int shift = __builtin_clzll(significand); // normalise: the highest bit at 63
  significand <<= shift;
  int top = exponent - shift + 63; // exponent of the highest bit
  int minimum = 1 - f->bias;
  // Bits below the format's unit in the last place; below `minimum` the unit no longer shrinks.
  int drop = 63 - f->mantissaBits + (top < minimum ? minimum - top : 0);
  uint64_t kept = drop > 63 ? 0 : significand >> drop;
  uint64_t rest = drop > 63 ? significand : significand & ((UINT64_C(1) << drop) - 1);
  if (rounding == TileRoundingMode_NearestEven && drop <= 64) {
    uint64_t half = UINT64_C(1) << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
  }
  // A normal's hidden bit adds one to the exponent field; a carry out of the fraction does the same.
  uint64_t bits = top < minimum ? kept : ((uint64_t)(top + f->bias - 1) << f->mantissaBits) + kept;
  if (bits > f->maxFinite)
    return sign | overflowBits(type, false, rounding, overflow);
  return bits == 0 && f->specials == TileSpecials_FNUZ ? 0 : sign | bits;
}

uint64_t tileFloatEncode(TileElementType type, double value, TileRoundingMode rounding,
                         TileOverflow overflow) {
  uint64_t bits = tileF64Bits(value);
  bool negative = bits >> 63;
  int exponent = (int)(bits >> 52 & 0x7FF);
  uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
  if (exponent == 0x7FF) {
    uint64_t sign = negative ? tileFloatSignBit(type) : 0;
    if (fraction)
      return sign | formats[type].nan; // FNUZ: the sign bit alone either way
    uint64_t result = overflowBits(type, true, rounding, overflow);
    return result | sign;
  }
  if (exponent == 0)
    exponent = 1;
  else
    fraction |= UINT64_C(1) << 52;
  return tileFloatPack(type, negative, fraction, exponent - 1075, rounding, overflow);
}

uint64_t tileFloatConvert(TileElementType from, uint64_t bits, TileElementType to, TileRoundingMode rounding,
                          TileOverflow overflow) {
  return tileFloatEncode(to, tileFloatDecode(from, bits), rounding, overflow);
}

/// Rank of a finite or infinite value in the order of the format: zeros share rank 0.
static int64_t rankOf(TileElementType type, uint64_t bits) {
  uint64_t signBit = tileFloatSignBit(type);
  return bits & signBit ? -(int64_t)(bits & (signBit - 1)) : (int64_t)bits;
}

uint64_t tileFloatNextAfter(TileElementType type, uint64_t bits, uint64_t toward) {
  if (tileFloatIsNaN(type, bits) || tileFloatIsNaN(type, toward))
    return formats[type].nan;
  int64_t rank = rankOf(type, bits), target = rankOf(type, toward);
  if (rank == target)
    return toward;
  rank += rank < target ? 1 : -1;
  if (rank == 0) // the neighbour of the smallest subnormal is the zero of its sign
    return formats[type].specials == TileSpecials_FNUZ ? 0 : bits & tileFloatSignBit(type);
  return rank < 0 ? (uint64_t)-rank | tileFloatSignBit(type) : (uint64_t)rank;
}
