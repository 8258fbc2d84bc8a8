/* WarmPasses.h - a context and pass managers that live for thousands of texts: loading dialects and building
 * pipelines takes far longer than passes need for a small text. */
#ifndef TILE_TEST_FUZZ_WARMPASSES_H
#define TILE_TEST_FUZZ_WARMPASSES_H
#include "mlir-c/Pass.h"
#include "tile-c/Compile.h"
#include "tile-c/IR.h"

/// Zero-initialise.
typedef struct FuzzWarm {
  MlirContext context;
  MlirPassManager managers[64]; ///< made when they are first needed
  size_t uses;                  ///< of the context
} FuzzWarm;

/// The context, a new one from time to time: what texts add to it is never freed.
MlirContext fuzzWarmContext(FuzzWarm *warm);
void fuzzWarmRelease(FuzzWarm *warm);

/// The ways in which passes run: whole pipelines up to a stage, and single passes as tile-opt runs them.
size_t fuzzNumPipelines(void);
/// The options of pipeline `i`, whose target and stage they fix.
void fuzzPipelineOptions(size_t i, TileCompileOptions *options);
/// True if the result of pipeline `i` is what the cpu device executes.
bool fuzzPipelineEndsInTile(size_t i);
/// Runs pipeline `i` on a module of the context; options as fuzzPipelineOptions filled them.
MlirLogicalResult fuzzRunPipeline(FuzzWarm *warm, size_t i, MlirOperation module);
size_t fuzzNumPasses(void);
MlirLogicalResult fuzzRunPass(FuzzWarm *warm, size_t i, MlirOperation module);

#endif
