/* LayoutConvertTest.cpp - conversion plans executed on element numbers: lane shuffles, and shared memory in
 * rounds. */
#include "tile-c/LayoutConvert.h"
#include "LayoutTesting.h"
#include "tile-c/LayoutMatrix.h"
#include <algorithm>
#include <map>
#include <tuple>

static int parity(uint32_t bits) { return __builtin_popcount(bits) & 1; }

/// One stage on the values of a thread.
static void runStage(const TileSelectStage &stage, int lane, int warp, int block,
                     std::vector<int64_t> &values) {
  if (!(parity(stage.laneMask & lane) ^ parity(stage.warpMask & warp) ^ parity(stage.blockMask & block)))
    return;
  std::vector<int64_t> old = values;
  for (size_t x = 0; x < values.size(); ++x)
    values[x] = old.at(x ^ stage.flip);
}

/// Executes a plan and compares with what dst holds.
static void runShuffles(const TileLayout &src, const TileLayout &dst, const TileShufflePlan &plan) {
  int lanes = (int)tileLayoutNumLanes(&src), rounds = 1 << plan.roundBits, moved = 0;
  for (int b = 0; b < tileLayoutNumBlocks(&src); ++b)
    for (int w = 0; w < tileLayoutNumWarps(&src); ++w) {
      std::vector<std::vector<int64_t>> offered(lanes), received(lanes, std::vector<int64_t>(rounds));
      for (int l = 0; l < lanes; ++l) {
        for (int64_t r = 0; r < tileLayoutNumRegisters(&src); ++r)
          offered[l].push_back(tileLayoutApplyFlat(&src, r, l, w, b));
        for (int i = 0; i < plan.numBefore; ++i)
          runStage(plan.before[i], l, w, b, offered[l]);
      }
      moved = 0;
      for (int d = 0; d < rounds; ++d) {
        bool other = false;
        for (int l = 0; l < lanes; ++l) {
          int64_t from = tileLayoutApplyFlat(&plan.fetch, d, l, w, b);
          if (plan.isXor)
            ASSERT_EQ(from, l ^ tileLayoutApplyFlat(&plan.fetch, d, 0, w, b));
          other |= from != l;
          received[l][d] = offered[from].at(tileShuffleSupply(&plan, d));
        }
        moved += other;
      }
      EXPECT_LE(moved, plan.shuffles);
      for (int l = 0; l < lanes; ++l) {
        for (int i = 0; i < plan.numAfter; ++i)
          runStage(plan.after[i], l, w, b, received[l]);
        for (int64_t r = 0; r < tileLayoutNumRegisters(&dst); ++r)
          ASSERT_EQ(received[l].at(tileShuffleCollect(&plan, r)), tileLayoutApplyFlat(&dst, r, l, w, b))
              << str(src) << "\n"
              << str(dst) << " register " << r << " lane " << l;
      }
    }
}

static uint32_t combine(const uint32_t *columns, uint32_t bits) {
  uint32_t sum = 0;
  for (; bits; bits &= bits - 1)
    sum ^= columns[__builtin_ctz(bits)];
  return sum;
}

