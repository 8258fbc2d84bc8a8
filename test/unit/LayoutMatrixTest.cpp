/* LayoutMatrixTest.cpp - matrix fragments: exact bases, and the vendors' published index formulas. */
#include "tile-c/LayoutMatrix.h"
#include "LayoutTesting.h"
#include <functional>
#include <set>

static TileMatrixPlacement place(int64_t rows, int64_t columns, int warpsM = 1, int warpsN = 1,
                                 int tilesM = 1, int tilesN = 1) {
  return {2, {rows, columns, 0}, {warpsM, warpsN, 0}, {tilesM, tilesN, 0}};
}

enum { C = TileMatrixRole_Accumulator, A = TileMatrixRole_A, B = TileMatrixRole_B };

static std::string mma(TileMatrixPlacement p, int role, int kWidth = 2, bool f64 = false,
                       bool transposed = false) {
  TileLayout layout;
  return tileLayoutMmaSync(&p, (TileMatrixRole)role, kWidth, f64, transposed, &layout) ? str(layout)
                                                                                       : "refused";
}
static std::string wgmma(TileMatrixPlacement p, int role, int instrN, int kWidth = 2) {
  TileLayout layout;
  return tileLayoutWgmma(&p, (TileMatrixRole)role, instrN, kWidth, &layout) ? str(layout) : "refused";
}
static std::string mfma(TileMatrixPlacement p, int role, int m, int n, int kWidth, bool transposed = false,
                        bool f64 = false) {
  TileLayout layout;
  return tileLayoutMfma(&p, (TileMatrixRole)role, m, n, kWidth, f64, transposed, &layout) ? str(layout)
                                                                                          : "refused";
}
static std::string wmma(TileMatrixPlacement p, int role, int generation, int kWidth, int k,
                        bool transposed = false) {
  TileLayout layout;
  return tileLayoutWmma(&p, (TileMatrixRole)role, generation, kWidth, k, transposed, &layout) ? str(layout)
                                                                                              : "refused";
}

TEST(LayoutMatrix, MmaSync) {
  EXPECT_EQ(mma(place(16, 8), C),
            "register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[16,8]");
  EXPECT_EQ(mma(place(16, 16), A),
            "register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[16,16]");
  EXPECT_EQ(mma(place(16, 8), B),
            "register=[[1,0],[8,0]], lane=[[2,0],[4,0],[0,1],[0,2],[0,4]], shape=[16,8]");
  // Warps: N fastest. What is left of the shape: registers, N first. A repeats over warps along N, B over
  // warps along M.
  EXPECT_EQ(mma(place(64, 32, 2, 2), C),
            "register=[[0,1],[8,0],[0,16],[32,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], "
            "warp=[[0,8],[16,0]], shape=[64,32]");
  EXPECT_EQ(mma(place(64, 32, 2, 2), A),
            "register=[[0,1],[8,0],[0,8],[0,16],[32,0]], "
            "lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[0,0],[16,0]], shape=[64,32]");
  EXPECT_EQ(mma(place(32, 32, 2, 2), B),
            "register=[[1,0],[8,0],[16,0],[0,16]], "
            "lane=[[2,0],[4,0],[0,1],[0,2],[0,4]], warp=[[0,8],[0,0]], shape=[32,32]");
  // A wider kWidth: int8 operands kept in runs of 4.
  EXPECT_EQ(mma(place(16, 32), A, 4),
            "register=[[0,1],[0,2],[8,0],[0,16]], lane=[[0,4],[0,8],[1,0],[2,0],[4,0]], shape=[16,32]");
  EXPECT_EQ(mma(place(8, 8), C, 2, true),
            "register=[[0,1]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[8,8]");
  EXPECT_EQ(mma(place(8, 4), A, 1, true), "lane=[[0,1],[0,2],[1,0],[2,0],[4,0]], shape=[8,4]");
  EXPECT_EQ(mma(place(4, 8), B, 1, true), "lane=[[1,0],[2,0],[0,1],[0,2],[0,4]], shape=[4,8]");
  // A tensor smaller than the tile repeats.
  EXPECT_EQ(mma(place(8, 8), C), "register=[[0,1],[0,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[8,8]");
  EXPECT_EQ(mma(place(16, 8, 3, 1), C), "refused");
}

