// InterpreterElementwise.cpp - arith and math on the cpu device, for every element type, against plain C++.
#include "InterpreterTesting.h"
#include <cmath>
#include <functional>
#include <random>

namespace {

const TileElementType floatTypes[] = {
    TileElementType_F16,    TileElementType_BF16,     TileElementType_F32,        TileElementType_F64,
    TileElementType_F8E5M2, TileElementType_F8E4M3FN, TileElementType_F8E4M3FNUZ, TileElementType_F8E5M2FNUZ};
const TileElementType intTypes[] = {TileElementType_I1, TileElementType_I8, TileElementType_I16,
                                    TileElementType_I32, TileElementType_I64};

/// A kernel that applies `op` (with %a, %b, %c as its operands, %r as its result) to arrays of `n` elements.
/// `types` is the type of each array, the result's last.
std::string elementwise(const std::string &op, const std::vector<TileElementType> &types, int n) {
  std::string parameters, body, size = std::to_string(n);
  const char *names[] = {"a", "b", "c"};
  auto tensor = [&](const std::string &element) { return "tensor<" + size + "x" + element + ">"; };
  auto pointers = [&](const std::string &name, const std::string &element) {
    std::string ptr = "!tile.ptr<" + element + ">";
    parameters += (parameters.empty() ? "" : ", ") + ("%" + name + "0: " + ptr);
    body += "  %" + name + "1 = tile.splat %" + name + "0 : " + tensor(ptr) + "\n";
    body +=
        "  %" + name + "2 = tile.addptr %" + name + "1, %i : " + tensor(ptr) + ", " + tensor("i32") + "\n";
  };
  for (size_t k = 0; k + 1 < types.size(); ++k) {
    std::string element = tileElementTypeName(types[k]), name = names[k];
    pointers(name, element);
    body += "  %" + name + " = tile.load %" + name + "2 : " + tensor("!tile.ptr<" + element + ">") + "\n";
  }
  std::string element = tileElementTypeName(types.back());
  pointers("r", element);
  body += "  " + op + "\n  tile.store %r2, %r : " + tensor("!tile.ptr<" + element + ">") + "\n  return\n}\n";
  return "func.func @k(" + parameters + ") attributes {tile.kernel} {\n  %i = tile.make_range 0 to " + size +
         " : " + tensor("i32") + "\n" + body;
}

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Arrays as bytes of their element type.
struct Array {
  TileElementType type;
  std::vector<uint8_t> bytes;
  Array(TileElementType type, size_t n) : type(type), bytes(n * tileElementTypeSize(type)) {}
  size_t size() const { return bytes.size() / tileElementTypeSize(type); }
  double number(size_t i) const { return tileFloatLoad(type, bytes.data(), (int64_t)i); }
  int64_t integer(size_t i) const { return tileIntLoad(type, bytes.data(), (int64_t)i); }
};

/// Runs `op` ("$T": the operands' type) on the arrays.
Array apply(const std::string &op, std::vector<Array *> inputs, TileElementType resultType) {
  size_t n = inputs[0]->size();
  std::vector<TileElementType> types;
  for (Array *a : inputs)
    types.push_back(a->type);
  types.push_back(resultType);
  std::string size = std::to_string(n) + "x";
  std::string text = replaceAll(op, "$T", "tensor<" + size + tileElementTypeName(inputs[0]->type) + ">");
  text = replaceAll(text, "$R", "tensor<" + size + tileElementTypeName(resultType) + ">");
  KernelRun run(elementwise(text, types, (int)n));
  Array result(resultType, n);
  for (Array *a : inputs)
    run.buffer(a->type, a->bytes);
  run.buffer(resultType, result.bytes);
  EXPECT_TRUE(run.run()) << run.log << text;
  return result;
}

/// Interesting and random values of a float type.
Array floats(TileElementType type, size_t n, unsigned seed) {
  Array a(type, n);
  std::mt19937_64 random(seed);
  const double special[] = {0.0, -0.0, 1,     -1,   INFINITY, -INFINITY, NAN,
                            0.5, 1e-8, 65504, 3e38, 1e-40,    448,       -57344};
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits = random();
    if (random() % 8 == 0)
      tileFloatStore(type, a.bytes.data(), (int64_t)i, special[random() % std::size(special)]);
    else if (random() % 2)
      tileFloatStore(type, a.bytes.data(), (int64_t)i,
                     std::ldexp((double)(int64_t)bits * 0x1p-63, (int)(bits % 12) - 4));
    else
      memcpy(a.bytes.data() + i * tileElementTypeSize(type), &bits, tileElementTypeSize(type));
  }
  return a;
}

