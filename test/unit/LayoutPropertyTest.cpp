/* LayoutPropertyTest.cpp - laws of the layout algebra on seeded random layouts, against brute-force
 * enumeration. */
#include "LayoutTesting.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

static const int rounds = 300;

using Place = std::array<int64_t, 4>;

static std::vector<int32_t> coordsAt(const TileLayout &layout, int64_t r, int64_t l, int64_t w, int64_t b) {
  std::vector<int32_t> coords(layout.rank);
  tileLayoutApply(&layout, r, l, w, b, coords.data());
  return coords;
}

static TileLayout anyLayout(Random &random, int maxBits = 8) {
  auto shape = randomShape(random, below(random, 5), maxBits);
  return randomLayout(random, shape,
                      {below(random, 4), below(random, 4), below(random, 3), below(random, 2)});
}

/// Two layouts of one tensor on the same machine, the first surjective.
static std::pair<TileLayout, TileLayout> anyPair(Random &random) {
  auto shape = randomShape(random, 1 + below(random, 3), 8);
  int lanes = below(random, 4), warps = below(random, 3), blocks = below(random, 2);
  int mix = below(random, 2) * below(random, 6);
  return {randomSurjective(random, shape, lanes, warps, blocks, below(random, 3), mix),
          randomSurjective(random, shape, lanes, warps, blocks, below(random, 3), mix)};
}

TEST(LayoutProperty, IsLinear) {
  Random random(1);
  for (int i = 0; i < rounds; ++i) {
    TileLayout layout = anyLayout(random);
    ASSERT_TRUE(tileLayoutIsValid(&layout));
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      int64_t split = tileLayoutApplyFlat(&layout, r, 0, w, 0) ^ tileLayoutApplyFlat(&layout, 0, l, 0, b);
      ASSERT_EQ(tileLayoutApplyFlat(&layout, r, l, w, b), split);
    });
  }
}

TEST(LayoutProperty, TextRoundTrip) {
  Random random(2);
  for (int i = 0; i < rounds; ++i) {
    TileLayout layout = anyLayout(random), back = parse(str(layout)), memory = parse(str(layout, true));
    EXPECT_TRUE(tileLayoutEqual(&layout, &back)) << str(layout);
    EXPECT_TRUE(tileLayoutEqual(&layout, &memory));
    std::string cut = str(layout);
    cut.resize(cut.size() / 2);
    char buffer[600] = {0};
    tileLayoutPrint(&layout, false, buffer, cut.size() + 1);
    EXPECT_EQ(cut, buffer);
  }
}

TEST(LayoutProperty, ParserSurvivesDamage) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text = str(anyLayout(random));
    for (int n = 1 + below(random, 3); n > 0; --n)
      text[below(random, (int)text.size())] = "[],=0123456789 rlwbsx\0\xff"[below(random, 23)];
    TileLayout layout;
    if (tileLayoutParse(text.data(), text.size(), &layout, nullptr, nullptr))
      EXPECT_TRUE(tileLayoutIsValid(&layout)) << text;
  }
}

TEST(LayoutProperty, InjectiveSurjectiveFree) {
  Random random(4);
  for (int i = 0; i < rounds; ++i) {
    TileLayout layout = anyLayout(random, 6);
    std::map<int64_t, int> holders;
    std::set<int64_t> kept;
    uint32_t mask[4];
    for (int d = 0; d < 4; ++d) {
      mask[d] = tileLayoutFreeMask(&layout, (TileLayoutDim)d);
      EXPECT_EQ(tileLayoutZeroMask(&layout, (TileLayoutDim)d) & ~mask[d], 0u);
    }
    size_t inputs = 0, keepers = 0;
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      int64_t element = tileLayoutApplyFlat(&layout, r, l, w, b);
      ++holders[element], ++inputs;
      if ((r & mask[0]) || (l & mask[1]) || (w & mask[2]) || (b & mask[3]))
        return;
      EXPECT_TRUE(kept.insert(element).second) << "an element would be stored twice";
      ++keepers;
    });
    EXPECT_EQ(kept.size(), holders.size());
    EXPECT_EQ(keepers, holders.size());
    EXPECT_EQ(tileLayoutIsInjective(&layout), holders.size() == inputs);
    EXPECT_EQ(tileLayoutIsSurjective(&layout), (int64_t)holders.size() == tileLayoutNumElements(&layout));
  }
}

