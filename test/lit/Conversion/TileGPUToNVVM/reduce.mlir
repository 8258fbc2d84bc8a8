// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=2" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// Two registers, five butterfly steps, then two parts through shared memory.
// CHECK: llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @sum
// CHECK: llvm.load {{.*}} -> vector<2xf32>
// CHECK: llvm.fadd
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.fadd
func.func @sum(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 0 : tensor<128xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  tile.store %x, %s : !tile.ptr<f32>
  return
}

// Products that may enter a sum unrounded: a chain of each half of a thread's elements, the first product of each alone.
// CHECK-LABEL: llvm.func @products
// CHECK-COUNT-8: llvm.fmul
// CHECK-COUNT-6: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.fadd
// CHECK-COUNT-5: nvvm.shfl.sync bfly
func.func @products(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %p : tensor<512x!tile.ptr<f32>>
  %q = arith.mulf %v, %v : tensor<512xf32>
  %s = tile.reduce %q axis = 0 contract : tensor<512xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  tile.store %x, %s : !tile.ptr<f32>
  return
}
