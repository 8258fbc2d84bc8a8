/* ExecuteCpu.c - the `cpu` device from text: parsed, the target-free passes, executed. */
#include "tile-c/Interpreter.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"

int tileExecuteCpu(const char *text, size_t size, const TileCompileOptions *options, const uint32_t grid[3],
                   TileArgument *arguments, size_t numArguments) {
  TileSession *session = tileSessionOpen(text, size, options);
  if (!session)
    return 1;
  MlirModule module = tileSessionGetModule(session);
  const TileCompileOptions *resolved = tileSessionGetOptions(session);
  const TileInterpretOptions interpret = {.maxSteps = resolved->maxSteps};
  MlirLogicalResult result = tileRunPipeline(module, TilePipelineStage_Tile, resolved);
  if (tileSucceeded(result))
    result = tileInterpretKernel(module, resolved->kernel, grid, arguments, numArguments, &interpret);
  tileSessionClose(session);
  return tileSucceeded(result) ? 0 : 1;
}