TEST(LayoutProperty, ShapeOperationsCommuteWithEnumeration) {
  Random random(5);
  for (int i = 0; i < rounds; ++i) {
    TileLayout layout = anyLayout(random), out;
    if (layout.rank == 0)
      continue;
    std::vector<int32_t> perm(layout.rank);
    for (int d = 0; d < layout.rank; ++d)
      perm[d] = d;
    std::shuffle(perm.begin(), perm.end(), random);
    int dim = below(random, layout.rank);
    ASSERT_TRUE(tileLayoutTranspose(&layout, perm.data(), &out));
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      auto from = coordsAt(layout, r, l, w, b), to = coordsAt(out, r, l, w, b);
      for (int d = 0; d < layout.rank; ++d)
        ASSERT_EQ(to[d], from[perm[d]]);
    });
    ASSERT_TRUE(tileLayoutDropDim(&layout, dim, &out));
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      auto from = coordsAt(layout, r, l, w, b);
      from.erase(from.begin() + dim);
      ASSERT_EQ(coordsAt(out, r, l, w, b), from);
    });
    ASSERT_TRUE(tileLayoutExpandDims(&layout, dim, &out));
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      auto from = coordsAt(layout, r, l, w, b);
      from.insert(from.begin() + dim, 0);
      ASSERT_EQ(coordsAt(out, r, l, w, b), from);
    });
    std::vector<int64_t> shape = {1, 1, 1};
    for (int64_t n = tileLayoutNumElements(&layout); n > 1; n /= 2)
      shape[below(random, 3)] *= 2;
    ASSERT_TRUE(tileLayoutReshape(&layout, shape.data(), 3, &out));
    forEachInput(layout, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      auto c = coordsAt(out, r, l, w, b);
      ASSERT_EQ((c[0] * shape[1] + c[1]) * shape[2] + c[2], tileLayoutApplyFlat(&layout, r, l, w, b));
    });
  }
}

TEST(LayoutProperty, DroppedRegistersAreRepeats) {
  Random random(6);
  for (int i = 0; i < rounds; ++i) {
    TileLayout layout = anyLayout(random, 4), out;
    int32_t kept[TileLayout_MaxBits];
    tileLayoutDropRedundantRegisters(&layout, &out, kept);
    EXPECT_TRUE(tileLayoutEqualUpToRegisters(&layout, &out));
    std::set<int64_t> before, after;
    for (int64_t r = 0; r < tileLayoutNumRegisters(&layout); ++r)
      before.insert(tileLayoutApplyFlat(&layout, r, 0, 0, 0));
    for (int64_t r = 0; r < tileLayoutNumRegisters(&out); ++r) {
      int64_t from = 0;
      for (int bit = 0; bit < out.bits[TileLayoutDim_Register]; ++bit)
        from |= (r >> bit & 1) << kept[bit];
      EXPECT_EQ(tileLayoutApplyFlat(&layout, from, 0, 0, 0), tileLayoutApplyFlat(&out, r, 0, 0, 0));
      EXPECT_TRUE(after.insert(tileLayoutApplyFlat(&out, r, 0, 0, 0)).second);
    }
    EXPECT_EQ(before, after);
  }
}

TEST(LayoutProperty, BroadcastIsFree) {
  Random random(7);
  for (int i = 0; i < rounds; ++i) {
    TileLayout layout = anyLayout(random, 5), narrow, wide, back;
    if (layout.rank == 0)
      continue;
    int dim = below(random, layout.rank);
    ASSERT_TRUE(tileLayoutUnbroadcast(&layout, dim, &narrow));
    ASSERT_TRUE(tileLayoutBroadcast(&narrow, dim, 1 << below(random, 4), below(random, 2), &wide));
    ASSERT_TRUE(tileLayoutIsValid(&wide));
    EXPECT_TRUE(tileLayoutIsSurjective(&wide) || !tileLayoutIsSurjective(&layout));
    ASSERT_TRUE(tileLayoutUnbroadcast(&wide, dim, &back));
    EXPECT_TRUE(tileLayoutEqual(&back, &narrow)) << str(back) << "\n" << str(narrow);
  }
}