/// Words hold every value once, stages exchange whole words, and a word of rounds comes from one source word.
static void checkPacking(const TileShufflePlan &plan, int32_t elementBits) {
  TileShufflePacking p;
  tileShufflePack(&plan, elementBits, &p);
  ASSERT_LE(elementBits << p.bits, 32 > elementBits ? 32 : elementBits);
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> source, round;
  for (uint32_t w = 0; w < 1u << p.sourceWordBits; ++w)
    for (uint32_t e = 0; e < 1u << p.bits; ++e)
      source[combine(p.sourceWord, w) ^ combine(p.sourceElement, e)] = {w, e};
  for (uint32_t w = 0; w < 1u << p.roundWordBits; ++w)
    for (uint32_t e = 0; e < 1u << p.bits; ++e)
      round[combine(p.roundWord, w) ^ combine(p.roundElement, e)] = {w, e};
  ASSERT_EQ(source.size(), (size_t)1 << plan.sourceBits);
  ASSERT_EQ(round.size(), (size_t)1 << plan.roundBits);
  for (int i = 0; i < plan.numBefore; ++i)
    EXPECT_EQ(source.at(plan.before[i].flip).second, 0u);
  for (int i = 0; i < plan.numAfter; ++i)
    EXPECT_EQ(round.at(plan.after[i].flip).second, 0u);
  for (uint32_t w = 0; w < 1u << p.roundWordBits; ++w) {
    uint32_t first = combine(p.roundWord, w);
    auto word = source.at(tileShuffleSupply(&plan, first)).first;
    for (uint32_t e = 0; e < 1u << p.bits; ++e) {
      uint32_t d = first ^ combine(p.roundElement, e);
      EXPECT_EQ(source.at(tileShuffleSupply(&plan, d)), std::make_pair(word, e));
      EXPECT_EQ(tileLayoutApplyFlat(&plan.fetch, d, 0, 0, 0),
                tileLayoutApplyFlat(&plan.fetch, first, 0, 0, 0));
    }
  }
}

TEST(LayoutConvert, PackedPairsTravelTogether) {
  // Register bit 0 stays, bit 1 trades with a lane bit: pairs of f16 make one word, quads of f8 one.
  TileLayout src = parse("register=[[1],[2],[4]], lane=[[8]], shape=[16]"),
             dst = parse("register=[[1],[2],[8]], lane=[[4]], shape=[16]");
  TileShufflePlan plan;
  TileShufflePacking packing;
  ASSERT_TRUE(tileLayoutPlanShuffles(&src, &dst, &plan));
  for (int bits : {8, 16, 32, 64}) {
    tileShufflePack(&plan, bits, &packing);
    EXPECT_EQ(packing.bits, bits == 8 ? 2 : bits == 16 ? 1 : 0);
    checkPacking(plan, bits);
  }
  EXPECT_LT(tileShuffleCost(&plan, 32), tileShuffleCost(&plan, 64));
}

TEST(LayoutConvert, TransposeOfTwoByTwo) {
  TileLayout src = parse("register=[[1]], lane=[[2]], shape=[4]"),
             dst = parse("register=[[2]], lane=[[1]], shape=[4]");
  TileShufflePlan plan;
  ASSERT_TRUE(tileLayoutPlanShuffles(&src, &dst, &plan));
  EXPECT_EQ(plan.shuffles, 1);
  EXPECT_EQ(plan.selects, 4);
  EXPECT_TRUE(plan.isXor);
  runShuffles(src, dst, plan);
}

TEST(LayoutConvert, ShuffleCounts) {
  struct {
    const char *src, *dst;
    int shuffles, selects;
  } cases[] = {
      // Lanes renumbered: one shuffle a register, nothing else.
      {"register=[[1]], lane=[[2],[4]], shape=[8]", "register=[[1]], lane=[[4],[2]], shape=[8]", 2, 0},
      // A swizzled lane picks among its own registers: no shuffle.
      {"register=[[1]], lane=[[2],[4]], shape=[8]", "register=[[1]], lane=[[3],[4]], shape=[8]", 0, 2},
      // Both register bits trade with lane bits: all but the round that stays.
      {"register=[[1],[2]], lane=[[4],[8]], shape=[16]", "register=[[4],[8]], lane=[[1],[2]], shape=[16]", 3,
       16},
      // The destination is spread from one lane's registers over lanes that held copies.
      {"register=[[1],[2]], lane=[[0],[0]], shape=[4]", "lane=[[1],[2]], shape=[4]", 0, 2},
      // The destination repeats what lanes held.
      {"lane=[[1],[2]], shape=[4]", "register=[[1],[2]], lane=[[0],[0]], shape=[4]", 4, 0},
      // A source lane's two registers go to two lanes, with no second destination register to pair with.
      {"register=[[1]], lane=[[2],[4]], shape=[8]", "lane=[[1],[2]], register=[[4]], shape=[8]", 2, 4},
  };
  for (auto &c : cases) {
    TileLayout src = parse(c.src), dst = parse(c.dst);
    TileShufflePlan plan;
    ASSERT_TRUE(tileLayoutPlanShuffles(&src, &dst, &plan));
    runShuffles(src, dst, plan);
    EXPECT_EQ(plan.shuffles, c.shuffles) << c.src << " -> " << c.dst;
    EXPECT_EQ(plan.selects, c.selects) << c.src << " -> " << c.dst;
  }
}

