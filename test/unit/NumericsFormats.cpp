// NumericsFormats.cpp - conversions of every float format, exhaustively where 16 bits allow it, against
// formulas that share nothing with lib/Numerics: a sorted table of all values, distances in exact arithmetic,
// the compiler's _Float16.
#include "tile-c/Numerics.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

struct Format {
  TileElementType type;
  int exponentBits, mantissaBits, bias;
  bool infinity, fnuz;
};
const Format formats[] = {
    {TileElementType_F16, 5, 10, 15, true, false},       {TileElementType_BF16, 8, 7, 127, true, false},
    {TileElementType_F8E5M2, 5, 2, 15, true, false},     {TileElementType_F8E4M3FN, 4, 3, 7, false, false},
    {TileElementType_F8E5M2FNUZ, 5, 2, 16, false, true}, {TileElementType_F8E4M3FNUZ, 4, 3, 8, false, true},
};

/// The value of bits by the definition of the format, with ldexp.
double valueOf(const Format &f, unsigned bits) {
  int width = 1 + f.exponentBits + f.mantissaBits;
  bool sign = bits >> (width - 1);
  int e = bits >> f.mantissaBits & ((1 << f.exponentBits) - 1), top = (1 << f.exponentBits) - 1;
  int m = bits & ((1 << f.mantissaBits) - 1), allOnes = (1 << f.mantissaBits) - 1;
  if (f.fnuz && sign && e == 0 && m == 0)
    return NAN;
  if (f.infinity && e == top)
    return m ? NAN : sign ? -INFINITY : INFINITY;
  if (!f.infinity && !f.fnuz && e == top && m == allOnes)
    return NAN;
  double magnitude = e ? std::ldexp(m + (1 << f.mantissaBits), e - f.bias - f.mantissaBits)
                       : std::ldexp(m, 1 - f.bias - f.mantissaBits);
  return sign ? -magnitude : magnitude;
}

int widthOf(const Format &f) { return 1 + f.exponentBits + f.mantissaBits; }

/// All non-negative finite values in order; the index is the bits.
std::vector<double> ladder(const Format &f) {
  std::vector<double> values;
  for (unsigned bits = 0; bits < 1u << (widthOf(f) - 1); ++bits)
    if (std::isfinite(valueOf(f, bits)))
      values.push_back(valueOf(f, bits));
  return values;
}

/// Nearest even by comparing distances, which are exact: neighbours differ by few bits.
unsigned nearest(const Format &f, const std::vector<double> &values, double x, bool towardZero) {
  unsigned sign = std::signbit(x) ? 1u << (widthOf(f) - 1) : 0;
  x = std::fabs(x);
  size_t above = std::upper_bound(values.begin(), values.end(), x) - values.begin();
  size_t below = above - 1, chosen = below;
  if (!towardZero && above < values.size()) {
    // x - low and high - x may be inexact for tiny x; compare 2 x with low + high instead, exact in long
    // double
    long double twice = 2.0L * x, sum = (long double)values[below] + values[above];
    chosen = twice > sum || (twice == sum && below % 2) ? above : below;
  } else if (!towardZero && above == values.size()) {
    double unit = values[below] - values[below - 1];
    long double limit = (long double)values[below] + unit / 2;
    bool over = x > limit || (x == limit && below % 2);
    if (over && widthOf(f) == 16)
      chosen = below + 1; // infinity
  } else if (towardZero && std::isinf(x) && widthOf(f) == 16) {
    chosen = below + 1;
  }
  return chosen == 0 && f.fnuz ? 0 : sign | (unsigned)chosen;
}

unsigned encode(const Format &f, double x, bool towardZero = false) {
  return (unsigned)tileFloatEncode(f.type, x,
                                   towardZero ? TileRoundingMode_TowardZero : TileRoundingMode_NearestEven,
                                   TileOverflow_Default);
}

TEST(NumericsFormats, DecodeIsTheDefinition) {
  for (const Format &f : formats)
    for (unsigned bits = 0; bits < 1u << widthOf(f); ++bits) {
      double expected = valueOf(f, bits), got = tileFloatDecode(f.type, bits);
      ASSERT_EQ(std::isnan(expected), std::isnan(got)) << tileElementTypeName(f.type) << " " << bits;
      ASSERT_EQ(std::isnan(expected), tileFloatIsNaN(f.type, bits));
      if (!std::isnan(expected)) {
        ASSERT_EQ(expected, got);
        ASSERT_EQ(std::signbit(expected), std::signbit(got));
      }
    }
}

TEST(NumericsFormats, EveryValueRoundTrips) {
  for (const Format &f : formats)
    for (unsigned bits = 0; bits < 1u << widthOf(f); ++bits) {
      double value = valueOf(f, bits);
      if (std::isnan(value)) {
        ASSERT_TRUE(tileFloatIsNaN(f.type, encode(f, value)));
      } else if (std::isfinite(value) || widthOf(f) == 16) {
        ASSERT_EQ(encode(f, value), bits);
        ASSERT_EQ(encode(f, value, true), bits);
      }
    }
}

