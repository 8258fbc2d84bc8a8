// A kernel whose threads hold at most 16 registers of data at a time gets 32, so that a multiprocessor is full; others, and
// those with many addresses, loops or 64 bits, are left to ptxas.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90 num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// CHECK: llvm.func @sixteen{{.*}}nvvm.maxnreg = 32 : i32
func.func @sixteen(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 0 : tensor<2048xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  %ss = tile.splat %s : tensor<2048xf32>
  %d = arith.subf %v, %ss : tensor<2048xf32>
  tile.store %p, %d : tensor<2048x!tile.ptr<f32>>
  return
}

// Two tensors at a time.
// CHECK: llvm.func @more
// CHECK-NOT: maxnreg
// CHECK-SAME: {
func.func @more(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %ys = tile.splat %y : tensor<2048x!tile.ptr<f32>>
  %q = tile.addptr %ys, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<f32>>
  %w = tile.load %q : tensor<2048x!tile.ptr<f32>>
  %d = arith.subf %v, %w : tensor<2048xf32>
  tile.store %p, %d : tensor<2048x!tile.ptr<f32>>
  return
}

// Unaligned: sixteen accesses of one element each.
// CHECK: llvm.func @scattered
// CHECK-NOT: maxnreg
// CHECK-SAME: {
func.func @scattered(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<f32>>
  %d = arith.addf %v, %v : tensor<2048xf32>
  tile.store %p, %d : tensor<2048x!tile.ptr<f32>>
  return
}

// CHECK: llvm.func @wide
// CHECK-NOT: maxnreg
// CHECK-SAME: {
func.func @wide(%x: !tile.ptr<f64> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<f64>>
  %p = tile.addptr %xs, %r : tensor<512x!tile.ptr<f64>>, tensor<512xi32>
  %v = tile.load %p : tensor<512x!tile.ptr<f64>>
  %d = arith.addf %v, %v : tensor<512xf64>
  tile.store %p, %d : tensor<512x!tile.ptr<f64>>
  return
}