/// A destination whose warps and blocks hold what src's do: registers and lanes are mixed, copies come and
/// go.
static TileLayout stirWithinWarp(Random &random, const TileLayout &src) {
  TileLayout dst = src;
  std::vector<std::vector<int32_t>> columns;
  int lanes = src.bits[TileLayoutDim_Lane];
  for (int dim : {TileLayoutDim_Register, TileLayoutDim_Lane})
    for (int bit = 0; bit < src.bits[dim]; ++bit)
      columns.emplace_back(src.bases[dim][bit], src.bases[dim][bit] + src.rank);
  for (int copies = below(random, 3); copies > 0; --copies)
    columns.emplace_back(src.rank, 0);
  std::shuffle(columns.begin(), columns.end(), random);
  for (int i = below(random, 2) * below(random, 6); i > 0 && columns.size() > 1; --i) {
    int a = below(random, (int)columns.size()), b = below(random, (int)columns.size());
    for (int d = 0; a != b && d < src.rank; ++d)
      columns[a][d] ^= columns[b][d];
  }
  std::vector<int64_t> shape(src.shape, src.shape + src.rank);
  std::vector<int32_t> bases;
  for (size_t i = lanes; i < columns.size(); ++i)
    bases.insert(bases.end(), columns[i].begin(), columns[i].end());
  for (int i = 0; i < lanes; ++i)
    bases.insert(bases.end(), columns[i].begin(), columns[i].end());
  for (int dim : {TileLayoutDim_Warp, TileLayoutDim_Block})
    for (int bit = 0; bit < src.bits[dim]; ++bit) {
      std::vector<int32_t> basis(src.bases[dim][bit], src.bases[dim][bit] + src.rank);
      if (!columns.empty() && below(random, 3) == 0)
        for (int d = 0; d < src.rank; ++d)
          basis[d] ^= columns[below(random, (int)columns.size())][d];
      bases.insert(bases.end(), basis.begin(), basis.end());
    }
  int32_t bits[4] = {(int)columns.size() - lanes, lanes, src.bits[2], src.bits[3]};
  EXPECT_TRUE(tileLayoutFromBases(src.rank, shape.data(), bits, bases.data(), &dst));
  return dst;
}

TEST(LayoutConvert, ShufflesMoveEveryElement) {
  Random random(31);
  int planned = 0, refused = 0, withSelects = 0;
  for (int i = 0; i < 3000; ++i) {
    auto shape = randomShape(random, 1 + below(random, 2), 7);
    TileLayout src = randomSurjective(random, shape, below(random, 5), below(random, 2), below(random, 2),
                                      below(random, 3), below(random, 2) * below(random, 8));
    TileLayout dst = stirWithinWarp(random, src);
    TileConversion conversion;
    TileShufflePlan plan;
    bool local = tileLayoutConversion(&src, &dst, &conversion) && conversion.kind <= TileConversion_Lane;
    ASSERT_EQ(tileLayoutPlanShuffles(&src, &dst, &plan), local);
    ++(local ? planned : refused);
    if (!local)
      continue;
    withSelects += plan.selects > 0;
    ASSERT_NO_FATAL_FAILURE(runShuffles(src, dst, plan));
    ASSERT_NO_FATAL_FAILURE(checkPacking(plan, 8 << below(random, 4)));
    if (conversion.kind <= TileConversion_Register) {
      EXPECT_EQ(plan.shuffles, 0);
      EXPECT_EQ(plan.selects, 0);
    }
  }
  EXPECT_GT(planned, 1000);
  EXPECT_GT(withSelects, 300);
}

