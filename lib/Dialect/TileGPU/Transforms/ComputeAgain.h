/* ComputeAgain.h - masks and indices computed once more, at the place where they are needed. */
#ifndef TILE_LIB_TILEGPU_COMPUTEAGAIN_H
#define TILE_LIB_TILEGPU_COMPUTEAGAIN_H
#include "tile-c/IR.h"
#include "tile-c/Support/PointerMap.h"

typedef struct TileAgain {
  TileBuilder b;   ///< inserts here
  MlirBlock block; ///< what this block computes of a value is computed again
  TilePointerMap copies;
  const char *mark; ///< comparisons get it (tile-c/SmallNumbers.h); null: none
} TileAgain;

/// `v` at the builder's place: comparisons, sums, minima and conjunctions of integers, however broadcast, as far as the ops of
/// the block go. They move nothing between threads.
MlirValue tileComputeAgain(TileAgain *a, MlirValue v);
#endif
