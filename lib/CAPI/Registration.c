/* Registration.c - which dialects and passes the tools know. */
#include "mlir-c/Conversion.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/ROCDL.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Transforms.h"
#include "tile-c/Dialect/TT.h"
#include "tile-c/Dialect/TTG.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/IR.h"
#include "tile-c/Passes.h"

void tileRegisterAllDialects(MlirDialectRegistry registry) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(), mlirGetDialectHandle__cf__(),    mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__gpu__(),   mlirGetDialectHandle__llvm__(),  mlirGetDialectHandle__math__(),
      mlirGetDialectHandle__nvvm__(),  mlirGetDialectHandle__rocdl__(), mlirGetDialectHandle__scf__(),
      mlirGetDialectHandle__ub__(),    mlirGetDialectHandle__tile__(),  mlirGetDialectHandle__tile_gpu__(),
      mlirGetDialectHandle__tt__(),    mlirGetDialectHandle__ttg__(),   mlirGetDialectHandle__tile_nv__()};
  for (size_t i = 0; i < TILE_COUNTOF(handles); ++i)
    mlirDialectHandleInsertDialect(handles[i], registry);
  tileRegisterInlinerExtension(registry);
}

void tileRegisterAllPasses(void) {
  tileRegisterTilePasses();
  mlirRegisterTransformsPasses();
  mlirRegisterConversionLiftControlFlowToSCFPass();
}
