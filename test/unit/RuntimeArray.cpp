// RuntimeArray.cpp - host arrays: scalars from text, seeded numbers, comparison.
#include "tile-c/HostArray.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace {

std::string parseError(TileElementType type, const std::string &text) {
  TileScalar value;
  TileError error;
  return tileScalarParse(type, text.data(), text.size(), &value, &error) ? error.text : "";
}

TileScalar parsed(TileElementType type, const std::string &text) {
  TileScalar value;
  TileError error;
  EXPECT_EQ(tileScalarParse(type, text.data(), text.size(), &value, &error), TileError_None) << error.text;
  return value;
}

TEST(RuntimeScalar, Integers) {
  EXPECT_EQ(parsed(TileElementType_I32, "-2147483648").i, INT32_MIN);
  EXPECT_EQ(parsed(TileElementType_I32, "0xffffffff").i, -1);
  EXPECT_EQ(parsed(TileElementType_I32, "-0x10").i, -16);
  EXPECT_EQ(parsed(TileElementType_I32, "+7").i, 7);
  EXPECT_EQ(parsed(TileElementType_I8, "255").i, -1);
  EXPECT_EQ(parsed(TileElementType_I1, "true").i, 1);
  EXPECT_EQ(parsed(TileElementType_I64, "18446744073709551615").i, -1);
  EXPECT_EQ(parsed(TileElementType_I64, "-9223372036854775808").i, INT64_MIN);
  EXPECT_EQ(parseError(TileElementType_I32, "-2147483649"), "-2147483649 is outside the range of i32");
  EXPECT_EQ(parseError(TileElementType_I8, "256"), "256 is outside the range of i8");
  EXPECT_EQ(parseError(TileElementType_I1, "-1"), "-1 is outside the range of i1");
  EXPECT_EQ(parseError(TileElementType_I64, "18446744073709551616"),
            "18446744073709551616 is outside the range of i64");
  for (const char *text : {"", "-", "1.5", "0x", "1e3", "nan", " 1", "1 ", "--1", "0xg", "1_000"})
    EXPECT_NE(parseError(TileElementType_I32, text), "") << text;
}

TEST(RuntimeScalar, Floats) {
  EXPECT_EQ(parsed(TileElementType_F32, "1.5").f, 1.5);
  EXPECT_EQ(parsed(TileElementType_F32, "-0x1.8p1").f, -3.0);
  EXPECT_EQ(parsed(TileElementType_F32, "0.1").f, (double)0.1f);
  EXPECT_EQ(parsed(TileElementType_BF16, "1.00390625").f, 1.0); // half a step above 1: to even
  EXPECT_TRUE(std::isnan(parsed(TileElementType_F8E4M3FN, "nan").f));
  EXPECT_EQ(parsed(TileElementType_F8E5M2, "-inf").f, -INFINITY);
  EXPECT_EQ(parsed(TileElementType_F16, "65519.9").f, 65504.0);
  EXPECT_EQ(parsed(TileElementType_F32, "1e-60").f, 0.0);
  EXPECT_EQ(parseError(TileElementType_F16, "65520"), "65520 is outside the range of f16 (at most 65504)");
  EXPECT_EQ(parseError(TileElementType_F32, "1e39"),
            "1e39 is outside the range of f32 (at most 3.40282e+38)");
  EXPECT_EQ(parseError(TileElementType_F64, "1e309"),
            "1e309 is outside the range of f64 (at most 1.79769e+308)");
  EXPECT_EQ(parseError(TileElementType_F8E4M3FN, "500"),
            "500 is outside the range of f8E4M3FN (at most 448)");
  EXPECT_EQ(parseError(TileElementType_F8E4M3FN, "inf"), "f8E4M3FN has no infinity");
  for (const char *text : {"", "-", "x", "1.5x", " 1", "1 ", "1,5"})
    EXPECT_NE(parseError(TileElementType_F32, text), "") << text;
}

