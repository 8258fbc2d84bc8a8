/* Expand.h - emitting the steps of a pipeline, before the loop and as its body. */
#ifndef TILE_LIB_TILEGPU_EXPAND_H
#define TILE_LIB_TILEGPU_EXPAND_H
#include "Pipeline.h"

/// One stage in the step being emitted: what the loop's values are in its iteration.
typedef struct TileStageState {
  TilePointerMap values;   ///< of the loop's body -> emitted
  MlirValue iv, predicate; ///< predicate: the iteration exists; null where it does
  MlirValue *args;         ///< carried variables, where the slice has them
} TileStageState;

typedef struct TileExpansionStep {
  TilePipeline *p;
  MlirLocation loc;
  int step; ///< before the loop: its number; in the loop's body: `depth`
  bool isBody;
  MlirValue iv;                                  ///< in the body: of the last stage
  MlirValue counter[TilePipeline_MaxStages + 1]; ///< [n]: step - depth modulo n, for n buffers; null in front
  TileStageState stages[TilePipeline_MaxStages + 1];
} TileExpansionStep;

// ---- ExpandStep.c ----

/// Emits what all stages do in this step; carried values and variables move on.
void tilePipelineEmitStep(TileExpansionStep *s);
/// The value that a value of the loop's body has in a stage.
MlirValue tilePipelineLookup(TileExpansionStep *s, int stage, MlirValue v);

// ---- ExpandArith.c: scalar arithmetic of trip counts ----

MlirValue tilePipelineConstant(TilePipeline *p, MlirLocation loc, MlirType type, int64_t value);
/// base + n * step of the loop.
MlirValue tilePipelineIterationAfter(TilePipeline *p, MlirLocation loc, MlirValue base, int n);
/// i1: whether the loop has an iteration n after the one at `iv`; with `first`, iv is the lower bound, of
/// which it is not known that it is below the upper one. No sum of these overflows.
MlirValue tilePipelineHasIteration(TilePipeline *p, MlirLocation loc, MlirValue iv, int n, bool first);

#endif
