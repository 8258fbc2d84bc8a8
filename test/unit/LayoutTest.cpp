/* LayoutTest.cpp - the layout algebra on examples worked by hand. */
#include "LayoutTesting.h"

static std::vector<int32_t> at(const TileLayout &layout, int r, int l, int w = 0, int b = 0) {
  std::vector<int32_t> coords(layout.rank);
  tileLayoutApply(&layout, r, l, w, b, coords.data());
  return coords;
}

TEST(Layout, EssayBlocked) {
  TileLayout layout;
  int64_t shape[] = {4, 8};
  int32_t perThread[] = {1, 2}, lanes[] = {4, 4}, warps[] = {1, 1}, order[] = {1, 0};
  ASSERT_TRUE(tileLayoutBlocked(shape, 2, perThread, lanes, warps, order, &layout));
  EXPECT_EQ(str(layout), "register=[[0,1]], lane=[[0,2],[0,4],[1,0],[2,0]], shape=[4,8]");
  EXPECT_EQ(at(layout, 1, 6), (std::vector<int32_t>{1, 5}));
  EXPECT_EQ(tileLayoutApplyFlat(&layout, 1, 6, 0, 0), 13);
  EXPECT_TRUE(tileLayoutIsInjective(&layout));
  EXPECT_TRUE(tileLayoutIsSurjective(&layout));
}

TEST(Layout, EssaySwizzle) {
  TileLayout layout = parse("offset=[[0,1],[0,2],[1,1],[2,2]], shape=[4,4]");
  for (int offset = 0; offset < 16; ++offset)
    EXPECT_EQ(at(layout, offset, 0), (std::vector<int32_t>{offset / 4, (offset % 4) ^ (offset / 4)}));
}

TEST(Layout, BlockedRepeatsInRegistersFastestDimensionFirst) {
  TileLayout layout;
  int64_t shape[] = {16, 32};
  int32_t perThread[] = {1, 2}, lanes[] = {4, 8}, warps[] = {2, 1}, order[] = {1, 0};
  ASSERT_TRUE(tileLayoutBlocked(shape, 2, perThread, lanes, warps, order, &layout));
  EXPECT_EQ(str(layout), "register=[[0,1],[0,16],[8,0]], lane=[[0,2],[0,4],[0,8],[1,0],[2,0]], warp=[[4,0]], "
                         "shape=[16,32]");
}

TEST(Layout, BlockedReplicatesWhatExceedsTheShape) {
  TileLayout layout;
  int64_t shape[] = {8};
  int32_t perThread[] = {4}, lanes[] = {32}, warps[] = {4}, order[] = {0};
  ASSERT_TRUE(tileLayoutBlocked(shape, 1, perThread, lanes, warps, order, &layout));
  EXPECT_EQ(str(layout), "register=[[1],[2]], lane=[[4],[0],[0],[0],[0]], warp=[[0],[0]], shape=[8]");
  EXPECT_EQ(tileLayoutFreeMask(&layout, TileLayoutDim_Lane), 0b11110u);
  EXPECT_EQ(tileLayoutFreeMask(&layout, TileLayoutDim_Warp), 0b11u);
  EXPECT_EQ(tileLayoutFreeMask(&layout, TileLayoutDim_Register), 0u);
  int64_t tiny[] = {2};
  ASSERT_TRUE(tileLayoutBlocked(tiny, 1, perThread, lanes, warps, order, &layout));
  EXPECT_EQ(tileLayoutFreeMask(&layout, TileLayoutDim_Register), 0b10u);
}

TEST(Layout, DefaultBlocked) {
  TileLayout layout;
  int64_t shape[] = {128, 64};
  int32_t perThread[] = {1, 8}, order[] = {1, 0};
  TileBlockedShape blocked;
  ASSERT_TRUE(tileLayoutDefaultBlockedShape(shape, 2, perThread, order, 32, 4, &blocked));
  EXPECT_EQ(blocked.threadsPerWarp[0], 4);
  EXPECT_EQ(blocked.threadsPerWarp[1], 8);
  EXPECT_EQ(blocked.warpsPerCta[0], 4);
  EXPECT_EQ(blocked.warpsPerCta[1], 1);
  ASSERT_TRUE(tileLayoutDefaultBlocked(shape, 2, perThread, order, 32, 4, &layout));
  EXPECT_EQ(str(layout), "register=[[0,1],[0,2],[0,4],[16,0],[32,0],[64,0]], "
                         "lane=[[0,8],[0,16],[0,32],[1,0],[2,0]], warp=[[4,0],[8,0]], shape=[128,64]");
  ASSERT_TRUE(tileLayoutDefaultBlocked(nullptr, 0, nullptr, nullptr, 32, 4, &layout));
  EXPECT_EQ(str(layout), "lane=[[],[],[],[],[]], warp=[[],[]], shape=[]");
}