/// Rows r and r + 8 of the first operand are neighbours.
TEST(LayoutMatrix, MmaSyncPaired) {
  TileMatrixPlacement p = place(16, 16);
  p.paired = true;
  EXPECT_EQ(mma(p, A), "register=[[0,1],[1,0],[0,8]], lane=[[0,2],[0,4],[2,0],[4,0],[8,0]], shape=[16,16]");
  EXPECT_EQ(mma(p, B, 2, false, true),
            "register=[[1,0],[0,1],[8,0]], lane=[[2,0],[4,0],[0,2],[0,4],[0,8]], shape=[16,16]");
  EXPECT_EQ(mma(p, A, 2, false, true),
            "register=[[0,1],[0,8],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[16,16]");
  EXPECT_EQ(mma(p, C, 2, false, true),
            "register=[[1,0],[0,1],[8,0]], lane=[[2,0],[4,0],[0,2],[0,4],[0,8]], shape=[16,16]");
}

TEST(LayoutMatrix, MmaSyncBatched) {
  TileMatrixPlacement p = {3, {4, 16, 16}, {2, 1, 2}, {0, 0, 0}};
  EXPECT_EQ(mma(p, C), "register=[[0,0,1],[0,8,0],[2,0,0]], lane=[[0,0,2],[0,0,4],[0,1,0],[0,2,0],[0,4,0]], "
                       "warp=[[0,0,8],[1,0,0]], shape=[4,16,16]");
  EXPECT_EQ(mma(p, A),
            "register=[[0,0,1],[0,8,0],[0,0,8],[2,0,0]], lane=[[0,0,2],[0,0,4],[0,1,0],[0,2,0],[0,4,0]], "
            "warp=[[0,0,0],[1,0,0]], shape=[4,16,16]");
}

TEST(LayoutMatrix, Wgmma) {
  EXPECT_EQ(wgmma(place(64, 16, 4, 1), C, 16),
            "register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], "
            "warp=[[16,0],[32,0]], shape=[64,16]");
  EXPECT_EQ(wgmma(place(128, 32, 4, 2), C, 16), "register=[[0,1],[8,0],[0,8],[64,0]], "
                                                "lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], "
                                                "warp=[[16,0],[32,0],[0,16]], shape=[128,32]");
  EXPECT_EQ(wgmma(place(64, 32, 4, 2), A, 0), "register=[[0,1],[8,0],[0,8],[0,16]], "
                                              "lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], "
                                              "warp=[[16,0],[32,0],[0,0]], shape=[64,32]");
  EXPECT_EQ(wgmma(place(64, 16, 4, 1), B, 16), "refused");
  EXPECT_EQ(wgmma(place(64, 16, 2, 1), C, 16), "refused");
}

