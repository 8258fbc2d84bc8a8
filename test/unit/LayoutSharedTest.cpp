/* LayoutSharedTest.cpp - shared-memory layouts, bank conflicts and matrix accesses, against enumeration. */
#include "tile-c/LayoutShared.h"
#include "LayoutTesting.h"
#include "tile-c/LayoutMatrix.h"
#include <algorithm>
#include <map>
#include <set>

static TileSharedLayout swizzled(std::vector<int64_t> shape, std::vector<int32_t> order,
                                 TileSwizzle swizzle) {
  TileSharedLayout shared;
  EXPECT_TRUE(tileSharedSwizzled(shape.data(), (int)shape.size(), order.data(), swizzle, &shared));
  EXPECT_TRUE(tileSharedIsValid(&shared));
  return shared;
}

static std::string str(const TileSharedLayout &shared) {
  std::string text(tileSharedPrint(&shared, nullptr, 0), 0);
  tileSharedPrint(&shared, text.data(), text.size() + 1);
  return text;
}

TEST(LayoutShared, SwizzleFormula) {
  for (int vec : {1, 2, 8})
    for (int perPhase : {1, 2, 4})
      for (int maxPhase : {1, 2, 8}) {
        TileSharedLayout shared = swizzled({4, 16, 32}, {2, 1, 0}, {vec, perPhase, maxPhase});
        for (int offset = 0; offset < 4 * 16 * 32; ++offset) {
          int32_t at[TileLayout_MaxRank];
          tileLayoutApply(&shared.map, offset, 0, 0, 0, at);
          int row = offset / 32 % 16, phase = row / perPhase % maxPhase;
          ASSERT_EQ(at[0], offset / 512);
          ASSERT_EQ(at[1], row);
          ASSERT_EQ(at[2], (offset % 32) ^ (vec * phase % 32));
        }
      }
  EXPECT_EQ(str(swizzled({4, 4}, {1, 0}, {1, 1, 4})), "offset=[[0,1],[0,2],[1,1],[2,2]], shape=[4,4]");
  EXPECT_EQ(str(swizzled({4, 4}, {0, 1}, {1, 1, 4})), "offset=[[1,0],[2,0],[1,1],[2,2]], shape=[4,4]");
}

TEST(LayoutShared, ChosenSwizzles) {
  auto choose = [](int bits, int row, int vec, int banks) {
    TileSwizzle s = tileSharedChooseSwizzle(bits, row, vec, banks);
    return std::vector<int>{s.vec, s.perPhase, s.maxPhase};
  };
  EXPECT_EQ(choose(16, 64, 8, 32), (std::vector<int>{8, 1, 8})); // 128-byte rows
  EXPECT_EQ(choose(16, 32, 8, 32), (std::vector<int>{8, 2, 4}));
  EXPECT_EQ(choose(16, 16, 8, 32), (std::vector<int>{8, 4, 2}));
  EXPECT_EQ(choose(16, 8, 8, 32), (std::vector<int>{8, 8, 1}));
  EXPECT_EQ(choose(16, 128, 8, 32), (std::vector<int>{8, 1, 8}));
  EXPECT_EQ(choose(32, 32, 4, 32), (std::vector<int>{4, 1, 8}));
  EXPECT_EQ(choose(16, 64, 8, 64), (std::vector<int>{8, 2, 8}));
}

TEST(LayoutShared, Nvmma) {
  for (int bits : {8, 16, 32})
    for (int swizzle : {0, 32, 64, 128}) {
      int columns = 8 * (swizzle ? swizzle : 16) / bits, rows = 16, width = columns * 2, chunk = 128 / bits;
      int64_t shape[] = {rows, width};
      int32_t order[] = {1, 0};
      TileSharedLayout shared;
      ASSERT_TRUE(tileSharedNvmma(shape, 2, order, bits, swizzle, &shared));
      ASSERT_TRUE(tileSharedIsValid(&shared));
      for (int offset = 0; offset < rows * width; ++offset) {
        int32_t at[TileLayout_MaxRank];
        tileLayoutApply(&shared.map, offset, 0, 0, 0, at);
        int box = offset / (rows * columns), row = offset / columns % rows, column = offset % columns;
        // The hardware XORs address bits 4.. with bits 7.. : with as many as the swizzle has 16-byte chunks.
        int byte = (row * columns + column) * bits / 8;
        int flip = swizzle ? (byte >> 7) % (swizzle / 16) : 0;
        ASSERT_EQ(at[0], row);
        ASSERT_EQ(at[1], box * columns + (column ^ flip * chunk)) << bits << " " << swizzle << " " << offset;
      }
    }
  int64_t shape[] = {64, 32};
  int32_t order[] = {1, 0};
  TileSharedLayout shared;
  EXPECT_FALSE(tileSharedNvmma(shape, 2, order, 16, 128, &shared)) << "rows of 64 bytes";
  EXPECT_EQ(tileSharedNvmmaSwizzleBytes(16, 32), 64);
  EXPECT_EQ(tileSharedNvmmaSwizzleBytes(16, 256), 128);
  EXPECT_EQ(tileSharedNvmmaSwizzleBytes(8, 16), 0);
}