/// Stores and loads round by round, on element numbers.
static void runScratch(const TileLayout &src, const TileLayout &dst, const TileScratchPlan &plan,
                       int elementBits) {
  ASSERT_TRUE(tileSharedIsValid(&plan.shared)) << str(plan.shared.map, true);
  TileSharedAccess store, load;
  ASSERT_TRUE(tileSharedAccessOf(&src, &plan.shared, elementBits, 128, &store));
  ASSERT_TRUE(tileSharedAccessOf(&dst, &plan.shared, elementBits, 128, &load));
  int placeBits = plan.shared.map.bits[TileLayoutDim_Offset] - plan.roundBits;
  EXPECT_EQ(plan.bytes, ((int64_t)1 << placeBits) * elementBits / 8);
  auto at = [&](const TileSharedAccess &access, int64_t r, int64_t l, int64_t w, int64_t b, int64_t *block) {
    int32_t coords[TileLayout_MaxRank];
    tileLayoutApply(&access.toOffset, r, l, w, b, coords);
    *block = coords[TileLayoutDim_Block];
    return (int64_t)coords[TileLayoutDim_Offset];
  };
  auto roundOf = [&](const TileSharedAccess &access, uint32_t byWarp, int64_t r, int64_t w) {
    int64_t unused, byRegister = at(access, r, 0, 0, 0, &unused) >> placeBits;
    return (byRegister & ~(int64_t)byWarp) | ((at(access, 0, 0, w, 0, &unused) >> placeBits) & byWarp);
  };
  for (int64_t round = 0; round < 1 << plan.roundBits; ++round) {
    std::map<std::pair<int64_t, int64_t>, int64_t> memory;
    forEachInput(src, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      int64_t block, offset = at(store, r, l, w, b, &block);
      ASSERT_EQ(offset >> placeBits, roundOf(store, plan.storeByWarp, r, w))
          << "the round depends on the thread";
      ASSERT_EQ(block, b) << "stores to another block";
      if (offset >> placeBits != round)
        return;
      int64_t element = tileLayoutApplyFlat(&src, r, l, w, b);
      auto inserted = memory.insert({{block, offset}, element});
      ASSERT_EQ(inserted.first->second, element) << "two elements at one place";
    });
    forEachInput(dst, [&](int64_t r, int64_t l, int64_t w, int64_t b) {
      int64_t block, offset = at(load, r, l, w, b, &block);
      ASSERT_EQ(offset >> placeBits, roundOf(load, plan.loadByWarp, r, w))
          << "the round depends on the thread";
      if (offset >> placeBits == round)
        ASSERT_EQ(memory.at({block, offset}), tileLayoutApplyFlat(&dst, r, l, w, b));
    });
  }
}

