// RUN: tile-opt %s --tile-gpu-warp-specialize | FileCheck %s
// Where a product stays open, the last buffer is freed while there are barriers.
// RUN: sed 's/num_stages = 2/num_stages = 3/' %s | tile-opt --tile-gpu-warp-specialize | FileCheck %s --check-prefix=OPEN
// OPEN-LABEL: func.func @sum
// OPEN: tile_gpu.wgmma_wait 1()
// OPEN-NEXT: tile_gpu.index
// OPEN-NEXT: tile_gpu.mbarrier_arrive
// OPEN: tile_gpu.wgmma_wait 0
// OPEN-NEXT: tile_gpu.index
// OPEN-NEXT: tile_gpu.mbarrier_arrive
// OPEN-NEXT: tile.barrier
// OPEN-NEXT: tile_gpu.mbarrier_inval
// OPEN-NEXT: tile_gpu.mbarrier_inval
// OPEN-NOT: tile_gpu.mbarrier_arrive
// OPEN: tile.store

// CHECK-LABEL: func.func @sum
// CHECK: %[[A:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x64x64xf16
// CHECK: %[[B:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x64x64xf16
// CHECK: %[[FULL:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.mbarrier_init %[[FULL]] :
// CHECK: %[[FREE:.*]] = tile_gpu.alloc
// Every warp frees a buffer.
// CHECK-NEXT: tile_gpu.mbarrier_init %[[FREE]] count = 4
// CHECK: tile_gpu.producer {
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} iter_args(%[[N:[a-z0-9]+]] = %{{.*}}, %[[PARITY:[a-z0-9]+]] = %{{.*}})
// CHECK-DAG: %[[F:.*]] = tile_gpu.index %[[FULL]][%[[N]]]
// CHECK-DAG: %[[E:.*]] = tile_gpu.index %[[FREE]][%[[N]]]
// CHECK: tile_gpu.mbarrier_wait %[[E]], %[[PARITY]]
// CHECK-NEXT: tile_gpu.mbarrier_expect %[[F]], 16384
// CHECK: %[[AN:.*]] = tile_gpu.index %[[A]][%[[N]]]
// CHECK-NEXT: tile_gpu.tma_copy 0[%{{.*}}, %[[K]]], %[[AN]], %[[F]]
// CHECK: %[[BN:.*]] = tile_gpu.index %[[B]][%[[N]]]
// CHECK-NEXT: tile_gpu.tma_copy 0[%[[K]], %{{.*}}], %[[BN]], %[[F]]
// CHECK: tile_gpu.advance %[[N]] of 2
// CHECK: }
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[M:[a-z0-9]+]] = %{{.*}}, %[[P:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[G:.*]] = tile_gpu.index %[[FULL]][%[[M]]]
// CHECK-NEXT: tile_gpu.mbarrier_wait %[[G]], %[[P]]
// CHECK-NOT: tma_copy
// CHECK: tile_gpu.wgmma
// CHECK-NEXT: tile_gpu.wgmma_wait 0
// CHECK-NEXT: %[[D:.*]] = tile_gpu.index %[[FREE]][%[[M]]]
// CHECK-NEXT: tile_gpu.mbarrier_arrive %[[D]]
// CHECK: tile_gpu.mbarrier_inval %[[FULL]]
// CHECK-NEXT: tile_gpu.mbarrier_inval %[[FREE]]
// CHECK: tile.store
#acc = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [], align = 1024>
module attributes {tile_gpu.num_stages = 2 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
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

  // Two products of an iteration's own blocks share one ring: one wait, and all of its buffers are free at once.
  // CHECK-LABEL: func.func @two
  // CHECK: tile_gpu.producer {
  // CHECK: tile_gpu.mbarrier_expect %{{.*}}, 24576
  // CHECK-COUNT-3: tile_gpu.tma_copy
  // CHECK-NOT: tma_copy
  // CHECK: scf.for
  // CHECK: tile_gpu.mbarrier_wait
  // CHECK-NOT: tile_gpu.mbarrier_wait
  // CHECK-COUNT-2: tile_gpu.wgmma {{.*}} warps
  // CHECK: tile_gpu.mbarrier_arrive
  // CHECK-NOT: tile_gpu.mbarrier_arrive
  func.func @two(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %rows: i32, %columns: i32, %stride: i64 {tile.divisibility = 8 : i32}, %k: i32, %out: !tile.ptr<f32>)
      attributes {tile.kernel, tile_gpu.tensor_maps = [{base = 0 : i32, box = array<i32: 64, 64>, element = f16, sizes = array<i32: 2, 1>, strides = array<i32: 3>, swizzle = 128 : i32}]} {
    %o = tile.splat %out : tensor<64x64x!tile.ptr<f32>, #acc>
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #acc>
    %s:2 = scf.for %i = %zero to %k step %step iter_args(%x = %none, %x2 = %none) -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>) : i32 {
      %v = tile_gpu.tma_alloc 0[%zero, %i] : !tile_gpu.memdesc<64x64xf16, #shared>
      %w = tile_gpu.tma_alloc 0[%i, %zero] : !tile_gpu.memdesc<64x64xf16, #shared>
      %w2 = tile_gpu.tma_alloc 0[%i, %step] : !tile_gpu.memdesc<64x64xf16, #shared>
      %p = tile_gpu.wgmma %v, %w, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %p2 = tile_gpu.wgmma %v, %w2, %x2 warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %y:2 = tile_gpu.wgmma_wait 0(%p, %p2) : (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>) -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>)
      scf.yield %y#0, %y#1 : tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>
    } {tile.warp_specialize}
    %d = arith.addf %s#0, %s#1 : tensor<64x64xf32, #acc>
    tile.store %o, %d : tensor<64x64x!tile.ptr<f32>, #acc>
    return
  }
}
