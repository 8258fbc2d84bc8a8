// A copy under a mask that the induction variable gives; what is read behind the barrier is the other one of two buffers.
#a = #tile_gpu.layout<2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 0]], warp = [[8, 32], [16, 0]], block = []>
#f = #tile_gpu.layout<2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8], [0, 16]], warp = [[0, 0], [16, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 0], [8, 32], [16, 0], [32, 0]], block = []>
module attributes {tile_gpu.num_ctas = 1 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "gfx950", tile_gpu.threads_per_warp = 64 : i32} {
  func.func @copy(%p: tensor<64x64x!tile.ptr<f16>, #a>, %rows: tensor<64x64xi32, #a>, %n: i32, %step: i32, %one: i32) {
    %zero = arith.constant 0 : i32
    %none = arith.constant dense<0.0> : tensor<64x32xf16, #f>
    %buffers = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x64x64xf16, #shared>
    %r:3 = scf.for %i = %zero to %n step %step iter_args(%at = %zero, %b = %zero, %read = %none) -> (i32, i32, tensor<64x32xf16, #f>) : i32 {
      %is = tile.splat %i : tensor<64x64xi32, #a>
      %m = arith.cmpi slt, %rows, %is : tensor<64x64xi32, #a>
      %ats = tile.splat %at : tensor<64x64xi32, #a>
      %q = tile.addptr %p, %ats : tensor<64x64x!tile.ptr<f16>, #a>, tensor<64x64xi32, #a>
      %to = tile_gpu.index %buffers[%b] rotate = 1 : !tile_gpu.memdesc<2x64x64xf16, #shared> -> !tile_gpu.memdesc<64x64xf16, #shared>
      tile_gpu.async_copy %q, %to mask %m : tensor<64x64x!tile.ptr<f16>, #a>, !tile_gpu.memdesc<64x64xf16, #shared>, tensor<64x64xi1, #a>
      tile_gpu.async_commit
      %next = arith.addi %at, %one : i32
      %c = tile_gpu.advance %b of 2
      tile_gpu.async_wait 0
      tile.barrier
      %from = tile_gpu.index %buffers[%c] : !tile_gpu.memdesc<2x64x64xf16, #shared> -> !tile_gpu.memdesc<64x64xf16, #shared>
      %part = tile_gpu.slice %from[0, 0] : !tile_gpu.memdesc<64x64xf16, #shared> -> !tile_gpu.memdesc<64x32xf16, #shared>
      %x = tile_gpu.local_load %part : !tile_gpu.memdesc<64x32xf16, #shared> -> tensor<64x32xf16, #f>
      scf.yield %next, %c, %x : i32, i32, tensor<64x32xf16, #f>
    }
    return
  }
}