void checkAround(const Format &f, const std::vector<double> &values, double x) {
  for (double y : {x, std::nextafter(x, INFINITY), std::nextafter(x, -INFINITY), -x})
    for (bool towardZero : {false, true})
      ASSERT_EQ(encode(f, y, towardZero), nearest(f, values, y, towardZero))
          << tileElementTypeName(f.type) << " " << std::hexfloat << y << " rtz " << towardZero;
}

TEST(NumericsFormats, RoundsAtEveryMidpoint) {
  for (const Format &f : formats) {
    std::vector<double> values = ladder(f);
    for (size_t i = 0; i + 1 < values.size(); ++i) {
      checkAround(f, values, (values[i] + values[i + 1]) / 2);
      checkAround(f, values, values[i]);
    }
    double last = values.back(), unit = last - values[values.size() - 2];
    for (double x : {last + unit / 2, last + unit, last * 4, 1e300, 5e-324, (double)INFINITY})
      checkAround(f, values, x);
  }
}

TEST(NumericsFormats, RoundsRandomDoubles) {
  std::mt19937_64 random(1);
  for (const Format &f : formats) {
    std::vector<double> values = ladder(f);
    for (int i = 0; i < 200000; ++i) {
      double x = std::ldexp((double)(int64_t)random() * 0x1p-63, (int)(random() % 300) - 150);
      ASSERT_EQ(encode(f, x), nearest(f, values, x, false)) << tileElementTypeName(f.type) << " " << x;
      ASSERT_EQ(encode(f, x, true), nearest(f, values, x, true)) << tileElementTypeName(f.type) << " " << x;
    }
  }
}

TEST(NumericsFormats, HalfAgreesWithTheCompiler) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000000; ++i) {
    double x =
        tileF64FromBits((random() & ~(UINT64_C(0x7FF) << 52)) | (UINT64_C(1023 - 30) + random() % 50) << 52);
    _Float16 half = (_Float16)x;
    uint16_t expected;
    memcpy(&expected, &half, 2);
    ASSERT_EQ(encode(formats[0], x), expected) << std::hexfloat << x;
    _Float16 fromFloat = (_Float16)(float)x;
    memcpy(&expected, &fromFloat, 2);
    ASSERT_EQ(tileF32ToF16((float)x), expected) << std::hexfloat << x;
  }
}

TEST(NumericsFormats, FastPathsAgreeWithTheGeneralOnes) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    float half = tileF16ToF32((uint16_t)bits), bfloat = tileBF16ToF32((uint16_t)bits);
    double halfExact = tileFloatDecode(TileElementType_F16, bits),
           bfloatExact = tileFloatDecode(TileElementType_BF16, bits);
    ASSERT_TRUE(std::isnan(halfExact) ? std::isnan(half)
                                      : half == halfExact && std::signbit(half) == std::signbit(halfExact));
    ASSERT_TRUE(std::isnan(bfloatExact) ? std::isnan(bfloat) : bfloat == bfloatExact);
  }
  for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += 977) {
    float x = tileF32FromBits((uint32_t)bits);
    if (std::isnan(x)) {
      ASSERT_TRUE(tileFloatIsNaN(TileElementType_F16, tileF32ToF16(x)));
      ASSERT_TRUE(tileFloatIsNaN(TileElementType_BF16, tileF32ToBF16(x)));
    } else {
      ASSERT_EQ(tileF32ToF16(x), encode(formats[0], x)) << std::hexfloat << x;
      ASSERT_EQ(tileF32ToBF16(x), encode(formats[1], x)) << std::hexfloat << x;
    }
  }
}

TEST(NumericsFormats, DoubleToHalfRoundsOnce) {
  // Through f32 the low bit vanishes and the tie goes to even: 1.0. Directly it is above the tie.
  double x = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(encode(formats[0], x), 0x3C01u);
  EXPECT_EQ(tileF32ToF16((float)x), 0x3C00u);
}

