// InterpreterShape.cpp - ops that move elements, reductions, scans and matrix products on the cpu device.
#include "InterpreterTesting.h"
#include <cmath>
#include <random>

namespace {

/// A kernel on one input of `shapeIn` and one output of `shapeOut`, both flat in memory; `op` uses %x and
/// makes %r.
std::string oneToOne(const std::string &element, const std::string &shapeIn, int sizeIn,
                     const std::string &outElement, const std::string &shapeOut, int sizeOut,
                     const std::string &op) {
  std::string in = std::to_string(sizeIn), out = std::to_string(sizeOut);
  std::string flatIn = "tensor<" + in + "x", flatOut = "tensor<" + out + "x";
  std::string p = "!tile.ptr<" + element + ">", q = "!tile.ptr<" + outElement + ">";
  return "func.func @k(%P: " + p + ", %Q: " + q + ") attributes {tile.kernel} {\n" +
         "%I = tile.make_range 0 to " + in + " : " + flatIn + "i32>\n" + "%Ps = tile.splat %P : " + flatIn +
         p + ">\n" + "%Pi = tile.addptr %Ps, %I : " + flatIn + p + ">, " + flatIn + "i32>\n" +
         "%flat = tile.load %Pi : " + flatIn + p + ">\n" + "%x = tile.reshape %flat : " + flatIn + element +
         "> -> tensor<" + shapeIn + "x" + element + ">\n" + op + "\n" + "%F = tile.reshape %r : tensor<" +
         shapeOut + "x" + outElement + "> -> " + flatOut + outElement + ">\n" + "%O = tile.make_range 0 to " +
         out + " : " + flatOut + "i32>\n" + "%Qs = tile.splat %Q : " + flatOut + q + ">\n" +
         "%Qo = tile.addptr %Qs, %O : " + flatOut + q + ">, " + flatOut + "i32>\n" +
         "tile.store %Qo, %F : " + flatOut + q + ">\nreturn\n}\n";
}

std::vector<float> iota(int n) {
  std::vector<float> v(n);
  for (int i = 0; i < n; ++i)
    v[i] = (float)i;
  return v;
}

std::vector<float> runF32(const std::string &in, int sizeIn, const std::string &out, int sizeOut,
                          const std::string &op, std::vector<float> x) {
  std::vector<float> r(sizeOut);
  KernelRun run(oneToOne("f32", in, sizeIn, "f32", out, sizeOut, op));
  run.f32(x).f32(r);
  EXPECT_TRUE(run.run()) << run.log << run.text;
  return r;
}

TEST(InterpreterShape, Trans) {
  auto r = runF32("2x3x4", 24, "4x2x3", 24,
                  "%r = tile.trans %x order = [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>", iota(24));
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(r[(a * 2 + b) * 3 + c], b * 12 + c * 4 + a);
}

TEST(InterpreterShape, BroadcastInTheMiddle) {
  auto r = runF32("2x1x3", 6, "2x4x3", 24, "%r = tile.broadcast %x : tensor<2x1x3xf32> -> tensor<2x4x3xf32>",
                  iota(6));
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(r[i], i / 12 * 3 + i % 3);
  r = runF32("1x1", 1, "3x5", 15, "%r = tile.broadcast %x : tensor<1x1xf32> -> tensor<3x5xf32>", {7});
  EXPECT_EQ(r, std::vector<float>(15, 7));
}

TEST(InterpreterShape, JoinSplitCat) {
  auto r = runF32("3x2", 6, "3x2", 6, R"(%a, %b = tile.split %x : tensor<3x2xf32> -> tensor<3xf32>
    %r = tile.join %b, %a : tensor<3xf32> -> tensor<3x2xf32>)",
                  iota(6));
  EXPECT_EQ(r, (std::vector<float>{1, 0, 3, 2, 5, 4}));
  r = runF32("3", 3, "5", 5, R"(%two = arith.constant dense<[8.0, 9.0]> : tensor<2xf32>
    %r = tile.cat %x, %two : tensor<3xf32>, tensor<2xf32> -> tensor<5xf32>)",
             iota(3));
  EXPECT_EQ(r, (std::vector<float>{0, 1, 2, 8, 9}));
}

