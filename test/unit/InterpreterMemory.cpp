// InterpreterMemory.cpp - loads, stores, atomics and descriptors on the cpu device, and what is refused.
#include "InterpreterTesting.h"

namespace {

const char *const vectorAdd = R"(
func.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c64 = arith.constant 64 : i32
  %start = arith.muli %pid, %c64 : i32
  %base = tile.splat %start : tensor<64xi32>
  %lane = tile.make_range 0 to 64 : tensor<64xi32>
  %i = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : tensor<64xi32>
  %in = arith.cmpi slt, %i, %end : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %a = tile.load %px mask %in : tensor<64x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %b = tile.load %py mask %in : tensor<64x!tile.ptr<f32>>
  %s = arith.addf %a, %b : tensor<64xf32>
  %os = tile.splat %out : tensor<64x!tile.ptr<f32>>
  %po = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %po, %s mask %in : tensor<64x!tile.ptr<f32>>
  return
}
)";

TEST(InterpreterMemory, VectorAddWithMaskedTail) {
  std::vector<float> x(1000), y(1000), out(1000, -1);
  for (int i = 0; i < 1000; ++i)
    x[i] = i * 0.37f, y[i] = 1.0f / (i + 1);
  KernelRun run(vectorAdd);
  run.f32(x).f32(y).f32(out).integer(TileElementType_I32, 997);
  ASSERT_TRUE(run.run(16)) << run.log;
  for (int i = 0; i < 997; ++i)
    ASSERT_EQ(out[i], x[i] + y[i]) << i;
  EXPECT_EQ(out[997], -1);
}

TEST(InterpreterMemory, OutOfBoundsNamesOpProgramAndIndex) {
  std::vector<float> x(100), y(200), out(200);
  KernelRun run(vectorAdd);
  run.f32(x).f32(y).f32(out).integer(TileElementType_I32, 150);
  ASSERT_FALSE(run.run(3));
  EXPECT_EQ(run.log,
            "13: 'tile.load' op program (1, 0, 0): element [36] reads 4 bytes at offset 400 of argument 0, "
            "which has 400 bytes (f32[100])\n");
}

} // namespace
