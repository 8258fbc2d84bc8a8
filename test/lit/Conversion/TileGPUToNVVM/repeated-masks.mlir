// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s

// The bound is a multiple of 16, so four neighbours are in or out together: one comparison for each vector.
// CHECK-LABEL: llvm.func @masked
// CHECK-COUNT-2: llvm.icmp "slt"
// CHECK-NOT: llvm.icmp
// CHECK: llvm.return
func.func @masked(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %ns = tile.splat %n : tensor<256xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<f32>>
  %w = arith.select %m, %v, %zero : tensor<256xi1>, tensor<256xf32>
  tile.store %p, %w : tensor<256x!tile.ptr<f32>>
  return
}
