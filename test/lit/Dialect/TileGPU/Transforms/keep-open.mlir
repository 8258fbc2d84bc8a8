// With three buffers the one product of a specialised loop stays open while the next iteration starts, and frees the buffer before.
// RUN: tile-opt %s --tile-gpu-warp-specialize | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: %[[FREE:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<4x2xi64
// CHECK-NEXT: tile_gpu.mbarrier_init %[[FREE]] count = 4
// CHECK: tile_gpu.producer
// CHECK: %[[S:.*]]:4 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[N:[a-z0-9]+]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[BEFORE:.*]] = %c3
// CHECK: tile_gpu.mbarrier_wait
// CHECK: %[[D:.*]] = tile_gpu.wgmma %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK: tile_gpu.wgmma_wait 1()
// CHECK-NEXT: %[[F:.*]] = tile_gpu.index %[[FREE]][%[[BEFORE]]]
// CHECK-NEXT: tile_gpu.mbarrier_arrive %[[F]]
// CHECK: scf.yield %[[D]], %{{.*}}, %{{.*}}, %[[N]]
// CHECK: %[[R:.*]] = tile_gpu.wgmma_wait 0(%[[S]]#0)
// CHECK-NEXT: %[[L:.*]] = tile_gpu.index %[[FREE]][%[[S]]#3]
// CHECK-NEXT: tile_gpu.mbarrier_arrive %[[L]]
// CHECK: tile.store %{{.*}}, %[[R]]
#acc = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [], align = 1024>
module attributes {tile_gpu.num_stages = 3 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
  func.func @sum(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %rows: i32, %columns: i32, %stride: i64 {tile.divisibility = 8 : i32}, %k: i32, %out: !tile.ptr<f32>)
      attributes {tile.kernel, tile_gpu.tensor_maps = [{base = 0 : i32, box = array<i32: 64, 64>, element = f16, sizes = array<i32: 2, 1>, strides = array<i32: 3>, swizzle = 128 : i32}]} {
    %o = tile.splat %out : tensor<64x64x!tile.ptr<f32>, #acc>
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #acc>
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32, #acc>) : i32 {
      %v = tile_gpu.tma_alloc 0[%zero, %i] : !tile_gpu.memdesc<64x64xf16, #shared>
      %w = tile_gpu.tma_alloc 0[%i, %zero] : !tile_gpu.memdesc<64x64xf16, #shared>
      %p = tile_gpu.wgmma %v, %w, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %y = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %y : tensor<64x64xf32, #acc>
    } {tile.warp_specialize}
    tile.store %o, %s : tensor<64x64x!tile.ptr<f32>, #acc>
    return
  }
}
