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

// ---- Where pointers come from ----

TEST(InterpreterMemory, PointersLoadedFromMemory) {
  std::vector<float> x = {1, 2, 3, 4}, y(4);
  std::vector<int64_t> table = {(int64_t)(uintptr_t)&x[1]};
  std::string text = R"(
func.func @k(%x: !tile.ptr<f32>, %table: !tile.ptr<i64>, %raw: !tile.ptr<i64>, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %t = tile.load %table : !tile.ptr<i64>
  %p = tile.int_to_ptr %t : i64 -> !tile.ptr<f32>
  %a = tile.load %p : !tile.ptr<f32>
  %n = tile.load %raw : !tile.ptr<i64>
  %q = tile.int_to_ptr %n : i64 -> !tile.ptr<f32>
  %c2 = arith.constant 2 : i32
  %q2 = tile.addptr %q, %c2 : !tile.ptr<f32>, i32
  %b = tile.load %q2 : !tile.ptr<f32>
  %s = arith.addf %a, %b : f32
  tile.store %out, %s : !tile.ptr<f32>
  return
}
)";
  KernelRun run(text);
  run.f32(x).i64(table).i64(table).f32(y);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(y[0], 6);
  table[0] += 8; // its third element is past the end
  KernelRun wrong(text);
  wrong.f32(x).i64(table).i64(table).f32(y);
  EXPECT_FALSE(wrong.run());
  EXPECT_NE(
      wrong.log.find("reads 4 bytes at offset 20 of the nearest argument 0, which has 16 bytes (f32[4])"),
      std::string::npos)
      << wrong.log;
}

// The neighbour in memory belongs to another argument: still outside.
TEST(InterpreterMemory, AccessesStayInTheirOwnArgument) {
  std::vector<float> both(8), out(4);
  const char *text = R"(
func.func @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %i: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %p = scf.for %k = %zero to %three step %one iter_args(%q = %x) -> (!tile.ptr<f32>) : i32 {
    %n = tile.addptr %q, %i : !tile.ptr<f32>, i32
    scf.yield %n : !tile.ptr<f32>
  }
  %v = tile.load %p : !tile.ptr<f32>
  tile.store %y, %v : !tile.ptr<f32>
  return
}
)";
  auto attempt = [&](int step) {
    KernelRun run(text);
    TileArgument a = {}, b = {};
    a.type = b.type = TileElementType_F32, a.isBuffer = b.isBuffer = true, a.numElements = b.numElements = 4;
    a.data = both.data(), b.data = both.data() + 4;
    run.arguments = {a, b};
    run.integer(TileElementType_I32, step);
    return run.run() ? std::string("fine") : run.log;
  };
  EXPECT_EQ(attempt(1), "fine");
  EXPECT_EQ(attempt(2),
            "10: 'tile.load' op program (0, 0, 0): reads 4 bytes at offset 24 of argument 0, which has 16 "
            "bytes (f32[4])\n");
  EXPECT_NE(attempt(-1).find("at offset -12 of argument 0"), std::string::npos);
}

TEST(InterpreterMemory, SelectedPointersMayBeEither) {
  std::vector<float> x = {1}, y = {2}, out(1);
  KernelRun run(R"(
func.func @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %o: !tile.ptr<f32>, %c: i1) attributes {tile.kernel} {
  %p = arith.select %c, %x, %y : !tile.ptr<f32>
  %v = tile.load %p : !tile.ptr<f32>
  tile.store %o, %v : !tile.ptr<f32>
  return
}
)");
  run.f32(x).f32(y).f32(out).integer(TileElementType_I1, 0);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(out[0], 2);
}