TEST(LayoutShared, PaddingAndStages) {
  int64_t shape[] = {4, 8};
  int32_t order[] = {1, 0};
  TileSharedLayout shared, stages;
  ASSERT_TRUE(tileSharedPlain(shape, 2, order, &shared));
  EXPECT_EQ(tileSharedNumElements(&shared), 32);
  ASSERT_TRUE(tileSharedPad(&shared, 8, 2));
  EXPECT_EQ(tileSharedPhysicalOffset(&shared, 7), 7);
  EXPECT_EQ(tileSharedPhysicalOffset(&shared, 8), 10);
  EXPECT_EQ(tileSharedNumElements(&shared), 38);
  EXPECT_EQ(str(shared), "offset=[[0,1],[0,2],[0,4],[1,0],[2,0]], shape=[4,8], pad=[8,2]");
  EXPECT_FALSE(tileSharedPad(&shared, 3, 2));
  EXPECT_FALSE(tileSharedPad(&shared, 0, 2));
  ASSERT_TRUE(tileSharedStack(&shared, 3 + 1, &stages));
  EXPECT_EQ(str(stages),
            "offset=[[0,0,1],[0,0,2],[0,0,4],[0,1,0],[0,2,0],[1,0,0],[2,0,0]], shape=[4,4,8], pad=[8,2]");
}

/// Offset of every element, by enumeration.
static std::vector<int64_t> offsetTable(const TileSharedLayout &shared) {
  std::vector<int64_t> table(tileLayoutNumElements(&shared.map), -1);
  for (int64_t o = 0; o < tileLayoutSize(&shared.map, TileLayoutDim_Offset); ++o)
    table[tileLayoutApplyFlat(&shared.map, o, 0, 0, 0)] = tileSharedPhysicalOffset(&shared, o);
  return table;
}

static TileSharedLayout anyShared(Random &random, const std::vector<int64_t> &shape) {
  TileSharedLayout shared;
  std::vector<int32_t> order = {0, 1};
  std::shuffle(order.begin(), order.end(), random);
  if (below(random, 3) == 0) {
    shared = {randomSurjective(random, shape, 0, 0, 0, 0, below(random, 12)), 0, 0};
  } else {
    shared = swizzled(shape, order, {1 << below(random, 4), 1 << below(random, 3), 1 << below(random, 4)});
  }
  if (below(random, 3) == 0)
    EXPECT_TRUE(tileSharedPad(&shared, 1 << below(random, 8), below(random, 9)));
  return shared;
}

