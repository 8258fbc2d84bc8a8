/* Pipelines.h - the order of the passes, in one place for tile-opt and libtile. */
#ifndef TILE_C_PIPELINES_H
#define TILE_C_PIPELINES_H
#include "tile-c/Compile.h"
#include "tile-c/IR.h"
#include "tile-c/Support/StringBuilder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How far the pipeline goes; each stage includes those before it.
typedef enum TilePipelineStage {
  TilePipelineStage_Tile,        ///< imported and cleaned up: what the cpu device executes
  TilePipelineStage_TileGPU,     ///< layouts chosen: just before lowering
  TilePipelineStage_LLVMDialect, ///< lowered: what the simulator executes
  TilePipelineStage_Final        ///< ready for translation to LLVM IR
} TilePipelineStage;

/// Appends the textual pass pipeline (as in `--pass-pipeline`, without "builtin.module(...)") for a stage.
/// `options->target` is needed from TilePipelineStage_TileGPU on; false if the chip is unknown then.
bool tilePipelineText(TilePipelineStage upTo, const TileCompileOptions *options, TileStringBuilder *out);

/// Runs it on a module. Thread-safe for modules of different contexts.
MlirLogicalResult tileRunPipeline(MlirModule module, TilePipelineStage upTo,
                                  const TileCompileOptions *options);
/// Runs the rest of it: the passes between two stages, on a module that is at stage `after`.
MlirLogicalResult tileContinuePipeline(MlirModule module, TilePipelineStage after, TilePipelineStage upTo,
                                       const TileCompileOptions *options);

#ifdef __cplusplus
}
#endif
#endif
