// RUN: tile-opt %s --tile-to-nvvm="chip=sm_90a num-warps=1" | FileCheck %s

// Of the four elements that a tensor of three has after padding, the first three are printed.
// CHECK-LABEL: llvm.func @k
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[LESS:.*]] = llvm.icmp "slt" %{{.*}}, %[[SIZE]]
// CHECK-NEXT: llvm.cond_br %[[LESS]]
// CHECK: llvm.call @vprintf
func.func @k() attributes {tile.kernel} {
  %i = tile.make_range 0 to 3 : tensor<3xi32>
  tile.print "x " %i : tensor<3xi32>
  return
}