TEST(LayoutShared, AccessAndConflictsMatchSimulation) {
  Random random(21);
  int conflictFree = 0, conflicting = 0, vectors = 0;
  for (int i = 0; i < 1500; ++i) {
    std::vector<int64_t> shape = {1 << (2 + below(random, 5)), 1 << (2 + below(random, 5))};
    TileSharedLayout shared = anyShared(random, shape);
    int lanes = below(random, 3) ? 5 : 6, banks = below(random, 3) ? 32 : 64,
        elementBits = 8 << below(random, 4);
    TileLayout layout =
        randomSurjective(random, shape, lanes, below(random, 3), 0, below(random, 3), below(random, 2) * 3);
    if (below(random, 2)) {
      std::vector<int32_t> perThread = {1, 1}, order = {1, 0};
      perThread[1] = 1 << below(random, 4);
      ASSERT_TRUE(
          tileLayoutDefaultBlocked(shape.data(), 2, perThread.data(), order.data(), 1 << lanes, 4, &layout));
    }
    tileLayoutDropRedundantRegisters(&layout, &layout, nullptr);
    int maxVector = 32 << below(random, 3);
    TileSharedAccess access;
    TileSharedConflicts conflicts;
    if (maxVector < elementBits)
      maxVector = elementBits;
    ASSERT_TRUE(tileSharedAccessOf(&layout, &shared, elementBits, maxVector, &access));
    ASSERT_TRUE(tileSharedConflicts(&layout, &shared, elementBits, maxVector, banks, &conflicts));
    // The vectors are what they claim in every warp.
    auto table = offsetTable(shared);
    int width = 1 << access.vector.elementBits;
    EXPECT_LE(width * elementBits, maxVector);
    vectors += width > 1;
    for (int64_t w = 0; w < tileLayoutNumWarps(&layout); ++w)
      for (int64_t l = 0; l < tileLayoutNumLanes(&layout); ++l)
        for (int a = 0; a < 1 << access.vector.accessBits; ++a) {
          int64_t start =
              table[tileLayoutApplyFlat(&layout, tileLayoutVectorRegister(&access.vector, a, 0), l, w, 0)];
          ASSERT_EQ(start % width, 0);
          for (int e = 1; e < width; ++e)
            ASSERT_EQ(
                table[tileLayoutApplyFlat(&layout, tileLayoutVectorRegister(&access.vector, a, e), l, w, 0)],
                start + e);
        }
    // Bank by bank.
    int bytes = elementBits / 8 * width, perPhase = std::min(1 << lanes, banks * 4 / std::max(4, bytes));
    bool parity = banks == 64 && bytes == 16;
    std::vector<std::vector<int>> phases((1 << lanes) / perPhase);
    for (int l = 0; l < 1 << lanes; ++l)
      phases[parity ? (__builtin_popcount(l & 28) & 1) + 2 * (l / 32) : l / perPhase].push_back(l);
    int64_t passes = 0;
    int ways = 0;
    for (int a = 0; a < 1 << access.vector.accessBits; ++a)
      for (auto &phase : phases) {
        std::map<int64_t, std::set<int64_t>> byBank;
        for (int l : phase) {
          int64_t start =
              table[tileLayoutApplyFlat(&layout, tileLayoutVectorRegister(&access.vector, a, 0), l, 0, 0)];
          for (int b = 0; b < bytes; ++b) {
            int64_t word = (start * elementBits / 8 + b) / 4;
            byBank[word % banks].insert(word);
          }
        }
        int worst = 0;
        for (auto &bank : byBank)
          worst = std::max(worst, (int)bank.second.size());
        passes += worst;
        ways = std::max(ways, worst);
      }
    EXPECT_EQ(conflicts.accesses, 1 << access.vector.accessBits);
    EXPECT_EQ(conflicts.phases, (int)phases.size());
    EXPECT_EQ(conflicts.wavefronts, passes) << str(layout) << "\n" << str(shared) << " bits " << elementBits;
    EXPECT_EQ(conflicts.ways, ways);
    ++(ways == 1 ? conflictFree : conflicting);
  }
  EXPECT_GT(conflictFree, 200);
  EXPECT_GT(conflicting, 200);
  EXPECT_GT(vectors, 100);
}

/// The figures known for AMD's f16 GEMM: 128-byte rows read as MFMA fragments.
TEST(LayoutShared, AmdGemmSwizzle) {
  int64_t shape[] = {64, 64};
  int32_t order[] = {1, 0};
  TileMatrixPlacement p = {2, {64, 64, 0}, {1, 1, 0}, {1, 1, 0}};
  TileLayout operand16, operand32;
  ASSERT_TRUE(tileLayoutMfma(&p, TileMatrixRole_A, 16, 16, 8, false, false, &operand16));
  ASSERT_TRUE(tileLayoutMfma(&p, TileMatrixRole_A, 32, 32, 8, false, false, &operand32));
  TileSharedLayout plain, fine = swizzled({64, 64}, {1, 0}, tileSharedChooseSwizzle(16, 64, 8, 32));
  ASSERT_TRUE(tileSharedPlain(shape, 2, order, &plain));
  auto ways = [](const TileLayout &layout, const TileSharedLayout &shared, int banks) {
    TileSharedConflicts c;
    EXPECT_TRUE(tileSharedConflicts(&layout, &shared, 16, 128, banks, &c));
    return c.ways;
  };
  EXPECT_EQ(ways(operand16, plain, 32), 8);
  EXPECT_EQ(ways(operand16, fine, 32), 1);
  EXPECT_EQ(ways(operand32, fine, 32), 1);
  EXPECT_EQ(ways(operand16, fine, 64), 1);
  EXPECT_EQ(ways(operand32, fine, 64), 2);
}

