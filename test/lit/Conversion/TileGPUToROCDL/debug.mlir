// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --tile-gpu-assign-layouts --convert-tile-gpu-to-rocdl | FileCheck %s

// A wave has nobody to tell the message to: it stays on the trap, for the report.
// CHECK-LABEL: llvm.func @check(
// CHECK: llvm.cond_br %{{.*}}, ^[[AFTER:.*]], ^[[FAIL:.*]]
// CHECK: ^[[FAIL]]:
// CHECK-NEXT: llvm.intr.trap {tile_gpu.assert = "negative"}
// CHECK-NEXT: llvm.unreachable
// CHECK: ^[[AFTER]]:
func.func @check(%n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %ok = arith.cmpi sge, %n, %zero : i32
  tile.assert %ok, "negative" : i1
  return
}
