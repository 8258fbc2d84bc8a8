// RUN: tile-opt %s --split-input-file --convert-tile-to-tile-gpu="target=sm_80 num-warps=2" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// Four registers in order, one step of shuffles for each lane bit and one for the lane before, two totals through shared memory.
// CHECK-LABEL: llvm.func @sum
// CHECK: llvm.load {{.*}} -> vector<4xi32>
// CHECK-COUNT-3: llvm.add
// CHECK-COUNT-6: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store {{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-1: llvm.load {{.*}} : !llvm.ptr<3> -> i32
// CHECK-NOT: llvm.ptr<3>
// CHECK: llvm.return
func.func @sum(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<i32>>
  %p = tile.addptr %xs, %r : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>>
  %s = tile.scan %v axis = 0 : tensor<256xi32> {
  ^bb0(%a: i32, %b: i32):
    %t = arith.addi %a, %b : i32
    tile.yield %t : i32
  }
  tile.store %p, %s : tensor<256x!tile.ptr<i32>>
  return
}

// -----

// The axis lies in the registers of a thread: nothing but the combinations, later elements first.
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<4xi32>
// CHECK: %[[X0:.*]] = llvm.extractelement %[[V]]
// CHECK: %[[X1:.*]] = llvm.extractelement %[[V]]
// CHECK: %[[X2:.*]] = llvm.extractelement %[[V]]
// CHECK: %[[X3:.*]] = llvm.extractelement %[[V]]
// CHECK-NOT: nvvm.shfl
// CHECK: %[[Y2:.*]] = llvm.sub %[[X3]], %[[X2]]
// CHECK: %[[Y1:.*]] = llvm.sub %[[Y2]], %[[X1]]
// CHECK: llvm.sub %[[Y1]], %[[X0]]
// CHECK-NOT: llvm.sub
// CHECK: llvm.store
func.func @rows(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<i32>>
  %p = tile.addptr %xs, %r : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>>
  %w = tile.reshape %v : tensor<256xi32> -> tensor<64x4xi32>
  %s = tile.scan %w axis = 1 reverse : tensor<64x4xi32> {
  ^bb0(%a: i32, %b: i32):
    %t = arith.subi %a, %b : i32
    tile.yield %t : i32
  }
  %f = tile.reshape %s : tensor<64x4xi32> -> tensor<256xi32>
  tile.store %p, %f : tensor<256x!tile.ptr<i32>>
  return
}
