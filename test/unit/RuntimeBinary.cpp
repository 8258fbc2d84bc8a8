// RuntimeBinary.cpp - what a binary is, and which device runs code for which chip.
#include "tile-c/Runtime.h"
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {

TileBinaryKind kindOf(const std::string &bytes) { return tileBinaryKindOf(bytes.data(), bytes.size()); }

std::string elf(unsigned machine) {
  std::string bytes(64, '\0');
  memcpy(&bytes[0], "\177ELF\2\1\1", 7);
  bytes[18] = (char)machine;
  return bytes;
}

TEST(RuntimeBinary, Kinds) {
  EXPECT_EQ(kindOf(""), TileBinary_Unknown);
  EXPECT_EQ(kindOf("module {}"), TileBinary_Unknown);
  EXPECT_EQ(kindOf("// .version 8.0\nmodule {}"), TileBinary_Unknown);
  EXPECT_EQ(kindOf("//\n// Generated\n/* a\n** b */\n\n.version 8.0\n"), TileBinary_PTX);
  EXPECT_EQ(kindOf("/* not closed"), TileBinary_Unknown);
  EXPECT_EQ(kindOf("/"), TileBinary_Unknown);
  EXPECT_EQ(kindOf(elf(190)), TileBinary_Cubin);
  EXPECT_EQ(kindOf(elf(224)), TileBinary_HSACO);
  EXPECT_EQ(kindOf(elf(62)), TileBinary_Unknown);
  EXPECT_EQ(kindOf(elf(190).substr(0, 40)), TileBinary_Unknown);
}

bool runs(const char *device, const char *target, TileBinaryKind kind) {
  TileDeviceInfo info = {};
  snprintf(info.target, sizeof info.target, "%s", device);
  info.kind = !strncmp(device, "sm_", 3) ? TileDevice_CUDA : TileDevice_HIP;
  if (info.kind == TileDevice_CUDA) {
    const int number = atoi(device + 3);
    info.major = (unsigned)number / 10;
    info.minor = (unsigned)number % 10;
  }
  TileError error;
  return tileDeviceCheckTarget(&info, target, kind, &error) == TileError_None;
}

TEST(RuntimeBinary, Targets) {
  EXPECT_TRUE(runs("sm_90a", "sm_90a", TileBinary_Cubin));
  EXPECT_TRUE(runs("sm_90a", "sm_90", TileBinary_Cubin));
  EXPECT_FALSE(runs("sm_90a", "sm_80", TileBinary_Cubin));
  EXPECT_TRUE(runs("sm_90a", "sm_80", TileBinary_PTX));
  EXPECT_TRUE(runs("sm_86", "sm_80", TileBinary_Cubin));
  EXPECT_FALSE(runs("sm_80", "sm_86", TileBinary_Cubin));
  EXPECT_FALSE(runs("sm_80", "sm_90", TileBinary_PTX));
  EXPECT_FALSE(runs("sm_100a", "sm_90a", TileBinary_Cubin));
  EXPECT_FALSE(runs("sm_100a", "sm_90a", TileBinary_PTX));
  EXPECT_TRUE(runs("sm_103a", "sm_100f", TileBinary_Cubin));
  EXPECT_FALSE(runs("sm_103a", "sm_100a", TileBinary_Cubin));
  EXPECT_FALSE(runs("sm_90a", "gfx942", TileBinary_Cubin));
  EXPECT_TRUE(runs("gfx942", "gfx942", TileBinary_HSACO));
  EXPECT_TRUE(runs("gfx942", "gfx942:xnack-", TileBinary_HSACO));
  EXPECT_FALSE(runs("gfx90a", "gfx942", TileBinary_HSACO));
  EXPECT_FALSE(runs("gfx942", "gfx94", TileBinary_HSACO));
}

} // namespace
