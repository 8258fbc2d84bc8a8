// RUN: not tile-opt %s --tile-gpu-allocate-shared 2>&1 | FileCheck %s

// More than the chip has: the error and who needs the rest, a line each; not the op's whole text.
#shared = #tile_gpu.shared<1, offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096]], block = []>
#layout = #tile_gpu.layout<1, register = [[1], [2], [4], [8], [16]], lane = [[32], [64], [128], [256], [512], [1024]], warp = [[2048], [4096]], block = []>
module attributes {tile_gpu.target = "gfx942", tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 64 : i32} {
  func.func @buffers() attributes {tile.kernel} {
    // CHECK: too-much.mlir:{{[0-9]+}}:10: error: 'tile_gpu.alloc' op needs 32768 bytes of shared memory, 98304 with all that is alive beside it; gfx942 has 65536 for a block
    // CHECK-NOT: note: see
    // CHECK: too-much.mlir:{{[0-9]+}}:10: note: the next largest needs 32768 bytes
    // CHECK-NOT: note:
    %a = tile_gpu.alloc : () -> !tile_gpu.memdesc<8192xf32, #shared>
    %b = tile_gpu.alloc : () -> !tile_gpu.memdesc<8192xf32, #shared>
    %c = tile_gpu.alloc : () -> !tile_gpu.memdesc<8192xf32, #shared>
    %av = tile_gpu.local_load %a : !tile_gpu.memdesc<8192xf32, #shared> -> tensor<8192xf32, #layout>
    %bv = tile_gpu.local_load %b : !tile_gpu.memdesc<8192xf32, #shared> -> tensor<8192xf32, #layout>
    %cv = tile_gpu.local_load %c : !tile_gpu.memdesc<8192xf32, #shared> -> tensor<8192xf32, #layout>
    return
  }
}