TEST(InterpreterMemory, Misaligned) {
  std::vector<float> x(4), out(4);
  KernelRun run(R"(
func.func @k(%x: !tile.ptr<f32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %b = tile.bitcast %x : !tile.ptr<f32> -> !tile.ptr<i8>
  %two = arith.constant 2 : i32
  %c = tile.addptr %b, %two : !tile.ptr<i8>, i32
  %d = tile.bitcast %c : !tile.ptr<i8> -> !tile.ptr<f32>
  %v = tile.load %d : !tile.ptr<f32>
  tile.store %o, %v : !tile.ptr<f32>
  return
}
)");
  EXPECT_FALSE(run.f32(x).f32(out).run());
  EXPECT_NE(run.log.find("which is not aligned to them"), std::string::npos) << run.log;
}

TEST(InterpreterMemory, OtherAndMaskedElementsTouchNothing) {
  std::vector<float> x = {5, 6}, out(4, -1);
  KernelRun run(R"(
func.func @k(%x: !tile.ptr<f32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 4 : tensor<4xi32>
  %m = arith.constant dense<[true, false, false, false]> : tensor<4xi1>
  %nm = arith.constant dense<[true, true, true, false]> : tensor<4xi1>
  %other = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %v = tile.load %p mask %m other %other : tensor<4x!tile.ptr<f32>>
  %os = tile.splat %o : tensor<4x!tile.ptr<f32>>
  %q = tile.addptr %os, %i : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %q, %v mask %nm : tensor<4x!tile.ptr<f32>>
  return
}
)");
  ASSERT_TRUE(run.f32(x).f32(out).run()) << run.log;
  EXPECT_EQ(out, (std::vector<float>{5, 2, 3, -1}));
}

// ---- Atomics ----

/// tile.atomic_rmw `kind` of the four values on one address; the four old values are stored.
template <typename T>
std::pair<T, std::vector<T>> rmw(const char *kind, TileElementType type, T start, std::vector<T> values) {
  std::string e = tileElementTypeName(type), p = "tensor<4x!tile.ptr<" + e + ">>";
  KernelRun run("func.func @k(%m: !tile.ptr<" + e + ">, %x: !tile.ptr<" + e +
                ">) attributes {tile.kernel} {\n" +
                "%i = tile.make_range 0 to 4 : tensor<4xi32>\n%ms = tile.splat %m : " + p +
                "\n%xs = tile.splat %x : " + p + "\n%px = tile.addptr %xs, %i : " + p +
                ", tensor<4xi32>\n%v = tile.load %px : " + p + "\n%old = tile.atomic_rmw " + kind +
                " %ms, %v : " + p + "\ntile.store %px, %old : " + p + "\nreturn\n}");
  std::vector<T> memory = {start};
  run.buffer(type, memory).buffer(type, values);
  EXPECT_TRUE(run.run()) << run.log;
  return {memory[0], values};
}

TEST(InterpreterAtomics, EveryKind) {
  using R = std::pair<int32_t, std::vector<int32_t>>;
  auto i32 = TileElementType_I32;
  EXPECT_EQ(rmw<int32_t>("add", i32, 10, {1, 2, 3, 4}), R(20, {10, 11, 13, 16}));
  EXPECT_EQ(rmw<int32_t>("max", i32, 0, {-1, 5, 3, 7}), R(7, {0, 0, 5, 5}));
  EXPECT_EQ(rmw<int32_t>("min", i32, 0, {-1, 5, -3, 7}), R(-3, {0, -1, -1, -3}));
  EXPECT_EQ(rmw<int32_t>("umax", i32, 0, {5, -1, 3, 7}), R(-1, {0, 5, -1, -1}));
  EXPECT_EQ(rmw<int32_t>("umin", i32, -1, {5, -2, 3, 7}), R(3, {-1, 5, 5, 3}));
  EXPECT_EQ(rmw<int32_t>("and", i32, 15, {7, 30, -1, 5}), R(4, {15, 7, 6, 6}));
  EXPECT_EQ(rmw<int32_t>("or", i32, 0, {1, 2, 4, 4}), R(7, {0, 1, 3, 7}));
  EXPECT_EQ(rmw<int32_t>("xor", i32, 1, {1, 2, 4, 4}), R(2, {1, 0, 2, 6}));
  EXPECT_EQ(rmw<int32_t>("exch", i32, 1, {2, 3, 4, 5}), R(5, {1, 2, 3, 4}));
  using F = std::pair<float, std::vector<float>>;
  EXPECT_EQ(rmw<float>("fadd", TileElementType_F32, 0.5f, {1, 2, 3, 4}), F(10.5f, {0.5f, 1.5f, 3.5f, 6.5f}));
  using H = std::pair<uint16_t, std::vector<uint16_t>>; // bf16: 256 + 1 rounds back
  EXPECT_EQ(rmw<uint16_t>("fadd", TileElementType_BF16, 0x4380, {0x3F80, 0x3F80, 0x3F80, 0x4000}),
            H(0x4381, {0x4380, 0x4380, 0x4380, 0x4380}));
}