TEST(LayoutMatrix, Mfma) {
  EXPECT_EQ(mfma(place(32, 32), C, 32, 32, 0), "register=[[1,0],[2,0],[8,0],[16,0]], "
                                               "lane=[[0,1],[0,2],[0,4],[0,8],[0,16],[4,0]], shape=[32,32]");
  EXPECT_EQ(mfma(place(16, 16), C, 16, 16, 0),
            "register=[[1,0],[2,0]], lane=[[0,1],[0,2],[0,4],[0,8],[4,0],[8,0]], shape=[16,16]");
  EXPECT_EQ(mfma(place(16, 16), C, 16, 16, 0, true),
            "register=[[0,1],[0,2]], lane=[[1,0],[2,0],[4,0],[8,0],[0,4],[0,8]], shape=[16,16]");
  EXPECT_EQ(mfma(place(16, 16), C, 16, 16, 0, false, true),
            "register=[[4,0],[8,0]], lane=[[0,1],[0,2],[0,4],[0,8],[1,0],[2,0]], shape=[16,16]");
  EXPECT_EQ(mfma(place(64, 4), C, 64, 4, 0),
            "register=[[0,1],[0,2]], lane=[[1,0],[2,0],[4,0],[8,0],[16,0],[32,0]], shape=[64,4]");
  EXPECT_EQ(mfma(place(4, 64), C, 4, 64, 0),
            "register=[[1,0],[2,0]], lane=[[0,1],[0,2],[0,4],[0,8],[0,16],[0,32]], shape=[4,64]");
  EXPECT_EQ(mfma(place(4, 64), C, 4, 64, 0, true), "refused");
  EXPECT_EQ(mfma(place(64, 64), C, 64, 64, 0), "refused");
  // Tiles of a warp, warps and the rest along N, then along M.
  EXPECT_EQ(mfma(place(64, 128, 2, 2, 1, 2), C, 16, 16, 0),
            "register=[[1,0],[2,0],[0,16],[0,64],[32,0]], lane=[[0,1],[0,2],[0,4],[0,8],[4,0],[8,0]], "
            "warp=[[0,32],[16,0]], shape=[64,128]");
  EXPECT_EQ(mfma(place(32, 32, 2, 2), A, 16, 16, 4), "register=[[0,1],[0,2],[0,16]], "
                                                     "lane=[[1,0],[2,0],[4,0],[8,0],[0,4],[0,8]], "
                                                     "warp=[[0,0],[16,0]], shape=[32,32]");
  EXPECT_EQ(mfma(place(16, 32, 2, 2), B, 16, 16, 4), "register=[[1,0],[2,0]], "
                                                     "lane=[[0,1],[0,2],[0,4],[0,8],[4,0],[8,0]], "
                                                     "warp=[[0,16],[0,0]], shape=[16,32]");
  EXPECT_EQ(mfma(place(4, 64), A, 4, 64, 4),
            "register=[[0,1],[0,2]], lane=[[1,0],[2,0],[0,4],[0,8],[0,16],[0,32]], shape=[4,64]");
  EXPECT_EQ(mfma(place(64, 64), B, 4, 64, 4), "register=[[1,0],[2,0],[4,0],[8,0],[16,0],[32,0]], "
                                              "lane=[[0,1],[0,2],[0,4],[0,8],[0,16],[0,32]], shape=[64,64]");
}

TEST(LayoutMatrix, Wmma) {
  EXPECT_EQ(wmma(place(16, 16), C, 1, 0, 0),
            "register=[[2,0],[4,0],[8,0]], lane=[[0,1],[0,2],[0,4],[0,8],[1,0]], shape=[16,16]");
  EXPECT_EQ(wmma(place(16, 16), C, 2, 0, 0),
            "register=[[1,0],[2,0],[4,0]], lane=[[0,1],[0,2],[0,4],[0,8],[8,0]], shape=[16,16]");
  EXPECT_EQ(wmma(place(16, 16), C, 2, 0, 0, true),
            "register=[[0,1],[0,2],[0,4]], lane=[[1,0],[2,0],[4,0],[8,0],[0,8]], shape=[16,16]");
  EXPECT_EQ(wmma(place(16, 16), A, 1, 16, 16),
            "register=[[0,1],[0,2],[0,4],[0,8]], lane=[[1,0],[2,0],[4,0],[8,0],[0,0]], shape=[16,16]");
  EXPECT_EQ(wmma(place(16, 16), A, 2, 8, 16),
            "register=[[0,1],[0,2],[0,4]], lane=[[1,0],[2,0],[4,0],[8,0],[0,8]], shape=[16,16]");
  EXPECT_EQ(wmma(place(32, 16), B, 2, 8, 32),
            "register=[[1,0],[2,0],[4,0],[16,0]], lane=[[0,1],[0,2],[0,4],[0,8],[8,0]], shape=[32,16]");
  EXPECT_EQ(wmma(place(16, 16), A, 3, 8, 16), "refused");
}

