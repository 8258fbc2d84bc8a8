// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s

// CHECK-LABEL: func.func private @debug
tt.func @debug(%x: tensor<8xf32>, %i: i32, %c: tensor<8xi1>, %b: i1) {
  // CHECK: tile.print " x: " %{{.*}}, %{{.*}} unsigned = [false, true] : tensor<8xf32>, i32
  tt.print " x: " {hex = false, isSigned = array<i32: 0, 0>} : %x, %i : tensor<8xf32>, i32
  // CHECK: tile.print " signed: " hex %{{.*}} : i32
  tt.print " signed: " {hex = true, isSigned = array<i32: 1>} : %i : i32
  // CHECK: tile.print " before 3.2: " %{{.*}} : i32
  tt.print " before 3.2: " {hex = false} : %i : i32
  // CHECK: tile.print " words"{{$}}
  tt.print " words" {hex = false, isSigned = array<i32>}
  // CHECK: tile.assert %{{.*}}, "message" : tensor<8xi1>
  tt.assert %c, "message" : tensor<8xi1>
  // CHECK: tile.assert %{{.*}}, "with place" : tensor<8xi1>
  tt.assert %c, "with place", "kernels.py", "main", 12 : tensor<8xi1>
  // CHECK: tile.assume %{{.*}}
  llvm.intr.assume %b : i1
  // CHECK-NEXT: tile.barrier
  gpu.barrier
  // CHECK-NEXT: tile.barrier
  ttg.barrier all
  // CHECK-NEXT: tile.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK-NEXT: tile.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  tt.return
}
