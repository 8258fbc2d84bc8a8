/* Cost.h - private to lib/Compile: what a kernel with given parameters is estimated to cost (docs/auto.md). */
#ifndef TILE_LIB_COMPILE_COST_H
#define TILE_LIB_COMPILE_COST_H
#include "mlir-c/IR.h"
#include "tile-c/Target.h"

/// One way to run a kernel.
typedef struct TileCostInput {
  MlirModule module;
  MlirOperation kernel;
  const TileTargetInfo *target;
  unsigned processors;
  int numWarps, numStages;
  double programs;          ///< of the grid
  const int64_t *values;    ///< of the kernel's parameters
  const bool *known;        ///< which of them are known
  const int64_t *rows;      ///< elements of a row of descriptors' tensors; 0: not known
  const int64_t *rowCounts; ///< and how many rows there are
} TileCostInput;

/// Cycles of a launch on the whole chip; infinity if it cannot be compiled or would spill.
double tileCostEstimate(const TileCostInput *input);

#endif