/// Compares a layout with an index formula (register, lane) -> (row, column).
static void expectFormula(const std::string &text,
                          const std::function<std::pair<int, int>(int, int)> &formula) {
  ASSERT_NE(text, "refused");
  TileLayout layout = parse(text);
  forEachInput(layout, [&](int64_t r, int64_t l, int64_t, int64_t) {
    int32_t at[TileLayout_MaxRank];
    tileLayoutApply(&layout, r, l, 0, 0, at);
    auto want = formula((int)r, (int)l);
    ASSERT_EQ(at[0], want.first) << text << " register " << r << " lane " << l;
    ASSERT_EQ(at[1], want.second) << text << " register " << r << " lane " << l;
  });
}

TEST(LayoutMatrix, PublishedFormulas) {
  // PTX ISA, m16n8k16 with f16: groupID = lane >> 2, threadID_in_group = lane % 4.
  expectFormula(mma(place(16, 16), A), [](int i, int l) {
    return std::make_pair((l >> 2) + ((i < 2 || (i >= 4 && i < 6)) ? 0 : 8),
                          (l % 4) * 2 + (i & 1) + (i >= 4 ? 8 : 0));
  });
  expectFormula(mma(place(16, 8), B), [](int i, int l) {
    return std::make_pair((l % 4) * 2 + (i & 1) + (i >= 2 ? 8 : 0), l >> 2);
  });
  expectFormula(mma(place(16, 8), C), [](int i, int l) {
    return std::make_pair((l >> 2) + (i < 2 ? 0 : 8), (l % 4) * 2 + (i & 1));
  });
  // The same with exchanged operands: the tensors are transposed.
  expectFormula(mma(place(16, 16), B, 2, false, true), [](int i, int l) {
    return std::make_pair((l % 4) * 2 + (i & 1) + (i >= 4 ? 8 : 0),
                          (l >> 2) + ((i < 2 || (i >= 4 && i < 6)) ? 0 : 8));
  });
  expectFormula(mma(place(8, 16), A, 2, false, true), [](int i, int l) {
    return std::make_pair(l >> 2, (l % 4) * 2 + (i & 1) + (i >= 2 ? 8 : 0));
  });
  expectFormula(mma(place(8, 16), C, 2, false, true), [](int i, int l) {
    return std::make_pair((l % 4) * 2 + (i & 1), (l >> 2) + (i < 2 ? 0 : 8));
  });
  // m16n8k8 tf32, m16n8k32 s8.
  expectFormula(mma(place(16, 8), A, 1), [](int i, int l) {
    return std::make_pair((l >> 2) + (i == 0 || i == 2 ? 0 : 8), (l % 4) + (i >= 2 ? 4 : 0));
  });
  expectFormula(mma(place(32, 8), B, 4), [](int i, int l) {
    return std::make_pair((l % 4) * 4 + (i & 3) + (i >= 4 ? 16 : 0), l >> 2);
  });
  // m8n8k4 f64.
  expectFormula(mma(place(8, 8), C, 1, true),
                [](int i, int l) { return std::make_pair(l >> 2, (l % 4) * 2 + i); });
  // CDNA3: v_mfma_f32_32x32x8_f16, item (v, l) of D is row 8 * (v / 4) + 4 * (l / 32) + v % 4, column l % 32;
  // its A has row l % 32, k = 4 * (l / 32) + i.
  expectFormula(mfma(place(32, 32), C, 32, 32, 0),
                [](int v, int l) { return std::make_pair(8 * (v / 4) + 4 * (l / 32) + v % 4, l % 32); });
  expectFormula(mfma(place(32, 8), A, 32, 32, 4),
                [](int i, int l) { return std::make_pair(l % 32, 4 * (l / 32) + i); });
  expectFormula(mfma(place(16, 16), C, 16, 16, 0),
                [](int v, int l) { return std::make_pair(4 * (l / 16) + v, l % 16); });
  expectFormula(mfma(place(16, 16), C, 16, 16, 0, false, true),
                [](int v, int l) { return std::make_pair(4 * v + l / 16, l % 16); });
  // RDNA3 7.9: D register v, lane l: row 2 * v + l / 16, column l % 16. RDNA4: row v + 8 * (l / 16).
  expectFormula(wmma(place(16, 16), C, 1, 0, 0),
                [](int v, int l) { return std::make_pair(2 * v + l / 16, l % 16); });
  expectFormula(wmma(place(16, 16), C, 2, 0, 0),
                [](int v, int l) { return std::make_pair(v + 8 * (l / 16), l % 16); });
  expectFormula(wmma(place(16, 16), A, 1, 16, 16), [](int i, int l) { return std::make_pair(l % 16, i); });
  expectFormula(wmma(place(16, 16), A, 2, 8, 16),
                [](int i, int l) { return std::make_pair(l % 16, 8 * (l / 16) + i); });
}

