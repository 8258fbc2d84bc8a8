// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-coalesce --tile-gpu-accelerate-wgmma | FileCheck %s

// A factor that the loop does not change goes to shared memory once, in front of it.
// CHECK-LABEL: @query
// CHECK: %[[Q:.*]] = tile.load
// CHECK: %[[A:.*]] = tile_gpu.alloc %[[Q]]
// CHECK-NEXT: tile_gpu.fence_async %[[A]] :
// CHECK: scf.for
// CHECK: %[[K:.*]] = tile.load
// CHECK: %[[B:.*]] = tile_gpu.alloc %[[K]]
// CHECK-NEXT: tile_gpu.fence_async %[[B]] :
// CHECK: tile_gpu.wgmma %[[A]], %[[B]]
func.func @query(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %i = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %xs = tile.splat %x : tensor<64x64x!tile.ptr<f16>>
  %p = tile.addptr %xs, %i : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %q = tile.load %p : tensor<64x64x!tile.ptr<f16>>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ks = tile.splat %k : tensor<64x64xi32>
    %pk = tile.addptr %p, %ks : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %b = tile.load %pk : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %q, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %ys = tile.splat %y : tensor<64x64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %py, %sum : tensor<64x64x!tile.ptr<f32>>
  return
}
