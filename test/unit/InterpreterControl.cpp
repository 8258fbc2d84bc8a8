// InterpreterControl.cpp - loops, branches, calls, limits, assertions and printing on the cpu device.
#include "InterpreterTesting.h"

namespace {

/// A kernel of one i32 scalar %n whose body makes %r, which is stored.
std::string scalarKernel(const std::string &body, const std::string &more = "") {
  return "func.func @k(%q: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {\n" + body +
         "\ntile.store %q, %r : !tile.ptr<i32>\nreturn\n}\n" + more;
}

int32_t evaluate(const std::string &text, int32_t n) {
  std::vector<int32_t> r(1, -12345);
  KernelRun run(text);
  run.i32(r).integer(TileElementType_I32, n);
  EXPECT_TRUE(run.run()) << run.log << text;
  return r[0];
}

std::string failure(const std::string &text, int32_t n, int64_t maxSteps = 0) {
  std::vector<int32_t> r(1);
  KernelRun run(text);
  run.options.maxSteps = maxSteps;
  run.i32(r).integer(TileElementType_I32, n);
  EXPECT_FALSE(run.run()) << text;
  return run.log;
}

const char *const fibonacci = R"(%zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r, %next = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
    %c = arith.addi %a, %b : i32
    scf.yield %b, %c : i32, i32
  })";

TEST(InterpreterControl, ForSwapsCarriedValues) {
  EXPECT_EQ(evaluate(scalarKernel(fibonacci), 10), 55);
  EXPECT_EQ(evaluate(scalarKernel(fibonacci), 0), 0);
  EXPECT_EQ(evaluate(scalarKernel(fibonacci), -5), 0);
}

TEST(InterpreterControl, ForBoundsAtTheEdges) {
  auto count = [](const std::string &bounds, const std::string &type) {
    return scalarKernel("%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n" + bounds +
                        "%r = scf.for " + (type[0] == 'u' ? std::string("unsigned ") : std::string()) +
                        "%i = %lo to %hi step %st iter_args(%a = %zero) -> (i32) : i8 {\n"
                        "%b = arith.addi %a, %one : i32\nscf.yield %b : i32\n}");
  };
  // Up to 127 in steps of 100: the induction variable would overflow.
  std::string edge =
      "%lo = arith.constant 0 : i8\n%hi = arith.constant 127 : i8\n%st = arith.constant 100 : i8\n";
  EXPECT_EQ(evaluate(count(edge, "i8"), 0), 2);
  std::string full =
      "%lo = arith.constant -128 : i8\n%hi = arith.constant 127 : i8\n%st = arith.constant 1 : i8\n";
  EXPECT_EQ(evaluate(count(full, "i8"), 0), 255);
  std::string large =
      "%lo = arith.constant 0 : i8\n%hi = arith.constant -1 : i8\n%st = arith.constant 1 : i8\n";
  EXPECT_EQ(evaluate(count(large, "u8"), 0), 255);
}

TEST(InterpreterControl, NonPositiveStep) {
  EXPECT_EQ(failure(scalarKernel(R"(%zero = arith.constant 0 : i32
    %r = scf.for %i = %zero to %n step %zero iter_args(%a = %zero) -> (i32) : i32 {
      scf.yield %a : i32
    })"),
                    3),
            "3: 'scf.for' op program (0, 0, 0): got a step of 0, expected a positive one\n");
}

TEST(InterpreterControl, WhileCollatz) {
  std::string text = scalarKernel(R"(%zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %last, %r = scf.while (%v = %n, %steps = %zero) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %v, %one : i32
      scf.condition(%go) %v, %steps : i32, i32
    } do {
    ^bb0(%v: i32, %steps: i32):
      %rem = arith.remsi %v, %two : i32
      %odd = arith.cmpi eq, %rem, %one : i32
      %w = scf.if %odd -> (i32) {
        %t = arith.muli %v, %three : i32
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      } else {
        %h = arith.divsi %v, %two : i32
        scf.yield %h : i32
      }
      %more = arith.addi %steps, %one : i32
      scf.yield %w, %more : i32, i32
    })");
  EXPECT_EQ(evaluate(text, 27), 111);
  EXPECT_EQ(evaluate(text, 1), 0);
  EXPECT_NE(failure(text, 0, 1000).find("the limit of 1000 steps is reached"), std::string::npos);
}