TEST(LayoutMatrix, FmaOperand) {
  TileLayout acc = parse("register=[[0,1],[1,0]], lane=[[0,2],[0,4],[2,0],[4,0]], shape=[8,8]"), out;
  ASSERT_TRUE(tileLayoutFmaOperand(&acc, TileMatrixRole_A, 4, &out));
  EXPECT_EQ(str(out), "register=[[0,1],[0,2],[1,0]], lane=[[0,0],[0,0],[2,0],[4,0]], shape=[8,4]");
  ASSERT_TRUE(tileLayoutFmaOperand(&acc, TileMatrixRole_B, 4, &out));
  EXPECT_EQ(str(out), "register=[[1,0],[2,0],[0,1]], lane=[[0,2],[0,4],[0,0],[0,0]], shape=[4,8]");
  EXPECT_FALSE(tileLayoutFmaOperand(&acc, TileMatrixRole_Accumulator, 4, &out));
}

/// For every fragment: the thread that holds acc[m,n] also meets a[m,k] and b[k,n] in its warp; and all
/// elements are held.
TEST(LayoutMatrix, OperandsMeetAccumulatorsInTheirWarp) {
  struct Family {
    const char *name;
    std::function<bool(TileMatrixPlacement *, TileMatrixRole, TileLayout *)> make;
  } families[] = {
      {"mma", [](TileMatrixPlacement *p, TileMatrixRole r,
                 TileLayout *o) { return tileLayoutMmaSync(p, r, 2, false, false, o); }},
      {"mmaT", [](TileMatrixPlacement *p, TileMatrixRole r,
                  TileLayout *o) { return tileLayoutMmaSync(p, r, 4, false, true, o); }},
      {"mmaPaired",
       [](TileMatrixPlacement *p, TileMatrixRole r, TileLayout *o) {
         p->paired = true;
         return tileLayoutMmaSync(p, r, 2, false, true, o);
       }},
      {"mfma", [](TileMatrixPlacement *p, TileMatrixRole r,
                  TileLayout *o) { return tileLayoutMfma(p, r, 16, 16, 4, false, false, o); }},
      {"mfmaT", [](TileMatrixPlacement *p, TileMatrixRole r,
                   TileLayout *o) { return tileLayoutMfma(p, r, 32, 32, 8, false, true, o); }},
      {"wmma1", [](TileMatrixPlacement *p, TileMatrixRole r,
                   TileLayout *o) { return tileLayoutWmma(p, r, 1, 16, 16, false, o); }},
      {"wmma2", [](TileMatrixPlacement *p, TileMatrixRole r,
                   TileLayout *o) { return tileLayoutWmma(p, r, 2, 8, 16, false, o); }},
  };
  for (auto &family : families)
    for (int warpsM = 1; warpsM <= 4; warpsM *= 2)
      for (int tiles = 1; tiles <= 2; ++tiles) {
        int64_t m = 256, n = 256, k = 32;
        TileMatrixPlacement p = place(m, n, warpsM, 4 / warpsM, tiles, tiles);
        TileLayout acc, a, b;
        ASSERT_TRUE(family.make(&p, TileMatrixRole_Accumulator, &acc));
        p.shape[1] = k;
        ASSERT_TRUE(family.make(&p, TileMatrixRole_A, &a));
        p.shape[0] = k, p.shape[1] = n;
        ASSERT_TRUE(family.make(&p, TileMatrixRole_B, &b));
        ASSERT_TRUE(tileLayoutIsInjective(&acc) && tileLayoutIsSurjective(&acc)) << family.name;
        ASSERT_TRUE(tileLayoutIsSurjective(&a) && tileLayoutIsSurjective(&b)) << family.name;
        for (int w = 0; w < 4; ++w) {
          std::set<int> accRows, accColumns, aRows, bColumns;
          for (int l = 0; l < tileLayoutNumLanes(&acc); ++l) {
            int32_t at[TileLayout_MaxRank];
            for (int r = 0; r < tileLayoutNumRegisters(&acc); ++r)
              tileLayoutApply(&acc, r, l, w, 0, at), accRows.insert(at[0]), accColumns.insert(at[1]);
            for (int r = 0; r < tileLayoutNumRegisters(&a); ++r)
              tileLayoutApply(&a, r, l, w, 0, at), aRows.insert(at[0]);
            for (int r = 0; r < tileLayoutNumRegisters(&b); ++r)
              tileLayoutApply(&b, r, l, w, 0, at), bColumns.insert(at[1]);
          }
          EXPECT_EQ(accRows, aRows) << family.name << " warp " << w << " tiles " << tiles << "\n"
                                    << str(acc) << str(a);
          EXPECT_EQ(accColumns, bColumns) << family.name << " warp " << w << " tiles " << tiles;
        }
      }
}

