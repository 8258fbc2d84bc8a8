// RUN: tile-opt %s --tile-gpu-allocate-shared | FileCheck %s

// 64 KiB of LDS, half of it held by a buffer: the conversion of 64 KiB gets what is left, in two rounds.
// CHECK: tile_gpu.shared = 65536 : i32
// CHECK: tile_gpu.convert_layout {{.*}} {tile_gpu.scratch = {{[0-9]+}} : i32, tile_gpu.scratch_limit = 32768 : i32}
#A = #tile_gpu.layout<2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0]], block = []>
#B = #tile_gpu.layout<2, register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]], warp = [[0, 2], [0, 4]], block = []>
#shared = #tile_gpu.shared<1, offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096]], block = []>
module attributes {tile_gpu.target = "gfx942", tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 64 : i32} {
  func.func @kernel(%x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
    %m = tile_gpu.alloc : () -> !tile_gpu.memdesc<8192xf32, #shared>
    %v = tile.splat %x : tensor<128x128xf32, #A>
    %w = tile_gpu.convert_layout %v : tensor<128x128xf32, #A> -> tensor<128x128xf32, #B>
    %s = tile.splat %p : tensor<128x128x!tile.ptr<f32>, #B>
    tile.store %s, %w : tensor<128x128x!tile.ptr<f32>, #B>
    %l = tile_gpu.local_load %m : !tile_gpu.memdesc<8192xf32, #shared> -> tensor<8192xf32, #tile_gpu.layout<1, register = [[1], [2], [4], [8], [16]], lane = [[32], [64], [128], [256], [512], [1024]], warp = [[2048], [4096]], block = []>>
    return
  }
}
