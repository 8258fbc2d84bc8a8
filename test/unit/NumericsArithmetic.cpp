// NumericsArithmetic.cpp - float arithmetic rounds once: against wider exact arithmetic and the compiler's
// _Float16.
#include "tile-c/Numerics.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

uint16_t bitsOf(_Float16 value) {
  uint16_t bits;
  memcpy(&bits, &value, 2);
  return bits;
}
uint64_t round(TileElementType type, double value) {
  return tileFloatEncode(type, value, TileRoundingMode_NearestEven, TileOverflow_Default);
}

// f16 quotients through f32 and through f64 must agree for the 2^11 x 2^11 significands: exponents only
// matter at the subnormal end, which the second loop visits.
TEST(NumericsArithmetic, HalfDivisionThroughFloatIsExact) {
  for (unsigned a = 0x400; a < 0x800; a += 1)
    for (unsigned b = 0x400; b < 0x800; b += 1) {
      float x = (float)a, y = (float)b;
      ASSERT_EQ(tileF32ToF16(x / y), round(TileElementType_F16, (double)a / b));
      float small = x * 0x1p-24f, scaled = y * 0x1p-6f; // the quotient lies around 2^-18: subnormal
      ASSERT_EQ(tileF32ToF16(small / scaled), round(TileElementType_F16, (double)small / scaled));
    }
}

TEST(NumericsArithmetic, HalfSquareRootThroughFloatIsExact) {
  for (unsigned bits = 0; bits < 0x7C00; ++bits) {
    float x = tileF16ToF32((uint16_t)bits);
    uint16_t root = tileF32ToF16(std::sqrt(x));
    ASSERT_EQ(root, round(TileElementType_F16, std::sqrt((double)x)));
    // The definition: x lies between the squares of the midpoints around the root, all exact in f64.
    double value = tileFloatDecode(TileElementType_F16, root);
    double above = tileFloatDecode(TileElementType_F16, root + 1),
           below = root ? tileFloatDecode(TileElementType_F16, root - 1) : 0;
    ASSERT_LE(x, (value + above) / 2 * ((value + above) / 2));
    if (root)
      ASSERT_GE(x, (value + below) / 2 * ((value + below) / 2));
  }
}

TEST(NumericsArithmetic, HalfAgreesWithTheCompiler) {
  std::mt19937 random(4);
  for (int i = 0; i < 3000000; ++i) {
    uint16_t a = (uint16_t)random(), b = (uint16_t)random();
    _Float16 x, y;
    memcpy(&x, &a, 2), memcpy(&y, &b, 2);
    float p = tileF16ToF32(a), q = tileF16ToF32(b);
    auto check = [](_Float16 expected, float got) {
      uint16_t bits = tileF32ToF16(got);
      ASSERT_TRUE(bits == bitsOf(expected) ||
                  (tileFloatIsNaN(TileElementType_F16, bits) && expected != expected));
    };
    check(x + y, p + q);
    check(x - y, p - q);
    check(x * y, p * q);
    check(x / y, p / q);
  }
}

// The exact a * b + c of 16-bit formats fits 320-bit integers at worst; __float128 (113 bits) with a sticky
// check is enough here: the sum in it is either exact or so far from a midpoint that its own rounding cannot
// matter, except when c vanishes under a midpoint product, which is built deliberately.
void checkFma(TileElementType type, uint64_t a, uint64_t b, uint64_t c) {
  double x = tileFloatDecode(type, a), y = tileFloatDecode(type, b), z = tileFloatDecode(type, c);
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z))
    return;
  // Widen once more than needed: long double holds the product; the tail decides the direction of a tie.
  long double product = (long double)x * y, sum = product + z;
  long double zPart = sum - product, tail = (product - (sum - zPart)) + (z - zPart); // TwoSum: exact
  double got = tileFloatFma(type, x, y, z);
  // The result must be nearest: no neighbour is closer to product + z.
  uint64_t bits = round(type, got);
  ASSERT_TRUE(got == tileFloatDecode(type, bits) || std::isinf(got));
  if (!std::isfinite(got))
    return;
  for (double toward : {-(double)tileFloatMax(type), (double)tileFloatMax(type)}) {
    double other = tileFloatDecode(type, tileFloatNextAfter(type, bits, round(type, toward)));
    long double here = std::fabs((sum - got) + tail), there = std::fabs((sum - other) + tail);
    ASSERT_LE(here, there) << tileElementTypeName(type) << std::hexfloat << " " << x << " " << y << " " << z
                           << " got " << got;
  }
}