/// A chain of products keeps its data in place: the accumulator of the first is the operand of the second.
TEST(LayoutMatrix, AccumulatorsBecomeOperands) {
  auto kind = [](const std::string &from, const std::string &to) {
    TileLayout src = parse(from), dst = parse(to);
    TileConversion conversion;
    EXPECT_TRUE(tileLayoutConversion(&src, &dst, &conversion));
    return conversion.kind;
  };
  EXPECT_EQ(kind(mma(place(64, 64, 4, 1), C), mma(place(64, 64, 4, 1), A)), TileConversion_None);
  EXPECT_EQ(kind(wgmma(place(128, 64, 8, 1), C, 64), wgmma(place(128, 64, 8, 1), A, 0)), TileConversion_None);
  EXPECT_EQ(kind(mma(place(64, 64, 4, 1), C), mma(place(64, 64, 4, 1), A, 4)), TileConversion_Lane);
  EXPECT_EQ(kind(mma(place(64, 64, 2, 2), C), mma(place(64, 64, 2, 2), A)), TileConversion_Warp);
  EXPECT_EQ(kind(mfma(place(64, 64, 4, 1), C, 16, 16, 0, true), mfma(place(64, 64, 4, 1), A, 16, 16, 4)),
            TileConversion_None);
  EXPECT_EQ(kind(mfma(place(64, 64, 2, 1), C, 32, 32, 0, true), mfma(place(64, 64, 2, 1), A, 32, 32, 4)),
            TileConversion_None);
  EXPECT_EQ(kind(wmma(place(64, 64, 4, 1), C, 2, 0, 0, true), wmma(place(64, 64, 4, 1), A, 2, 8, 16)),
            TileConversion_None);
  // Also with more warps than the shape feeds along M.
  EXPECT_EQ(kind(mma(place(64, 64, 8, 1), C), mma(place(64, 64, 8, 1), A)), TileConversion_None);
  EXPECT_EQ(kind(mma(place(64, 64, 4, 2), C), mma(place(64, 64, 4, 2), A)), TileConversion_Warp);
}