TEST(InterpreterControl, NestedLoopsWithTensors) {
  EXPECT_EQ(evaluate(scalarKernel(R"(%zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant dense<1> : tensor<4xi32>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (tensor<4xi32>) : i32 {
      %inner = scf.for %j = %zero to %i step %one iter_args(%b = %acc) -> (tensor<4xi32>) : i32 {
        %js = tile.splat %j : tensor<4xi32>
        %shape = tile.reshape %b : tensor<4xi32> -> tensor<2x2xi32>
        %back = tile.reshape %shape : tensor<2x2xi32> -> tensor<4xi32>
        %c = arith.addi %back, %js : tensor<4xi32>
        scf.yield %c : tensor<4xi32>
      }
      scf.yield %inner : tensor<4xi32>
    }
    %r = tile.reduce %sum axis = 0 : tensor<4xi32> -> i32 {
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tile.yield %c : i32
    })"),
                     5),
            4 * (1 + 0 + 0 + 1 + 3 + 6));
}

TEST(InterpreterControl, CallsAreInlined) {
  std::string helper = R"(
func.func private @square_plus(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.muli %x, %x : i32
  %t = arith.addi %s, %y : i32
  return %t, %x : i32, i32
}
)";
  EXPECT_EQ(evaluate(scalarKernel(R"(%a, %b = func.call @square_plus(%n, %n) : (i32, i32) -> (i32, i32)
    %r, %d = func.call @square_plus(%a, %b) : (i32, i32) -> (i32, i32))",
                                  helper),
                     3),
            12 * 12 + 3);
}

TEST(InterpreterControl, RecursionIsRefused) {
  std::string helper = R"(
func.func private @f(%x: i32) -> i32 {
  %y = func.call @g(%x) : (i32) -> i32
  return %y : i32
}
func.func private @g(%x: i32) -> i32 {
  %y = func.call @f(%x) : (i32) -> i32
  return %y : i32
}
)";
  EXPECT_NE(failure(scalarKernel("%r = func.call @f(%n) : (i32) -> i32", helper), 3)
                .find("'func.call' op calls 'f' recursively, which is not supported"),
            std::string::npos);
}

TEST(InterpreterControl, BranchesBetweenBlocks) {
  std::string text = R"(
func.func @k(%q: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %neg = arith.cmpi slt, %n, %zero : i32
  cf.cond_br %neg, ^early, ^loop(%zero, %n : i32, i32)
^early:
  return
^loop(%sum: i32, %i: i32):
  %more = arith.cmpi sgt, %i, %zero : i32
  cf.cond_br %more, ^body, ^done(%sum : i32)
^body:
  %s = arith.addi %sum, %i : i32
  %j = arith.subi %i, %one : i32
  cf.br ^loop(%s, %j : i32, i32)
^done(%r: i32):
  tile.store %q, %r : !tile.ptr<i32>
  return
}
)";
  EXPECT_EQ(evaluate(text, 10), 55);
  EXPECT_EQ(evaluate(text, -1), -12345);
}

TEST(InterpreterControl, SwitchesAndPoison) {
  std::string text = scalarKernel(R"(%i = arith.index_cast %n : i32 to index
    %r = scf.index_switch %i -> i32
    case 2 {
      %c = arith.constant 20 : i32
      scf.yield %c : i32
    }
    case 5 {
      %c = arith.constant 50 : i32
      scf.yield %c : i32
    }
    default {
      %c = ub.poison : i32
      scf.yield %c : i32
    })");
  EXPECT_EQ(evaluate(text, 2), 20);
  EXPECT_EQ(evaluate(text, 5), 50);
  EXPECT_EQ(evaluate(text, 7), 0);
}

TEST(InterpreterControl, AssertNamesElementAndProgram) {
  std::string text = scalarKernel(R"(%i = tile.make_range 0 to 8 : tensor<8xi32>
    %limit = tile.splat %n : tensor<8xi32>
    %ok = arith.cmpi slt, %i, %limit : tensor<8xi32>
    tile.assert %ok, "index out of range" : tensor<8xi1>
    %r = arith.constant 1 : i32)");
  EXPECT_EQ(evaluate(text, 8), 1);
  EXPECT_EQ(failure(text, 5), "5: 'tile.assert' op program (0, 0, 0): element [5]: index out of range\n");
}