TEST(NumericsArithmetic, FmaRoundsOnce) {
  std::mt19937 random(5);
  for (TileElementType type : {TileElementType_F16, TileElementType_BF16}) {
    for (int i = 0; i < 300000; ++i) {
      checkFma(type, random() & 0xFFFF, random() & 0xFFFF, random() & 0xFFFF);
      uint64_t near = (random() & 0x83FF) | 0x3C00;
      checkFma(type, near, (random() & 0x83FF) | 0x3800, (random() & 0xFFFF));
    }
  }
  // A product on a midpoint and an addend far below: 1.0078125 * 1.0078125... would be even without the
  // addend.
  double x = 1.5, y = 1 + 0x1p-7; // bf16: 1.5 * 1.0078125 = 1.51171875 = midpoint of 1.5078125 and 1.515625
  EXPECT_EQ(tileFloatFma(TileElementType_BF16, x, y, 0), 1.515625);
  EXPECT_EQ(tileFloatFma(TileElementType_BF16, x, y, -0x1p-100), 1.5078125);
  EXPECT_EQ(tileFloatFma(TileElementType_BF16, x, y, 0x1p-100), 1.515625);
  double u = 1.25, v = 1 + 0x1p-6 + 0x1p-7; // 1.279296875: midpoint of 1.2734375 + ..
  double product = u * v,
         down = tileFloatDecode(TileElementType_BF16,
                                tileFloatEncode(TileElementType_BF16, product, TileRoundingMode_TowardZero,
                                                TileOverflow_Default));
  EXPECT_EQ(tileFloatFma(TileElementType_BF16, u, v, -0x1p-120),
            product - down > 0x1p-8 ? down + 0x1p-7 : down);
}

TEST(NumericsArithmetic, FloatFmaIsFused) {
  float a = 1 + 0x1p-12f;
  EXPECT_EQ(tileFloatFma(TileElementType_F32, a, a, -(1 + 0x1p-11f)), 0x1p-24);
  double d = 1 + 0x1p-30;
  EXPECT_EQ(tileFloatFma(TileElementType_F64, d, d, -(1 + 0x1p-29)), 0x1p-60);
}

// Multiplication of bf16 through f32 would round twice in the subnormals; through f64 it does not.
TEST(NumericsArithmetic, BrainFloatSubnormalProduct) {
  double x = 0x1.02p-60, y = 0x1.fep-75; // product just above half of the smallest subnormal
  EXPECT_EQ(tileFloatRound(TileElementType_BF16, x * y), 0x1p-133 * (x * y > 0x1p-134 ? 1 : 0));
  std::mt19937 random(6);
  for (int i = 0; i < 100000; ++i) {
    double a = tileBF16ToF32((uint16_t)random()), b = tileBF16ToF32((uint16_t)random());
    double exact = a * b; // 16 bits: exact
    if (!std::isfinite(exact) || std::fabs(exact) > 3e38)
      continue;
    double unit = std::fabs(exact) < 0x1p-126 ? 0x1p-133 : std::ldexp(1, std::ilogb(exact) - 7);
    ASSERT_EQ(tileFloatRound(TileElementType_BF16, exact), std::nearbyint(exact / unit) * unit);
  }
}

TEST(NumericsArithmetic, MinMax) {
  EXPECT_EQ(tileMinNum(NAN, 1), 1);
  EXPECT_EQ(tileMaxNum(1, NAN), 1);
  EXPECT_TRUE(std::isnan(tileMinNum(NAN, NAN)));
  EXPECT_TRUE(std::isnan(tileMinimum(NAN, 1)));
  EXPECT_TRUE(std::isnan(tileMaximum(1, NAN)));
  for (auto min : {tileMinNum, tileMinimum}) {
    EXPECT_TRUE(std::signbit(min(0.0, -0.0)));
    EXPECT_TRUE(std::signbit(min(-0.0, 0.0)));
    EXPECT_EQ(min(-INFINITY, 3), -INFINITY);
  }
  for (auto max : {tileMaxNum, tileMaximum}) {
    EXPECT_FALSE(std::signbit(max(0.0, -0.0)));
    EXPECT_FALSE(std::signbit(max(-0.0, 0.0)));
    EXPECT_EQ(max(2, 3), 3);
  }
}

TEST(NumericsArithmetic, TF32) {
  EXPECT_EQ(tileRoundTF32(1 + 0x1p-10f + 0x1p-11f, TileRoundingMode_TowardZero), 1 + 0x1p-10f);
  EXPECT_EQ(tileRoundTF32(1 + 0x1p-10f + 0x1p-11f, TileRoundingMode_NearestEven), 1 + 0x1p-9f);
  EXPECT_EQ(tileRoundTF32(1 + 0x1p-11f, TileRoundingMode_NearestEven), 1.0f);
  EXPECT_EQ(tileRoundTF32(-INFINITY, TileRoundingMode_TowardZero), -INFINITY);
  EXPECT_TRUE(std::isnan(tileRoundTF32(tileF32FromBits(0x7F800001), TileRoundingMode_TowardZero)));
  EXPECT_TRUE(std::isinf(tileRoundTF32(tileF32FromBits(0x7F7FFFFF), TileRoundingMode_NearestEven)));
}

} // namespace
