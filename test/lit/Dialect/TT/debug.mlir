// RUN: tile-opt %s | tile-opt | FileCheck %s
// Printing and assertions, of all versions; older spellings of other ops.

tt.func @debug(%x: tensor<8xf32>, %i: i32, %c: tensor<8xi1>) {
  // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 0, 1>} : %{{.*}}, %{{.*}} : tensor<8xf32>, i32
  tt.print " x: " {hex = false, isSigned = array<i32: 0, 1>} : %x, %i : tensor<8xf32>, i32
  // CHECK: tt.print " words" {hex = false, isSigned = array<i32>}
  tt.print " words" {hex = false, isSigned = array<i32>}
  // CHECK: tt.print " hex: " {hex = true} : %{{.*}} : i32
  tt.print " hex: " {hex = true} : %i : i32
  // CHECK: tt.assert %{{.*}}, "a \22quoted\22 message" : tensor<8xi1>
  tt.assert %c, "a \22quoted\22 message" : tensor<8xi1>
  // CHECK: tt.assert %{{.*}}, "message", "kernels.py", "main", 12 : tensor<8xi1>
  tt.assert %c, "message", "kernels.py", "main", 12 : tensor<8xi1>
  tt.return
}

tt.func @older(%x: tensor<8x4xf32>, %a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>, %s: tensor<16x1xi8>, %y: tensor<16x32xi8>, %z: tensor<32x16xi8>, %i1: i1) {
  // CHECK: tt.reshape %{{.*}} : tensor<8x4xf32> -> tensor<32xf32>
  %0 = tt.reshape %x {allow_reorder = false} : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  %1 = tt.reshape %x {allow_reorder = true} : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} {allowTF32 = true{{.*}}} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  %2 = tt.dot %a, %b, %c {allowTF32 = true, maxNumImpreciseAcc = 0 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e5m2 rhs = e4m3 : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
  %3 = tt.dot_scaled %y, %s, %z, %c lhs = e5m2 rhs = e4m3 : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e5m2 rhs = e4m3 : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xi8>, tensor<16x1xi8> -> tensor<16x16xf32>
  %4 = tt.dot_scaled %y, %s, %z, %s, %c lhs = e5m2 rhs = e4m3 : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xi8>, tensor<16x1xi8> -> tensor<16x16xf32>
  // CHECK: llvm.mlir.undef : i32
  %5 = llvm.mlir.undef : i32
  // CHECK: llvm.intr.assume %{{.*}} : i1
  llvm.intr.assume %i1 : i1
  tt.return
}
