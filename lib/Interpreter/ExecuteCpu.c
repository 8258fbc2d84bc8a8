/* ExecuteCpu.c - the `cpu` device from text: parsed, the target-free passes, executed. */
#include "tile-c/IR.h"
#include "tile-c/Interpreter.h"
#include "tile-c/OpKind.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"

int tileExecuteCpu(const char *text, size_t size, const TileCompileOptions *options, const uint32_t grid[3],
                   TileArgument *arguments, size_t numArguments) {
  TileStatus status;
  TileSession *session = tileSessionOpen(text, size, options, &status);
  if (!session)
    return status;
  MlirModule module = tileSessionGetModule(session);
  const TileCompileOptions *resolved = tileSessionGetOptions(session);
  const TileInterpretOptions interpret = {.maxSteps = resolved->maxSteps};
  TileKernelView kernel;
  MlirLogicalResult result = tileSuccess();
  if (tileKernelViewNext(module, (MlirOperation){NULL}, &kernel) &&
      tileOpKind(kernel.op) == TileOp_LLVM_LLVMFunc)
    result =
        tileEmitOpError(kernel.op, "is lowered already, expected tile or Triton IR on the cpu device (the "
                                   "sim device executes lowered kernels)");
  if (tileSucceeded(result))
    result = tileRunPipeline(module, TilePipelineStage_Tile, resolved);
  if (tileSucceeded(result))
    result = tileInterpretKernel(module, resolved->kernel, grid, arguments, numArguments, &interpret);
  tileSessionClose(session);
  return tileSucceeded(result) ? TileStatus_Done : TileStatus_Failed;
}