TEST(LayoutProperty, ProductAndDivision) {
  Random random(8);
  for (int i = 0; i < rounds; ++i) {
    int rank = below(random, 4);
    TileLayout low =
        randomLayout(random, randomShape(random, rank, 5), {below(random, 3), below(random, 3), 1});
    TileLayout high =
        randomLayout(random, randomShape(random, rank, 5), {below(random, 3), below(random, 3), 0, 1});
    TileLayout product, quotient;
    ASSERT_TRUE(tileLayoutProduct(&low, &high, &product));
    ASSERT_TRUE(tileLayoutIsValid(&product));
    ASSERT_TRUE(tileLayoutDivideLeft(&product, &low, &quotient));
    EXPECT_TRUE(tileLayoutEqual(&quotient, &high));
    ASSERT_TRUE(tileLayoutDivideRight(&product, &high, &quotient));
    EXPECT_TRUE(tileLayoutEqual(&quotient, &low));
    forEachInput(product, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      auto a = coordsAt(low, r, l, w, b);
      auto c = coordsAt(high, r >> low.bits[0], l >> low.bits[1], w >> low.bits[2], b >> low.bits[3]);
      auto p = coordsAt(product, r, l, w, b);
      for (int d = 0; d < rank; ++d)
        ASSERT_EQ(p[d], a[d] + c[d] * low.shape[d]);
    });
  }
}

TEST(LayoutProperty, ComposeAndInvert) {
  Random random(9);
  for (int i = 0; i < rounds; ++i) {
    TileLayout src, dst;
    std::tie(src, dst) = anyPair(random);
    TileLayout map, composed, inverse;
    ASSERT_TRUE(tileLayoutInvertAndCompose(&dst, &src, &map));
    ASSERT_TRUE(tileLayoutIsValid(&map));
    ASSERT_TRUE(tileLayoutCompose(&map, &src, &composed));
    EXPECT_TRUE(tileLayoutEqual(&composed, &dst)) << str(src) << "\n" << str(dst) << "\n" << str(map);
    forEachInput(map, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      auto at = coordsAt(map, r, l, w, b);
      ASSERT_EQ(tileLayoutApplyFlat(&src, at[0], at[1], at[2], at[3]), tileLayoutApplyFlat(&dst, r, l, w, b));
    });
    ASSERT_TRUE(tileLayoutPseudoInverse(&src, &inverse));
    for (int64_t e = 0; e < tileLayoutNumElements(&src); ++e) {
      auto at = coordsAt(inverse, e, 0, 0, 0);
      ASSERT_EQ(tileLayoutApplyFlat(&src, at[0], at[1], at[2], at[3]), e);
    }
  }
}

TEST(LayoutProperty, InvertFailsOnlyWithoutSolution) {
  Random random(10);
  for (int i = 0; i < rounds; ++i) {
    auto shape = randomShape(random, 2, 5);
    TileLayout src = randomLayout(random, shape, {2, 1, 1}), dst = randomLayout(random, shape, {1, 1, 1}),
               map;
    std::set<int64_t> held;
    forEachInput(src, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      held.insert(tileLayoutApplyFlat(&src, r, l, w, b));
    });
    bool possible = true;
    forEachInput(dst, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      possible &= held.count(tileLayoutApplyFlat(&dst, r, l, w, b)) != 0;
    });
    EXPECT_EQ(tileLayoutInvertAndCompose(&dst, &src, &map), possible);
  }
}

/// The kind of a conversion by its meaning: where does src hold what each place of dst wants?
static TileConversionKind bruteKind(const TileLayout &src, const TileLayout &dst) {
  std::map<int64_t, std::vector<Place>> holders;
  forEachInput(src, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
    holders[tileLayoutApplyFlat(&src, r, l, w, b)].push_back({r, l, w, b});
  });
  bool inBlock = true, inWarp = true, inThread = true, same = true;
  int64_t registers = tileLayoutNumRegisters(&src);
  // For each dst register, the src registers that serve every thread.
  std::vector<std::vector<bool>> serves(tileLayoutNumRegisters(&dst), std::vector<bool>(registers, true));
  forEachInput(dst, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
    bool block = false, warp = false;
    std::vector<bool> mine(registers, false);
    for (auto &p : holders[tileLayoutApplyFlat(&dst, r, l, w, b)]) {
      block |= p[3] == b;
      warp |= p[3] == b && p[2] == w;
      if (p[3] == b && p[2] == w && p[1] == l)
        mine[p[0]] = true;
    }
    inBlock &= block, inWarp &= warp;
    for (int64_t s = 0; s < registers; ++s)
      if (!mine[s])
        serves[r][s] = false;
  });
  for (size_t r = 0; r < serves.size(); ++r) {
    inThread &= std::find(serves[r].begin(), serves[r].end(), true) != serves[r].end();
    same &= (int64_t)r < registers && serves[r][r];
  }
  same &= (int64_t)serves.size() == registers;
  if (!inBlock)
    return TileConversion_Block;
  if (!inWarp)
    return TileConversion_Warp;
  return !inThread ? TileConversion_Lane : same ? TileConversion_None : TileConversion_Register;
}

