// tile-opt - runs passes on text one by one, as mlir-opt does; --tile-to-nvvm and --tile-to-rocdl run the
// whole list.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tile-c/Emission.h"
#include "tile-c/File.h"
#include "tile-c/IR.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"
#include "tile-c/Target.h"
#include "tile-c/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

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

/* The whole input, up to a limit that LLVM's own reading does not have. Null: a message was printed. */
std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &name) {
  char *data;
  size_t size;
  TileError error;
  if (tileFileRead(name.c_str(), &data, &size, &error)) {
    llvm::errs() << "tile-opt: error: " << name << ": " << error.text << "\n";
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy({data, size}, name == "-" ? "<stdin>" : name);
  free(data);
  return buffer;
}

/* MLIR reads the file of --irdl-file itself. */
bool isFileWithAnEnd(llvm::StringRef name) {
  if (name.empty() || llvm::sys::fs::is_regular_file(name))
    return true;
  llvm::errs() << "tile-opt: error: --irdl-file: got " << name << ", expected a regular file\n";
  return false;
}

/* What the parser cannot be given; bytecode is taken as it is. */
bool isFitForParser(llvm::MemoryBufferRef buffer, const std::string &name) {
  if (buffer.getBuffer().starts_with("ML\xEFR"))
    return true;
  TileCompileOptions options;
  tileCompileOptionsInit(&options);
  options.fileName = name.c_str();
  options.diagnostic = [](TileSeverity, const char *text, void *) {
    llvm::errs() << "tile-opt: error: " << text << "\n";
  };
  return tileCheckParserInput(buffer.getBufferStart(), buffer.getBufferSize(), &options);
}

/* What verifiers cannot be given; all else that is wrong is said when the text is parsed again. */
bool isFitForVerifiers(llvm::MemoryBufferRef chunk, mlir::DialectRegistry &registry, bool allowUnregistered) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(allowUnregistered);
  std::string name = chunk.getBufferIdentifier().str();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(chunk, false), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  MlirModule module;
  {
    mlir::ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return mlir::success(); });
    module = tileParseModuleUnverified(wrap(&context), wrap(chunk.getBuffer()), name.c_str());
  }
  bool fit = mlirModuleIsNull(module) || tileCheckAttributes(mlirModuleGetOperation(module));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  return fit;
}

mlir::LogicalResult run(const std::string &input, const std::string &output, mlir::DialectRegistry &registry,
                        const mlir::MlirOptMainConfig &config) {
  std::string error;
  if (!isFileWithAnEnd(config.getIrdlFile()))
    return mlir::failure();
  auto buffer = readInput(input);
  if (!buffer || !isFitForParser(*buffer, input))
    return mlir::failure();
  auto check = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, llvm::raw_ostream &) {
    return mlir::success(isFitForVerifiers(*chunk, registry, config.shouldAllowUnregisteredDialects()));
  };
  if (mlir::failed(mlir::splitAndProcessBuffer(llvm::MemoryBuffer::getMemBuffer(*buffer), check,
                                               llvm::nulls(), config.inputSplitMarker())))
    return mlir::failure();
  auto file = mlir::openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (mlir::failed(mlir::MlirOptMain(file->os(), std::move(buffer), registry, config)))
    return mlir::failure();
  file->keep();
  return mlir::success();
}
} // namespace

int main(int argc, char **argv) {
  tileInstallFatalErrorHandler("tile-opt");
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &out) { out << "tile-opt " TILE_VERSION "\n"; });
  mlir::DialectRegistry registry;
  tileRegisterAllDialects(wrap(&registry));
  tileRegisterAllPasses();
  registerPipeline("tile-to-nvvm", "all passes from tile or Triton IR to the NVVM dialect", TileVendor_NVIDIA,
                   "sm_80");
  registerPipeline("tile-to-rocdl", "all passes from tile or Triton IR to the ROCDL dialect", TileVendor_AMD,
                   "gfx942");
  auto [input, output] = mlir::registerAndParseCLIOptions(argc, argv, "Tile pass driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM stackTraces(argc, argv);
  return mlir::asMainReturnCode(run(input, output, registry, config));
}
