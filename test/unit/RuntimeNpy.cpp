// RuntimeNpy.cpp - .npy files: written and read again, converted, malformed.
#include "tile-c/HostArray.h"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

class RuntimeNpy : public testing::Test {
protected:
  std::filesystem::path folder;
  TileArray array = {};
  TileError error = {};

  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             (std::string("tile-npy-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
              std::to_string((uintptr_t)this));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override {
    tileArrayRelease(&array);
    std::filesystem::remove_all(folder);
  }
  std::string path(const char *name = "a.npy") { return (folder / name).string(); }

  void writeBytes(const std::string &bytes) { std::ofstream(path(), std::ios::binary) << bytes; }

  /// A file of format version `version` around `header` and `data`.
  static std::string npy(const std::string &header, const std::string &data, int version = 1) {
    std::string text = "\x93NUMPY";
    text += (char)version;
    text += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
      text += (char)(header.size() >> 8 * i);
    return text + header + data;
  }
  template <typename T> static std::string numbers(std::vector<T> values) {
    return std::string((const char *)values.data(), values.size() * sizeof(T));
  }
  std::string readError(TileElementType type, const std::string &bytes) {
    writeBytes(bytes);
    tileArrayRelease(&array);
    error.text[0] = 0;
    TileErrorCode code = tileNpyRead(path().c_str(), type, &array, &error);
    const std::string text = error.text;
    return !code ? "" : text.substr(text.find(".npy") + 6); // without the path
  }
  void read(TileElementType type, const std::string &bytes) { ASSERT_EQ(readError(type, bytes), ""); }
  double at(int64_t i) {
    TileScalar value =
        tileScalarLoad(array.type, (char *)array.data + i * (int64_t)tileElementTypeSize(array.type));
    return tileElementTypeIsFloat(array.type) ? value.f : (double)value.i;
  }
};

TEST_F(RuntimeNpy, EveryTypeRoundTrips) {
  for (int type = TileElementType_I1; type < TileElementType_Count; ++type) {
    const int64_t shape[3] = {2, 3, 5};
    TileArray written, read;
    ASSERT_EQ(tileArrayCreate((TileElementType)type, 3, shape, &written, &error), TileError_None);
    double low, high;
    tileRandomRange(written.type, &low, &high);
    tileArrayFillUniform(&written, 1, low, high);
    ASSERT_EQ(tileNpyWrite(path().c_str(), &written, &error), TileError_None) << error.text;
    ASSERT_EQ(tileNpyRead(path().c_str(), written.type, &read, &error), TileError_None) << error.text;
    EXPECT_EQ(read.rank, 3u);
    EXPECT_EQ(read.shape[2], 5);
    EXPECT_EQ(memcmp(read.data, written.data, tileArrayBytes(&written)), 0) << type;
    tileArrayRelease(&read);
    tileArrayRelease(&written);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "a temporary file is left";
}

TEST_F(RuntimeNpy, Versions) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\n";
  for (int version = 1; version <= 3; ++version) {
    read(TileElementType_F32, npy(header, numbers<float>({1, 2}), version));
    EXPECT_EQ(at(1), 2);
  }
  EXPECT_EQ(readError(TileElementType_F32, npy(header, numbers<float>({1, 2}), 4)),
            "got .npy format version 4.0, expected 1 to 3");
}

TEST_F(RuntimeNpy, Conversions) {
  read(TileElementType_F16, npy("{'descr':'<f8','fortran_order':False,'shape':(2,)}",
                                numbers<double>({1 + 0x1p-11 + 0x1p-40, 1e6})));
  EXPECT_EQ(at(0),
            1 + 0x1p-10); // one rounding: not through f32, which would lose the last bit and go to even
  EXPECT_EQ(at(1), INFINITY);
  read(TileElementType_BF16,
       npy("{'descr':'<f4','fortran_order':False,'shape':(1,)}", numbers<float>({0.1f})));
  EXPECT_EQ(((uint16_t *)array.data)[0], 0x3dcd);
  read(TileElementType_F32, npy("{'descr':'<i8','fortran_order':False,'shape':(2,)}",
                                numbers<int64_t>({(1LL << 62) + (1LL << 38) + 1, -9})));
  EXPECT_EQ(at(0), (double)((1LL << 62) + (1LL << 39))); // just above a half step: once, up
  EXPECT_EQ(at(1), -9);
  read(TileElementType_I32,
       npy("{'descr':'<f4','fortran_order':False,'shape':(3,)}", numbers<float>({2.5f, -3.5f, 7})));
  EXPECT_EQ(at(0), 2);
  EXPECT_EQ(at(1), -4);
  read(TileElementType_I8, npy("{'descr':'|u1','fortran_order':False,'shape':(1,)}", "\xff"));
  EXPECT_EQ(at(0), -1);
  read(TileElementType_I1, npy("{'descr':'|b1','fortran_order':False,'shape':(2,)}", std::string("\0\1", 2)));
  EXPECT_EQ(at(0) + 10 * at(1), 10);
  read(TileElementType_F8E4M3FN, npy("{'descr':'|u1','fortran_order':False,'shape':(1,)}", "\x7e"));
  EXPECT_EQ(at(0), 448);
  read(TileElementType_F8E4M3FN,
       npy("{'descr':'<f4','fortran_order':False,'shape':(2,)}", numbers<float>({1000, 17})));
  EXPECT_EQ(at(0), 448); // f8 saturates
  EXPECT_EQ(at(1), 16);  // a tie goes to even
}

TEST_F(RuntimeNpy, ConversionsRefused) {
  const std::string f4 = "{'descr':'<f4','fortran_order':False,'shape':(2,)}";
  EXPECT_EQ(readError(TileElementType_I32, npy(f4, numbers<float>({0, NAN}))),
            "element 1 is nan, which no i32 holds");
  EXPECT_EQ(readError(TileElementType_I8, npy(f4, numbers<float>({300, 0}))),
            "element 0 is 300, which no i8 holds");
  EXPECT_EQ(readError(TileElementType_I64, npy(f4, numbers<float>({1e30f, 0}))),
            "element 0 is 1e+30, which no i64 holds");
  EXPECT_EQ(readError(TileElementType_I8,
                      npy("{'descr':'<i4','fortran_order':False,'shape':(1,)}", numbers<int32_t>({-129}))),
            "element 0 is -129, which no i8 holds");
}

TEST_F(RuntimeNpy, FortranOrder) {
  // [[1, 2, 3], [4, 5, 6]] by columns.
  read(TileElementType_F32,
       npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", numbers<float>({1, 4, 2, 5, 3, 6})));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(at(i), i + 1);
}

TEST_F(RuntimeNpy, Scalars) {
  read(TileElementType_F64,
       npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", numbers<double>({3})));
  EXPECT_EQ(array.rank, 0u);
  EXPECT_EQ(array.numElements, 1);
  read(TileElementType_F64, npy("{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4), }", ""));
  EXPECT_EQ(array.numElements, 0);
}

TEST_F(RuntimeNpy, Malformed) {
  const std::string data = numbers<float>({1, 2});
  EXPECT_EQ(readError(TileElementType_F32, ""), "truncated: got 0 bytes of the .npy magic, expected 8");
  EXPECT_EQ(readError(TileElementType_F32, "PK\3\4 a zip file"), "not a .npy file");
  EXPECT_EQ(readError(TileElementType_F32, npy("{'descr':'>f4','fortran_order':False,'shape':(2,)}", data)),
            "got big-endian numbers ('>f4'), expected little-endian");
  EXPECT_EQ(readError(TileElementType_F32, npy("{'descr':'<c8','fortran_order':False,'shape':(1,)}", data)),
            "got elements of type '<c8', expected bool, int, uint, float16, float32 or float64");
  EXPECT_EQ(
      readError(TileElementType_F32, npy("{'descr':[('a','<f4')],'fortran_order':False,'shape':(2,)}", data)),
      "got records, expected an array of numbers");
  EXPECT_EQ(readError(TileElementType_F32, npy("{'descr':'<f4','fortran_order':False,'shape':(3,)}", data)),
            "truncated: got 8 bytes of data, expected 12");
  EXPECT_EQ(readError(TileElementType_F32,
                      npy("{'descr':'<f4','fortran_order':False,'shape':(4611686018427387904,4)}", data)),
            "truncated: got 8 bytes of data, expected 73786976294838206464");
  for (const char *header :
       {"", "{", "{}", "{'descr':'<f4'}", "{'descr':'<f4','fortran_order':0,'shape':(2,)}",
        "{'descr':'<f4','fortran_order':False,'shape':(2}",
        "{'descr':'<f4','fortran_order':False,'shape':(-2,)}",
        "{'descr':'<f4','fortran_order':False,'shape':(1,1,1,1,1,1,1,1,1)}", "{'descr':'<f4' 'shape':(2,)}",
        "{'descr':'<f4','fortran_order':False,'shape':(99999999999999999999,)}"})
    EXPECT_EQ(readError(TileElementType_F32, npy(header, data)),
              "malformed .npy header, expected 'descr', 'fortran_order' and a 'shape' of at most 8")
        << header;
}

TEST_F(RuntimeNpy, EveryCutFileIsRefused) {
  const int64_t shape[1] = {4};
  TileArray written;
  ASSERT_EQ(tileArrayCreate(TileElementType_BF16, 1, shape, &written, &error), TileError_None);
  ASSERT_EQ(tileNpyWrite(path("b.npy").c_str(), &written, &error), TileError_None);
  tileArrayRelease(&written);
  std::ifstream file(path("b.npy"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(bytes.size(), 128u + 16);
  EXPECT_EQ(readError(TileElementType_BF16, bytes), "");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(readError(TileElementType_BF16, bytes.substr(0, size)), "") << size;
}

TEST_F(RuntimeNpy, FailedWriteLeavesNothing) {
  const int64_t shape[1] = {4};
  ASSERT_EQ(tileArrayCreate(TileElementType_F32, 1, shape, &array, &error), TileError_None);
  std::filesystem::create_directories(folder / "taken" / "by");
  EXPECT_EQ(tileNpyWrite(path("taken").c_str(), &array, &error), TileError_File);
  EXPECT_NE(strstr(error.text, "taken: cannot write: "), nullptr) << error.text;
  EXPECT_EQ(tileNpyWrite(path("none/a.npy").c_str(), &array, &error), TileError_File);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  if (std::filesystem::exists("/dev/full")) { // a full disk
    EXPECT_EQ(tileNpyWrite("/dev/full", &array, &error), TileError_File);
    EXPECT_STREQ(error.text, "/dev/full: cannot write: No space left on device");
  }
}

} // namespace