TEST(LayoutProperty, ConversionKindMatchesMeaning) {
  Random random(11);
  int seen[5] = {0};
  for (int i = 0; i < 2000; ++i) {
    TileLayout src, dst;
    std::tie(src, dst) = anyPair(random);
    // Keep src's threads now and then, so that cheap kinds turn up.
    if (below(random, 2)) {
      TileLayout dropped;
      tileLayoutDropRedundantRegisters(&src, &dropped, nullptr);
      dst = below(random, 2) ? dropped : src;
      if (dst.bits[0] > 1 && below(random, 2))
        std::swap(dst.bases[0][0], dst.bases[0][1]);
      if (dst.bits[0] && dst.bits[1] && below(random, 3) == 0)
        for (int d = 0; d < dst.rank; ++d)
          dst.bases[1][0][d] ^= dst.bases[0][0][d];
    }
    TileConversion conversion;
    ASSERT_TRUE(tileLayoutConversion(&src, &dst, &conversion));
    EXPECT_EQ(conversion.kind, bruteKind(src, dst)) << str(src) << "\n"
                                                    << str(dst) << "\n"
                                                    << str(conversion.map);
    ++seen[conversion.kind];
    if (conversion.kind > TileConversion_Register)
      continue;
    forEachInput(dst, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      int64_t from = tileConversionSourceRegister(&conversion, r);
      ASSERT_EQ(tileLayoutApplyFlat(&src, from, l, w, b), tileLayoutApplyFlat(&dst, r, l, w, b));
    });
  }
  for (int kind = 0; kind < 5; ++kind)
    EXPECT_GT(seen[kind], 20) << tileConversionKindName((TileConversionKind)kind);
}

TEST(LayoutProperty, QuotientDropsOnlyIdentities) {
  Random random(12);
  int dropped = 0;
  for (int i = 0; i < 2000; ++i) {
    TileLayout src, dst;
    std::tie(src, dst) = anyPair(random);
    if (below(random, 2)) {
      dst = src;
      if (dst.bits[0] > 1)
        std::swap(dst.bases[0][0], dst.bases[0][1]);
    }
    TileLayout map, rest;
    ASSERT_TRUE(tileLayoutInvertAndCompose(&dst, &src, &map));
    auto dim = (TileLayoutDim)below(random, 4);
    bool identity = tileLayoutSize(&dst, dim) == tileLayoutSize(&src, dim);
    forEachInput(map, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      Place in = {r, l, w, b};
      auto at = coordsAt(map, r, l, w, b);
      Place only = {0, 0, 0, 0};
      only[dim] = in[dim];
      auto alone = coordsAt(map, only[0], only[1], only[2], only[3]);
      for (int d = 0; d < 4; ++d)
        identity &= alone[d] == only[d];
      identity &= at[dim] == in[dim];
    });
    ASSERT_EQ(tileLayoutQuotient(&map, dim, &rest), identity);
    dropped += identity;
  }
  EXPECT_GT(dropped, 100);
}