TEST(Layout, RefusesBadNumbers) {
  TileLayout layout = tileLayoutEmpty(1);
  int64_t shape[] = {12};
  int32_t one[] = {1}, three[] = {3}, order[] = {0}, bad[] = {1};
  EXPECT_FALSE(tileLayoutBlocked(shape, 1, one, one, one, order, &layout));
  shape[0] = 16;
  EXPECT_FALSE(tileLayoutBlocked(shape, 1, three, one, one, order, &layout));
  EXPECT_FALSE(tileLayoutBlocked(shape, 1, one, one, one, bad, &layout));
  EXPECT_FALSE(tileLayoutIdentity1D(TileLayout_MaxRank + 1, TileLayoutDim_Lane, 0, 2, &layout));
  EXPECT_FALSE(tileLayoutIdentity1D(1, TileLayoutDim_Lane, 1, 2, &layout));
  EXPECT_FALSE(tileLayoutIdentity1D(1, TileLayoutDim_Lane, 0, 1 << 25, &layout));
  EXPECT_FALSE(tileLayoutStrided1D(1, TileLayoutDim_Lane, 0, 2, 3, &layout));
  EXPECT_TRUE(tileLayoutEqual(&layout, &layout));
}

TEST(Layout, ClusterSplitsTheShape) {
  TileLayout tile = tileLayoutEmpty(2), cluster, layout;
  int32_t blocks[] = {2, 2}, split[] = {2, 1}, order[] = {1, 0};
  ASSERT_TRUE(tileLayoutCluster(2, blocks, split, order, &cluster));
  ASSERT_TRUE(tileLayoutAppend(&tile, TileLayoutDim_Lane, 1, 4));
  int64_t shape[] = {4, 8};
  ASSERT_TRUE(tileLayoutDistribute(&tile, &cluster, shape, order, &layout));
  EXPECT_EQ(str(layout), "register=[[0,4],[1,0]], lane=[[0,1],[0,2]], block=[[0,0],[2,0]], shape=[4,8]");
}

TEST(Layout, ShapeOperations) {
  TileLayout mma = parse("register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[16,8]"), out;
  ASSERT_TRUE(tileLayoutSlice(&mma, 1, &out));
  EXPECT_EQ(str(out), "register=[[8]], lane=[[0],[0],[1],[2],[4]], shape=[16]");
  ASSERT_TRUE(tileLayoutExpandDims(&out, 1, &out));
  EXPECT_EQ(str(out), "register=[[8,0]], lane=[[0,0],[0,0],[1,0],[2,0],[4,0]], shape=[16,1]");
  TileLayout filled;
  ASSERT_TRUE(tileLayoutBroadcast(&out, 1, 8, true, &filled));
  EXPECT_EQ(str(filled), "register=[[8,0],[0,4]], lane=[[0,1],[0,2],[1,0],[2,0],[4,0]], shape=[16,8]");
  ASSERT_TRUE(tileLayoutBroadcast(&out, 1, 8, false, &filled));
  EXPECT_EQ(str(filled),
            "register=[[8,0],[0,1],[0,2],[0,4]], lane=[[0,0],[0,0],[1,0],[2,0],[4,0]], shape=[16,8]");
  TileLayout narrow;
  ASSERT_TRUE(tileLayoutUnbroadcast(&mma, 1, &narrow));
  EXPECT_TRUE(tileLayoutEqual(&narrow, &out));
  int32_t perm[] = {1, 0};
  ASSERT_TRUE(tileLayoutTranspose(&mma, perm, &out));
  EXPECT_EQ(str(out), "register=[[1,0],[0,8]], lane=[[2,0],[4,0],[0,1],[0,2],[0,4]], shape=[8,16]");
  int64_t flat[] = {128}, wrong[] = {64};
  ASSERT_TRUE(tileLayoutReshape(&mma, flat, 1, &out));
  EXPECT_EQ(str(out), "register=[[1],[64]], lane=[[2],[4],[8],[16],[32]], shape=[128]");
  EXPECT_FALSE(tileLayoutReshape(&mma, wrong, 1, &out));
}

TEST(Layout, JoinAndSplit) {
  TileLayout layout = parse("register=[[1],[2]], lane=[[4]], shape=[8]"), joined, back;
  ASSERT_TRUE(tileLayoutJoin(&layout, &joined));
  EXPECT_EQ(str(joined), "register=[[0,1],[1,0],[2,0]], lane=[[4,0]], shape=[8,2]");
  int32_t bit = -1;
  ASSERT_TRUE(tileLayoutSplit(&joined, &back, &bit));
  EXPECT_EQ(bit, 0);
  EXPECT_TRUE(tileLayoutEqual(&back, &layout));
  TileLayout across = parse("register=[[1,0]], lane=[[0,1]], shape=[2,2]");
  EXPECT_FALSE(tileLayoutSplit(&across, &back, &bit));
}