TEST(InterpreterAtomics, CompareAndSwapLocks) {
  const char *text = R"(
func.func @k(%lock: !tile.ptr<i32>, %count: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %held = scf.while (%x = %one) : (i32) -> i32 {
    %old = tile.atomic_cas %lock, %zero, %one sem = acquire : !tile.ptr<i32>
    %busy = arith.cmpi ne, %old, %zero : i32
    scf.condition(%busy) %old : i32
  } do {
  ^bb0(%old: i32):
    scf.yield %old : i32
  }
  %v = tile.load %count : !tile.ptr<i32>
  %w = arith.addi %v, %one : i32
  tile.store %count, %w : !tile.ptr<i32>
  %free = tile.atomic_rmw exch %lock, %zero sem = release : !tile.ptr<i32>
  return
}
)";
  std::vector<int32_t> lock(1), count(1);
  KernelRun run(text);
  ASSERT_TRUE(run.i32(lock).i32(count).run(50)) << run.log;
  EXPECT_EQ(count[0], 50);
  lock[0] = 1; // nobody frees it
  KernelRun stuck(text);
  stuck.options.maxSteps = 10000;
  EXPECT_FALSE(stuck.i32(lock).i32(count).run());
  EXPECT_NE(stuck.log.find("the limit of 10000 steps is reached"), std::string::npos);
}

TEST(InterpreterAtomics, Poll) {
  std::vector<int32_t> flag = {3}, out(1, -1);
  auto text = [](const char *timeout) {
    return std::string(R"(
func.func @k(%flag: !tile.ptr<i32>, %out: !tile.ptr<i32>, %want: i32) attributes {tile.kernel} {
  %ns = arith.constant 1000 : i64
  %seen = tile.atomic_poll %flag, %want )") +
           timeout + R"( : !tile.ptr<i32>
  %r = arith.extui %seen : i1 to i32
  tile.store %out, %r : !tile.ptr<i32>
  return
}
)";
  };
  KernelRun there(text("")), late(text("timeout %ns")), never(text(""));
  ASSERT_TRUE(there.i32(flag).i32(out).integer(TileElementType_I32, 3).run()) << there.log;
  EXPECT_EQ(out[0], 1);
  ASSERT_TRUE(late.i32(flag).i32(out).integer(TileElementType_I32, 4).run()) << late.log;
  EXPECT_EQ(out[0], 0);
  EXPECT_FALSE(never.i32(flag).i32(out).integer(TileElementType_I32, 4).run());
  EXPECT_NE(never.log.find("waits for ever: memory holds 3, expected 4"), std::string::npos) << never.log;
}

// ---- Descriptors ----