/// The widest run by enumeration: for k elements, all threads must be able to group registers into aligned
/// runs at the same register numbers.
static int bruteVectorBits(const TileLayout &layout, int dim, int maxBits) {
  for (int bits = maxBits; bits > 0; --bits) {
    int64_t width = 1 << bits;
    if (width > layout.shape[dim])
      continue;
    bool ok = true;
    // Register r starts a run if in every thread its coordinate is aligned and the following elements are in
    // the thread at register numbers that do not depend on the thread.
    std::vector<std::vector<int>> runs(tileLayoutNumRegisters(&layout));
    int64_t startsFound = 0;
    for (int64_t r = 0; r < tileLayoutNumRegisters(&layout); ++r) {
      std::vector<std::set<int64_t>> candidates(width);
      bool first = true, starts = true;
      for (int64_t b = 0; b < tileLayoutNumBlocks(&layout); ++b)
        for (int64_t w = 0; w < tileLayoutNumWarps(&layout); ++w)
          for (int64_t l = 0; l < tileLayoutNumLanes(&layout); ++l) {
            auto c = coordsAt(layout, r, l, w, b);
            starts &= c[dim] % width == 0;
            for (int64_t e = 0; e < width; ++e) {
              auto want = c;
              want[dim] += (int32_t)e;
              std::set<int64_t> mine;
              for (int64_t s = 0; s < tileLayoutNumRegisters(&layout); ++s)
                if (coordsAt(layout, s, l, w, b) == want)
                  mine.insert(s);
              if (first)
                candidates[e] = mine;
              else
                for (auto it = candidates[e].begin(); it != candidates[e].end();)
                  it = mine.count(*it) ? std::next(it) : candidates[e].erase(it);
            }
            first = false;
          }
      for (auto &c : candidates)
        starts &= !c.empty();
      startsFound += starts;
    }
    ok = startsFound * width >= tileLayoutNumRegisters(&layout) && startsFound > 0;
    if (ok)
      return bits;
  }
  return 0;
}

TEST(LayoutProperty, VectorMatchesEnumeration) {
  Random random(13);
  int seen[4] = {0};
  for (int i = 0; i < 600; ++i) {
    auto shape = randomShape(random, 1 + below(random, 2), 6);
    TileLayout layout = randomSurjective(random, shape, below(random, 3), below(random, 2), 0,
                                         below(random, 2), below(random, 2) * below(random, 4));
    int dim = below(random, layout.rank);
    TileLayoutVector vector = tileLayoutVector(&layout, dim, 8, false);
    EXPECT_EQ(vector.elementBits, bruteVectorBits(layout, dim, 3)) << str(layout) << " dim " << dim;
    ++seen[vector.elementBits];
    ASSERT_EQ(vector.elementBits + vector.accessBits, layout.bits[0]);
    std::set<uint32_t> used;
    for (uint32_t a = 0; a < 1u << vector.accessBits; ++a)
      for (uint32_t e = 0; e < 1u << vector.elementBits; ++e) {
        uint32_t r = tileLayoutVectorRegister(&vector, a, e), start = tileLayoutVectorRegister(&vector, a, 0);
        EXPECT_TRUE(used.insert(r).second);
        EXPECT_EQ(vector.inOrder && r != (a << vector.elementBits | e), false);
        for (int64_t w = 0; w < tileLayoutNumWarps(&layout); ++w)
          for (int64_t l = 0; l < tileLayoutNumLanes(&layout); ++l) {
            auto c = coordsAt(layout, start, l, w, 0);
            EXPECT_EQ(c[dim] % (1 << vector.elementBits), 0);
            c[dim] += (int32_t)e;
            EXPECT_EQ(coordsAt(layout, r, l, w, 0), c);
          }
      }
    TileLayoutVector ordered = tileLayoutVector(&layout, dim, 8, true);
    EXPECT_TRUE(ordered.inOrder);
    EXPECT_LE(ordered.elementBits, vector.elementBits);
  }
  for (int bits = 0; bits < 4; ++bits)
    EXPECT_GT(seen[bits], 5);
}

TEST(LayoutProperty, BlockedCoversEveryShape) {
  Random random(14);
  for (int i = 0; i < rounds; ++i) {
    int rank = 1 + below(random, 4);
    auto shape = randomShape(random, rank, 12);
    std::vector<int32_t> perThread(rank, 1), order(rank);
    for (int d = 0; d < rank; ++d)
      order[d] = d, perThread[d] = 1 << below(random, 4);
    std::shuffle(order.begin(), order.end(), random);
    TileLayout layout;
    ASSERT_TRUE(tileLayoutDefaultBlocked(shape.data(), rank, perThread.data(), order.data(), 32,
                                         1 << below(random, 4), &layout));
    EXPECT_TRUE(tileLayoutIsValid(&layout));
    EXPECT_TRUE(tileLayoutIsSurjective(&layout));
    EXPECT_EQ(tileLayoutNumLanes(&layout), 32);
    TileLayoutVector vector = tileLayoutVector(&layout, order[0], perThread[order[0]], true);
    EXPECT_GE(1 << vector.elementBits, std::min<int64_t>(perThread[order[0]], shape[order[0]]));
  }
}