TEST(Layout, CatAndHalve) {
  TileLayout layout = parse("register=[[0,1]], lane=[[1,0],[0,2]], shape=[2,4]"), both, back;
  ASSERT_TRUE(tileLayoutCat(&layout, 0, &both));
  EXPECT_EQ(str(both), "register=[[0,1],[2,0]], lane=[[1,0],[0,2]], shape=[4,4]");
  int32_t bit = -1;
  ASSERT_TRUE(tileLayoutHalve(&both, 0, &back, &bit));
  EXPECT_EQ(bit, 1);
  EXPECT_TRUE(tileLayoutEqual(&back, &layout));
  EXPECT_FALSE(tileLayoutHalve(&both, 1, &back, &bit)); // a lane tells the halves apart
  TileLayout mixed = parse("register=[[2,1],[1,0]], shape=[4,2]");
  EXPECT_FALSE(tileLayoutHalve(&mixed, 0, &back, &bit));
  EXPECT_FALSE(tileLayoutCat(&layout, 2, &both));
}

TEST(Layout, RunBits) {
  TileLayout layout = parse("register=[[1,0],[0,2],[0,1]], lane=[[0,4],[2,0]], shape=[4,8]");
  int32_t bits[TileLayout_MaxBits];
  ASSERT_TRUE(tileLayoutRunBits(&layout, 4, bits));
  EXPECT_EQ(bits[0], 2);
  EXPECT_EQ(bits[1], 1);
  EXPECT_TRUE(tileLayoutRunBits(&layout, 1, bits));
  EXPECT_FALSE(tileLayoutRunBits(&layout, 8, bits)); // a lane moves the next bit
  EXPECT_FALSE(tileLayoutRunBits(&layout, 3, bits));
  EXPECT_FALSE(tileLayoutRunBits(&layout, 64, bits)); // more than there are
}

TEST(Layout, VectorWidth) {
  TileLayout layout = parse("register=[[0,1],[0,2],[8,0]], lane=[[0,4],[1,0]], shape=[16,8]");
  TileLayoutVector vector = tileLayoutVector(&layout, 1, 16, true);
  EXPECT_EQ(vector.elementBits, 2);
  EXPECT_EQ(vector.accessBits, 1);
  EXPECT_TRUE(vector.inOrder);
  EXPECT_EQ(tileLayoutVector(&layout, 1, 2, true).elementBits, 1);
  EXPECT_EQ(tileLayoutVector(&layout, 0, 16, true).elementBits, 0);
  TileLayout permuted = parse("register=[[8,0],[0,2],[0,1]], lane=[[0,4],[1,0]], shape=[16,8]");
  EXPECT_EQ(tileLayoutVector(&permuted, 1, 16, true).elementBits, 0);
  vector = tileLayoutVector(&permuted, 1, 16, false);
  EXPECT_EQ(vector.elementBits, 2);
  EXPECT_FALSE(vector.inOrder);
  EXPECT_EQ(tileLayoutVectorRegister(&vector, 0, 1), 4u);
  EXPECT_EQ(tileLayoutVectorRegister(&vector, 1, 2), 3u);
  // A lane that starts in the middle of a run spoils it.
  TileLayout shifted = parse("register=[[1],[2]], lane=[[6]], shape=[8]");
  EXPECT_EQ(tileLayoutVector(&shifted, 0, 16, false).elementBits, 1);
}

TEST(Layout, DivideAndQuotient) {
  TileLayout low = parse("register=[[1]], lane=[[2]], shape=[4]"),
             high = parse("lane=[[1],[0]], warp=[[2]], shape=[4]");
  TileLayout product, quotient;
  ASSERT_TRUE(tileLayoutProduct(&low, &high, &product));
  EXPECT_EQ(str(product), "register=[[1]], lane=[[2],[4],[0]], warp=[[8]], shape=[16]");
  ASSERT_TRUE(tileLayoutDivideLeft(&product, &low, &quotient));
  EXPECT_TRUE(tileLayoutEqual(&quotient, &high));
  ASSERT_TRUE(tileLayoutDivideRight(&product, &high, &quotient));
  EXPECT_TRUE(tileLayoutEqual(&quotient, &low));
  EXPECT_FALSE(tileLayoutDivideLeft(&product, &high, &quotient));
}