/// Executes ldmatrix by its definition on a memory that holds element numbers.
static void expectLdMatrix(const TileLayout &layout, const TileSharedLayout &shared, int elementBits,
                           bool transposed, int maxMatrices) {
  TileMatrixAccess access;
  ASSERT_TRUE(tileSharedMatrixAccess(&layout, &shared, elementBits, transposed, maxMatrices, &access))
      << str(layout);
  std::map<int64_t, int64_t> memory;
  auto table = offsetTable(shared);
  for (size_t e = 0; e < table.size(); ++e)
    memory[table[e]] = (int64_t)e;
  int perWord = 32 / elementBits, matrices = 1 << access.matrixBits;
  auto address = [&](int instruction, int lane, int warp) {
    int32_t at[TileLayout_MaxRank];
    tileLayoutApply(&access.address, instruction, lane, warp, 0, at);
    return tileSharedPhysicalOffset(&shared, at[TileLayoutDim_Offset]);
  };
  std::set<uint32_t> loaded;
  for (int w = 0; w < tileLayoutNumWarps(&layout); ++w)
    for (int i = 0; i < tileLayoutSize(&access.address, TileLayoutDim_Register); ++i)
      for (int m = 0; m < matrices; ++m)
        for (int t = 0; t < 32; ++t)
          for (int e = 0; e < perWord; ++e) {
            int half = perWord / 2, row = transposed ? 2 * (t % 4) + e / half : t / 4,
                element = transposed ? t / 4 * half + e % half : t % 4 * perWord + e;
            ASSERT_EQ(address(i, m * 8 + row, w) * elementBits % 128, 0);
            int64_t got = memory.at(address(i, m * 8 + row, w) + element);
            uint32_t reg = tileLayoutVectorRegister(&access.registers, i << access.matrixBits | m, e);
            loaded.insert(reg);
            ASSERT_EQ(got, tileLayoutApplyFlat(&layout, reg, t, w, 0)) << str(layout) << "\n" << str(shared);
          }
  EXPECT_EQ((int64_t)loaded.size(), tileLayoutNumRegisters(&layout));
  TileSharedConflicts conflicts;
  ASSERT_TRUE(tileSharedMatrixConflicts(&access, &shared, elementBits, &conflicts));
  int64_t passes = 0;
  for (int i = 0; i < conflicts.accesses; ++i)
    for (int m = 0; m < matrices; ++m) {
      std::map<int64_t, int> load;
      for (int row = 0; row < 8; ++row)
        ++load[address(i, m * 8 + row, 0) * elementBits / 128 % 8];
      int worst = 0;
      for (auto &l : load)
        worst = std::max(worst, l.second);
      passes += worst;
    }
  EXPECT_EQ(conflicts.wavefronts, passes);
}

