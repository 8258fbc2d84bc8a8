// RUN: tile-opt %s --tile-gpu-alternate-buffers | FileCheck %s

// A computed factor gets two buffers in a loop that asks for a producer, in turn.
#acc = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [], align = 1024>
#turned = #tile_gpu.shared<2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]], block = [], align = 1024>
module attributes {tile_gpu.num_ctas = 1 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
  // CHECK-LABEL: func @asked
  // CHECK: %[[BOTH:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x64x64xf16, #shared>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[I:.*]] = %{{.*}}) -> (tensor<64x64xf32, #layout>, i32)
  // CHECK: %[[H:.*]] = arith.truncf
  // CHECK-NEXT: %[[M:.*]] = tile_gpu.index %[[BOTH]][%[[I]]]
  // CHECK-NEXT: tile_gpu.local_store %[[H]], %[[M]]
  // CHECK-NEXT: %[[T:.*]] = tile_gpu.trans %[[M]]
  // CHECK-NEXT: tile_gpu.fence_async %[[M]]
  // CHECK-NEXT: tile_gpu.wgmma %[[T]], %{{.*}}
  // CHECK: %[[N:.*]] = tile_gpu.advance %[[I]] of 2
  // CHECK-NEXT: scf.yield %{{.*}}, %[[N]]
  func.func @asked(%b: !tile_gpu.memdesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #acc>, %n: i32) -> tensor<64x64xf32, #acc> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<64x64xf32, #acc>) : i32 {
      %h = arith.truncf %s : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %m = tile_gpu.alloc %h : (tensor<64x64xf16, #acc>) -> !tile_gpu.memdesc<64x64xf16, #shared>
      %t = tile_gpu.trans %m [1, 0] : !tile_gpu.memdesc<64x64xf16, #shared> -> !tile_gpu.memdesc<64x64xf16, #turned>
      tile_gpu.fence_async %m : !tile_gpu.memdesc<64x64xf16, #shared>
      %p = tile_gpu.wgmma %t, %b, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #turned> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %w = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %w : tensor<64x64xf32, #acc>
    } {tile.warp_specialize}
    return %r : tensor<64x64xf32, #acc>
  }

  // A loop that does not ask stays as it is: several programs share a multiprocessor's memory.
  // CHECK-LABEL: func @plain
  // CHECK-NOT: tile_gpu.index
  // CHECK: tile_gpu.alloc %
  func.func @plain(%b: !tile_gpu.memdesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #acc>, %n: i32) -> tensor<64x64xf32, #acc> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<64x64xf32, #acc>) : i32 {
      %h = arith.truncf %s : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %m = tile_gpu.alloc %h : (tensor<64x64xf16, #acc>) -> !tile_gpu.memdesc<64x64xf16, #shared>
      tile_gpu.fence_async %m : !tile_gpu.memdesc<64x64xf16, #shared>
      %p = tile_gpu.wgmma %m, %b, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %w = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %w : tensor<64x64xf32, #acc>
    }
    return %r : tensor<64x64xf32, #acc>
  }

  // No room beside 27 other buffers of 8 KB.
  // CHECK-LABEL: func @full
  // CHECK-NOT: tile_gpu.index
  // CHECK: tile_gpu.alloc %
  func.func @full(%b: !tile_gpu.memdesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #acc>, %n: i32) -> tensor<64x64xf32, #acc> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %large = tile_gpu.alloc : () -> !tile_gpu.memdesc<27x64x64xf16, #shared>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<64x64xf32, #acc>) : i32 {
      %h = arith.truncf %s : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %m = tile_gpu.alloc %h : (tensor<64x64xf16, #acc>) -> !tile_gpu.memdesc<64x64xf16, #shared>
      tile_gpu.fence_async %m : !tile_gpu.memdesc<64x64xf16, #shared>
      %p = tile_gpu.wgmma %m, %b, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %w = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %w : tensor<64x64xf32, #acc>
    } {tile.warp_specialize}
    return %r : tensor<64x64xf32, #acc>
  }
}
