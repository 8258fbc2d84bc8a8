// Registration.cpp - which dialects and passes the tools know, and the generated pass shells that call into
// C.
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"
// Our dialects' classes, which passes name as the dialects they depend on.
#include "tile/Dialect/TileGPU/IR/TileGPUDialect.h.inc"
#include "tile/Dialect/TileNV/IR/TileNVDialect.h.inc"
#include "tile-c/Dialect/TT.h"
#include "tile-c/Dialect/TTG.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/IR.h"
#include "tile-c/Passes.h"

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

extern "C" void tileRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::DialectRegistry &r = *unwrap(registry);
  r.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
           mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::NVVM::NVVMDialect,
           mlir::ROCDL::ROCDLDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect>();
  mlir::func::registerInlinerExtension(r);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tile__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tile_gpu__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tile_nv__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tt__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__ttg__(), registry);
}

extern "C" void tileRegisterAllPasses(void) {
  tile::passes::registerTilePasses();
  tile::gpu_passes::registerTileGPUPasses();
  tile::nv_passes::registerTileNVPasses();
  tile::conversion::registerConversionPasses();
  mlir::registerTransformsPasses();
  mlir::registerLiftControlFlowToSCFPass();
}