TEST(LayoutShared, LdMatrix) {
  TileMatrixPlacement a = {2, {64, 32, 0}, {2, 2, 0}, {1, 1, 0}}, b = {2, {32, 64, 0}, {2, 2, 0}, {1, 1, 0}};
  for (int matrices : {1, 2, 4}) {
    TileLayout operandA, operandB, acc;
    ASSERT_TRUE(tileLayoutMmaSync(&a, TileMatrixRole_A, 2, false, false, &operandA));
    ASSERT_TRUE(tileLayoutMmaSync(&b, TileMatrixRole_B, 2, false, false, &operandB));
    ASSERT_TRUE(tileLayoutMmaSync(&a, TileMatrixRole_Accumulator, 2, false, false, &acc));
    TileSwizzle s = tileSharedChooseSwizzle(16, 32, 8, 32), t = tileSharedChooseSwizzle(16, 64, 8, 32);
    expectLdMatrix(operandA, swizzled({64, 32}, {1, 0}, s), 16, false, matrices);
    expectLdMatrix(acc, swizzled({64, 32}, {1, 0}, s), 16, false, matrices);
    expectLdMatrix(operandA, swizzled({64, 32}, {0, 1}, t), 16, true, matrices);
    expectLdMatrix(operandB, swizzled({32, 64}, {0, 1}, s), 16, false, matrices);
    expectLdMatrix(operandB, swizzled({32, 64}, {1, 0}, t), 16, true, matrices);
    TileSharedLayout padded = swizzled({64, 32}, {1, 0}, {8, 1, 1});
    ASSERT_TRUE(tileSharedPad(&padded, 32, 8));
    expectLdMatrix(operandA, padded, 16, false, matrices);
    // Wrong direction, misaligned padding, swizzle inside a row.
    TileMatrixAccess access;
    TileSharedLayout plain = swizzled({64, 32}, {1, 0}, s);
    EXPECT_FALSE(tileSharedMatrixAccess(&operandA, &plain, 16, true, matrices, &access));
    EXPECT_FALSE(tileSharedMatrixAccess(&operandA, &plain, 32, false, matrices, &access));
    ASSERT_TRUE(tileSharedPad(&padded, 32, 4));
    EXPECT_FALSE(tileSharedMatrixAccess(&operandA, &padded, 16, false, matrices, &access));
    TileSharedLayout fine = swizzled({64, 32}, {1, 0}, {2, 1, 8});
    EXPECT_FALSE(tileSharedMatrixAccess(&operandA, &fine, 16, false, matrices, &access));
  }
  TileLayout fp8, tf32;
  a.shape[1] = 64;
  ASSERT_TRUE(tileLayoutMmaSync(&a, TileMatrixRole_A, 4, false, false, &fp8));
  expectLdMatrix(fp8, swizzled({64, 64}, {1, 0}, tileSharedChooseSwizzle(8, 64, 16, 32)), 8, false, 4);
  ASSERT_TRUE(tileLayoutMmaSync(&a, TileMatrixRole_A, 1, false, false, &tf32));
  expectLdMatrix(tf32, swizzled({64, 64}, {1, 0}, tileSharedChooseSwizzle(32, 64, 4, 32)), 32, false, 4);
  // Bytes, transposed in pairs: of either operand, if it goes first; not of rows that are 8 apart.
  TileLayout bytes, apart;
  TileSharedLayout along = swizzled({32, 64}, {1, 0}, tileSharedChooseSwizzle(8, 64, 16, 32));
  ASSERT_TRUE(tileLayoutMmaSync(&b, TileMatrixRole_B, 2, false, true, &apart));
  b.paired = true;
  ASSERT_TRUE(tileLayoutMmaSync(&b, TileMatrixRole_B, 2, false, true, &bytes));
  for (int matrices : {1, 2, 4})
    expectLdMatrix(bytes, along, 8, true, matrices);
  a = {2, {64, 32, 0}, {2, 2, 0}, {1, 1, 0}, true};
  TileSharedLayout down = swizzled({64, 32}, {0, 1}, tileSharedChooseSwizzle(8, 64, 16, 32));
  ASSERT_TRUE(tileLayoutMmaSync(&a, TileMatrixRole_A, 2, false, false, &bytes));
  expectLdMatrix(bytes, down, 8, true, 4);
  TileMatrixAccess access;
  EXPECT_FALSE(tileSharedMatrixAccess(&apart, &along, 8, true, 4, &access));
}

/// wgmma's accumulator written by stmatrix into the format TMA reads: the figures of the Hopper GEMM's
/// epilogue.
TEST(LayoutShared, HopperEpilogue) {
  TileMatrixPlacement p = {2, {64, 64, 0}, {4, 1, 0}, {1, 1, 0}};
  TileLayout acc;
  ASSERT_TRUE(tileLayoutWgmma(&p, TileMatrixRole_Accumulator, 64, 0, &acc));
  int64_t shape[] = {64, 64};
  int32_t order[] = {1, 0};
  TileSharedLayout shared;
  ASSERT_TRUE(tileSharedNvmma(shape, 2, order, 16, 128, &shared));
  TileMatrixAccess access;
  ASSERT_TRUE(tileSharedMatrixAccess(&acc, &shared, 16, false, 4, &access));
  EXPECT_EQ(access.matrixBits, 2);
  TileSharedConflicts conflicts;
  ASSERT_TRUE(tileSharedMatrixConflicts(&access, &shared, 16, &conflicts));
  EXPECT_EQ(conflicts.accesses, 4);
  EXPECT_EQ(conflicts.ways, 1);
  for (int warp = 0; warp < 4; ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int j = 0; j < 4; ++j) {
        int32_t at[TileLayout_MaxRank];
        tileLayoutApply(&access.address, j, lane, warp, 0, at);
        int row = 16 * warp + (lane & 7) + (lane & 8);
        int byte = (row * 128 + (((lane >> 4) ^ (lane & 7)) << 4)) ^ (j << 5);
        ASSERT_EQ(at[TileLayoutDim_Offset] * 2, byte);
      }
}
