// RuntimeManifest.cpp - the launch contract's JSON text: both ways, and what a reader refuses.
#include "tile-c/Manifest.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {

std::string write(const TileManifest &manifest) {
  size_t size = 0;
  char *text = tileManifestWrite(&manifest, &size);
  std::string result = text ? std::string(text, size) : std::string();
  free(text);
  return result;
}

/// The error that reading `text` gives; empty if it is read.
std::string readError(const std::string &text) {
  TileManifest manifest;
  TileError error;
  TileErrorCode code = tileManifestParse(text.data(), text.size(), &manifest, &error);
  tileManifestRelease(&manifest);
  return code ? error.text : "";
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Sample {
  TileManifestParam params[3] = {};
  TileHiddenKind hidden[2] = {TileHiddenKind_Scratch, TileHiddenKind_ProgramsX};
  TileManifestKernel kernel = {};
  TileManifest manifest = {};
  Sample() {
    params[0] = {"x", TileParamKind_Pointer, TileElementType_BF16, 16, 0, {}, 0, {}};
    params[1] = {"n", TileParamKind_Scalar, TileElementType_I64, 0, 0, {}, 0, {}};
    params[2] = {"d", TileParamKind_Descriptor,    TileElementType_F16, 16, 2, {128, 64},
                 128, TileDescriptorForm_TensorMap};
    kernel.name = "k";
    kernel.params = params;
    kernel.numParams = 3;
    kernel.hidden = hidden;
    kernel.numHidden = 2;
    kernel.numWarps = 8;
    kernel.threadsPerWarp = 32;
    kernel.extraWarps = 4;
    kernel.numCtas = 2;
    kernel.sharedBytes = 230000;
    kernel.gridRule = TileGridRule_Persistent;
    kernel.blocksPerProcessor = 1;
    kernel.cluster[0] = 2;
    kernel.scratchBytes = 1ULL << 40;
    kernel.scratchBytesPerBlock = 3;
    kernel.scratchKept = true;
    manifest.target = "sm_90a";
    manifest.vendor = TileVendor_NVIDIA;
    manifest.file = "k.cubin";
    manifest.kernels = &kernel;
    manifest.numKernels = 1;
  }
};

TEST(RuntimeManifest, ReadsWhatItWrites) {
  Sample sample;
  std::string text = write(sample.manifest);
  TileManifest read;
  TileError error;
  ASSERT_EQ(tileManifestParse(text.data(), text.size(), &read, &error), TileError_None) << error.text;
  EXPECT_STREQ(read.target, "sm_90a");
  EXPECT_EQ(read.vendor, TileVendor_NVIDIA);
  EXPECT_STREQ(read.file, "k.cubin");
  ASSERT_EQ(read.numKernels, 1u);
  const TileManifestKernel &kernel = read.kernels[0];
  ASSERT_EQ(kernel.numParams, 3u);
  EXPECT_EQ(kernel.params[0].type, TileElementType_BF16);
  EXPECT_EQ(kernel.params[1].divisibility, 1);
  EXPECT_EQ(kernel.params[2].rank, 2u);
  EXPECT_EQ(kernel.params[2].box[1], 64);
  EXPECT_EQ(kernel.params[2].swizzleBytes, 128u);
  ASSERT_EQ(kernel.numHidden, 2u);
  EXPECT_EQ(kernel.hidden[1], TileHiddenKind_ProgramsX);
  EXPECT_EQ(kernel.numWarps, 8u);
  EXPECT_EQ(kernel.extraWarps, 4u);
  EXPECT_EQ(kernel.numCtas, 2u);
  EXPECT_EQ(kernel.sharedBytes, 230000u);
  EXPECT_FALSE(kernel.sharedStatic);
  EXPECT_EQ(kernel.gridRule, TileGridRule_Persistent);
  EXPECT_EQ(kernel.cluster[0], 2u);
  EXPECT_EQ(kernel.cluster[1], 1u);
  EXPECT_EQ(kernel.scratchBytes, 1ULL << 40);
  EXPECT_EQ(kernel.scratchBytesPerBlock, 3u);
  EXPECT_TRUE(kernel.scratchKept);
  EXPECT_EQ(write(read), text);
  tileManifestRelease(&read);
}

TEST(RuntimeManifest, RowsThatStartAlikeHaveAMap) {
  TileTensorMap map = {};
  map.type = TileElementType_F16;
  map.rank = 2;
  map.rowsApart = 8;
  map.firstRow = 1;
  // Rows of 4111 elements: the second one starts 30 bytes behind a multiple of 8192, the last of ten is the tenth.
  TileMapPlace place = {0x1000, {4111, 10}, {2, 8222}};
  tileTensorMapPlace(&map, &place);
  EXPECT_EQ(place.base, 0x1000u + 8208);
  EXPECT_EQ(place.sizes[0], 4111 + 7);
  EXPECT_EQ(place.sizes[1], 2);
  EXPECT_EQ(place.strides[1], 8 * 8222);
  map.firstRow = 7;
  place = {0x1000, {64, 7}, {2, 128}};
  tileTensorMapPlace(&map, &place);
  EXPECT_EQ(place.base, 0x1000u + 7 * 128);
  EXPECT_EQ(place.sizes[0], 64);
  EXPECT_EQ(place.sizes[1], 0); // the kernel does without
  map.rowsApart = 0;
  place = {0x1000, {64, 7}, {2, 130}};
  tileTensorMapPlace(&map, &place);
  EXPECT_EQ(place.base, 0x1000u);
  EXPECT_EQ(place.strides[1], 130);
}

TEST(RuntimeManifest, WithoutTargetOnlyParametersAreNeeded) {
  const std::string text = R"({"schema": 1, "target": null, "kernels": [
      {"name": "k", "params": [{"kind": "scalar", "type": "f8E5M2"}], "hidden": [], "news": 3}]})";
  TileManifest read;
  TileError error;
  ASSERT_EQ(tileManifestParse(text.data(), text.size(), &read, &error), TileError_None) << error.text;
  EXPECT_EQ(read.target, nullptr);
  EXPECT_EQ(read.kernels[0].params[0].type, TileElementType_F8E5M2);
  EXPECT_STREQ(read.kernels[0].params[0].name, "");
  tileManifestRelease(&read);
}

