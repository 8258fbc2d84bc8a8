// tile-opt - runs passes on text one by one, as mlir-opt does; --tile-to-nvvm and --tile-to-rocdl run the
// whole list.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tile-c/IR.h"
#include "tile-c/Pipelines.h"

namespace {
struct TargetOptions : mlir::PassPipelineOptions<TargetOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("chip, such as sm_90a or gfx942")};
  Option<int> numWarps{*this, "num-warps", llvm::cl::desc("warps of a program"), llvm::cl::init(4)};
  Option<int> numStages{*this, "num-stages", llvm::cl::desc("depth of software pipelines"),
                        llvm::cl::init(3)};
  Option<bool> precise{*this, "precise", llvm::cl::desc("correctly rounded f32 division and square root"),
                       llvm::cl::init(false)};
};

void buildPipeline(mlir::OpPassManager &manager, const TargetOptions &options, const char *defaultChip) {
  TileCompileOptions o = {};
  std::string chip = options.chip.empty() ? defaultChip : options.chip.getValue();
  o.target = chip.c_str();
  o.numWarps = options.numWarps;
  o.numStages = options.numStages;
  o.precise = options.precise;
  TileStringBuilder text = {};
  if (!tilePipelineText(TilePipelineStage_Final, &o, &text) ||
      mlir::failed(mlir::parsePassPipeline(llvm::StringRef(text.data, text.length), manager)))
    llvm::errs() << "error: no pipeline for chip '" << chip << "'\n";
  tileStringRelease(&text);
}
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tileRegisterAllDialects(wrap(&registry));
  tileRegisterAllPasses();
  mlir::PassPipelineRegistration<TargetOptions> nvvm(
      "tile-to-nvvm", "all passes from tile or Triton IR to the NVVM dialect",
      [](mlir::OpPassManager &m, const TargetOptions &o) { buildPipeline(m, o, "sm_80"); });
  mlir::PassPipelineRegistration<TargetOptions> rocdl(
      "tile-to-rocdl", "all passes from tile or Triton IR to the ROCDL dialect",
      [](mlir::OpPassManager &m, const TargetOptions &o) { buildPipeline(m, o, "gfx942"); });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tile pass driver\n", registry));
}
