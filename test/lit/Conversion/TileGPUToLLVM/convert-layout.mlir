// RUN: tile-opt %s -split-input-file --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// Registers in another order: no instruction.
// CHECK-LABEL: llvm.func @registers
// CHECK-SAME: %[[X:.*]]: f16, %[[P:.*]]: !llvm.ptr<1>
// CHECK-NOT: shfl
// CHECK-NOT: select
// CHECK-NOT: ptr<3>
// CHECK: llvm.return
#A = #tile_gpu.layout<1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []>
#B = #tile_gpu.layout<1, register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []>
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @registers(%x: f16, %p: !tile.ptr<f16>) attributes {tile.kernel} {
    %v = tile.splat %x : tensor<128xf16, #A>
    %w = tile_gpu.convert_layout %v : tensor<128xf16, #A> -> tensor<128xf16, #B>
    %r = tile.make_range 0 to 128 : tensor<128xi32, #B>
    %s = tile.splat %p : tensor<128x!tile.ptr<f16>, #B>
    %q = tile.addptr %s, %r : tensor<128x!tile.ptr<f16>, #B>, tensor<128xi32, #B>
    tile.store %q, %w : tensor<128x!tile.ptr<f16>, #B>
    return
  }
}

// -----

// Register bit 1 trades with lane bit 0; register bit 0 stays, so pairs of f16 travel in one word: of four rounds of
// values two words are left, one of which keeps its lane.
// CHECK-LABEL: llvm.func @pairs
// CHECK: llvm.bitcast %{{.*}} : vector<2xf16> to i32
// CHECK: llvm.bitcast %{{.*}} : vector<2xf16> to i32
// CHECK-COUNT-2: llvm.select {{.*}} : i1, i32
// CHECK-COUNT-1: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK-COUNT-2: llvm.select {{.*}} : i1, i32
// CHECK-NOT: ptr<3>
// CHECK: llvm.return
#A = #tile_gpu.layout<1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []>
#B = #tile_gpu.layout<1, register = [[1], [4]], lane = [[2], [8], [16], [32], [64]], warp = [], block = []>
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @pairs(%p: !tile.ptr<f16>) attributes {tile.kernel} {
    %r = tile.make_range 0 to 128 : tensor<128xi32, #A>
    %s = tile.splat %p : tensor<128x!tile.ptr<f16>, #A>
    %q = tile.addptr %s, %r : tensor<128x!tile.ptr<f16>, #A>, tensor<128xi32, #A>
    %v = tile.load %q : tensor<128x!tile.ptr<f16>, #A>
    %w = tile_gpu.convert_layout %v : tensor<128xf16, #A> -> tensor<128xf16, #B>
    %r2 = tile.make_range 0 to 128 : tensor<128xi32, #B>
    %s2 = tile.splat %p : tensor<128x!tile.ptr<f16>, #B>
    %q2 = tile.addptr %s2, %r2 : tensor<128x!tile.ptr<f16>, #B>, tensor<128xi32, #B>
    tile.store %q2, %w : tensor<128x!tile.ptr<f16>, #B>
    return
  }
}

// -----

// Too much for shuffles, but each warp keeps its own: shared memory without a barrier of the block.
// CHECK: tile_gpu.shared = 4096 : i32
// CHECK-LABEL: llvm.func @transpose_in_warp
// CHECK-COUNT-8: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: nvvm.ldmatrix {{.*}}num = 4
// CHECK-NOT: barrier0
// CHECK: llvm.return
#A = #tile_gpu.layout<2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []>
#B = #tile_gpu.layout<2, register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], block = []>
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @transpose_in_warp(%x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
    %v = tile.splat %x : tensor<32x32xf32, #A>
    %w = tile_gpu.convert_layout %v : tensor<32x32xf32, #A> -> tensor<32x32xf32, #B>
    %s = tile.splat %p : tensor<32x32x!tile.ptr<f32>, #B>
    tile.store %s, %w : tensor<32x32x!tile.ptr<f32>, #B>
    return
  }
}

// -----

// Short scratch: two rounds, and a barrier before the second may overwrite what the first one stored.
// CHECK: tile_gpu.shared = 512 : i32
// CHECK-LABEL: llvm.func @rounds
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// CHECK-NOT: barrier0
// CHECK: llvm.return
#A = #tile_gpu.layout<1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]], block = []>
#B = #tile_gpu.layout<1, register = [[64], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[1]], block = []>
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 2 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @rounds(%x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
    %v = tile.splat %x : tensor<256xf32, #A>
    %w = tile_gpu.convert_layout %v {tile_gpu.scratch_limit = 512 : i32} : tensor<256xf32, #A> -> tensor<256xf32, #B>
    %s = tile.splat %p : tensor<256x!tile.ptr<f32>, #B>
    tile.store %s, %w : tensor<256x!tile.ptr<f32>, #B>
    return
  }
}