TEST(LayoutConvert, ScratchMovesEveryElementWithoutConflicts) {
  Random random(32);
  int vectors = 0, inRounds = 0, refused = 0, crossing = 0;
  for (int i = 0; i < 700; ++i) {
    auto shape = randomShape(random, 1 + below(random, 2), 11);
    int lanes = below(random, 4) ? 5 : 6, warps = below(random, 3), blocks = below(random, 4) == 0;
    int mix = below(random, 2) * below(random, 8);
    TileLayout src = randomSurjective(random, shape, lanes, warps, blocks, below(random, 3), mix), dst;
    bool stirred = below(random, 4) == 0;
    dst = stirred ? stirWithinWarp(random, src)
                  : randomSurjective(random, shape, lanes, warps, blocks, below(random, 3), mix);
    tileLayoutDropRedundantRegisters(&src, &src, nullptr);
    tileLayoutDropRedundantRegisters(&dst, &dst, nullptr);
    int elementBits = 8 << below(random, 4);
    TileScratchOptions options = {elementBits, 128,   lanes == 6 && below(random, 2) ? 64 : 32,
                                  0,           false, false};
    if (below(random, 3) == 0)
      options.maxBytes = 16 << below(random, 8);
    TileScratchPlan plan;
    if (!tileLayoutPlanScratch(&src, &dst, &options, &plan)) {
      EXPECT_GT(options.maxBytes, 0);
      EXPECT_GT(plan.bytes, options.maxBytes);
      options.maxBytes = plan.bytes;
      ++refused;
      ASSERT_TRUE(tileLayoutPlanScratch(&src, &dst, &options, &plan)) << "the named least is not enough";
    }
    if (options.maxBytes)
      EXPECT_LE(plan.bytes, options.maxBytes);
    ASSERT_NO_FATAL_FAILURE(runScratch(src, dst, plan, elementBits)) << str(src) << "\n" << str(dst);
    // Layouts that are no permutation of bits may prefer a conflict to narrower vectors, but never pay more
    // for it.
    int64_t scalarPhases = elementBits == 64 ? 2 : 1;
    scalarPhases *= lanes == 6 && options.banks == 32 ? 2 : 1;
    EXPECT_LE(plan.cost, (tileLayoutNumRegisters(&src) + tileLayoutNumRegisters(&dst)) * (1 + scalarPhases));
    if (mix == 0 && !stirred) {
      EXPECT_EQ(plan.storeConflicts.ways, 1) << str(src) << "\n"
                                             << str(dst) << "\n"
                                             << str(plan.shared.map, true);
      EXPECT_EQ(plan.loadConflicts.ways, 1) << str(src) << "\n"
                                            << str(dst) << "\n"
                                            << str(plan.shared.map, true);
    }
    vectors += plan.storeConflicts.accesses < tileLayoutNumRegisters(&src);
    inRounds += plan.roundBits > 0;
    TileConversion conversion;
    ASSERT_TRUE(tileLayoutConversion(&src, &dst, &conversion));
    crossing += conversion.kind == TileConversion_Block;
  }
  EXPECT_GT(vectors, 150);
  EXPECT_GT(inRounds, 60);
  EXPECT_GT(refused, 10);
  EXPECT_GT(crossing, 30);
}

static TileLayout blocked(std::vector<int64_t> shape, std::vector<int32_t> perThread,
                          std::vector<int32_t> order, int threads = 32, int warps = 4) {
  TileLayout layout;
  EXPECT_TRUE(tileLayoutDefaultBlocked(shape.data(), (int)shape.size(), perThread.data(), order.data(),
                                       threads, warps, &layout));
  return layout;
}

TEST(LayoutConvert, ScratchOfATranspose) {
  // f32: columns in, rows out, both in 16-byte vectors of their own dimension: one side stays scalar.
  TileLayout src = blocked({64, 64}, {4, 1}, {0, 1}), dst = blocked({64, 64}, {1, 4}, {1, 0});
  TileScratchOptions options = {32, 128, 32, 0, false, false};
  TileScratchPlan plan;
  ASSERT_TRUE(tileLayoutPlanScratch(&src, &dst, &options, &plan));
  ASSERT_NO_FATAL_FAILURE(runScratch(src, dst, plan, 32));
  EXPECT_EQ(plan.storeConflicts.ways, 1);
  EXPECT_EQ(plan.loadConflicts.ways, 1);
  EXPECT_EQ(std::min(plan.storeConflicts.accesses, plan.loadConflicts.accesses), 8);
  EXPECT_EQ(std::max(plan.storeConflicts.accesses, plan.loadConflicts.accesses), 32);
}

