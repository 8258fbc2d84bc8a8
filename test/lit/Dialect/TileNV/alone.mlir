// The first op of the llvm dialect's types in a text may be one of tile_nv.
//
// RUN: not tile-translate %s --target=sm_90a --emit=llvm-dialect -o %t 2>&1 | FileCheck %s
// CHECK: alone.mlir:[[#@LINE+2]]:{{.*}}: error: use of undeclared SSA value name
module {
  tile_nv.mbarrier_inval %b
}
