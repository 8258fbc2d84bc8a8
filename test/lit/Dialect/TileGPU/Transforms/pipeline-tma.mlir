// RUN: tile-opt %s --tile-gpu-pipeline-tma | FileCheck %s
// Products that stay open over an iteration keep their buffer: three, for copies one iteration ahead.
// RUN: tile-opt %s --tile-gpu-pipeline-tma --canonicalize --tile-gpu-overlap-wgmma | FileCheck %s --check-prefix=OVERLAP

// CHECK-LABEL: func.func @sum
// CHECK: %[[A:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x64x64xf16
// CHECK: %[[B:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x64x64xf16
// CHECK: %[[FULL:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x2xi64
// CHECK: tile_gpu.mbarrier_init %[[FULL]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile.barrier
// Both copies of the first iteration, if there is one, are counted by one barrier.
// CHECK: %[[FIRST:.*]] = tile_gpu.index %[[FULL]]
// CHECK: tile_gpu.mbarrier_expect %[[FIRST]], 16384 if %[[SOME:.*]] :
// CHECK: tile_gpu.tma_copy 0[%{{.*}}], %{{.*}}, %[[FIRST]] if %[[SOME]]
// CHECK: tile_gpu.tma_copy 0[%{{.*}}], %{{.*}}, %[[FIRST]] if %[[SOME]]
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}, %[[AT:[a-z0-9]+]] = %{{.*}}, %[[PHASE:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[NOW:.*]] = tile_gpu.index %[[FULL]][%[[AT]]]
// CHECK-NEXT: tile_gpu.mbarrier_wait %[[NOW]], %[[PHASE]]
// CHECK-NEXT: tile.barrier
// CHECK: %[[NEXT:.*]] = tile_gpu.index %[[FULL]][%[[AT]]] rotate = 1
// CHECK: tile_gpu.mbarrier_expect %[[NEXT]], 16384 if %[[MORE:.*]] :
// CHECK-COUNT-2: tile_gpu.tma_copy 0[%{{.*}}], %{{.*}}, %[[NEXT]] if %[[MORE]]
// CHECK: %[[V:.*]] = tile_gpu.index %[[A]][%[[AT]]] :
// CHECK: %[[W:.*]] = tile_gpu.index %[[B]][%[[AT]]] :
// CHECK: tile_gpu.wgmma %[[V]], %[[W]]
// CHECK: tile_gpu.advance %[[AT]] of 3
// CHECK: tile_gpu.mbarrier_inval %[[FULL]]

// OVERLAP-LABEL: func.func @sum
// OVERLAP: %[[R:.*]]:3 = scf.for
// OVERLAP: %[[P:.*]] = tile_gpu.wgmma
// OVERLAP-NEXT: tile_gpu.wgmma_wait 1() : () -> ()
// OVERLAP: scf.yield %[[P]]
// OVERLAP: %[[S:.*]] = tile_gpu.wgmma_wait 0(%[[R]]#0)
// OVERLAP: return %[[S]]
#acc = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [], align = 1024>
module attributes {tile_gpu.num_stages = 2 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
  func.func @sum(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %rows: i32, %columns: i32, %stride: i64 {tile.divisibility = 8 : i32}, %k: i32)
      -> tensor<64x64xf32, #acc> attributes {tile_gpu.tensor_maps = [{base = 0 : i32, box = array<i32: 64, 64>, element = f16, sizes = array<i32: 2, 1>, strides = array<i32: 3>, swizzle = 128 : i32}]} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #acc>
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32, #acc>) : i32 {
      %v = tile_gpu.tma_alloc 0[%zero, %i] : !tile_gpu.memdesc<64x64xf16, #shared>
      %w = tile_gpu.tma_alloc 0[%i, %zero] : !tile_gpu.memdesc<64x64xf16, #shared>
      %p = tile_gpu.wgmma %v, %w, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %y = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %y : tensor<64x64xf32, #acc>
    }
    return %s : tensor<64x64xf32, #acc>
  }
}