TEST(InterpreterShape, Gather) {
  auto r = runF32("4x3", 12, "2x3", 6, R"(%j = arith.constant dense<[[3, 0, 2], [1, -1, 4]]> : tensor<2x3xi32>
    %r = tile.gather %x, %j axis = 0 : tensor<4x3xf32>, tensor<2x3xi32> -> tensor<2x3xf32>)",
                  iota(12));
  EXPECT_EQ(r, (std::vector<float>{9, 1, 8, 3, 0, 0}));
  r = runF32("2x3", 6, "2x4", 8, R"(%j = arith.constant dense<[[2, 2, 0, 1], [0, 1, 2, 0]]> : tensor<2x4xi64>
    %r = tile.gather %x, %j axis = 1 : tensor<2x3xf32>, tensor<2x4xi64> -> tensor<2x4xf32>)",
             iota(6));
  EXPECT_EQ(r, (std::vector<float>{2, 2, 0, 1, 3, 4, 5, 3}));
}

TEST(InterpreterShape, Histogram) {
  std::vector<int32_t> x = {0, 1, 1, 3, 3, 3, 4, -1, 2, 2}, r(4);
  KernelRun run(oneToOne("i32", "10", 10, "i32", "4", 4,
                         R"(%m = arith.constant dense<[1, 1, 1, 1, 1, 1, 1, 1, 1, 0]> : tensor<10xi1>
    %r = tile.histogram %x mask %m : tensor<10xi32> -> tensor<4xi32>)"));
  run.i32(x).i32(r);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(r, (std::vector<int32_t>{1, 2, 1, 3}));
}

// ---- Reductions and scans ----

std::string combiner(const std::string &op, const std::string &type) {
  return "{\n^bb0(%l: " + type + ", %h: " + type + "):\n%c = " + op + " : " + type +
         "\ntile.yield %c : " + type + "\n}";
}

TEST(InterpreterReduce, SumsAlongEachAxisAnySize) {
  const int shape[3] = {3, 7, 5};
  for (int axis = 0; axis < 3; ++axis) {
    int outer = 1, inner = 1;
    std::string out;
    for (int d = 0; d < 3; ++d) {
      if (d != axis)
        out += (out.empty() ? "" : "x") + std::to_string(shape[d]), (d < axis ? outer : inner) *= shape[d];
    }
    auto r = runF32("3x7x5", 105, out, 105 / shape[axis],
                    "%r = tile.reduce %x axis = " + std::to_string(axis) + " : tensor<3x7x5xf32> -> tensor<" +
                        out + "xf32> " + combiner("arith.addf %l, %h", "f32"),
                    iota(105));
    for (int o = 0; o < outer; ++o)
      for (int i = 0; i < inner; ++i) {
        float sum = 0;
        for (int k = 0; k < shape[axis]; ++k)
          sum += (float)((o * shape[axis] + k) * inner + i);
        EXPECT_EQ(r[o * inner + i], sum);
      }
  }
}

TEST(InterpreterReduce, KeepsTheOrderOfAnAssociativeCombiner) {
  // Composition of affine maps x -> f x + g does not commute.
  for (int n : {1, 2, 3, 8, 13, 64}) {
    std::vector<float> x(2 * n), r(2);
    float f = 1, g = 0;
    for (int i = 0; i < n; ++i) {
      x[2 * i] = i % 3 ? 1 : -1, x[2 * i + 1] = (float)(i % 5);
      g = x[2 * i] * g + x[2 * i + 1], f = x[2 * i] * f;
    }
    std::string size = std::to_string(n), pair = size + "x2";
    KernelRun run(oneToOne("f32", pair, 2 * n, "f32", "1x2", 2,
                           R"(%fs, %gs = tile.split %x : tensor<)" + pair + R"(xf32> -> tensor<)" + size +
                               R"(xf32>
      %fr, %gr = tile.reduce %fs, %gs axis = 0 : tensor<)" +
                               size + "xf32>, tensor<" + size + R"(xf32> -> f32, f32 {
      ^bb0(%fl: f32, %gl: f32, %fh: f32, %gh: f32):
        %f = arith.mulf %fl, %fh : f32
        %t = arith.mulf %fh, %gl : f32
        %g = arith.addf %t, %gh : f32
        tile.yield %f, %g : f32, f32
      }
      %a = tile.splat %fr : tensor<1xf32>
      %b = tile.splat %gr : tensor<1xf32>
      %r = tile.join %a, %b : tensor<1xf32> -> tensor<1x2xf32>)"));
    run.f32(x).f32(r);
    ASSERT_TRUE(run.run()) << run.log;
    EXPECT_EQ(r, (std::vector<float>{f, g})) << n;
  }
}