TEST(RuntimeManifest, ErrorsNameTheMember) {
  Sample sample;
  const std::string text = write(sample.manifest);
  EXPECT_EQ(readError(text), "");
  EXPECT_EQ(readError("[1]"), "manifest: got a JSON value, expected an object");
  EXPECT_EQ(readError("{"), "manifest: line 1, column 1: not JSON: string or '}' expected near end of file");
  EXPECT_EQ(readError("{}"), "manifest: schema: got nothing, expected an integer of at least 1");
  EXPECT_EQ(readError(replaced(text, "\"schema\": 1", "\"schema\": 7")),
            "manifest: got schema 7, expected at most 2: it is from a newer compiler");
  EXPECT_EQ(readError(replaced(text, "nvidia", "intel")),
            "manifest: vendor: got \"intel\", expected \"nvidia\" or \"amd\"");
  EXPECT_EQ(readError(replaced(text, "\"num_warps\": 8", "\"num_warps\": 0")),
            "manifest: kernels[0].num_warps: got 0, expected an integer from 1 to 64");
  EXPECT_EQ(readError(replaced(text, "\"num_warps\": 8,", "")),
            "manifest: kernels[0].num_warps: got nothing, expected an integer from 1 to 64");
  EXPECT_EQ(readError(replaced(text, "bf16", "bf17")),
            "manifest: kernels[0].params[0].type: got \"bf17\", expected an element type");
  EXPECT_EQ(
      readError(replaced(text, "\"scalar\"", "true")),
      "manifest: kernels[0].params[1].kind: got true, expected \"pointer\", \"scalar\" or \"descriptor\"");
  EXPECT_EQ(
      readError(replaced(text, "\"scratch\"", "\"stack\"")),
      "manifest: kernels[0].hidden: got \"stack\", expected \"scratch\", \"programs_x\", \"programs_y\" or "
      "\"programs_z\"");
  EXPECT_EQ(readError(replaced(text, "persistent", "lazy")),
            "manifest: kernels[0].grid_rule.kind: got \"lazy\", expected \"persistent\"");
  EXPECT_EQ(readError(replaced(text, "\"shared_static\": false", "\"shared_static\": 0")),
            "manifest: kernels[0].shared_static: got 0, expected true or false");
}

TEST(RuntimeManifest, AnyCutTextIsRefused) {
  Sample sample;
  const std::string text = write(sample.manifest);
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(readError(text.substr(0, size)), "") << size;
}

TEST(RuntimeManifest, FindsKernels) {
  TileManifestKernel kernels[2] = {};
  kernels[0].name = "a";
  kernels[1].name = "b";
  TileManifest manifest = {};
  manifest.kernels = kernels;
  const TileManifestKernel *found;
  TileError error;
  EXPECT_EQ(tileManifestFindKernel(&manifest, nullptr, &found, &error), TileError_MissingKernel);
  EXPECT_STREQ(error.text, "the file has no kernel");
  manifest.numKernels = 1;
  EXPECT_EQ(tileManifestFindKernel(&manifest, nullptr, &found, &error), TileError_None);
  EXPECT_EQ(found, &kernels[0]);
  manifest.numKernels = 2;
  EXPECT_EQ(tileManifestFindKernel(&manifest, nullptr, &found, &error), TileError_MissingKernel);
  EXPECT_STREQ(error.text, "the file has 2 kernels, name one of them: 'a', 'b'");
  EXPECT_EQ(tileManifestFindKernel(&manifest, "b", &found, &error), TileError_None);
  EXPECT_EQ(found, &kernels[1]);
  EXPECT_EQ(tileManifestFindKernel(&manifest, "c", &found, &error), TileError_MissingKernel);
  EXPECT_STREQ(error.text, "no kernel 'c', the file has 'a', 'b'");
}

} // namespace