TEST(LayoutConvert, ScratchUsesMatrixInstructions) {
  // The f16 epilogue: fragments of mma.sync become rows of 16 bytes a thread.
  TileMatrixPlacement p = {2, {64, 64, 0}, {2, 2, 0}, {1, 1, 0}};
  TileLayout acc, rows = blocked({64, 64}, {1, 8}, {1, 0});
  ASSERT_TRUE(tileLayoutMmaSync(&p, TileMatrixRole_Accumulator, 2, false, false, &acc));
  TileScratchOptions options = {16, 128, 32, 0, true, true};
  TileScratchPlan plan;
  ASSERT_TRUE(tileLayoutPlanScratch(&acc, &rows, &options, &plan));
  EXPECT_EQ(plan.store, TileScratchAccess_Matrix);
  EXPECT_EQ(plan.load, TileScratchAccess_Vector);
  EXPECT_EQ(plan.storeConflicts.accesses, 4); // 32 values = 16 words, four to an stmatrix.x4
  EXPECT_EQ(plan.loadConflicts.accesses, 4);  // 32 values, eight to a load
  EXPECT_EQ(plan.storeConflicts.ways, 1);
  EXPECT_EQ(plan.loadConflicts.ways, 1);
  ASSERT_NO_FATAL_FAILURE(runScratch(acc, rows, plan, 16));
  // And back, into the operand of the next product, by ldmatrix.
  options.stMatrix = false;
  TileLayout operand;
  ASSERT_TRUE(tileLayoutMmaSync(&p, TileMatrixRole_A, 2, false, false, &operand));
  ASSERT_TRUE(tileLayoutPlanScratch(&rows, &operand, &options, &plan));
  EXPECT_EQ(plan.load, TileScratchAccess_Matrix);
  EXPECT_EQ(plan.loadConflicts.accesses, 8);
  ASSERT_NO_FATAL_FAILURE(runScratch(rows, operand, plan, 16));
  // Columns as operand: transposing.
  TileLayout columns = blocked({64, 64}, {8, 1}, {0, 1});
  ASSERT_TRUE(tileLayoutPlanScratch(&columns, &operand, &options, &plan));
  EXPECT_EQ(plan.load, TileScratchAccess_MatrixTransposed);
  EXPECT_EQ(plan.storeConflicts.accesses, 4);
  EXPECT_EQ(plan.loadConflicts.ways, 1);
  ASSERT_NO_FATAL_FAILURE(runScratch(columns, operand, plan, 16));
  options.ldMatrix = false;
  ASSERT_TRUE(tileLayoutPlanScratch(&acc, &rows, &options, &plan));
  EXPECT_EQ(plan.store, TileScratchAccess_Vector);
  ASSERT_NO_FATAL_FAILURE(runScratch(acc, rows, plan, 16));
}

TEST(LayoutConvert, ScratchInRounds) {
  // Rows to columns share no registers: warps take turns.
  TileLayout src = blocked({128, 128}, {1, 4}, {1, 0}), dst = blocked({128, 128}, {4, 1}, {0, 1});
  TileScratchOptions options = {32, 128, 32, 0, false, false};
  TileScratchPlan plan;
  ASSERT_TRUE(tileLayoutPlanScratch(&src, &dst, &options, &plan));
  EXPECT_EQ(plan.roundBits, 0);
  EXPECT_EQ(plan.bytes, 65536);
  options.maxBytes = 20000;
  ASSERT_TRUE(tileLayoutPlanScratch(&src, &dst, &options, &plan));
  EXPECT_EQ(plan.roundBits, 2);
  EXPECT_EQ(plan.bytes, 16384);
  EXPECT_EQ(plan.storeByWarp ^ plan.loadByWarp, 3u);
  ASSERT_NO_FATAL_FAILURE(runScratch(src, dst, plan, 32));
  options.maxBytes = 16;
  EXPECT_FALSE(tileLayoutPlanScratch(&src, &dst, &options, &plan));
  EXPECT_GT(plan.bytes, 16);
  // Between two row layouts registers are shared.
  dst = blocked({128, 128}, {1, 1}, {1, 0});
  options.maxBytes = 20000;
  ASSERT_TRUE(tileLayoutPlanScratch(&src, &dst, &options, &plan));
  EXPECT_EQ(plan.storeByWarp | plan.loadByWarp, 0u);
  EXPECT_EQ(plan.bytes, 16384);
  ASSERT_NO_FATAL_FAILURE(runScratch(src, dst, plan, 32));
}
