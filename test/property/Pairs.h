/* Pairs.h - random pairs of layouts of one tensor, from a seed. */
#ifndef TILE_TEST_PROPERTY_PAIRS_H
#define TILE_TEST_PROPERTY_PAIRS_H
#include "tile-c/Layout.h"

typedef struct Random {
  uint64_t state;
} Random;

/// A number below n > 0.
int below(Random *random, int n);

typedef struct LayoutPair {
  TileLayout from, to;
} LayoutPair;

/// Layouts of a tensor of rank 1 to 3 on 2^laneBits lanes and 2^warpBits warps: of any two, of two whose warps
/// hold the same elements, of two that differ in their registers only. Bits are permuted, in part mixed, with
/// copies here and there; both layouts hold every element.
LayoutPair randomPair(Random *random, int laneBits, int warpBits);

/// A layout as reductions want it: each bit along one dimension or making copies, every element held.
TileLayout randomPlainLayout(Random *random, int laneBits, int warpBits);

#endif