/// An array that releases itself.
struct Array {
  TileArray array = {};
  Array(TileElementType type, int64_t count) {
    TileError error;
    EXPECT_EQ(tileArrayCreate(type, 1, &count, &array, &error), TileError_None) << error.text;
  }
  ~Array() { tileArrayRelease(&array); }
  Array(const Array &) = delete;
  double at(int64_t i) const {
    const char *element = (const char *)array.data + i * (int64_t)tileElementTypeSize(array.type);
    TileScalar value = tileScalarLoad(array.type, element);
    return tileElementTypeIsFloat(array.type) ? value.f : (double)value.i;
  }
  void set(int64_t i, double value) {
    TileScalar scalar;
    if (tileElementTypeIsFloat(array.type))
      scalar.f = value;
    else
      scalar.i = (int64_t)value;
    tileScalarStore(array.type, scalar, (char *)array.data + i * (int64_t)tileElementTypeSize(array.type));
  }
};

TEST(RuntimeArray, RefusesWhatCannotBe) {
  TileArray array;
  TileError error;
  const int64_t huge[3] = {1LL << 40, 1LL << 40, 1}, negative[1] = {-1},
                nothing[3] = {0, 1LL << 40, 1LL << 40};
  EXPECT_EQ(tileArrayCreate(TileElementType_F32, 2, huge, &array, &error), TileError_OutOfMemory);
  EXPECT_EQ(tileArrayCreate(TileElementType_F32, 1, negative, &array, &error), TileError_Argument);
  EXPECT_EQ(tileArrayCreate(TileElementType_F32, 9, huge, &array, &error), TileError_Argument);
  ASSERT_EQ(tileArrayCreate(TileElementType_F32, 3, nothing, &array, &error), TileError_None);
  EXPECT_EQ(array.numElements, 0);
  tileArrayRelease(&array);
}

TEST(RuntimeArray, Iota) {
  Array bytes(TileElementType_I8, 300), halves(TileElementType_F16, 2050);
  tileArrayFillIota(&bytes.array);
  tileArrayFillIota(&halves.array);
  EXPECT_EQ(bytes.at(127), 127);
  EXPECT_EQ(bytes.at(128), -128);
  EXPECT_EQ(bytes.at(256), 0);
  EXPECT_EQ(halves.at(2048), 2048);
  EXPECT_EQ(halves.at(2049), 2048); // rounded to even
}

TEST(RuntimeRandom, TheSameEverywhere) {
  Array uniform(TileElementType_F64, 3), normal(TileElementType_F64, 4), integers(TileElementType_I32, 4);
  TileError error;
  tileArrayFillUniform(&uniform.array, 1, 0, 1);
  ASSERT_EQ(tileArrayFillNormal(&normal.array, 1, &error), TileError_None);
  tileArrayFillUniform(&integers.array, 1, -128, 128);
  EXPECT_EQ(uniform.at(0), 0x1.7fdf0061bb85ap-1);
  EXPECT_EQ(uniform.at(1), 0x1.7d54b3920bcaap-2);
  EXPECT_EQ(normal.at(0), -0x1.0e3d5cbc1d718p-1);
  EXPECT_EQ(normal.at(1), 0x1.173d5a389a28p-1);
  EXPECT_EQ(normal.at(2), 0x1.3b3ee3fd15049p+0);
  EXPECT_EQ(integers.at(0), 63);
  EXPECT_EQ(integers.at(1), -33);
}

TEST(RuntimeRandom, UniformStaysInItsRange) {
  for (int type = TileElementType_I1; type < TileElementType_Count; ++type) {
    const auto element = (TileElementType)type;
    Array array(element, 20000);
    double low, high, least = INFINITY, most = -INFINITY, sum = 0;
    tileRandomRange(element, &low, &high);
    tileArrayFillUniform(&array.array, 5, low, high);
    for (int64_t i = 0; i < array.array.numElements; ++i) {
      least = std::min(least, array.at(i));
      most = std::max(most, array.at(i));
      sum += array.at(i);
    }
    EXPECT_GE(least, low) << type;
    EXPECT_LT(most, high) << type;
    EXPECT_NEAR(sum / 20000, (low + high) / 2 - (tileElementTypeIsFloat(element) ? 0 : 0.5),
                (high - low) * 0.01)
        << type;
  }
}

TEST(RuntimeRandom, UniformInAnyRange) {
  Array bytes(TileElementType_I8, 1000), halves(TileElementType_F16, 1000), wide(TileElementType_I64, 1000);
  tileArrayFillUniform(&bytes.array, 3, 5, 6);
  tileArrayFillUniform(&halves.array, 3, -1, 0);
  tileArrayFillUniform(&wide.array, 3, -9223372036854775808.0, 9223372036854775808.0);
  bool negative = false, positive = false;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(bytes.at(i), 5);
    EXPECT_LT(halves.at(i), 0);
    EXPECT_GE(halves.at(i), -1);
    negative |= wide.at(i) < -1e18;
    positive |= wide.at(i) > 1e18;
  }
  EXPECT_TRUE(negative && positive);
}