TEST(InterpreterDescriptors, LoadPadsAndStoreClips) {
  std::vector<float> x(15), y(15, -1);
  for (int i = 0; i < 15; ++i)
    x[i] = (float)i;
  KernelRun run(R"(
func.func @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %i: i32, %j: i32) attributes {tile.kernel} {
  %m = arith.constant 3 : i32
  %n = arith.constant 5 : i32
  %ld = arith.constant 5 : i64
  %c1 = arith.constant 1 : i64
  %d = tile.make_desc %x shape [%m, %n] strides [%ld, %c1] padding = nan : !tile.desc<2x4xf32>
  %e = tile.make_desc %y shape [%m, %n] strides [%ld, %c1] : !tile.desc<2x4xf32>
  %t = tile.desc_load %d[%i, %j] : !tile.desc<2x4xf32> -> tensor<2x4xf32>
  tile.desc_store %e[%i, %j], %t : !tile.desc<2x4xf32>, tensor<2x4xf32>
  tile.print "t" %t : tensor<2x4xf32>
  return
}
)");
  run.f32(x).f32(y).integer(TileElementType_I32, 2).integer(TileElementType_I32, -1);
  ASSERT_TRUE(run.run()) << run.log;
  const char *values[] = {"nan", "10", "11", "12", "nan", "nan", "nan", "nan"};
  for (int e = 0; e < 8; ++e)
    EXPECT_EQ(run.printed[e], "pid (0, 0, 0) idx (" + std::to_string(e / 4) + ", " + std::to_string(e % 4) +
                                  ") t" + values[e]);
  for (int e = 0; e < 15; ++e)
    EXPECT_EQ(y[e], e >= 10 && e < 13 ? (float)e : -1) << e;
}

TEST(InterpreterDescriptors, ReduceGatherScatterAsParameters) {
  std::vector<int32_t> x(12), y(12, 100);
  for (int i = 0; i < 12; ++i)
    x[i] = i;
  KernelRun run(R"(
func.func @k(%x: !tile.desc<1x2xi32>, %y: !tile.desc<1x2xi32>, %z: !tile.desc<2x2xi32>) attributes {tile.kernel} {
  %rows = arith.constant dense<[2, 5, 0]> : tensor<3xi32>
  %j = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %t = tile.desc_gather %x[%rows, %j] : !tile.desc<1x2xi32>, tensor<3xi32> -> tensor<3x2xi32>
  tile.print "t" %t : tensor<3x2xi32>
  tile.desc_scatter %y[%rows, %zero], %t : !tile.desc<1x2xi32>, tensor<3xi32>, tensor<3x2xi32>
  %ones = arith.constant dense<1> : tensor<2x2xi32>
  tile.desc_reduce add %z[%j, %j], %ones : !tile.desc<2x2xi32>, tensor<2x2xi32>
  return
}
)");
  auto descriptor = [&](std::vector<int32_t> &data) {
    run.i32(data).integer(TileElementType_I32, 4).integer(TileElementType_I32, 3);
    run.integer(TileElementType_I64, 3).integer(TileElementType_I64, 1);
  };
  descriptor(x), descriptor(y), descriptor(y);
  ASSERT_TRUE(run.run()) << run.log;
  const char *values[] = {"7", "8", "0", "0", "1", "2"};
  for (int e = 0; e < 6; ++e)
    EXPECT_EQ(run.printed[e].substr(run.printed[e].find('t')), std::string("t") + values[e]);
  EXPECT_EQ(y, (std::vector<int32_t>{1, 2, 100, 100, 101, 101, 7, 9, 101, 100, 100, 100}));
}

TEST(InterpreterDescriptors, SizesBeyondTheBufferAreFound) {
  std::vector<float> x(8);
  KernelRun run(R"(
func.func @k(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %m = arith.constant 4 : i32
  %n = arith.constant 4 : i32
  %ld = arith.constant 4 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %x shape [%m, %n] strides [%ld, %c1] : !tile.desc<4x4xf32>
  %t = tile.desc_load %d[%zero, %zero] : !tile.desc<4x4xf32> -> tensor<4x4xf32>
  return
}
)");
  EXPECT_FALSE(run.f32(x).run());
  EXPECT_EQ(
      run.log,
      "9: 'tile.desc_load' op program (0, 0, 0): element [2, 0] reads 4 bytes at offset 32 of argument 0, "
      "which has 32 bytes (f32[8])\n");
}

} // namespace