TEST(InterpreterControl, Print) {
  std::vector<int32_t> r(1);
  KernelRun run(scalarKernel(R"(%x = arith.constant dense<[[1.5, -0.25]]> : tensor<1x2xf32>
    %b = arith.constant dense<-1> : tensor<1xi8>
    tile.print "x = " %x : tensor<1x2xf32>
    tile.print "bits " hex %n, %b : i32, tensor<1xi8>
    tile.print "u " %b unsigned = [true] : tensor<1xi8>
    tile.print "here"
    tile.barrier
    %r = arith.constant 1 : i32)"));
  run.i32(r).integer(TileElementType_I32, 7);
  ASSERT_TRUE(run.run(2)) << run.log;
  ASSERT_EQ(run.printed.size(), 12u);
  const char *expected[] = {"pid (0, 0, 0) idx (0, 0) x = 1.5",
                            "pid (0, 0, 0) idx (0, 1) x = -0.25",
                            "pid (0, 0, 0) idx () bits (operand 0) 0x00000007",
                            "pid (0, 0, 0) idx (0) bits (operand 1) 0xff",
                            "pid (0, 0, 0) idx (0) u 255",
                            "pid (0, 0, 0) here"};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(run.printed[i], expected[i]);
  EXPECT_EQ(run.printed[6], "pid (1, 0, 0) idx (0, 0) x = 1.5");
}

TEST(InterpreterControl, ProgramIdsAndOrder) {
  std::vector<int32_t> r(1);
  KernelRun run(scalarKernel(R"(%x = tile.program_id x
    %y = tile.program_id y
    %z = tile.program_id z
    %nx = tile.num_programs x
    tile.print "p" %x, %y, %z, %nx : i32, i32, i32, i32
    %r = arith.constant 1 : i32)"));
  run.i32(r).integer(TileElementType_I32, 7);
  ASSERT_TRUE(run.run(2, 1, 2)) << run.log;
  EXPECT_EQ(run.printed[4], "pid (1, 0, 0) idx () p(operand 0) 1");
  EXPECT_EQ(run.printed[10], "pid (0, 0, 1) idx () p(operand 2) 1");
  EXPECT_EQ(run.printed[11], "pid (0, 0, 1) idx () p(operand 3) 2");
}

TEST(InterpreterControl, TooMuchTensorMemory) {
  std::vector<int32_t> r(1);
  KernelRun run(scalarKernel(R"(%x = arith.constant dense<1.0> : tensor<65536x65536xf64>
    %r = arith.constant 1 : i32)"));
  run.options.maxTensorBytes = 1 << 20;
  run.i32(r).integer(TileElementType_I32, 7);
  EXPECT_FALSE(run.run());
  EXPECT_NE(run.log.find("'arith.constant' op needs 4294967296 elements of 8 bytes, more than the 10"),
            std::string::npos)
      << run.log;
}

TEST(InterpreterControl, UnsupportedTypes) {
  const char *expected = "has a value of a type that the cpu device does not support";
  EXPECT_NE(
      failure(scalarKernel("%x = arith.constant dense<> : tensor<0xf32>\n%r = arith.constant 1 : i32"), 1)
          .find(expected),
      std::string::npos);
  EXPECT_NE(
      failure(scalarKernel("%x = arith.constant 1 : i128\n%r = arith.constant 1 : i32"), 1).find(expected),
      std::string::npos);
}

TEST(InterpreterControl, ArgumentsAreChecked) {
  std::vector<int32_t> r(1);
  std::vector<float> f(1);
  std::string text = scalarKernel("%r = arith.constant 1 : i32");
  KernelRun few(text), many(text), wrong(text), swapped(text);
  EXPECT_FALSE(few.i32(r).run());
  EXPECT_NE(few.log.find("'func.func' op got 1 arguments, expected more"), std::string::npos) << few.log;
  EXPECT_FALSE(many.i32(r).integer(TileElementType_I32, 1).integer(TileElementType_I32, 1).run());
  EXPECT_NE(many.log.find("got 3 arguments, expected 2"), std::string::npos) << many.log;
  EXPECT_FALSE(wrong.f32(f).integer(TileElementType_I32, 1).run());
  EXPECT_NE(wrong.log.find("argument 0: got a buffer of f32, expected a buffer of i32"), std::string::npos)
      << wrong.log;
  EXPECT_FALSE(swapped.integer(TileElementType_I32, 1).i32(r).run());
  EXPECT_NE(swapped.log.find("argument 0: got a scalar of i32, expected a buffer of i32"), std::string::npos)
      << swapped.log;
}

} // namespace