TEST(RuntimeRandom, NormalHasItsMoments) {
  Array array(TileElementType_F64, 200001);
  TileError error;
  ASSERT_EQ(tileArrayFillNormal(&array.array, 7, &error), TileError_None);
  double sum = 0, squares = 0, fourths = 0;
  for (int64_t i = 0; i < array.array.numElements; ++i) {
    const double x = array.at(i);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / 200001, 0, 0.01);
  EXPECT_NEAR(squares / 200001, 1, 0.02);
  EXPECT_NEAR(fourths / 200001, 3, 0.1);
  Array integers(TileElementType_I32, 2);
  EXPECT_EQ(tileArrayFillNormal(&integers.array, 7, &error), TileError_Argument);
}

TEST(RuntimeRandom, PrefixesAgree) {
  Array few(TileElementType_F32, 7), many(TileElementType_F32, 100);
  TileError error;
  ASSERT_EQ(tileArrayFillNormal(&few.array, 9, &error), TileError_None);
  ASSERT_EQ(tileArrayFillNormal(&many.array, 9, &error), TileError_None);
  EXPECT_EQ(memcmp(few.array.data, many.array.data, 28), 0);
}

TileComparison compare(const Array &got, const Array &expected, double atol, double rtol) {
  TileComparison result;
  tileArrayCompare(&got.array, &expected.array, atol, rtol, &result);
  return result;
}

TEST(RuntimeCompare, FindsTheLargestErrors) {
  Array got(TileElementType_F32, 4), expected(TileElementType_F32, 4);
  const double values[4] = {1, 2, 1000, 0.5};
  for (int i = 0; i < 4; ++i) {
    got.set(i, values[i]);
    expected.set(i, values[i]);
  }
  EXPECT_TRUE(compare(got, expected, 0, 0).identical);
  got.set(2, 1001);
  got.set(3, 0.75);
  TileComparison result = compare(got, expected, 0, 0.01);
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.numMismatches, 1);
  EXPECT_EQ(result.firstMismatch, 3);
  EXPECT_EQ(result.maxAbs, 1);
  EXPECT_EQ(result.maxAbsAt, 2);
  EXPECT_EQ(result.maxRel, 0.5);
  EXPECT_EQ(result.maxRelAt, 3);
  EXPECT_EQ(result.maxExpected, 1000);
  EXPECT_TRUE(compare(got, expected, 0.25, 0.001).equal);
}

TEST(RuntimeCompare, SpecialValues) {
  Array got(TileElementType_F16, 3), expected(TileElementType_F16, 3);
  got.set(0, NAN);
  expected.set(0, NAN);
  ((uint16_t *)got.array.data)[0] = 0xfe01; // another NaN is a NaN as well
  got.set(1, INFINITY);
  expected.set(1, INFINITY);
  EXPECT_TRUE(compare(got, expected, 0, 0).equal);
  got.set(1, -INFINITY);
  EXPECT_EQ(compare(got, expected, 1e9, 1e9).numSpecial, 1);
  got.set(1, 65504);
  EXPECT_FALSE(compare(got, expected, 1e9, 1e9).equal);
  got.set(1, INFINITY);
  got.set(0, 3);
  EXPECT_EQ(compare(got, expected, 1e9, 1e9).firstMismatch, 0);
}

TEST(RuntimeCompare, ZeroTolerancesCompareBits) {
  Array got(TileElementType_F32, 1), expected(TileElementType_F32, 1);
  got.set(0, -0.0);
  EXPECT_FALSE(compare(got, expected, 0, 0).equal);
  EXPECT_TRUE(compare(got, expected, 1e-30, 0).equal);
  EXPECT_FALSE(compare(got, expected, 1e-30, 0).identical);
  Array a(TileElementType_I64, 1), b(TileElementType_I64, 1);
  ((int64_t *)a.array.data)[0] = INT64_MAX;
  ((int64_t *)b.array.data)[0] = INT64_MAX - 1;
  EXPECT_FALSE(compare(a, b, 0, 0).equal);
  EXPECT_EQ(compare(a, b, 0, 0).maxAbs, 1);
}

} // namespace