const char *const argmaxBody = R"(%idx1 = tile.make_range 0 to 6 : tensor<6xi32>
    %idx2 = tile.expand_dims %idx1 axis = 0 : tensor<6xi32> -> tensor<1x6xi32>
    %idx = tile.broadcast %idx2 : tensor<1x6xi32> -> tensor<4x6xi32>
    %v, %r = tile.reduce %x, %idx axis = 1 : tensor<4x6xf32>, tensor<4x6xi32> -> tensor<4xf32>, tensor<4xi32> {
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      BODY
    })";

std::vector<int32_t> argmax(const std::string &body) {
  std::string op = argmaxBody;
  op.replace(op.find("BODY"), 4, body);
  std::vector<float> x = {1, 5, 5, 2, 0, 5, 9, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6};
  std::vector<int32_t> r(4);
  KernelRun run(oneToOne("f32", "4x6", 24, "i32", "4", 4, op));
  run.f32(x).i32(r);
  EXPECT_TRUE(run.run()) << run.log;
  return r;
}

TEST(InterpreterReduce, Argmax) {
  std::vector<int32_t> expected = {1, 0, 0, 5};
  EXPECT_EQ(argmax(R"(%gt = arith.cmpf ogt, %a, %b : f32
      %eq = arith.cmpf oeq, %a, %b : f32
      %lt = arith.cmpi slt, %i, %j : i32
      %tie = arith.andi %eq, %lt : i1
      %left = arith.ori %gt, %tie : i1
      %m = arith.select %left, %a, %b : f32
      %k = arith.select %left, %i, %j : i32
      tile.yield %m, %k : f32, i32)"),
            expected);
  // The same with control flow in the body.
  EXPECT_EQ(argmax(R"(%gt = arith.cmpf oge, %a, %b : f32
      %m, %k = scf.if %gt -> (f32, i32) {
        scf.yield %a, %i : f32, i32
      } else {
        scf.yield %b, %j : f32, i32
      }
      tile.yield %m, %k : f32, i32)"),
            expected);
}

TEST(InterpreterReduce, BodyUsesOuterScalarsAndConstants) {
  auto r = runF32("4", 4, "1", 1, R"(%two = arith.constant 2.0 : f32
    %s = tile.reduce %x axis = 0 : tensor<4xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %half = arith.constant 0.5 : f32
      %t = arith.mulf %two, %half : f32
      %u = arith.mulf %t, %b : f32
      %v = arith.addf %a, %u : f32
      tile.yield %v : f32
    }
    %r = tile.splat %s : tensor<1xf32>)",
                  {1, 2, 3, 4});
  EXPECT_EQ(r[0], 10);
}

TEST(InterpreterReduce, BoolSumsAndXor) {
  std::vector<uint8_t> x(256, 1), r(1);
  KernelRun run(oneToOne("i1", "256", 256, "i1", "1", 1,
                         "%s = tile.reduce %x axis = 0 : tensor<256xi1> -> i1 " +
                             combiner("arith.ori %l, %h", "i1") + "\n%r = tile.splat %s : tensor<1xi1>"));
  run.buffer(TileElementType_I1, x).buffer(TileElementType_I1, r);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(r[0], 1);
}

TEST(InterpreterScan, ForwardReverseEachAxis) {
  for (bool reverse : {false, true})
    for (int axis : {0, 1}) {
      auto r = runF32("3x5", 15, "3x5", 15,
                      "%r = tile.scan %x axis = " + std::to_string(axis) + (reverse ? " reverse" : "") +
                          " : tensor<3x5xf32> " + combiner("arith.addf %l, %h", "f32"),
                      iota(15));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 5; ++j) {
          float sum = 0;
          for (int k = 0; k < (axis ? 5 : 3); ++k)
            if (reverse ? k >= (axis ? j : i) : k <= (axis ? j : i))
              sum += axis ? i * 5 + k : k * 5 + j;
          EXPECT_EQ(r[i * 5 + j], sum) << axis << reverse << i << j;
        }
    }
}

