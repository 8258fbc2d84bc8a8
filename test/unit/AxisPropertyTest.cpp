// AxisPropertyTest.cpp - every claim of the axis algebra, checked element by element on random expressions.
#include "tile-c/Axis.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

// A tensor with its elements (sign-extended; i1: 0 or 1) and what the algebra says about them. `left[i]`:
// element i went through a division by zero, about which nothing is claimed.
struct Value {
  TileAxis axis;
  std::vector<int64_t> x;
  std::vector<bool> left;
  int64_t size() const { return (int64_t)x.size(); }
};

int64_t wrap(int64_t v, int32_t bits) {
  if (bits == 0 || bits >= 64)
    return v;
  uint64_t low = (uint64_t)v & ((1ull << bits) - 1);
  return bits > 1 && low >> (bits - 1) ? (int64_t)(low | ~((1ull << bits) - 1)) : (int64_t)low;
}

uint64_t asUnsigned(int64_t v, int32_t bits) {
  return bits == 0 || bits >= 64 ? (uint64_t)v : (uint64_t)v & ((1ull << bits) - 1);
}

int64_t innerOf(const TileAxisType &t, int32_t d) {
  int64_t n = 1;
  for (int32_t i = d + 1; i < t.rank; ++i)
    n *= t.shape[i];
  return n;
}

int64_t totalOf(const TileAxisType &t) { return innerOf(t, -1); }

