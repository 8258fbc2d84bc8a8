/* ExecuteSim.c - the `sim` device from text: parsed, lowered for the target unless it is lowered already,
 * executed. */
#include "Simulate.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"

/// The first kernel; a session has one.
static MlirOperation firstKernel(MlirModule module) {
  TileKernelView view = {0};
  return tileKernelViewNext(module, view.op, &view) ? view.op : mlirModuleGetOperation(module);
}

int tileExecuteSim(const char *text, size_t size, const TileCompileOptions *options, const uint32_t grid[3],
                   TileArgument *arguments, size_t numArguments, const TileSimOptions *simOptions) {
  static const TileSimOptions defaults = {.checks = TileSimCheck_Default};
  TileStatus status;
  TileSession *session = tileSessionOpen(text, size, options, &status);
  if (!session)
    return status;
  MlirModule module = tileSessionGetModule(session);
  const TileCompileOptions *resolved = tileSessionGetOptions(session);
  const TileTargetInfo *target = tileSessionGetTarget(session);
  MlirLogicalResult result = tileSuccess();
  const SimSource source = {resolved->fileName ? resolved->fileName : "<input>", text, size};
  TileSimOptions chosen = simOptions ? *simOptions : defaults;
  if (!chosen.maxSteps && resolved->maxSteps > 0)
    chosen.maxSteps = (uint64_t)resolved->maxSteps;
  if (!target)
    result = tileEmitOpError(firstKernel(module),
                             "needs a target on the sim device, expected --target=CHIP with one of %s",
                             tileTargetNames());
  else if (tileOpKind(firstKernel(module)) != TileOp_LLVM_LLVMFunc)
    result = tileRunPipeline(module, TilePipelineStage_LLVMDialect, resolved);
  if (tileSucceeded(result))
    result =
        tileSimulateKernel(module, target, resolved->kernel, grid, arguments, numArguments, &chosen, &source);
  status = tileSucceeded(result) ? TileStatus_Done : target ? TileStatus_Failed : TileStatus_Options;
  tileSessionClose(session);
  return status;
}
