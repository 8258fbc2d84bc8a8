/* BoxSums.h - integers of addresses taken apart: what Boxes.c is made of. */
#ifndef TILE_LIB_TILEGPU_BOXSUMS_H
#define TILE_LIB_TILEGPU_BOXSUMS_H
#include "Boxes.h"

/// A tensor of integers that runs by 1 along one dimension, or along none (-1).
typedef struct TileRamp {
  int dim;
  TileSum start;
  MlirValue modulo; ///< taken modulo this tensor, or replaced from it on by some number; null: not
} TileRamp;

/// Sums in 32 bits that are extended on the way: they must not wrap around.
typedef struct TileExactSums {
  TileSum *sums;
  int *count;
} TileExactSums;

/// Adds factor * v, a scalar.
bool tileSumAdd(TileSum *sum, MlirValue v, int64_t factor, TileExactSums *exact);
bool tileSumAddSum(TileSum *sum, const TileSum *other, int64_t factor);
bool tileSumAddTerm(TileSum *sum, MlirValue value, int64_t factor);
/// Adds factor * (iterations before the one at hand); false if the factor is no multiple of the loop's step.
bool tileSumAddIterations(TileSum *sum, SCFForOp loop, int64_t factor, TileExactSums *exact);
/// False if the tensor is no ramp.
bool tileRampOf(MlirValue v, TileRamp *out, TileExactSums *exact);
/// Where dimension `dim` of the op's operand goes in its result; the op changes the shape. -1: nowhere.
bool tileRampMoves(MlirOperation op);
int tileRampMoved(MlirOperation op, int dim);
MlirValue tileStripExtension(MlirValue v);

#endif
