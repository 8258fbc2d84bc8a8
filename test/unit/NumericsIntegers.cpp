// NumericsIntegers.cpp - integer corner cases, exhaustively for 8 bits, and conversions between integers and
// floats.
#include "tile-c/Numerics.h"
#include <climits>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

const unsigned widths[] = {1, 8, 16, 32, 64};

TEST(NumericsIntegers, FloatToIntSaturatesThenWraps) {
  EXPECT_EQ(tileFloatToInt(INFINITY, 8, true), -1);
  EXPECT_EQ(tileFloatToInt(510, 8, true), -2);
  EXPECT_EQ(tileFloatToInt(-200, 8, true), 56);
  EXPECT_EQ(tileFloatToInt(-INFINITY, 16, true), 0);
  EXPECT_EQ(tileFloatToInt(NAN, 32, true), 0);
  EXPECT_EQ(tileFloatToInt(3e9, 32, true), INT32_MAX);
  EXPECT_EQ(tileFloatToInt(-3e9, 32, true), INT32_MIN);
  EXPECT_EQ(tileFloatToInt(1e19, 64, true), INT64_MAX);
  EXPECT_EQ(tileFloatToInt(-1e19, 64, true), INT64_MIN);
  EXPECT_EQ(tileFloatToInt(-0.99, 32, true), 0);
  EXPECT_EQ(tileFloatToInt(-1, 32, false), 0);
  EXPECT_EQ(tileFloatToInt(3e9, 32, false), (int32_t)3000000000u);
  EXPECT_EQ(tileFloatToInt(5e9, 32, false), -1);
  EXPECT_EQ(tileFloatToInt(5e9, 8, false), -1);
  EXPECT_EQ(tileFloatToInt(1e19, 64, false), (int64_t)10000000000000000000u);
  EXPECT_EQ(tileFloatToInt(2e19, 64, false), -1);
  EXPECT_EQ(tileFloatToInt(3, 1, false), 1);
  EXPECT_EQ(tileFloatToInt(2147483647.0, 32, true), INT32_MAX);
  EXPECT_EQ(tileFloatToInt(-2147483648.0, 32, true), INT32_MIN);
}

TEST(NumericsIntegers, IntToFloatRoundsOnce) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000000; ++i) {
    int64_t x = (int64_t)random() >> random() % 64;
    ASSERT_EQ(tileIntToFloat(TileElementType_F32, x, true), tileF32Bits((float)x));
    ASSERT_EQ(tileIntToFloat(TileElementType_F32, x, false), tileF32Bits((float)(uint64_t)x));
    ASSERT_EQ(tileIntToFloat(TileElementType_F64, x, true), tileF64Bits((double)x));
    ASSERT_EQ(tileIntToFloat(TileElementType_F64, x, false), tileF64Bits((double)(uint64_t)x));
  }
  // 2^62 + 2^54 is a midpoint of bf16; the last bit, lost in f64, decides.
  int64_t tie = (INT64_C(1) << 62) + (INT64_C(1) << 54);
  EXPECT_EQ(tileFloatDecode(TileElementType_BF16, tileIntToFloat(TileElementType_BF16, tie, true)), 0x1p62);
  EXPECT_EQ(tileFloatDecode(TileElementType_BF16, tileIntToFloat(TileElementType_BF16, tie + 1, true)),
            0x1p62 + 0x1p55);
  EXPECT_EQ(tileIntToFloat(TileElementType_F16, INT64_MIN, true), 0xFC00u);
  EXPECT_EQ(tileIntToFloat(TileElementType_F16, 65519, true), 0x7BFFu);
  EXPECT_EQ(tileIntToFloat(TileElementType_F8E4M3FN, -1000, true), 0xFEu);
}

int64_t wrap8(int value) { return (int8_t)value; }

TEST(NumericsIntegers, EightBitsExhaustively) {
  for (int a = -128; a < 128; ++a)
    for (int b = -128; b < 128; ++b) {
      int ua = (uint8_t)a, ub = (uint8_t)b;
      ASSERT_EQ(tileShiftLeft(a, b, 8), ub >= 8 ? 0 : wrap8(a << ub));
      ASSERT_EQ(tileShiftRightSigned(a, b, 8), ub >= 8 ? (a < 0 ? -1 : 0) : a >> ub);
      ASSERT_EQ(tileShiftRightUnsigned(a, b, 8), ub >= 8 ? 0 : wrap8(ua >> ub));
      int sb = b ? b : 1, tb = ub ? ub : 1;
      ASSERT_EQ(tileDivSigned(a, b, 8), wrap8(a / sb));
      ASSERT_EQ(tileRemSigned(a, b, 8), a % sb);
      ASSERT_EQ(tileDivUnsigned(a, b, 8), wrap8(ua / tb));
      ASSERT_EQ(tileRemUnsigned(a, b, 8), wrap8(ua % tb));
      ASSERT_EQ(tileFloorDivSigned(a, b, 8), wrap8((int)std::floor((double)a / sb)));
      ASSERT_EQ(tileCeilDivSigned(a, b, 8), wrap8((int)std::ceil((double)a / sb)));
      ASSERT_EQ(tileCeilDivUnsigned(a, b, 8), wrap8((int)std::ceil((double)ua / tb)));
      ASSERT_EQ(tileMulHighSigned(a, b, 8), wrap8(a * b >> 8));
      ASSERT_EQ(tileMulHighUnsigned(a, b, 8), wrap8(ua * ub >> 8));
    }
}

TEST(NumericsIntegers, WideCorners) {
  for (unsigned bits : widths) {
    if (bits == 1)
      continue;
    int64_t least = (int64_t)(UINT64_MAX << (bits - 1));
    EXPECT_EQ(tileDivSigned(least, -1, bits), least);
    EXPECT_EQ(tileRemSigned(least, -1, bits), 0);
    EXPECT_EQ(tileDivSigned(least, 0, bits), least);
    EXPECT_EQ(tileFloorDivSigned(least, -1, bits), least);
    EXPECT_EQ(tileShiftLeft(1, bits, bits), 0);
    EXPECT_EQ(tileShiftLeft(1, -1, bits), 0);
    EXPECT_EQ(tileShiftRightSigned(-1, bits, bits), -1);
    EXPECT_EQ(tileShiftRightUnsigned(-1, bits - 1, bits), 1);
  }
  EXPECT_EQ(tileShiftRightSigned(1, 0, 1), 1);
  EXPECT_EQ(tileDivUnsigned(1, 1, 1), 1);
  EXPECT_EQ(tileDivSigned(1, 1, 1), 1); // -1 / -1 = 1, one bit
}

TEST(NumericsIntegers, MulHigh64AgainstInt128) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 1000000; ++i) {
    int64_t a = (int64_t)random() >> random() % 64, b = (int64_t)random() >> random() % 64;
    ASSERT_EQ(tileMulHighSigned(a, b, 64), (int64_t)((__int128)a * b >> 64));
    ASSERT_EQ(tileMulHighUnsigned(a, b, 64), (int64_t)((unsigned __int128)(uint64_t)a * (uint64_t)b >> 64));
    ASSERT_EQ(tileMulHighSigned((int32_t)a, (int32_t)b, 32), (int64_t)(int32_t)a * (int32_t)b >> 32);
  }
}

} // namespace
