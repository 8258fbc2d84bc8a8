/* ExecuteSim.c - the `sim` device from text: parsed, lowered for the target unless it is lowered already,
 * executed. */
#include "Simulate.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"

static bool isLowered(MlirModule module) {
  TileKernelView view = {0};
  return tileKernelViewNext(module, view.op, &view) && tileOpKind(view.op) == TileOp_LLVM_LLVMFunc;
}

int tileExecuteSim(const char *text, size_t size, const TileCompileOptions *options, const uint32_t grid[3],
                   TileArgument *arguments, size_t numArguments, const TileSimOptions *simOptions) {
  static const TileSimOptions defaults = {.checks = TileSimCheck_Default};
  TileSession *session = tileSessionOpen(text, size, options);
  if (!session)
    return 1;
  MlirModule module = tileSessionGetModule(session);
  const TileCompileOptions *resolved = tileSessionGetOptions(session);
  const TileTargetInfo *target = tileSessionGetTarget(session);
  MlirLogicalResult result = tileSuccess();
  TileSimOptions chosen = simOptions ? *simOptions : defaults;
  if (!chosen.maxSteps && resolved->maxSteps > 0)
    chosen.maxSteps = (uint64_t)resolved->maxSteps;
  if (!target)
    result = tileEmitError(mlirOperationGetLocation(mlirModuleGetOperation(module)),
                           "the sim device needs a target, expected --target=CHIP with one of %s",
                           tileTargetNames());
  else if (!isLowered(module))
    result = tileRunPipeline(module, TilePipelineStage_LLVMDialect, resolved);
  if (tileSucceeded(result))
    result = tileSimulateKernel(module, target, resolved->kernel, grid, arguments, numArguments, &chosen);
  tileSessionClose(session);
  return tileSucceeded(result) ? 0 : 1;
}
