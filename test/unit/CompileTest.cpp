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
// What LLVM's SDWA peephole gets wrong: links, which put LLVM's switches back, must not switch it on.
const char *const amdText =
    R"(llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64"} {
  %id = rocdl.workitem.id.x : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %p = llvm.getelementptr %in[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %w = llvm.load %p : !llvm.ptr<1> -> i32
  %a = llvm.trunc %w : i32 to i8
  %h = llvm.lshr %w, %eight : i32
  %b = llvm.trunc %h : i32 to i8
  %s = llvm.intr.ssub.sat(%a, %b) : (i8, i8) -> i8
  %e = llvm.sext %s : i8 to i16
  %z = llvm.zext %e : i16 to i32
  %x = llvm.xor %z, %w : i32
  %q = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %x, %q : i32, !llvm.ptr<1>
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