Array integers(TileElementType type, size_t n, unsigned seed) {
  Array a(type, n);
  std::mt19937_64 random(seed);
  const int64_t special[] = {0,  1,         -1,        2,         31,        32,  63,
                             64, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, 127, -128};
  for (size_t i = 0; i < n; ++i)
    tileIntStore(type, a.bytes.data(), (int64_t)i,
                 random() % 2 ? special[random() % std::size(special)] : (int64_t)random() >> random() % 64);
  return a;
}

bool same(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

void checkFloat(const std::string &op, int arity, std::function<double(double, double, double)> f) {
  for (TileElementType type : floatTypes) {
    Array a = floats(type, 2000, 1), b = floats(type, 2000, 2), c = floats(type, 2000, 3);
    std::vector<Array *> inputs = {&a, &b, &c};
    inputs.resize(arity);
    Array r = apply(op, inputs, type);
    for (size_t i = 0; i < r.size(); ++i) {
      double expected = tileFloatRound(type, f(a.number(i), b.number(i), c.number(i)));
      ASSERT_TRUE(same(r.number(i), expected))
          << op << " on " << tileElementTypeName(type) << ": " << a.number(i) << ", " << b.number(i)
          << " got " << r.number(i) << " expected " << expected;
    }
  }
}

TEST(InterpreterElementwise, FloatArithmetic) {
  checkFloat("%r = arith.addf %a, %b : $T", 2, [](double a, double b, double) { return a + b; });
  checkFloat("%r = arith.subf %a, %b : $T", 2, [](double a, double b, double) { return a - b; });
  checkFloat("%r = arith.mulf %a, %b : $T", 2, [](double a, double b, double) { return a * b; });
  checkFloat("%r = arith.divf %a, %b : $T", 2, [](double a, double b, double) { return a / b; });
  checkFloat("%r = arith.remf %a, %b : $T", 2, [](double a, double b, double) { return std::fmod(a, b); });
  checkFloat("%r = arith.negf %a : $T", 1, [](double a, double, double) { return -a; });
  checkFloat("%r = arith.minnumf %a, %b : $T", 2,
             [](double a, double b, double) { return tileMinNum(a, b); });
  checkFloat("%r = arith.maxnumf %a, %b : $T", 2,
             [](double a, double b, double) { return tileMaxNum(a, b); });
  checkFloat("%r = arith.minimumf %a, %b : $T", 2,
             [](double a, double b, double) { return tileMinimum(a, b); });
  checkFloat("%r = arith.maximumf %a, %b : $T", 2,
             [](double a, double b, double) { return tileMaximum(a, b); });
  checkFloat("%r = tile.clampf %a, %b, %c : $T", 3,
             [](double a, double b, double c) { return tileMinNum(tileMaxNum(a, b), c); });
  checkFloat("%r = tile.clampf %a, %b, %c propagate_nan = all : $T", 3,
             [](double a, double b, double c) { return tileMinimum(tileMaximum(a, b), c); });
}

TEST(InterpreterElementwise, FmaRoundsOnce) {
  for (TileElementType type : floatTypes) {
    Array a = floats(type, 2000, 4), b = floats(type, 2000, 5), c = floats(type, 2000, 6);
    Array r = apply("%r = math.fma %a, %b, %c : $T", {&a, &b, &c}, type);
    for (size_t i = 0; i < r.size(); ++i)
      ASSERT_TRUE(
          same(r.number(i), tileFloatRound(type, tileFloatFma(type, a.number(i), b.number(i), c.number(i)))));
  }
}

TEST(InterpreterElementwise, Functions) {
  const std::pair<const char *, double (*)(double)> functions[] = {
      {"exp", exp},     {"exp2", exp2},   {"expm1", expm1},    {"log", log},     {"log2", log2},
      {"log10", log10}, {"log1p", log1p}, {"sin", sin},        {"cos", cos},     {"tan", tan},
      {"asin", asin},   {"acos", acos},   {"atan", atan},      {"sinh", sinh},   {"cosh", cosh},
      {"tanh", tanh},   {"asinh", asinh}, {"acosh", acosh},    {"atanh", atanh}, {"sqrt", sqrt},
      {"cbrt", cbrt},   {"erf", erf},     {"erfc", erfc},      {"ceil", ceil},   {"floor", floor},
      {"trunc", trunc}, {"round", round}, {"roundeven", rint}, {"absf", fabs}};
  for (auto &f : functions)
    checkFloat(std::string("%r = math.") + f.first + " %a : $T", 1,
               [&](double a, double, double) { return f.second(a); });
  checkFloat("%r = math.rsqrt %a : $T", 1, [](double a, double, double) { return 1 / std::sqrt(a); });
  checkFloat("%r = math.powf %a, %b : $T", 2, [](double a, double b, double) { return std::pow(a, b); });
  checkFloat("%r = math.atan2 %a, %b : $T", 2, [](double a, double b, double) { return std::atan2(a, b); });
  checkFloat("%r = math.copysign %a, %b : $T", 2,
             [](double a, double b, double) { return std::copysign(a, b); });
}

TEST(InterpreterElementwise, FloatFunctionsAreRoundedOnce) {
  // expf through f64 is correctly rounded for these, f32's own library need not be.
  Array a = floats(TileElementType_F32, 1000, 9);
  Array r = apply("%r = math.exp2 %a : $T", {&a}, TileElementType_F32);
  for (size_t i = 0; i < r.size(); ++i)
    ASSERT_TRUE(same(r.number(i), (float)std::exp2(a.number(i))));
}

void checkInt(const std::string &op, int arity, std::function<int64_t(int64_t, int64_t, unsigned)> f) {
  for (TileElementType type : intTypes) {
    unsigned bits = tileElementTypeBits(type);
    Array a = integers(type, 3000, 1), b = integers(type, 3000, 2);
    std::vector<Array *> inputs = {&a, &b};
    inputs.resize(arity);
    Array r = apply(op, inputs, type);
    for (size_t i = 0; i < r.size(); ++i)
      ASSERT_EQ(r.integer(i), tileWrap(f(a.integer(i), b.integer(i), bits), bits))
          << op << " on i" << bits << ": " << a.integer(i) << ", " << b.integer(i);
  }
}

int64_t asSigned(int64_t a, unsigned bits) { return bits == 1 ? -a : a; }

TEST(InterpreterElementwise, IntegerArithmetic) {
  using U = uint64_t;
  checkInt("%r = arith.addi %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned) { return (int64_t)((U)a + (U)b); });
  checkInt("%r = arith.subi %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned) { return (int64_t)((U)a - (U)b); });
  checkInt("%r = arith.muli %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned) { return (int64_t)((U)a * (U)b); });
  checkInt("%r = arith.andi %a, %b : $T", 2, [](int64_t a, int64_t b, unsigned) { return a & b; });
  checkInt("%r = arith.ori %a, %b : $T", 2, [](int64_t a, int64_t b, unsigned) { return a | b; });
  checkInt("%r = arith.xori %a, %b : $T", 2, [](int64_t a, int64_t b, unsigned) { return a ^ b; });
  checkInt("%r = arith.minsi %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned w) { return asSigned(a, w) < asSigned(b, w) ? a : b; });
  checkInt("%r = arith.maxsi %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned w) { return asSigned(a, w) > asSigned(b, w) ? a : b; });
  checkInt("%r = arith.minui %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned w) { return tileUnsigned(a, w) < tileUnsigned(b, w) ? a : b; });
  checkInt("%r = arith.maxui %a, %b : $T", 2,
           [](int64_t a, int64_t b, unsigned w) { return tileUnsigned(a, w) > tileUnsigned(b, w) ? a : b; });
  checkInt("%r = arith.divsi %a, %b : $T", 2, tileDivSigned);
  checkInt("%r = arith.divui %a, %b : $T", 2, tileDivUnsigned);
  checkInt("%r = arith.remsi %a, %b : $T", 2, tileRemSigned);
  checkInt("%r = arith.remui %a, %b : $T", 2, tileRemUnsigned);
  checkInt("%r = arith.floordivsi %a, %b : $T", 2, tileFloorDivSigned);
  checkInt("%r = arith.ceildivsi %a, %b : $T", 2, tileCeilDivSigned);
  checkInt("%r = arith.ceildivui %a, %b : $T", 2, tileCeilDivUnsigned);
  checkInt("%r = arith.shli %a, %b : $T", 2, tileShiftLeft);
  checkInt("%r = arith.shrsi %a, %b : $T", 2, tileShiftRightSigned);
  checkInt("%r = arith.shrui %a, %b : $T", 2, tileShiftRightUnsigned);
  checkInt("%r = math.absi %a : $T", 1,
           [](int64_t a, int64_t, unsigned) { return a < 0 ? (int64_t)(0 - (U)a) : a; });
  checkInt("%r = math.ctpop %a : $T", 1,
           [](int64_t a, int64_t, unsigned w) { return (int64_t)__builtin_popcountll(tileUnsigned(a, w)); });
  checkInt("%r = math.ctlz %a : $T", 1, [](int64_t a, int64_t, unsigned w) {
    int64_t zeros = 0;
    for (unsigned bit = w; bit-- > 0 && !(tileUnsigned(a, w) >> bit & 1);)
      ++zeros;
    return zeros;
  });
  checkInt("%low, %r = arith.mulsi_extended %a, %b : $T", 2, tileMulHighSigned);
  checkInt("%low, %r = arith.mului_extended %a, %b : $T", 2, tileMulHighUnsigned);
}

TEST(InterpreterElementwise, Mulhi) {
  for (TileElementType type : {TileElementType_I32, TileElementType_I64}) {
    Array a = integers(type, 3000, 1), b = integers(type, 3000, 2);
    Array r = apply("%r = tile.mulhiui %a, %b : $T", {&a, &b}, type);
    for (size_t i = 0; i < r.size(); ++i)
      ASSERT_EQ(r.integer(i), tileMulHighUnsigned(a.integer(i), b.integer(i), tileElementTypeBits(type)));
  }
}

TEST(InterpreterElementwise, Comparisons) {
  const char *floatPredicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                   "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  for (TileElementType type : {TileElementType_F16, TileElementType_F32, TileElementType_F64})
    for (int p = 0; p < 16; ++p) {
      Array a = floats(type, 1000, 1), b = floats(type, 1000, 2);
      Array r = apply(std::string("%r = arith.cmpf ") + floatPredicates[p] + ", %a, %b : $T", {&a, &b},
                      TileElementType_I1);
      for (size_t i = 0; i < r.size(); ++i) {
        double x = a.number(i), y = b.number(i);
        bool un = std::isnan(x) || std::isnan(y),
             ordered[] = {false, x == y, x > y, x >= y, x < y, x <= y, x < y || x > y, !un};
        bool expected = p < 8 ? ordered[p] && !un : p == 15 ? true : p == 14 ? un : un || ordered[p - 7];
        ASSERT_EQ(r.integer(i), expected) << floatPredicates[p] << " " << x << " " << y;
      }
    }
  const char *intPredicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  for (TileElementType type : intTypes)
    for (int p = 0; p < 10; ++p) {
      unsigned w = tileElementTypeBits(type);
      Array a = integers(type, 1000, 1), b = integers(type, 1000, 2);
      Array r = apply(std::string("%r = arith.cmpi ") + intPredicates[p] + ", %a, %b : $T", {&a, &b},
                      TileElementType_I1);
      for (size_t i = 0; i < r.size(); ++i) {
        int64_t x = asSigned(a.integer(i), w), y = asSigned(b.integer(i), w);
        uint64_t u = tileUnsigned(a.integer(i), w), v = tileUnsigned(b.integer(i), w);
        bool expected[] = {x == y, x != y, x<y, x <= y, x> y, x >= y, u<v, u <= v, u> v, u >= v};
        ASSERT_EQ(r.integer(i), expected[p]) << intPredicates[p] << " i" << w << " " << x << " " << y;
      }
    }
}

TEST(InterpreterElementwise, Casts) {
  for (TileElementType from : floatTypes) {
    Array a = floats(from, 2000, 1);
    for (TileElementType to : floatTypes) {
      if (from == to)
        continue;
      for (bool towardZero : {false, true}) {
        Array r = apply(std::string("%r = tile.fp_to_fp %a ") + (towardZero ? "rounding = rtz " : "") +
                            ": $T -> $R",
                        {&a}, to);
        for (size_t i = 0; i < r.size(); ++i) {
          double expected = tileFloatDecode(
              to, tileFloatEncode(to, a.number(i),
                                  towardZero ? TileRoundingMode_TowardZero : TileRoundingMode_NearestEven,
                                  TileOverflow_Default));
          ASSERT_TRUE(same(r.number(i), expected))
              << tileElementTypeName(from) << " to " << tileElementTypeName(to) << " " << a.number(i);
        }
      }
    }
    for (TileElementType to : intTypes)
      for (bool isSigned : {true, false}) {
        Array r =
            apply(std::string("%r = arith.fpto") + (isSigned ? "si" : "ui") + " %a : $T to $R", {&a}, to);
        for (size_t i = 0; i < r.size(); ++i)
          ASSERT_EQ(r.integer(i), tileFloatToInt(a.number(i), tileElementTypeBits(to), isSigned));
      }
  }
  for (TileElementType from : intTypes) {
    Array a = integers(from, 2000, 3);
    unsigned w = tileElementTypeBits(from);
    for (TileElementType to : floatTypes)
      for (bool isSigned : {true, false}) {
        Array r =
            apply(std::string("%r = arith.") + (isSigned ? "si" : "ui") + "tofp %a : $T to $R", {&a}, to);
        for (size_t i = 0; i < r.size(); ++i) {
          int64_t x = isSigned ? asSigned(a.integer(i), w) : (int64_t)tileUnsigned(a.integer(i), w);
          ASSERT_TRUE(same(r.number(i), tileFloatDecode(to, tileIntToFloat(to, x, isSigned))));
        }
      }
    for (TileElementType to : intTypes) {
      unsigned v = tileElementTypeBits(to);
      std::vector<std::string> ops;
      if (v > w)
        ops = {"extsi", "extui"};
      else if (v < w)
        ops = {"trunci"};
      for (const std::string &op : ops) {
        Array r = apply("%r = arith." + op + " %a : $T to $R", {&a}, to);
        for (size_t i = 0; i < r.size(); ++i)
          ASSERT_EQ(r.integer(i), op == "extui"   ? (int64_t)tileUnsigned(a.integer(i), w)
                                  : op == "extsi" ? asSigned(a.integer(i), w)
                                                  : tileWrap(a.integer(i), v))
              << op << w << v;
      }
    }
  }
}

TEST(InterpreterElementwise, BitcastAndSelect) {
  Array f = floats(TileElementType_F32, 300, 1);
  Array bits = apply("%r = tile.bitcast %a : $T -> $R", {&f}, TileElementType_I32);
  EXPECT_EQ(bits.bytes, f.bytes);
  Array half = apply("%r = arith.bitcast %a : $T to $R", {&bits}, TileElementType_F32);
  EXPECT_EQ(half.bytes, f.bytes);
  for (TileElementType type :
       {TileElementType_I8, TileElementType_F16, TileElementType_F32, TileElementType_I64}) {
    Array c = integers(TileElementType_I1, 700, 1), x = integers(TileElementType_I8, 700, 2),
          y = integers(TileElementType_I8, 700, 3);
    Array p(type, 700), q(type, 700);
    tileConvertElements(TileElementType_I8, x.bytes.data(), type, p.bytes.data(), 700);
    tileConvertElements(TileElementType_I8, y.bytes.data(), type, q.bytes.data(), 700);
    Array r = apply(std::string("%r = arith.select %a, %b, %c : $T, $R"), {&c, &p, &q}, type);
    size_t size = tileElementTypeSize(type);
    for (size_t i = 0; i < 700; ++i)
      ASSERT_FALSE(memcmp(&r.bytes[i * size], &(c.integer(i) ? p : q).bytes[i * size], size));
  }
}

TEST(InterpreterElementwise, Classification) {
  Array a = floats(TileElementType_F16, 1000, 1);
  Array n = apply("%r = math.isnan %a : $T", {&a}, TileElementType_I1);
  Array f = apply("%r = math.isfinite %a : $T", {&a}, TileElementType_I1);
  Array inf = apply("%r = math.isinf %a : $T", {&a}, TileElementType_I1);
  Array normal = apply("%r = math.isnormal %a : $T", {&a}, TileElementType_I1);
  for (size_t i = 0; i < 1000; ++i) {
    double x = a.number(i);
    ASSERT_EQ(n.integer(i), std::isnan(x));
    ASSERT_EQ(f.integer(i), std::isfinite(x));
    ASSERT_EQ(inf.integer(i), std::isinf(x));
    ASSERT_EQ(normal.integer(i), std::isfinite(x) && std::fabs(x) >= 0x1p-14);
  }
}

TEST(InterpreterElementwise, LibraryFunctions) {
  Array a = floats(TileElementType_F32, 500, 1), b = floats(TileElementType_F32, 500, 2);
  auto call = [&](const char *name, std::vector<Array *> inputs, TileElementType result) {
    std::string types = inputs.size() == 2 ? "$T, $T" : "$T", args = inputs.size() == 2 ? "%a, %b" : "%a";
    return apply(std::string("%r = tile.extern_elementwise \"") + name + "\"(" + args + ") pure : (" + types +
                     ") -> $R",
                 inputs, result);
  };
  const std::pair<const char *, double (*)(double)> unary[] = {
      {"__nv_expf", exp},        {"__nv_erff", erf},        {"__nv_tanhf", tanh},
      {"__nv_log1pf", log1p},    {"__nv_nearbyintf", rint}, {"__nv_fast_sinf", sin},
      {"__ocml_exp2_f32", exp2}, {"__nv_fabsf", fabs},      {"__nv_floorf", floor}};
  for (auto &f : unary) {
    Array r = call(f.first, {&a}, TileElementType_F32);
    for (size_t i = 0; i < 500; ++i)
      ASSERT_TRUE(same(r.number(i), (float)f.second(a.number(i)))) << f.first << a.number(i);
  }
  Array r = call("__nv_powf", {&a, &b}, TileElementType_F32);
  for (size_t i = 0; i < 500; ++i)
    ASSERT_TRUE(same(r.number(i), (float)std::pow(a.number(i), b.number(i))));
  Array isnan = call("__nv_isnanf", {&a}, TileElementType_I32);
  for (size_t i = 0; i < 500; ++i)
    ASSERT_EQ(isnan.integer(i), std::isnan(a.number(i)));
}

TEST(InterpreterElementwise, LibraryFunctionsOfOtherTypes) {
  Array f = floats(TileElementType_F32, 300, 1), n = integers(TileElementType_I32, 300, 2);
  auto call = [&](const std::string &name, const std::string &operands, const std::string &types,
                  std::vector<Array *> inputs, TileElementType result) {
    return apply("%r = tile.extern_elementwise \"__nv_" + name + "\"(" + operands + ") pure : (" + types +
                     ") -> $R",
                 inputs, result);
  };
  const TileElementType i32 = TileElementType_I32, i64 = TileElementType_I64, f32 = TileElementType_F32;
  Array power = call("powif", "%a, %b", "$T, tensor<300xi32>", {&f, &n}, f32),
        whole = call("llrintf", "%a", "$T", {&f}, i64);
  Array first = call("ffs", "%a", "$T", {&n}, i32), back = call("brev", "%a", "$T", {&n}, i32);
  Array ones = call("popc", "%a", "$T", {&n}, i32), bits = call("float_as_int", "%a", "$T", {&f}, i32);
  for (size_t i = 0; i < 300; ++i) {
    int32_t x = (int32_t)n.integer(i);
    ASSERT_TRUE(same(power.number(i), (float)std::pow(f.number(i), (double)x)));
    ASSERT_EQ(whole.integer(i), tileFloatToInt(std::rint(f.number(i)), 64, true));
    ASSERT_EQ(first.integer(i), __builtin_ffs(x));
    ASSERT_EQ(ones.integer(i), __builtin_popcount((uint32_t)x));
    ASSERT_EQ(back.integer(i), (int32_t)__builtin_bitreverse32((uint32_t)x));
    ASSERT_TRUE(std::isnan(f.number(i)) || bits.integer(i) == (int32_t)tileF32Bits((float)f.number(i)));
  }
}

TEST(InterpreterElementwise, Refusals) {
  auto log = [](const std::string &op, std::vector<TileElementType> types) {
    KernelRun run(elementwise(op, types, 4));
    std::vector<uint8_t> bytes(64);
    for (TileElementType type : types)
      run.buffer(type, bytes), run.arguments.back().numElements = 4;
    EXPECT_FALSE(run.run());
    return run.log;
  };
  TileElementType f32 = TileElementType_F32;
  EXPECT_NE(
      log(R"(%r = tile.extern_elementwise "__nv_frobnicate"(%a) pure : (tensor<4xf32>) -> tensor<4xf32>)",
          {f32, f32})
          .find("the cpu device does not know the function '__nv_frobnicate'"),
      std::string::npos);
  EXPECT_NE(
      log(R"(%r = tile.inline_asm "mov.b32 $0, $1;" constraints "=r,r" (%a) pure : (tensor<4xf32>) -> tensor<4xf32>)",
          {f32, f32})
          .find("'tile.inline_asm' op the cpu device cannot execute target assembly"),
      std::string::npos);
}

} // namespace
