// Buffers in shared memory: 16-byte asynchronous copies that write zeros where the mask is false, ldmatrix with its transposed
// form, vectors elsewhere.
// RUN: tile-opt %s --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-gpu-allocate-shared --tile-gpu-insert-barriers | FileCheck %s --check-prefix=GPU

// 64 rows of 32 f16; chunk c of 8 in row r at c ^ (r / 2 % 4).
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]], block = []>
#blocked = #tile_gpu.layout<2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []>
// Operand A of m16n8k16 with 4 warps along M, and operand B with K = 64.
#a = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#b = #tile_gpu.layout<2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]], block = []>

module attributes {tile_gpu.target = "sm_80", tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  // GPU: tile_gpu.shared = 12288 : i32
  // GPU: tile_gpu.alloc {tile_gpu.offset = 0 : i32}
  // GPU: tile_gpu.async_wait 0
  // GPU-NEXT: tile.barrier
  // GPU-NEXT: tile_gpu.local_load
  // GPU-NEXT: tile_gpu.local_load
  // CHECK: llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 128 : i64}
  // CHECK-LABEL: llvm.func @copy
  // CHECK-COUNT-2: nvvm.cp.async.shared.global {{.*}}, 16, cache =  cg, %{{.*}}
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-2: nvvm.ldmatrix {{.*}} {eltType = {{.*}}, layout = #nvvm.mma_layout<row>, num = 4 : i32
  // CHECK-COUNT-8: nvvm.ldmatrix {{.*}} {eltType = {{.*}}, layout = #nvvm.mma_layout<col>, num = 4 : i32
  func.func @copy(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %o: !tile.ptr<f16>, %p: !tile.ptr<f16>) attributes {tile.kernel} {
    %r = tile.make_range 0 to 64 : tensor<64xi32, #tile_gpu.layout<1, register = [[32]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]], block = []>>
    %c = tile.make_range 0 to 32 : tensor<32xi32, #tile_gpu.layout<1, register = [[1], [2], [4], [0]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]], block = []>>
    %r2 = tile.expand_dims %r axis = 1 : tensor<64xi32, #tile_gpu.layout<1, register = [[32]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]], block = []>> -> tensor<64x1xi32, #tile_gpu.layout<2, register = [[32, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []>>
    %rb = tile.broadcast %r2 : tensor<64x1xi32, #tile_gpu.layout<2, register = [[32, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []>> -> tensor<64x32xi32, #blocked>
    %c2 = tile.expand_dims %c axis = 0 : tensor<32xi32, #tile_gpu.layout<1, register = [[1], [2], [4], [0]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]], block = []>> -> tensor<1x32xi32, #tile_gpu.layout<2, register = [[0, 1], [0, 2], [0, 4], [0, 0]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []>>
    %cb = tile.broadcast %c2 : tensor<1x32xi32, #tile_gpu.layout<2, register = [[0, 1], [0, 2], [0, 4], [0, 0]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []>> -> tensor<64x32xi32, #blocked>
    %w = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %row = arith.muli %rb, %w : tensor<64x32xi32, #blocked>
    %i = arith.addi %row, %cb : tensor<64x32xi32, #blocked>
    %xs = tile.splat %x : tensor<64x32x!tile.ptr<f16>, #blocked>
    %ptr = tile.addptr %xs, %i : tensor<64x32x!tile.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %ns = tile.splat %n : tensor<64x32xi32, #blocked>
    %m = arith.cmpi slt, %rb, %ns : tensor<64x32xi32, #blocked>
    %s = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x64x32xf16, #shared>
    %one = arith.constant 1 : i32
    %v = tile_gpu.index %s[%one] rotate = 1 : !tile_gpu.memdesc<3x64x32xf16, #shared> -> !tile_gpu.memdesc<64x32xf16, #shared>
    tile_gpu.async_copy %ptr, %v mask %m : tensor<64x32x!tile.ptr<f16>, #blocked>, !tile_gpu.memdesc<64x32xf16, #shared>, tensor<64x32xi1, #blocked>
    tile_gpu.async_commit
    tile_gpu.async_wait 0
    %ta = tile_gpu.local_load %v : !tile_gpu.memdesc<64x32xf16, #shared> -> tensor<64x32xf16, #a>
    %tb = tile_gpu.local_load %v : !tile_gpu.memdesc<64x32xf16, #shared> -> tensor<64x32xf16, #b>
    %oa = tile.splat %o : tensor<64x32x!tile.ptr<f16>, #a>
    %ob = tile.splat %p : tensor<64x32x!tile.ptr<f16>, #b>
    tile.store %oa, %ta : tensor<64x32x!tile.ptr<f16>, #a>
    tile.store %ob, %tb : tensor<64x32x!tile.ptr<f16>, #b>
    return
  }
}
