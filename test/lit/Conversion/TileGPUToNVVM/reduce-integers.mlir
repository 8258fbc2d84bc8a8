// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// Integers of at most 32 bits over all lanes: one instruction, sign-extended where the order is signed.
// CHECK-LABEL: llvm.func @whole_warp
// CHECK: %[[W:.*]] = llvm.sext %{{.*}} : i16 to i32
// CHECK: %[[R:.*]] = nvvm.redux.sync max %[[W]], %{{.*}} : i32 -> i32
// CHECK: llvm.trunc %[[R]] : i32 to i16
// CHECK-NOT: shfl
// CHECK: llvm.return
func.func @whole_warp(%x: !tile.ptr<i16>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<i16>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<i16>>, tensor<64xi32>
  %v = tile.load %p : tensor<64x!tile.ptr<i16>>
  %s = tile.reduce %v axis = 0 : tensor<64xi16> -> i16 {
  ^bb0(%a: i16, %b: i16):
    %t = arith.maxsi %a, %b : i16
    tile.yield %t : i16
  }
  tile.store %x, %s : !tile.ptr<i16>
  return
}

// Half a warp holds a row: shuffles.
// CHECK-LABEL: llvm.func @half_warp
// CHECK-NOT: redux
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: redux
// CHECK: llvm.return
func.func @half_warp(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %g = tile.reshape %r : tensor<32xi32> -> tensor<2x16xi32>
  %xs = tile.splat %x : tensor<2x16x!tile.ptr<i32>>
  %p = tile.addptr %xs, %g : tensor<2x16x!tile.ptr<i32>>, tensor<2x16xi32>
  %v = tile.load %p : tensor<2x16x!tile.ptr<i32>>
  %s = tile.reduce %v axis = 1 : tensor<2x16xi32> -> tensor<2xi32> {
  ^bb0(%a: i32, %b: i32):
    %t = arith.addi %a, %b : i32
    tile.yield %t : i32
  }
  %r2 = tile.make_range 0 to 2 : tensor<2xi32>
  %ys = tile.splat %x : tensor<2x!tile.ptr<i32>>
  %q = tile.addptr %ys, %r2 : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  tile.store %q, %s : tensor<2x!tile.ptr<i32>>
  return
}