TEST(InterpreterScan, RecurrenceInReverse) {
  // x[i] = f[i] * x[i + 1] + g[i]: the combiner of two operands, from the end.
  std::vector<float> x = {2, 1, 3, 2, -1, 5, 1, 1}, r(8);
  KernelRun run(oneToOne("f32", "4x2", 8, "f32", "4x2", 8,
                         R"(%f0, %g0 = tile.split %x : tensor<4x2xf32> -> tensor<4xf32>
    %f, %g = tile.scan %f0, %g0 axis = 0 reverse : tensor<4xf32>, tensor<4xf32> {
    ^bb0(%fl: f32, %gl: f32, %fr: f32, %gr: f32):
      %p = arith.mulf %fr, %fl : f32
      %t = arith.mulf %fr, %gl : f32
      %q = arith.addf %t, %gr : f32
      tile.yield %p, %q : f32, f32
    }
    %r = tile.join %f, %g : tensor<4xf32> -> tensor<4x2xf32>)"));
  run.f32(x).f32(r);
  ASSERT_TRUE(run.run()) << run.log;
  float f = 1, g = 0;
  for (int i = 3; i >= 0; --i) {
    g = x[2 * i] * g + x[2 * i + 1], f *= x[2 * i];
    EXPECT_EQ(r[2 * i], f);
    EXPECT_EQ(r[2 * i + 1], g);
  }
}

TEST(InterpreterMap, PacksAndControlFlow) {
  auto r = runF32("8", 8, "8", 8, R"(%r = tile.map_elementwise %x pack = 2 : tensor<8xf32> -> tensor<8xf32> {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tile.yield %b, %s : f32, f32
    })",
                  iota(8));
  EXPECT_EQ(r, (std::vector<float>{1, 1, 3, 5, 5, 9, 7, 13}));
  r = runF32("6", 6, "6", 6, R"(%r = tile.map_elementwise %x : tensor<6xf32> -> tensor<6xf32> {
    ^bb0(%a: f32):
      %limit = arith.constant 20.0 : f32
      %one = arith.constant 1.0 : f32
      %start = arith.addf %a, %one : f32
      %y = scf.while (%v = %start) : (f32) -> f32 {
        %small = arith.cmpf olt, %v, %limit : f32
        scf.condition(%small) %v : f32
      } do {
      ^bb0(%v: f32):
        %d = arith.addf %v, %v : f32
        scf.yield %d : f32
      }
      tile.yield %y : f32
    })",
             iota(6));
  EXPECT_EQ(r, (std::vector<float>{32, 32, 24, 32, 20, 24}));
}

// ---- Matrix products ----

/// %x is [2, m * k or so] split by hand: here a and b are both made from one array.
std::vector<float> dot(const std::string &element, const std::string &precision, std::vector<float> x) {
  return runF32("2x4x4", 32, "4x4", 16,
                R"(%t = tile.trans %x order = [1, 2, 0] : tensor<2x4x4xf32> -> tensor<4x4x2xf32>
    %a0, %b0 = tile.split %t : tensor<4x4x2xf32> -> tensor<4x4xf32>
    %c = arith.constant dense<1.0> : tensor<4x4xf32>)" +
                    (element == "f32"
                         ? std::string()
                         : "\n%a = arith.truncf %a0 : tensor<4x4xf32> to tensor<4x4x" + element +
                               ">\n%b = arith.truncf %b0 : tensor<4x4xf32> to tensor<4x4x" + element + ">") +
                    "\n%r = tile.dot " + (element == "f32" ? "%a0, %b0" : "%a, %b") + ", %c" + precision +
                    " : tensor<4x4x" + element + "> * tensor<4x4x" + element + "> -> tensor<4x4xf32>",
                x);
}

TEST(InterpreterDot, Precisions) {
  std::mt19937 random(1);
  std::vector<float> x(32);
  for (float &v : x)
    v = std::uniform_real_distribution<float>(-2, 2)(random);
  auto reference = [&](auto narrow) {
    std::vector<float> r(16);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        float sum = 1;
        for (int k = 0; k < 4; ++k)
          sum = fmaf(narrow(x[i * 4 + k]), narrow(x[16 + k * 4 + j]), sum);
        r[i * 4 + j] = sum;
      }
    return r;
  };
  std::vector<float> exact = reference([](float v) { return v; });
  EXPECT_EQ(dot("f32", "", x), exact);
  EXPECT_EQ(dot("f32", " precision = tf32", x),
            reference([](float v) { return tileRoundTF32(v, TileRoundingMode_TowardZero); }));
  EXPECT_EQ(dot("f16", "", x), reference([](float v) { return tileF16ToF32(tileF32ToF16(v)); }));
  EXPECT_EQ(dot("bf16", "", x), reference([](float v) { return tileBF16ToF32(tileF32ToBF16(v)); }));
  EXPECT_EQ(dot("f8E5M2", "", x),
            reference([](float v) { return (float)tileFloatRound(TileElementType_F8E5M2, v); }));
  const std::pair<const char *, double> approximate[] = {
      {"tf32x3", 2e-6}, {"bf16x3", 2e-4}, {"bf16x6", 2e-6}};
  for (auto &p : approximate) {
    auto r = dot("f32", std::string(" precision = ") + p.first, x);
    for (int i = 0; i < 16; ++i)
      EXPECT_NEAR(r[i], exact[i], p.second) << p.first;
  }
}

