/* FloatArithmetic.c - operations whose single rounding needs care: fused multiply-add, tf32 operands. */
#include "FloatFormat.h"

double tileFloatRound(TileElementType type, double value) {
  if (type == TileElementType_F64)
    return value;
  if (type == TileElementType_F32)
    return (float)value;
  return tileFloatDecode(type,
                         tileFloatEncode(type, value, TileRoundingMode_NearestEven, TileOverflow_Default));
}

/// a + b rounded to odd: if the sum is inexact, the result is the neighbour with an odd last bit. Rounding
/// that to a format with at least two bits fewer gives the correctly rounded sum (Boldo and Melquiond,
/// "Emulation of a FMA and correctly rounded sums", 2008).
static double addRoundedToOdd(double a, double b) {
  double sum = a + b;
  if (!isfinite(sum))
    return sum;
  double bRounded = sum - a, aRounded = sum - bRounded;
  double error = (a - aRounded) + (b - bRounded); // exact (Knuth's TwoSum)
  uint64_t bits = tileF64Bits(sum);
  if (error == 0 || (bits & 1))
    return sum;
  // The exact sum lies beside `sum`, on the side of `error`: take that neighbour, which is odd.
  return tileF64FromBits((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

double tileFloatFma(TileElementType type, double a, double b, double c) {
  if (type == TileElementType_F64)
    return fma(a, b, c);
  if (type == TileElementType_F32)
    return fmaf((float)a, (float)b, (float)c);
  // The product of two 11-bit significands is exact in f64, and far from its overflow and underflow.
  return tileFloatRound(type, addRoundedToOdd(a * b, c));
}

float tileRoundTF32(float value, TileRoundingMode rounding) {
  uint32_t bits = tileF32Bits(value);
  if ((bits & 0x7F800000) == 0x7F800000)
    return isnan(value) ? (float)NAN : value;
  if (rounding == TileRoundingMode_NearestEven)
    bits += 0xFFF + (bits >> 13 & 1);
  return tileF32FromBits(bits & ~UINT32_C(0x1FFF));
}
