// Passes.cpp - the generated shells of Tile's passes, each of which calls its C function.
#include "tile-c/Passes.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/ROCDL.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/IR.h"

namespace tile {
namespace {
[[maybe_unused]] mlir::Operation *asOperation(mlir::Operation *op) { return op; }
template <typename Op> [[maybe_unused]] mlir::Operation *asOperation(Op op) { return op.getOperation(); }
} // namespace
namespace passes {
#include "tile/Passes/TilePasses.capi.cpp.inc"
} // namespace passes
namespace gpu_passes {
#include "tile/Passes/TileGPUPasses.capi.cpp.inc"
} // namespace gpu_passes
namespace nv_passes {
#include "tile/Passes/TileNVPasses.capi.cpp.inc"
} // namespace nv_passes
namespace conversion {
#include "tile/Passes/ConversionPasses.capi.cpp.inc"
} // namespace conversion
} // namespace tile

extern "C" void tileRegisterTilePasses(void) {
  tile::passes::registerTilePasses();
  tile::gpu_passes::registerTileGPUPasses();
  tile::nv_passes::registerTileNVPasses();
  tile::conversion::registerConversionPasses();
}

extern "C" void tileRegisterInlinerExtension(MlirDialectRegistry registry) {
  mlir::func::registerInlinerExtension(*unwrap(registry));
}
