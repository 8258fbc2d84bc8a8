// tile-opt - runs passes on text one by one, as mlir-opt does.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tile-c/IR.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tileRegisterAllDialects(wrap(&registry));
  tileRegisterAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tile pass driver\n", registry));
}
