// RUN: tile-opt %s --tile-gpu-sink-waits | FileCheck %s

// The first product is waited for where its sum is read, with the second one in flight.
// CHECK-LABEL: func.func @sink
// CHECK: %[[P:.*]] = tile_gpu.wgmma
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: %[[Q:.*]] = tile_gpu.wgmma
// CHECK-NEXT: %[[P1:.*]] = tile_gpu.wgmma_wait 1(%[[P]])
// CHECK-NEXT: arith.negf %[[P1]]
// CHECK-NEXT: tile_gpu.wgmma_wait 0(%[[Q]])
#acc = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [], align = 1024>
module attributes {tile_gpu.num_stages = 2 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
  func.func @sink(%a: !tile_gpu.memdesc<64x64xf16, #shared>, %b: !tile_gpu.memdesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #acc>, %y: tensor<64x64xf32, #acc>)
      -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>) {
    %p = tile_gpu.wgmma %a, %b, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %p1 = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    %w = arith.mulf %y, %y : tensor<64x64xf32, #acc>
    %q = tile_gpu.wgmma %b, %a, %w warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %q1 = tile_gpu.wgmma_wait 0(%q) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    %z = arith.negf %p1 : tensor<64x64xf32, #acc>
    return %z, %q1 : tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>
  }

  // Nothing to do beside it: the wait stays.
  // CHECK-LABEL: func.func @stay
  // CHECK: tile_gpu.wgmma
  // CHECK-NEXT: tile_gpu.wgmma_wait 0
  // CHECK-NEXT: arith.negf
  func.func @stay(%a: !tile_gpu.memdesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc> {
    %p = tile_gpu.wgmma %a, %a, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %p1 = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    %z = arith.negf %p1 : tensor<64x64xf32, #acc>
    return %z : tensor<64x64xf32, #acc>
  }
  // A later wait for everything is the end of the first product too: it gives both sums, and nothing waits once more.
  // CHECK-LABEL: func.func @together
  // CHECK: %[[P:.*]] = tile_gpu.wgmma
  // CHECK-NEXT: %[[Q:.*]] = tile_gpu.wgmma
  // CHECK-NEXT: %[[D:.*]]:2 = tile_gpu.wgmma_wait 0(%[[Q]], %[[P]])
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[D]]#0
  // CHECK-NEXT: %[[R:.*]] = tile_gpu.wgmma %{{.*}}, %{{.*}}, %[[N]]
  // CHECK-NEXT: %[[R1:.*]] = tile_gpu.wgmma_wait 0(%[[R]])
  // CHECK-NEXT: return %[[D]]#1, %[[R1]]
  func.func @together(%a: !tile_gpu.memdesc<64x64xf16, #shared>, %b: !tile_gpu.memdesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #acc>, %y: tensor<64x64xf32, #acc>)
      -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>) {
    %p = tile_gpu.wgmma %a, %b, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %p1 = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    %q = tile_gpu.wgmma %b, %a, %y warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %q1 = tile_gpu.wgmma_wait 0(%q) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    %n = arith.negf %q1 : tensor<64x64xf32, #acc>
    %r = tile_gpu.wgmma %a, %b, %n warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %r1 = tile_gpu.wgmma_wait 0(%r) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    return %p1, %r1 : tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>
  }

  // Not over a write to what the product reads; over one to another buffer of the ring.
  // CHECK-LABEL: func.func @reused
  // CHECK: %[[P:.*]] = tile_gpu.wgmma
  // CHECK-NEXT: arith.negf
  // CHECK-NEXT: tile_gpu.local_store
  // CHECK-NEXT: tile_gpu.wgmma_wait 0(%[[P]])
  // CHECK-NEXT: tile_gpu.local_store
  func.func @reused(%x: tensor<64x64xf32, #acc>, %y: tensor<64x64xf16, #acc>, %i: i32) -> (tensor<64x64xf32, #acc>, tensor<64x64xf16, #acc>) {
    %ring = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x64x64xf16, #shared>
    %a = tile_gpu.index %ring[%i] : !tile_gpu.memdesc<2x64x64xf16, #shared> -> !tile_gpu.memdesc<64x64xf16, #shared>
    %next = tile_gpu.index %ring[%i] rotate = 1 : !tile_gpu.memdesc<2x64x64xf16, #shared> -> !tile_gpu.memdesc<64x64xf16, #shared>
    %p = tile_gpu.wgmma %a, %a, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %p1 = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    %w = arith.negf %y : tensor<64x64xf16, #acc>
    tile_gpu.local_store %w, %next : tensor<64x64xf16, #acc>, !tile_gpu.memdesc<64x64xf16, #shared>
    tile_gpu.local_store %w, %a : tensor<64x64xf16, #acc>, !tile_gpu.memdesc<64x64xf16, #shared>
    %v = arith.negf %w : tensor<64x64xf16, #acc>
    return %p1, %v : tensor<64x64xf32, #acc>, tensor<64x64xf16, #acc>
  }

  // A block that ends with the wait.
  // CHECK-LABEL: module @open
  // CHECK: tile_gpu.wgmma
  // CHECK-NEXT: tile_gpu.wgmma_wait 0
  module @open {
    %a = tile_gpu.alloc : () -> !tile_gpu.memdesc<64x64xf16, #shared>
    %x = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %p = tile_gpu.wgmma %a, %a, %x warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %p1 = tile_gpu.wgmma_wait 0(%p) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  }
}