TEST(NumericsFormats, Overflow) {
  auto to = [](TileElementType type, double x, TileOverflow o) {
    return tileFloatEncode(type, x, TileRoundingMode_NearestEven, o);
  };
  EXPECT_EQ(to(TileElementType_F8E4M3FN, 1e6, TileOverflow_Default), 0x7Eu);
  EXPECT_EQ(to(TileElementType_F8E4M3FN, -INFINITY, TileOverflow_Default), 0xFEu);
  EXPECT_EQ(to(TileElementType_F8E4M3FN, INFINITY, TileOverflow_NonFinite), 0x7Fu);
  EXPECT_EQ(to(TileElementType_F8E5M2, INFINITY, TileOverflow_Default), 0x7Bu);
  EXPECT_EQ(to(TileElementType_F8E5M2, -1e9, TileOverflow_NonFinite), 0xFCu);
  EXPECT_EQ(to(TileElementType_F8E4M3FNUZ, -1e9, TileOverflow_Default), 0xFFu);
  EXPECT_EQ(to(TileElementType_F8E4M3FNUZ, -1e9, TileOverflow_NonFinite), 0x80u);
  EXPECT_EQ(to(TileElementType_F8E5M2FNUZ, -0.0, TileOverflow_Default), 0u);
  EXPECT_EQ(to(TileElementType_F16, 65520, TileOverflow_Default), 0x7C00u);
  EXPECT_EQ(to(TileElementType_F16, 65520, TileOverflow_Saturate), 0x7BFFu);
  for (const Format &f : formats)
    EXPECT_TRUE(tileFloatIsNaN(f.type, to(f.type, NAN, TileOverflow_Default)));
  EXPECT_EQ(tileFloatMax(TileElementType_F8E4M3FN), 448);
  EXPECT_EQ(tileFloatMax(TileElementType_F8E5M2), 57344);
  EXPECT_EQ(tileFloatMax(TileElementType_F8E4M3FNUZ), 240);
  EXPECT_EQ(tileFloatMax(TileElementType_F8E5M2FNUZ), 57344);
}

TEST(NumericsFormats, NextAfter) {
  for (const Format &f : formats) {
    std::vector<double> values = ladder(f);
    unsigned sign = 1u << (widthOf(f) - 1), last = (unsigned)values.size() - 1;
    for (unsigned i = 0; i + 1 < values.size(); ++i) {
      EXPECT_EQ(tileFloatNextAfter(f.type, i, i + 1), i + 1);
      EXPECT_EQ(tileFloatNextAfter(f.type, i + 1, 0), i);
      EXPECT_EQ(tileFloatNextAfter(f.type, sign | (i + 1), sign | last), sign | std::min(i + 2, last));
    }
    EXPECT_EQ(tileFloatNextAfter(f.type, 0, sign | 1), sign | 1);
    EXPECT_TRUE(tileFloatIsNaN(f.type, tileFloatNextAfter(f.type, tileFloatNaN(f.type), 0)));
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    uint32_t a = (uint32_t)random(), b = (uint32_t)random();
    float expected = std::nextafterf(tileF32FromBits(a), tileF32FromBits(b));
    uint64_t got = tileFloatNextAfter(TileElementType_F32, a, b);
    ASSERT_TRUE(std::isnan(expected) ? tileFloatIsNaN(TileElementType_F32, got)
                                     : got == tileF32Bits(expected));
  }
}

TEST(NumericsFormats, ArraysAgreeWithElements) {
  std::mt19937_64 random(9);
  std::vector<double> source = {0.0,      -0.0,  INFINITY, -INFINITY, NAN,       1 + 0x1p-11 + 0x1p-40,
                                65519.99, 65520, -0x1p-25, 0x1p-134,  0x1.8p-134};
  for (int i = 0; i < 200000; ++i)
    source.push_back(std::ldexp((double)(int64_t)random() * 0x1p-63, (int)(random() % 300) - 150));
  for (const Format &f : formats) {
    std::vector<uint16_t> got(source.size());
    std::vector<double> back(source.size());
    tileFloatEncodeArray(f.type, source.data(), (int64_t)source.size(), got.data());
    tileFloatDecodeArray(f.type, got.data(), (int64_t)source.size(), back.data());
    for (size_t i = 0; i < source.size(); ++i) {
      unsigned bits = widthOf(f) == 8 ? ((const uint8_t *)got.data())[i] : got[i];
      ASSERT_EQ(bits, encode(f, source[i]))
          << tileElementTypeName(f.type) << " " << std::hexfloat << source[i];
      ASSERT_TRUE(std::isnan(source[i]) ? std::isnan(back[i]) : back[i] == valueOf(f, bits));
    }
  }
}

TEST(NumericsFormats, WholeArrays) {
  float source[4] = {1.5f, -300.75f, NAN, 3e9f};
  int8_t bytes[4];
  tileConvertElements(TileElementType_F32, source, TileElementType_I8, bytes, 4);
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[1], (int8_t)-300);
  EXPECT_EQ(bytes[2], 0);
  EXPECT_EQ(bytes[3], -1);
  double wide[4];
  tileConvertElements(TileElementType_I8, bytes, TileElementType_F64, wide, 4);
  EXPECT_EQ(wide[1], -44);
  uint8_t flags[3] = {0, 1, 2}, small[3];
  tileConvertElements(TileElementType_I1, flags, TileElementType_F8E4M3FN, small, 3);
  EXPECT_EQ(small[0], 0);
  EXPECT_EQ(small[1], 0x38);
  EXPECT_EQ(small[2], 0x38);
}

} // namespace