bool isPower(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// Empty, or the first claim that does not hold.
std::string violation(const Value &v) {
  const TileAxis &a = v.axis;
  for (int32_t d = 0; d < a.type.rank; ++d) {
    const TileAxisDim &c = a.dims[d];
    std::string where = " along dimension " + std::to_string(d);
    if (!isPower(c.contiguity) || !isPower(c.divisibility) || !isPower(c.constancy) || !isPower(c.run))
      return "no power of two" + where;
    if (a.type.shape[d] % c.contiguity || a.type.shape[d] % c.constancy || c.run < c.contiguity)
      return "group does not fit" + where;
    if (c.contiguity > 1 && c.contiguity * a.type.unit > c.divisibility)
      return "contiguity exceeds divisibility" + where;
    int64_t inner = innerOf(a.type, d);
    auto groupLeft = [&](int64_t i, int64_t g) { // whether the group of element i is left out
      int64_t at = i / inner % a.type.shape[d], first = i - at % g * inner;
      for (int64_t j = 0; j < g; ++j)
        if (v.left[first + j * inner])
          return true;
      return false;
    };
    for (int64_t i = 0; i < v.size(); ++i) {
      int64_t at = i / inner % a.type.shape[d];
      bool runs = at % c.contiguity, stays = at % c.constancy;
      if (!groupLeft(i, c.contiguity)) {
        if (runs && v.x[i] != v.x[i - inner] + a.type.unit)
          return "contiguity " + std::to_string(c.contiguity) + where + " at " + std::to_string(i);
        if (runs && asUnsigned(v.x[i], a.type.bits) !=
                        asUnsigned(v.x[i - inner], a.type.bits) + (uint64_t)a.type.unit)
          return "contiguity wraps, unsigned" + where;
        if (!runs && v.x[i] % c.divisibility)
          return "divisibility " + std::to_string(c.divisibility) + where + " at " + std::to_string(i);
      }
      if (stays && !groupLeft(i, c.constancy) && v.x[i] != v.x[i - inner])
        return "constancy " + std::to_string(c.constancy) + where + " at " + std::to_string(i);
    }
  }
  for (int64_t i = 0; i < v.size(); ++i)
    if (a.type.bits && !v.left[i] && (v.x[i] < a.min || v.x[i] > a.max))
      return "range [" + std::to_string(a.min) + ", " + std::to_string(a.max) + "] lacks " +
             std::to_string(v.x[i]);
  return "";
}

std::string show(const Value &v) {
  std::string s = "bits " + std::to_string(v.axis.type.bits) + " shape";
  for (int32_t d = 0; d < v.axis.type.rank; ++d)
    s += " " + std::to_string(v.axis.type.shape[d]) + "(c " + std::to_string(v.axis.dims[d].contiguity) +
         " v " + std::to_string(v.axis.dims[d].divisibility) + " k " +
         std::to_string(v.axis.dims[d].constancy) + ")";
  s += " [" + std::to_string(v.axis.min) + ", " + std::to_string(v.axis.max) + "]:";
  for (int64_t i = 0; i < std::min<int64_t>(v.size(), 32); ++i)
    s += " " + std::to_string(v.x[i]) + (v.left[i] ? "!" : "");
  return s;
}

// ---- operations on elements, by the numerics table ----

int64_t divide(int64_t a, int64_t b, int32_t bits, bool isSigned) {
  if (b == 0)
    return a;
  if (!isSigned)
    return wrap((int64_t)(asUnsigned(a, bits) / asUnsigned(b, bits)), bits);
  return b == -1 ? wrap((int64_t)(0 - (uint64_t)a), bits) : a / b;
}
int64_t remainder(int64_t a, int64_t b, int32_t bits, bool isSigned) {
  if (b == 0 || (isSigned && b == -1))
    return 0;
  return isSigned ? a % b : wrap((int64_t)(asUnsigned(a, bits) % asUnsigned(b, bits)), bits);
}
int64_t floorDivide(int64_t a, int64_t b, int32_t bits) {
  if (b == 0)
    return a;
  int64_t q = divide(a, b, bits, true);
  return b != -1 && a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
int64_t shiftLeft(int64_t a, int64_t b, int32_t bits) {
  uint64_t s = asUnsigned(b, bits);
  return s >= (uint64_t)bits ? 0 : wrap((int64_t)((uint64_t)a << s), bits);
}
int64_t shiftRight(int64_t a, int64_t b, int32_t bits, bool isSigned) {
  uint64_t s = asUnsigned(b, bits);
  if (isSigned)
    return a >> std::min<uint64_t>(s, 63);
  return s >= (uint64_t)bits ? 0 : wrap((int64_t)(asUnsigned(a, bits) >> s), bits);
}
bool compare(TileAxisCmp p, int64_t a, int64_t b, int32_t bits) {
  uint64_t ua = asUnsigned(a, bits), ub = asUnsigned(b, bits);
  switch (p) {
  case TileAxisCmp_EQ:
    return a == b;
  case TileAxisCmp_NE:
    return a != b;
  case TileAxisCmp_SLT:
    return a < b;
  case TileAxisCmp_SLE:
    return a <= b;
  case TileAxisCmp_SGT:
    return a > b;
  case TileAxisCmp_SGE:
    return a >= b;
  case TileAxisCmp_ULT:
    return ua < ub;
  case TileAxisCmp_ULE:
    return ua <= ub;
  case TileAxisCmp_UGT:
    return ua > ub;
  default:
    return ua >= ub;
  }
}

Value elementwise(const TileAxis &axis, const Value &a, const Value &b,
                  const std::function<int64_t(int64_t, int64_t)> &f) {
  Value r{axis, {}, {}};
  for (int64_t i = 0; i < a.size(); ++i) {
    r.x.push_back(f(a.x[i], b.x[i]));
    r.left.push_back(a.left[i] || b.left[i]);
  }
  return r;
}

Value scalarValue(int32_t bits, int64_t x, TileAxis axis) { return {axis, {wrap(x, bits)}, {false}}; }

constexpr int numBinary = 17;
const char *binaryName[numBinary] = {"add", "sub", "mul", "divs", "divu", "rems", "remu", "floordiv", "and",
                                     "or",  "xor", "shl", "shrs", "shru", "max",  "min",  "minu"};

Value binary(int op, const Value &a, const Value &b) {
  int32_t n = a.axis.type.bits;
  const TileAxis *x = &a.axis, *y = &b.axis;
  auto unsignedOf = [n](int64_t v) { return asUnsigned(v, n); };
  auto withDivisor = [&](Value r) {
    for (int64_t i = 0; i < r.size(); ++i)
      r.left[i] = r.left[i] || b.x[i] == 0;
    return r;
  };
  switch (op) {
  case 0:
    return elementwise(tileAxisAdd(x, y), a, b,
                       [n](int64_t p, int64_t q) { return wrap((int64_t)((uint64_t)p + (uint64_t)q), n); });
  case 1:
    return elementwise(tileAxisSub(x, y), a, b,
                       [n](int64_t p, int64_t q) { return wrap((int64_t)((uint64_t)p - (uint64_t)q), n); });
  case 2:
    return elementwise(tileAxisMul(x, y), a, b,
                       [n](int64_t p, int64_t q) { return wrap((int64_t)((uint64_t)p * (uint64_t)q), n); });
  case 3:
    return withDivisor(elementwise(tileAxisDiv(x, y, true), a, b,
                                   [n](int64_t p, int64_t q) { return divide(p, q, n, true); }));
  case 4:
    return withDivisor(elementwise(tileAxisDiv(x, y, false), a, b,
                                   [n](int64_t p, int64_t q) { return divide(p, q, n, false); }));
  case 5:
    return withDivisor(elementwise(tileAxisRem(x, y, true), a, b,
                                   [n](int64_t p, int64_t q) { return remainder(p, q, n, true); }));
  case 6:
    return withDivisor(elementwise(tileAxisRem(x, y, false), a, b,
                                   [n](int64_t p, int64_t q) { return remainder(p, q, n, false); }));
  case 7:
    return withDivisor(elementwise(tileAxisFloorDiv(x, y), a, b,
                                   [n](int64_t p, int64_t q) { return floorDivide(p, q, n); }));
  case 8:
    return elementwise(tileAxisAnd(x, y), a, b, [](int64_t p, int64_t q) { return p & q; });
  case 9:
    return elementwise(tileAxisOr(x, y), a, b, [](int64_t p, int64_t q) { return p | q; });
  case 10:
    return elementwise(tileAxisXor(x, y), a, b, [](int64_t p, int64_t q) { return p ^ q; });
  case 11:
    return elementwise(tileAxisShl(x, y), a, b, [n](int64_t p, int64_t q) { return shiftLeft(p, q, n); });
  case 12:
    return elementwise(tileAxisShr(x, y, true), a, b,
                       [n](int64_t p, int64_t q) { return shiftRight(p, q, n, true); });
  case 13:
    return elementwise(tileAxisShr(x, y, false), a, b,
                       [n](int64_t p, int64_t q) { return shiftRight(p, q, n, false); });
  case 14:
    return elementwise(tileAxisMinMax(x, y, true, true), a, b,
                       [](int64_t p, int64_t q) { return std::max(p, q); });
  case 15:
    return elementwise(tileAxisMinMax(x, y, false, true), a, b,
                       [](int64_t p, int64_t q) { return std::min(p, q); });
  default:
    return elementwise(tileAxisMinMax(x, y, false, false), a, b,
                       [&](int64_t p, int64_t q) { return unsignedOf(p) < unsignedOf(q) ? p : q; });
  }
}

Value range(int64_t start, int64_t n, int32_t bits) {
  TileAxisType t = tileAxisType(1, &n, 32, 1);
  TileAxis wide = tileAxisMakeRange(t, start, start + n);
  Value v{bits < 32 ? tileAxisTruncate(&wide, bits) : tileAxisExtend(&wide, bits, true), {}, {}};
  for (int64_t i = 0; i < n; ++i) {
    v.x.push_back(wrap(start + i, bits));
    v.left.push_back(false);
  }
  return v;
}

Value splat(const Value &scalar, const TileAxisType &like) {
  TileAxisType t = like;
  t.bits = scalar.axis.type.bits;
  t.unit = scalar.axis.type.unit;
  Value v{tileAxisSplat(t, &scalar.axis), {}, {}};
  v.x.assign((size_t)totalOf(t), scalar.x[0]);
  v.left.assign((size_t)totalOf(t), scalar.left[0]);
  return v;
}

// ---- exhaustive: ranges against constants, all signs, all sizes up to 16 ----

TEST(AxisExhaustive, RangeAgainstConstant) {
  for (int32_t bits : {8, 32})
    for (int64_t n : {1, 2, 4, 6, 8, 16})
      for (int64_t start = -66; start <= 66; ++start)
        for (int64_t c = -35; c <= 35; ++c) {
          Value a = range(start, n, bits);
          Value b = splat(scalarValue(bits, c, tileAxisConstant(tileAxisType(1, nullptr, bits, 1), c)),
                          a.axis.type);
          for (int op = 0; op < numBinary; ++op) {
            Value r = binary(op, a, b), s = binary(op, b, a);
            ASSERT_EQ(violation(r), "") << binaryName[op] << "\n"
                                        << show(a) << "\n"
                                        << show(b) << "\n"
                                        << show(r);
            ASSERT_EQ(violation(s), "") << binaryName[op] << " reversed\n"
                                        << show(b) << "\n"
                                        << show(a) << "\n"
                                        << show(s);
          }
        }
}

// A run-time scalar of which only a divisor is known, as from an argument with tile.divisibility.
TEST(AxisExhaustive, RangeAgainstHintedScalar) {
  for (int64_t hint : {1, 3, 4, 16, 48})
    for (int64_t start : {-64, -16, -3, 0, 5, 32})
      for (int64_t m = -3; m <= 3; ++m) {
        int32_t bits = 8;
        Value a = range(start, 16, bits);
        Value n = scalarValue(bits, m * hint, tileAxisUniform(tileAxisType(1, nullptr, bits, 1), hint));
        Value b = splat(n, a.axis.type);
        for (int op = 0; op < numBinary; ++op) {
          Value r = binary(op, a, b), s = binary(op, b, a);
          ASSERT_EQ(violation(r), "") << binaryName[op] << "\n"
                                      << show(a) << "\n"
                                      << show(b) << "\n"
                                      << show(r);
          ASSERT_EQ(violation(s), "") << binaryName[op] << " reversed\n" << show(b) << "\n" << show(s);
        }
        for (int p = 0; p <= TileAxisCmp_UGE; ++p) {
          Value r = elementwise(tileAxisCmp((TileAxisCmp)p, &a.axis, &b.axis), a, b,
                                [&](int64_t x, int64_t y) { return compare((TileAxisCmp)p, x, y, bits); });
          Value s = elementwise(tileAxisCmp((TileAxisCmp)p, &b.axis, &a.axis), b, a,
                                [&](int64_t x, int64_t y) { return compare((TileAxisCmp)p, x, y, bits); });
          ASSERT_EQ(violation(r), "") << "cmp " << p << "\n" << show(a) << "\n" << show(b) << "\n" << show(r);
          ASSERT_EQ(violation(s), "") << "cmp " << p << " reversed\n" << show(b) << "\n" << show(s);
        }
      }
}

// ---- random expressions ----

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t below(int64_t n) { return (int64_t)(engine() % (uint64_t)n); }
  template <typename T> T of(std::initializer_list<T> list) {
    return *(list.begin() + below((int64_t)list.size()));
  }
  bool chance(int percent) { return below(100) < percent; }

  // An interesting number: small, a power of two, near the ends of the type.
  int64_t number(int32_t bits) {
    switch (below(5)) {
    case 0:
      return wrap(below(9) - 4, bits);
    case 1:
      return wrap((int64_t)(1ull << below(bits)), bits);
    case 2:
      return wrap((int64_t)(0 - (1ull << below(bits))), bits);
    case 3:
      return wrap(tileAxisTypeMax(bits) - below(20), bits);
    default:
      return wrap((int64_t)engine(), bits);
    }
  }

  Value scalar(int32_t bits) {
    TileAxisType t = tileAxisType(1, nullptr, bits, 1);
    int64_t x = number(bits);
    if (chance(50))
      return scalarValue(bits, x, tileAxisConstant(t, x));
    int64_t divisor = of<int64_t>({1, 2, 3, 8, 12, 16, 48, 64});
    x = wrap(x / divisor * divisor, bits);
    TileAxis axis = tileAxisUniform(t, x % divisor ? 1 : divisor);
    if (chance(30))
      tileAxisRestrict(&axis, x > 0 ? x - below(2) : x, x < 1 << 20 ? x + below(40) : x);
    return scalarValue(bits, x, axis);
  }

  // A one-dimensional leaf.
  Value line(int64_t n, int32_t bits) {
    if (chance(60))
      return range(of<int64_t>({0, 0, 1, 8, 16, 32, 96, -8, -64, -5, 120, 128, 250}), n, bits);
    TileAxisType t = tileAxisType(1, &n, bits, 1);
    if (chance(50))
      return splat(scalar(bits), t);
    Value v{{}, {}, std::vector<bool>((size_t)n, false)};
    int64_t start = number(bits), period = of<int64_t>({1, 2, 4, 8, 16}), step = of<int64_t>({0, 1, 1, 2});
    for (int64_t i = 0; i < n; ++i)
      v.x.push_back(wrap((int64_t)((uint64_t)start + (uint64_t)(i % period * step + i / period * 8)), bits));
    v.axis = tileAxisOfElements(t, v.x.data());
    return v;
  }

  Value expand(const Value &a, int32_t axis) {
    TileAxisType t = a.axis.type;
    for (int32_t d = t.rank; d > axis; --d)
      t.shape[d] = t.shape[d - 1];
    t.shape[axis] = 1;
    ++t.rank;
    Value v = a;
    v.axis = tileAxisExpandDims(t, &a.axis, axis);
    return v;
  }

  Value broadcast(const Value &a, const TileAxisType &like) {
    TileAxisType t = like;
    t.bits = a.axis.type.bits;
    Value v{tileAxisBroadcast(t, &a.axis), {}, {}};
    for (int64_t i = 0; i < totalOf(t); ++i) {
      int64_t from = 0;
      for (int32_t d = 0; d < t.rank; ++d) {
        int64_t at = i / innerOf(t, d) % t.shape[d];
        from += (a.axis.type.shape[d] == 1 ? 0 : at) * innerOf(a.axis.type, d);
      }
      v.x.push_back(a.x[(size_t)from]);
      v.left.push_back(a.left[(size_t)from]);
    }
    return v;
  }

  Value reshape(const Value &a, const TileAxisType &to) {
    TileAxisType t = to;
    t.bits = a.axis.type.bits;
    Value v = a;
    v.axis = tileAxisReshape(t, &a.axis, false);
    return v;
  }

  Value transpose(const Value &a) {
    int32_t order[2] = {1, 0};
    TileAxisType t = a.axis.type;
    std::swap(t.shape[0], t.shape[1]);
    Value v{tileAxisTranspose(t, &a.axis, order), {}, {}};
    for (int64_t i = 0; i < totalOf(t); ++i) {
      int64_t from = i % t.shape[1] * t.shape[0] + i / t.shape[1];
      v.x.push_back(a.x[(size_t)from]);
      v.left.push_back(a.left[(size_t)from]);
    }
    return v;
  }

  Value leaf(const TileAxisType &t, int32_t bits) {
    if (chance(15))
      return splat(scalar(bits), t);
    if (t.rank == 1)
      return line(t.shape[0], bits);
    if (chance(40)) {
      TileAxisType flat = tileAxisType(1, std::initializer_list<int64_t>{totalOf(t)}.begin(), bits, 1);
      return reshape(expression(flat, bits, 1), t);
    }
    int32_t axis = (int32_t)below(2); // the new dimension
    return broadcast(expand(expression(tileAxisType(1, &t.shape[1 - axis], bits, 1), bits, 1), axis), t);
  }

  Value condition(const TileAxisType &t, int depth) {
    int32_t bits = of<int32_t>({8, 32});
    Value a = expression(t, bits, depth - 1), b = expression(t, bits, depth - 1);
    TileAxisCmp p = (TileAxisCmp)below(10);
    return checked(elementwise(tileAxisCmp(p, &a.axis, &b.axis), a, b,
                               [&](int64_t x, int64_t y) { return compare(p, x, y, bits); }),
                   "cmp", a, b);
  }

  Value select(const TileAxisType &t, int32_t bits, int depth) {
    Value c = condition(t, depth), a = expression(t, bits, depth - 1), b = expression(t, bits, depth - 1);
    Value r{tileAxisSelect(&c.axis, &a.axis, &b.axis), {}, {}};
    for (int64_t i = 0; i < a.size(); ++i) {
      r.x.push_back(c.x[i] ? a.x[i] : b.x[i]);
      r.left.push_back(a.left[i] || b.left[i] || c.left[i]);
    }
    return checked(r, "select", a, b);
  }

  Value cast(const TileAxisType &t, int32_t bits, int depth) {
    int32_t from = of<int32_t>({1, 8, 16, 32, 64});
    if (from == bits)
      return leaf(t, bits);
    Value a = from == 1 ? condition(t, depth) : expression(t, from, depth - 1);
    bool isSigned = chance(50);
    Value r = a;
    r.axis = from < bits ? tileAxisExtend(&a.axis, bits, isSigned) : tileAxisTruncate(&a.axis, bits);
    for (int64_t &x : r.x)
      x = from > bits ? wrap(x, bits)
          : from == 1 ? (isSigned ? -x : x)
          : isSigned  ? x
                      : (int64_t)asUnsigned(x, from);
    return checked(r, "cast", a, a);
  }

  Value expression(const TileAxisType &t, int32_t bits, int depth) {
    if (depth <= 0 || chance(10))
      return checked(leaf(t, bits), "leaf", {}, {});
    switch (below(12)) {
    case 0:
      return select(t, bits, depth);
    case 1:
      return cast(t, bits, depth);
    case 2:
      if (t.rank == 2) {
        TileAxisType turned = t;
        std::swap(turned.shape[0], turned.shape[1]);
        return checked(transpose(expression(turned, bits, depth - 1)), "trans", {}, {});
      }
      return line(t.shape[0], bits);
    case 3: {
      Value a = expression(t, bits, depth - 1), b = expression(t, bits, depth - 1);
      Value r = chance(50) ? a : b;
      r.axis = tileAxisJoin(&a.axis, &b.axis);
      return checked(r, "join", a, b);
    }
    default: {
      int op = (int)below(numBinary);
      Value a = expression(t, bits, depth - 1), b = expression(t, bits, depth - 1);
      return checked(binary(op, a, b), binaryName[op], a, b);
    }
    }
  }

  Value checked(const Value &r, const std::string &what, const Value &a, const Value &b) {
    std::string wrong = violation(r);
    if (wrong.empty() || !failure.empty())
      return r;
    failure = what + ": " + wrong + "\n  of " + show(a) + "\n  and " + show(b) + "\n  is " + show(r);
    return r;
  }

  std::string failure;
  std::mt19937_64 engine;
};

TileAxisType randomShape(Random &random, int32_t bits) {
  int64_t shape[2] = {random.of<int64_t>({1, 2, 4, 6, 8, 12, 16, 32}),
                      random.of<int64_t>({1, 2, 3, 4, 8, 16, 24})};
  return tileAxisType((int32_t)random.below(2) + 1, shape, bits, 1);
}

TEST(AxisRandom, Expressions) {
  for (unsigned seed = 0; seed < 10000; ++seed) {
    Random random(seed);
    int32_t bits = random.of<int32_t>({8, 16, 32, 64});
    random.expression(randomShape(random, bits), bits, 4);
    ASSERT_EQ(random.failure, "") << "seed " << seed;
  }
}

TEST(AxisRandom, Pointers) {
  for (unsigned seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    int32_t bits = random.of<int32_t>({8, 16, 32, 64});
    int64_t unit = random.of<int64_t>({1, 2, 4, 8}), divisor = random.of<int64_t>({1, 2, 4, 16, 48, 128});
    TileAxisType t = randomShape(random, bits), scalar = tileAxisType(1, nullptr, 0, unit);
    Value p = splat({tileAxisUniform(scalar, divisor), {(random.below(1000) + 1) * divisor}, {false}}, t);
    for (int i = 0; i < 2; ++i) {
      Value o = random.expression(t, bits, 3);
      p = random.checked(elementwise(tileAxisAddPtr(&p.axis, &o.axis), p, o,
                                     [&](int64_t x, int64_t y) {
                                       return (int64_t)((uint64_t)x + (uint64_t)y * (uint64_t)unit);
                                     }),
                         "addptr", p, o);
    }
    Value n = p;
    n.axis = tileAxisReinterpret(&p.axis, 64, 1);
    random.checked(n, "ptr_to_int", p, p);
    ASSERT_EQ(random.failure, "") << "seed " << seed;
  }
}

// Any shape into any other with as many elements.
TEST(AxisRandom, Reshape) {
  for (unsigned seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    int64_t from[3] = {random.of<int64_t>({1, 2, 4, 6}), random.of<int64_t>({1, 2, 4, 8}),
                       random.of<int64_t>({1, 2, 8, 12})};
    int64_t total = from[0] * from[1] * from[2], to[3] = {1, 1, 1};
    TileAxisType flat = tileAxisType(1, &total, 32, 1);
    Value a = random.reshape(random.expression(flat, 32, 2), tileAxisType(3, from, 32, 1));
    for (int64_t rest = total, p = 2; rest > 1; p = rest % 2 ? 3 : 2)
      if (rest % p == 0)
        to[random.below(3)] *= p, rest /= p;
    Value r = random.reshape(a, tileAxisType(3, to, 32, 1));
    random.checked(r, "reshape", a, a);
    ASSERT_EQ(random.failure, "") << "seed " << seed;
  }
}

// A hint that is true, in any mixture, never makes a claim that is not.
TEST(AxisRandom, TrueHints) {
  for (unsigned seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    Value v = random.expression(randomShape(random, 32), 32, 3);
    TileAxis truth = tileAxisOfElements(v.axis.type, v.x.data());
    int32_t d = (int32_t)random.below(v.axis.type.rank);
    const TileAxisDim &x = truth.dims[d];
    bool all = random.chance(30);
    int64_t c = random.chance(50) || all ? x.contiguity * random.of<int64_t>({1, 3}) : 0;
    int64_t divisor = c && (random.chance(50) || all) ? x.divisibility : 0;
    if (c && v.axis.type.shape[d] % c)
      c = x.contiguity;
    tileAxisHint(&v.axis, d, c, divisor, random.chance(50) ? x.constancy : 0);
    random.checked(v, "hint", v, v);
    ASSERT_EQ(random.failure, "") << "seed " << seed;
  }
}

TEST(AxisRandom, PairsAndParts) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    TileAxisType t = randomShape(random, 32), pair = t, longer = t;
    Value a = random.expression(t, 32, 3), b = random.expression(t, 32, 3);
    pair.shape[pair.rank++] = 2;
    Value p{tileAxisPair(pair, &a.axis, &b.axis), {}, {}};
    for (int64_t i = 0; i < a.size(); ++i)
      for (const Value *v : {&a, &b}) {
        p.x.push_back(v->x[i]);
        p.left.push_back(v->left[i]);
      }
    random.checked(p, "join", a, b);
    Value half = b;
    half.axis = tileAxisUnpair(t, &p.axis);
    random.checked(half, "split", p, p);
    longer.shape[0] *= 2;
    Value c{tileAxisConcat(longer, &a.axis, &b.axis), a.x, a.left};
    c.x.insert(c.x.end(), b.x.begin(), b.x.end());
    c.left.insert(c.left.end(), b.left.begin(), b.left.end());
    random.checked(c, "cat", a, b);
    ASSERT_EQ(random.failure, "") << "seed " << seed;
  }
}

} // namespace
