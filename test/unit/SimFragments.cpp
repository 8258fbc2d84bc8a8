/* SimFragments.cpp - the simulator's matrix fragments against lib/Layout's: two derivations that must agree.
 */
#include "../../lib/Simulator/Fragments.h"
#include "tile-c/LayoutMatrix.h"
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

namespace {

using ElementAt = SimElement (*)(const SimMatrixShape *, unsigned, unsigned);

/// Every lane's element i is where the layout has register i.
void expectEqual(const TileLayout &layout, const SimMatrixShape &s, ElementAt at, unsigned size,
                 unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < size; ++i) {
      int32_t index[TileLayout_MaxRank] = {0};
      tileLayoutApply(&layout, i, lane, 0, 0, index);
      const SimElement e = at(&s, lane, i);
      ASSERT_EQ(e.row, (unsigned)index[0]) << "lane " << lane << " element " << i;
      ASSERT_EQ(e.column, (unsigned)index[1]) << "lane " << lane << " element " << i;
    }
}

TileMatrixPlacement place(unsigned rows, unsigned columns) {
  return {2, {(int64_t)rows, (int64_t)columns, 0}, {1, 1, 0}, {1, 1, 0}};
}

void compare(const SimMatrixShape &s, unsigned lanes,
             const std::function<bool(const TileMatrixPlacement *, TileMatrixRole, TileLayout *)> &make) {
  SCOPED_TRACE(testing::Message() << s.m << "x" << s.n << "x" << s.k << ", " << s.elementBits << " bits");
  TileLayout layout;
  TileMatrixPlacement a = place(s.m, s.k), b = place(s.k, s.n), c = place(s.m, s.n);
  ASSERT_TRUE(make(&a, TileMatrixRole_A, &layout));
  expectEqual(layout, s, simFragmentA, simFragmentSizeA(&s), lanes);
  ASSERT_TRUE(make(&b, TileMatrixRole_B, &layout));
  expectEqual(layout, s, simFragmentB, simFragmentSizeB(&s), lanes);
  ASSERT_TRUE(make(&c, TileMatrixRole_Accumulator, &layout));
  expectEqual(layout, s, simFragmentC, simFragmentSizeC(&s), lanes);
}

TEST(SimFragments, MmaSyncAgreesWithLayouts) {
  for (auto [bits, k] :
       {std::pair{16u, 16u}, {16u, 8u}, {32u, 8u}, {32u, 4u}, {8u, 32u}, {8u, 16u}, {4u, 64u}, {4u, 32u}})
    compare({SimMatrix_MmaSync, 16, 8, k, 1, bits}, 32, [bits = bits](auto p, auto role, auto out) {
      return tileLayoutMmaSync(p, role, role == TileMatrixRole_Accumulator ? 2 : 32 / (int)bits, false, false,
                               out);
    });
  compare({SimMatrix_MmaSync, 8, 8, 4, 1, 64}, 32,
          [](auto p, auto role, auto out) { return tileLayoutMmaSync(p, role, 1, true, false, out); });
}

TEST(SimFragments, MfmaAgreesWithLayouts) {
  for (auto [size, k, bits] : {std::tuple{32u, 8u, 16u},
                               {16u, 16u, 16u},
                               {32u, 16u, 16u},
                               {16u, 32u, 16u},
                               {32u, 2u, 32u},
                               {16u, 4u, 32u},
                               {32u, 4u, 32u},
                               {16u, 8u, 32u},
                               {32u, 16u, 8u},
                               {16u, 32u, 8u},
                               {16u, 64u, 8u}}) {
    const int width = (int)(k * size / 64);
    compare({SimMatrix_Mfma, size, size, k, 1, bits}, 64, [size = size, width](auto p, auto role, auto out) {
      return tileLayoutMfma(p, role, (int)size, (int)size, width, false, false, out);
    });
  }
  compare({SimMatrix_MfmaF64, 16, 16, 4, 1, 64}, 64,
          [](auto p, auto role, auto out) { return tileLayoutMfma(p, role, 16, 16, 1, true, false, out); });
}

TEST(SimFragments, WideMfmaAgreesWithLayouts) {
  for (auto [size, k] : {std::pair{16u, 128u}, {32u, 64u}})
    compare({SimMatrix_MfmaF8F6F4, size, size, k, 1, 8}, 64, [size = size](auto p, auto role, auto out) {
      return tileLayoutMfma(p, role, (int)size, (int)size, 16, false, false, out);
    });
}

TEST(SimFragments, WmmaAgreesWithLayouts) {
  compare({SimMatrix_Wmma11, 16, 16, 16, 1, 16}, 32,
          [](auto p, auto role, auto out) { return tileLayoutWmma(p, role, 1, 16, 16, false, out); });
  for (unsigned bits : {16u, 8u, 4u})
    compare({SimMatrix_Wmma12, 16, 16, 16, 1, bits}, 32,
            [](auto p, auto role, auto out) { return tileLayoutWmma(p, role, 2, 8, 16, false, out); });
}

/// Each place of each block is held exactly as often as it should be.
void expectCover(const SimMatrixShape &s, ElementAt at, unsigned size, unsigned lanes, unsigned places) {
  std::multiset<std::tuple<unsigned, unsigned, unsigned>> seen;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < size; ++i) {
      const SimElement e = at(&s, lane, i);
      ASSERT_LT(e.block, s.blocks);
      seen.insert({e.block, e.row, e.column});
    }
  ASSERT_EQ(seen.size() % places, 0u);
  for (const auto &key : seen)
    ASSERT_EQ(seen.count(key), seen.size() / places);
}

TEST(SimFragments, EveryElementOfEveryBlockIsHeld) {
  for (auto [family, size, k, blocks, bits] : {std::tuple{SimMatrix_Mfma, 32u, 1u, 2u, 32u},
                                               {SimMatrix_Mfma, 16u, 1u, 4u, 32u},
                                               {SimMatrix_Mfma, 4u, 1u, 16u, 32u},
                                               {SimMatrix_Mfma, 32u, 4u, 2u, 16u},
                                               {SimMatrix_Mfma, 16u, 4u, 4u, 16u},
                                               {SimMatrix_Mfma, 4u, 4u, 16u, 16u},
                                               {SimMatrix_MfmaF64, 4u, 4u, 4u, 64u}}) {
    const SimMatrixShape s = {family, size, size, k, blocks, bits};
    expectCover(s, simFragmentA, simFragmentSizeA(&s), 64, size * k * blocks);
    expectCover(s, simFragmentB, simFragmentSizeB(&s), 64, size * k * blocks);
    expectCover(s, simFragmentC, simFragmentSizeC(&s), 64, size * size * blocks);
  }
}

/// The upper half-wave of RDNA3 holds copies, which the layouts call free lanes.
TEST(SimFragments, Wmma11HoldsOperandsTwice) {
  const SimMatrixShape s = {SimMatrix_Wmma11, 16, 16, 16, 1, 16};
  for (unsigned lane = 0; lane < 16; ++lane)
    for (unsigned i = 0; i < simFragmentSizeA(&s); ++i)
      EXPECT_EQ(simFragmentA(&s, lane, i).column, simFragmentA(&s, lane + 16, i).column);
}

} // namespace
