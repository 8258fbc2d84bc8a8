// RUN: env MALLOC_PERTURB_=85 tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --tile-gpu-assign-layouts --tile-gpu-buffer-accesses | FileCheck %s

// The old pointers, moved twice by one distance that nothing else uses, go away once each.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: tile.addptr %{{.*}} : !tile.ptr<f32>, i32
// CHECK: tile.load %{{.*}} {tile_gpu.buffer}
func.func @twice(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %d: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %p = tile.splat %a : tensor<256x!tile.ptr<f32>>
  %p0 = tile.addptr %p, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %s = tile.splat %d : tensor<256xi32>
  %p1 = tile.addptr %p0, %s : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %p2 = tile.addptr %p1, %s : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %p2 : tensor<256x!tile.ptr<f32>>
  tile.store %p0, %v : tensor<256x!tile.ptr<f32>>
  return
}
