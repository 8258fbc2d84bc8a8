// CompileTest.cpp - tileCompile from several threads at once.
#include "tile-c/Compile.h"
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {
//-------------------------------------------------------------------------------------------------===//

const char *const nvidiaText = R"(llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  llvm.store %t, %p : i32, !llvm.ptr<1>
  llvm.return
})";
const char *const amdText = R"(llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
  %t = rocdl.workitem.id.x : i32
  llvm.store %t, %p : i32, !llvm.ptr<1>
  llvm.return
})";

std::string compile(const char *text, const char *target, TileEmit emit) {
  TileCompileOptions options;
  tileCompileOptionsInit(&options);
  options.target = target;
  TileCompileResult result;
  if (tileCompile(text, strlen(text), emit, &options, &result))
    return "failed";
  std::string data(result.data, result.size);
  tileCompileResultRelease(&result);
  return data;
}

TEST(Compile, IsThreadSafeAndRepeatable) {
  const std::string ptx = compile(nvidiaText, "sm_90a", TileEmit_PTX),
                    hsaco = compile(amdText, "gfx942", TileEmit_HSACO);
  ASSERT_NE(ptx, "failed");
  ASSERT_NE(hsaco, "failed");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i)
        wrong[t] += (t + i) % 2 ? compile(nvidiaText, "sm_90a", TileEmit_PTX) != ptx
                                : compile(amdText, "gfx942", TileEmit_HSACO) != hsaco;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

} // namespace