TEST(Layout, ConversionKinds) {
  TileLayout a = parse("register=[[1],[2]], lane=[[4],[8]], warp=[[16]], shape=[32]");
  struct {
    const char *dst;
    TileConversionKind kind;
  } cases[] = {
      {"register=[[1],[2]], lane=[[4],[8]], warp=[[16]], shape=[32]", TileConversion_None},
      {"register=[[2],[1]], lane=[[4],[8]], warp=[[16]], shape=[32]", TileConversion_Register},
      {"register=[[1],[2],[0]], lane=[[4],[8]], warp=[[16]], shape=[32]", TileConversion_Register},
      {"register=[[1],[2]], lane=[[5],[8]], warp=[[16]], shape=[32]", TileConversion_Lane},
      {"register=[[1],[4]], lane=[[2],[8]], warp=[[16]], shape=[32]", TileConversion_Lane},
      {"register=[[1],[16]], lane=[[4],[8]], warp=[[2]], shape=[32]", TileConversion_Warp},
      {"register=[[1],[2]], lane=[[4],[16]], warp=[[8]], shape=[32]", TileConversion_Warp},
  };
  for (auto &c : cases) {
    TileLayout b = parse(c.dst);
    TileConversion conversion;
    ASSERT_TRUE(tileLayoutConversion(&a, &b, &conversion));
    EXPECT_EQ(conversion.kind, c.kind) << c.dst << " " << str(conversion.map);
  }
  // Copies make conversions cheap: every warp of the source has everything.
  TileLayout everywhere = parse("register=[[1],[2],[16]], lane=[[4],[8]], warp=[[0]], shape=[32]");
  TileConversion conversion;
  ASSERT_TRUE(tileLayoutConversion(&everywhere, &a, &conversion));
  EXPECT_EQ(conversion.kind, TileConversion_Lane) << "the register depends on the warp";
  ASSERT_TRUE(tileLayoutConversion(&everywhere, &everywhere, &conversion));
  EXPECT_EQ(conversion.kind, TileConversion_None);
  TileLayout other = parse("register=[[1]], shape=[2]");
  EXPECT_FALSE(tileLayoutConversion(&a, &other, &conversion));
}

TEST(Layout, ParseErrors) {
  struct {
    const char *text, *error;
  } cases[] = {
      {"", "expected 'register', 'offset', 'lane', 'warp', 'block' or 'shape'"},
      {"lane=[[1]]", "expected 'shape'"},
      {"lane=[[1]], shape=[2,2]", "vectors and shape differ in rank"},
      {"lane=[[1],[0,1]], shape=[2]", "vectors and shape differ in rank"},
      {"lane=[[1]], lane=[[1]], shape=[2]", "an input is given twice"},
      {"lane=[[1], shape=[2]", "expected '['"},
      {"lane=[[-1]], shape=[2]", "expected a number"},
      {"lane=[[99999999999999999999]], shape=[2]", "number is too large, expected at most 1073741824"},
      {"lane=[[2]], shape=[2]",
       "sizes are no powers of two, or a vector is outside the shape, or there are too many bits"},
      {"shape=[3]",
       "sizes are no powers of two, or a vector is outside the shape, or there are too many bits"},
      {"shape=[2] x", "expected ',' or the end of the layout"},
  };
  for (auto &c : cases) {
    TileLayout layout = tileLayoutEmpty(3), before = layout;
    const char *error = nullptr;
    EXPECT_FALSE(tileLayoutParse(c.text, strlen(c.text), &layout, &error, nullptr)) << c.text;
    EXPECT_STREQ(error, c.error) << c.text;
    EXPECT_TRUE(tileLayoutEqual(&layout, &before));
  }
}

static std::string draw(const TileLayout &layout, bool memory, int rows, int columns) {
  auto fn = memory ? tileLayoutDrawMemory : tileLayoutDraw;
  std::string text(fn(&layout, rows, columns, nullptr, 0), 0);
  fn(&layout, rows, columns, text.data(), text.size() + 1);
  return text;
}

TEST(Layout, Draw) {
  TileLayout blocked = parse("register=[[0,1]], lane=[[0,2],[1,0]], warp=[[2,0]], shape=[4,4]");
  EXPECT_EQ(draw(blocked, false, 8, 8), "  |   0   1   2   3\n"
                                        "0 | 0:0 0:1 1:0 1:1\n"
                                        "1 | 2:0 2:1 3:0 3:1\n"
                                        "2 | 4:0 4:1 5:0 5:1\n"
                                        "3 | 6:0 6:1 7:0 7:1\n");
  EXPECT_EQ(draw(blocked, false, 1, 2), "  |   0   1\n"
                                        "0 | 0:0 0:1 ...\n"
                                        "... |\n");
  TileLayout swizzled = parse("offset=[[0,1],[1,1]], shape=[2,2]");
  EXPECT_EQ(draw(swizzled, true, 8, 8), "  | 0 1\n0 | 0 1\n1 | 3 2\n");
  TileLayout copies = parse("lane=[[1],[0]], shape=[2]");
  EXPECT_EQ(draw(copies, false, 8, 8), " |     0     1\n | 0:0+1 1:0+1\n");
}