TEST(InterpreterDot, IntegersAndDoublesAndBatches) {
  std::vector<int32_t> r(4);
  std::vector<int8_t> x = {100, -128, 127, 3};
  KernelRun run(oneToOne("i8", "2x2", 4, "i32", "2x2", 4, R"(%c = arith.constant dense<1> : tensor<2x2xi32>
    %r = tile.dot %x, %x, %c : tensor<2x2xi8> * tensor<2x2xi8> -> tensor<2x2xi32>)"));
  run.buffer(TileElementType_I8, x).i32(r);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(r, (std::vector<int32_t>{100 * 100 - 128 * 127 + 1, -100 * 128 - 128 * 3 + 1,
                                     127 * 100 + 3 * 127 + 1, -127 * 128 + 9 + 1}));
  auto b = runF32("2x2x2", 8, "2x2x2", 8, R"(%c = arith.constant dense<0.0> : tensor<2x2x2xf32>
    %r = tile.dot %x, %x, %c : tensor<2x2x2xf32> * tensor<2x2x2xf32> -> tensor<2x2x2xf32>)",
                  iota(8));
  EXPECT_EQ(b, (std::vector<float>{2, 3, 6, 11, 46, 55, 66, 79}));
}

TEST(InterpreterDot, ScaledFormats) {
  // a: e2m1 pairs along k (low bits first), all rows 1.5, -6, 0.5, 0; scale 2. b: e4m3 ones; scale 0.5.
  std::vector<int8_t> x(4 * 16);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 16; ++j)
      x[i * 16 + j] = (int8_t)(j == 0 ? 0xF3 : j == 1 ? 0x01 : 0);
  std::vector<float> r(16);
  KernelRun run(
      oneToOne("i8", "4x16", 64, "f32", "4x4", 16, R"(%c = arith.constant dense<1.0> : tensor<4x4xf32>
    %b = arith.constant dense<56> : tensor<32x4xi8>
    %sa = arith.constant dense<-128> : tensor<4x1xi8>
    %sb = arith.constant dense<126> : tensor<4x1xi8>
    %r = tile.dot_scaled %x scale %sa, %b scale %sb, %c a_type = e2m1 b_type = e4m3
      : tensor<4x16xi8>, tensor<4x1xi8> * tensor<32x4xi8>, tensor<4x1xi8> -> tensor<4x4xf32>)"));
  run.buffer(TileElementType_I8, x).f32(r);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(r, std::vector<float>(16, 1 + (1.5f - 6 + 0.5f)));
}

TEST(InterpreterDot, ScaledBatches) {
  // Two batches; a: e4m3 [1, 32], ones and twos; b: e4m3 ones [32, 1]; scales of a 1 and 4.
  std::vector<int8_t> x(2 * 32, 0x38);
  std::fill(x.begin() + 32, x.end(), (int8_t)0x40);
  std::vector<float> r(2);
  KernelRun run(
      oneToOne("i8", "2x1x32", 64, "f32", "2x1x1", 2, R"(%c = arith.constant dense<1.0> : tensor<2x1x1xf32>
    %b = arith.constant dense<56> : tensor<2x32x1xi8>
    %sa = arith.constant dense<[[[127]], [[-127]]]> : tensor<2x1x1xi8>
    %r = tile.dot_scaled %x scale %sa, %b, %c a_type = e4m3 b_type = e4m3
      : tensor<2x1x32xi8>, tensor<2x1x1xi8> * tensor<2x32x1xi8> -> tensor<2x1x1xf32>)"));
  run.buffer(TileElementType_I8, x).f32(r);
  ASSERT_TRUE(run.run()) << run.log;
  EXPECT_EQ(r, (std::vector<float>{33, 1 + 32 * 2 * 4}));
}

} // namespace
