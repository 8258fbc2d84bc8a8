/* LayoutTesting.h - helpers of the layout tests: building from text, printing, seeded random layouts. */
#ifndef TILE_TEST_LAYOUTTESTING_H
#define TILE_TEST_LAYOUTTESTING_H
#include "tile-c/Layout.h"
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using Random = std::mt19937;

inline std::string str(const TileLayout &layout, bool memory = false) {
  std::string text(tileLayoutPrint(&layout, memory, nullptr, 0), 0);
  tileLayoutPrint(&layout, memory, text.data(), text.size() + 1);
  return text;
}

inline TileLayout parse(const std::string &text) {
  TileLayout layout = tileLayoutEmpty(0);
  const char *error = nullptr;
  size_t position = 0;
  EXPECT_TRUE(tileLayoutParse(text.data(), text.size(), &layout, &error, &position))
      << text << ": " << (error ? error : "") << " at " << position;
  return layout;
}

inline int below(Random &random, int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }

/// Shape of a random tensor with at most `maxBits` index bits.
inline std::vector<int64_t> randomShape(Random &random, int rank, int maxBits) {
  std::vector<int64_t> shape(rank, 1);
  for (int i = below(random, maxBits + 1); i > 0 && rank > 0; --i)
    shape[below(random, rank)] *= 2;
  return shape;
}

/// Any linear map: vectors drawn uniformly.
inline TileLayout randomLayout(Random &random, const std::vector<int64_t> &shape,
                               std::vector<int> inputBits) {
  std::vector<int32_t> bases;
  inputBits.resize(TileLayoutDim_Count);
  for (int n : inputBits)
    for (int i = 0; i < n; ++i)
      for (int64_t size : shape)
        bases.push_back(below(random, (int)size));
  TileLayout layout = tileLayoutEmpty(0);
  EXPECT_TRUE(tileLayoutFromBases((int)shape.size(), shape.data(), inputBits.data(), bases.data(), &layout));
  return layout;
}

/// A surjective map: the unit vectors, shuffled over the inputs and mixed by random column additions, and
/// copies (zero vectors) filling the rest. With `mix` 0 it is a permutation of bits, as blocked layouts are.
inline TileLayout randomSurjective(Random &random, const std::vector<int64_t> &shape, int lanes, int warps,
                                   int blocks, int copies, int mix) {
  std::vector<std::vector<int32_t>> columns;
  for (size_t d = 0; d < shape.size(); ++d)
    for (int64_t step = 1; step < shape[d]; step *= 2) {
      columns.emplace_back(shape.size(), 0);
      columns.back()[d] = (int32_t)step;
    }
  for (int i = 0; i < copies; ++i)
    columns.emplace_back(shape.size(), 0);
  while ((int)columns.size() < lanes + warps + blocks)
    columns.emplace_back(shape.size(), 0);
  std::shuffle(columns.begin(), columns.end(), random);
  for (int i = 0; i < mix && columns.size() > 1; ++i) {
    int a = below(random, (int)columns.size()), b = below(random, (int)columns.size());
    for (size_t d = 0; a != b && d < shape.size(); ++d)
      columns[a][d] ^= columns[b][d];
  }
  int32_t bits[TileLayoutDim_Count] = {(int)columns.size() - lanes - warps - blocks, lanes, warps, blocks};
  std::vector<int32_t> bases;
  for (auto &column : columns)
    bases.insert(bases.end(), column.begin(), column.end());
  TileLayout layout = tileLayoutEmpty(0);
  EXPECT_TRUE(tileLayoutFromBases((int)shape.size(), shape.data(), bits, bases.data(), &layout));
  return layout;
}

/// Calls fn(reg, lane, warp, block) for every input.
template <typename Fn> void forEachInput(const TileLayout &layout, Fn fn) {
  for (int64_t b = 0; b < tileLayoutNumBlocks(&layout); ++b)
    for (int64_t w = 0; w < tileLayoutNumWarps(&layout); ++w)
      for (int64_t l = 0; l < tileLayoutNumLanes(&layout); ++l)
        for (int64_t r = 0; r < tileLayoutNumRegisters(&layout); ++r)
          fn(r, l, w, b);
}

#endif
