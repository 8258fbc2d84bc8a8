// tile-opt - runs passes on text one by one, as mlir-opt does; --tile-to-nvvm and --tile-to-rocdl run the
// whole list.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tile-c/Emission.h"
#include "tile-c/IR.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"
#include "tile-c/Target.h"
#include "llvm/Support/MemoryBuffer.h"

namespace {
struct TargetOptions : mlir::PassPipelineOptions<TargetOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("chip, such as sm_90a or gfx942")};
  Option<int> numWarps{*this, "num-warps", llvm::cl::desc("warps of a program"), llvm::cl::init(4)};
  Option<int> numStages{*this, "num-stages", llvm::cl::desc("depth of software pipelines"),
                        llvm::cl::init(3)};
  Option<bool> precise{*this, "precise", llvm::cl::desc("correctly rounded f32 division and square root"),
                       llvm::cl::init(false)};
};

using ErrorHandler = llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)>;

mlir::LogicalResult buildPipeline(mlir::OpPassManager &manager, llvm::StringRef text, ErrorHandler error,
                                  TileVendor vendor, const char *defaultChip) {
  TargetOptions options;
  if (mlir::failed(options.parseFromString(text)))
    return mlir::failure();
  if (options.numWarps < 1) // 0 would mean the default; the other values are checked by the first pass
    return error("num-warps: got " + llvm::Twine(options.numWarps) + ", expected a power of two");
  if (options.numStages < 1)
    return error("num-stages: got " + llvm::Twine(options.numStages) + ", expected a number from 1");
  TileCompileOptions o = {};
  std::string chip = options.chip.empty() ? defaultChip : options.chip.getValue();
  const TileTargetInfo *target = tileTargetLookup(chip.c_str());
  if (!target || target->vendor != vendor)
    return error("got chip '" + chip + "', expected one of " + (vendor == TileVendor_AMD ? "AMD" : "NVIDIA") +
                 " that tile-translate --help lists");
  o.target = chip.c_str();
  o.numWarps = options.numWarps;
  o.numStages = options.numStages;
  o.precise = options.precise;
  TileStringBuilder passes = {};
  bool built = tilePipelineText(TilePipelineStage_Final, &o, &passes) &&
               mlir::succeeded(mlir::parsePassPipeline(llvm::StringRef(passes.data, passes.length), manager,
                                                       llvm::errs()));
  tileStringRelease(&passes);
  return built ? mlir::success() : error("no pipeline for chip '" + chip + "'");
}

void registerPipeline(const char *name, const char *description, TileVendor vendor, const char *defaultChip) {
  mlir::registerPassPipeline(
      name, description,
      [=](mlir::OpPassManager &manager, llvm::StringRef text, ErrorHandler error) {
        return buildPipeline(manager, text, error, vendor, defaultChip);
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handler) { handler(TargetOptions()); });
}
/* What the parser cannot be given; the standard input and bytecode are taken as they are. */
bool isFitForParser(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(name);
  if (name == "-" || !file || (*file)->getBuffer().starts_with("ML\xEFR"))
    return true;
  TileCompileOptions options;
  tileCompileOptionsInit(&options);
  options.fileName = name.c_str();
  options.diagnostic = [](TileSeverity, const char *text, void *) {
    llvm::errs() << "tile-opt: error: " << text << "\n";
  };
  return tileCheckParserInput((*file)->getBufferStart(), (*file)->getBufferSize(), &options);
}
} // namespace

int main(int argc, char **argv) {
  tileInstallFatalErrorHandler("tile-opt");
  mlir::DialectRegistry registry;
  tileRegisterAllDialects(wrap(&registry));
  tileRegisterAllPasses();
  registerPipeline("tile-to-nvvm", "all passes from tile or Triton IR to the NVVM dialect", TileVendor_NVIDIA,
                   "sm_80");
  registerPipeline("tile-to-rocdl", "all passes from tile or Triton IR to the ROCDL dialect", TileVendor_AMD,
                   "gfx942");
  auto [input, output] = mlir::registerAndParseCLIOptions(argc, argv, "Tile pass driver\n", registry);
  if (!isFitForParser(input))
    return EXIT_FAILURE;
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
}
