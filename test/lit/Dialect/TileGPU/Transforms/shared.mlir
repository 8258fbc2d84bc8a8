// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=gfx942 num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers | FileCheck %s

// 256 rows are one a thread: no scratch. 8 rows of 1024 are spread over warps: 4 parts of 8 sums.
// CHECK: module attributes {{.*}}tile_gpu.shared = 128 : i32
// CHECK-LABEL: @sums
// CHECK: tile.reduce %{{.*}} axis = 1 {tile_gpu.scratch = 0 : i32}
func.func @sums(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %c1024 = arith.constant dense<1024> : tensor<8x1xi32>
  %r = tile.make_range 0 to 8 : tensor<8xi32>
  %c = tile.make_range 0 to 1024 : tensor<1024xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<8xi32> -> tensor<8x1xi32>
  %c2 = tile.expand_dims %c axis = 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %row = arith.muli %r2, %c1024 : tensor<8x1xi32>
  %rb = tile.broadcast %row : tensor<8x1xi32> -> tensor<8x1024xi32>
  %cb = tile.broadcast %c2 : tensor<1x1024xi32> -> tensor<8x1024xi32>
  %i = arith.addi %rb, %cb : tensor<8x1024xi32>
  %xs = tile.splat %x : tensor<8x1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<8x1024x!tile.ptr<f32>>, tensor<8x1024xi32>
  %v = tile.load %p : tensor<8x1024x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 1 : tensor<8x1024xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  %os = tile.splat %o : tensor<8x!tile.ptr<f32>>
  %q = tile.addptr %os, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %q, %s : tensor<8x!tile.ptr<f32>>
  return
}

// -----

// Two small scratches in turn: the barrier inside each tells that the other one has been read.
// CHECK-LABEL: @twice
// CHECK: scf.for
// CHECK: tile.reduce %{{.*}} axis = 0 {tile_gpu.scratch = 0 : i32}
// CHECK: tile.reduce %{{.*}} axis = 0 {tile_gpu.scratch = 16 : i32}
// CHECK: tile.barrier
// CHECK: tile.reduce %{{.*}} axis = 0 {tile_gpu.scratch = 0 : i32}
func.func @twice(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %m = tile.reduce %v axis = 0 : tensor<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.maximumf %a, %b : f32
      tile.yield %t : f32
    }
    %s = tile.reduce %v axis = 0 : tensor<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tile.yield %t : f32
    }
    %d = arith.divf %m, %s : f32
    tile.store %x, %d : !tile.ptr<f32>
  }
  tile.barrier
  %l = tile.reduce %v axis = 0 : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.minimumf %a, %b : f32
    tile.yield %t : f32
  }
  tile.store %x, %l : !tile.ptr<f32>
  return
}
