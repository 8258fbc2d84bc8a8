// RUN: tile-opt %s --tile-gpu-assign-layouts | FileCheck %s

// A lane that moves along both dimensions at once, and a column that two lane bits hold twice: the operand is
// converted before the reduction, which needs lanes along its axis or beside it.
// CHECK: #[[MIXED:.*]] = #tile_gpu.layout<2, register = {{\[\[}}0, 1], [4, 0]], lane = {{\[\[}}0, 2], [1, 4], [2, 8], [0, 4], [0, 8]], warp = [], block = []>
// CHECK-LABEL: @mixed
// CHECK: %[[V:.*]] = tile.load {{.*}} #[[MIXED]]>
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[V]]
// CHECK: tile.reduce %[[C]] axis = 1
#mixed = #tile_gpu.layout<2, register = [[0, 1], [4, 0]], lane = [[0, 2], [1, 4], [2, 8], [0, 4], [0, 8]], warp = [], block = []>
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @mixed(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
    %r = tile.make_range 0 to 128 : tensor<128xi32>
    %g = tile.reshape %r : tensor<128xi32> -> tensor<8x16xi32>
    %xs = tile.splat %x : tensor<8x16x!tile.ptr<f32>>
    %p = tile.addptr %xs, %g : tensor<8x16x!tile.ptr<f32>>, tensor<8x16xi32>
    %v = tile.load %p {tile_gpu.layout = #mixed} : tensor<8x16x!tile.ptr<f32>>
    %s = tile.reduce %v axis = 1 : tensor<8x16xf32> -> tensor<8xf32> {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tile.yield %t : f32
    }
    %r2 = tile.make_range 0 to 8 : tensor<8xi32>
    %ys = tile.splat %y : tensor<8x!tile.ptr<f32>>
    %q = tile.addptr %ys, %r2 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    tile.store %q, %s : tensor<8x!tile.ptr<f32>>
    return
  }
}
