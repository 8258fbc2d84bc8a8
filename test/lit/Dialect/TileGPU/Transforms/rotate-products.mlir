// One kernel for what softmax between two products needs: rotation of the loop, and row sums that lanes keep apart.
// RUN: tile-opt %s --tile-gpu-rotate-products | FileCheck %s
// RUN: tile-opt %s --tile-gpu-defer-lanes | FileCheck %s --check-prefix=LANES

// CHECK-LABEL: func.func @rows
// CHECK: %[[SOME:.*]] = arith.cmpi slt
// CHECK: scf.if %[[SOME]]
// The first iteration but for its last product.
// CHECK: tile_gpu.wgmma {{.*}}memdesc{{.*}} * {{.*}}memdesc
// CHECK: %[[H0:.*]] = arith.truncf
// CHECK: %[[A0:.*]] = arith.mulf
// CHECK-NOT: tile_gpu.wgmma
// CHECK: scf.for %[[K:[a-z0-9]+]] = %{{.*}} iter_args(%{{.*}}, %{{.*}}, %[[A:[a-z0-9]+]] = %[[A0]], %[[H:[a-z0-9]+]] = %[[H0]])
// CHECK: %[[S:.*]] = tile_gpu.wgmma
// CHECK: %[[BEFORE:.*]] = arith.subi %[[K]], %[[STEP:.*]] : i32
// CHECK-NEXT: %[[V:.*]] = tile_gpu.tma_alloc 0[%[[BEFORE]], %[[STEP]]]
// CHECK-NEXT: %[[O:.*]] = tile_gpu.wgmma %[[H]], %[[V]], %[[A]]
// CHECK-NEXT: %[[S1:.*]] = tile_gpu.wgmma_wait 1(%[[S]])
// CHECK: tile.reduce %[[S1]]
// CHECK: %[[E:.*]] = math.exp2 {{.*}} tensor<64x64xf32
// The registers of the first factor are not written while the product is open.
// CHECK: %[[DONE:.*]]:2 = tile_gpu.wgmma_wait 0(%[[O]], %[[E]])
// CHECK-NEXT: %[[H1:.*]] = arith.truncf %[[DONE]]#1
// CHECK-NEXT: %[[A1:.*]] = arith.mulf %[[DONE]]#0
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[A1]], %[[H1]]
// CHECK: tile_gpu.wgmma
// CHECK-NEXT: tile_gpu.wgmma_wait 0
// CHECK: } else {

// LANES-LABEL: func.func @rows
// LANES: %[[R:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}}, %[[L:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %{{.*}}) -> (tensor<64xf32{{.*}}, tensor<64x4xf32
// LANES: tile.reduce {{.*}} axis = 1 : tensor<64x64xf32
// LANES: arith.maxnumf
// LANES: %[[E:.*]] = math.exp2 {{.*}} tensor<64x64xf32
// LANES: %[[Q:.*]] = tile.reshape %[[E]] : {{.*}} -> tensor<64x8x4x2xf32
// LANES: %[[T:.*]] = tile.reduce %[[Q]] axis = 3
// LANES: %[[P:.*]] = tile.reduce %[[T]] axis = 1 : {{.*}} -> tensor<64x4xf32
// LANES: math.fma %[[L]], %{{.*}}, %[[P]] : tensor<64x4xf32
// LANES: scf.yield
// LANES: tile.reduce %[[R]]#1 axis = 1 : tensor<64x4xf32{{.*}} -> tensor<64xf32
#row = #tile_gpu.layout<1, register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], block = []>
#acc = #tile_gpu.layout<2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#col = #tile_gpu.layout<2, register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [], align = 1024>
#turned = #tile_gpu.shared<2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]], block = [], align = 1024>
module attributes {tile_gpu.num_stages = 2 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
  func.func @rows(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %rows: i32, %columns: i32, %stride: i64 {tile.divisibility = 8 : i32}, %n: i32, %out: !tile.ptr<f32>)
      attributes {tile.kernel, tile_gpu.tensor_maps = [{base = 0 : i32, box = array<i32: 64, 64>, element = f16, sizes = array<i32: 2, 1>, strides = array<i32: 3>, swizzle = 128 : i32}]} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %low = arith.constant dense<0xFF800000> : tensor<64xf32, #row>
    %nothing = arith.constant dense<0.0> : tensor<64xf32, #row>
    %q = tile_gpu.tma_alloc 0[%zero, %zero] : !tile_gpu.memdesc<64x64xf16, #shared>
    %r:3 = scf.for %i = %zero to %n step %step iter_args(%top = %low, %l = %nothing, %o = %none)
        -> (tensor<64xf32, #row>, tensor<64xf32, #row>, tensor<64x64xf32, #acc>) : i32 {
      %k = tile_gpu.tma_alloc 0[%i, %zero] : !tile_gpu.memdesc<64x64xf16, #shared>
      %kt = tile_gpu.trans %k [1, 0] : !tile_gpu.memdesc<64x64xf16, #shared> -> !tile_gpu.memdesc<64x64xf16, #turned>
      %s0 = tile_gpu.wgmma %q, %kt, %none warps = [4, 1] : !tile_gpu.memdesc<64x64xf16, #shared> * !tile_gpu.memdesc<64x64xf16, #turned> -> tensor<64x64xf32, #acc>
      %s = tile_gpu.wgmma_wait 0(%s0) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %m = tile.reduce %s axis = 1 : tensor<64x64xf32, #acc> -> tensor<64xf32, #row> {
      ^bb0(%x: f32, %y: f32):
        %z = arith.maxnumf %x, %y : f32
        tile.yield %z : f32
      }
      %t = arith.maxnumf %top, %m : tensor<64xf32, #row>
      %tc = tile.expand_dims %t axis = 1 : tensor<64xf32, #row> -> tensor<64x1xf32, #col>
      %tb = tile.broadcast %tc : tensor<64x1xf32, #col> -> tensor<64x64xf32, #acc>
      %d = arith.subf %s, %tb : tensor<64x64xf32, #acc>
      %e = math.exp2 %d : tensor<64x64xf32, #acc>
      %sum = tile.reduce %e axis = 1 : tensor<64x64xf32, #acc> -> tensor<64xf32, #row> {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      }
      %f0 = arith.subf %top, %t : tensor<64xf32, #row>
      %f = math.exp2 %f0 : tensor<64xf32, #row>
      %l1 = math.fma %l, %f, %sum : tensor<64xf32, #row>
      %fc = tile.expand_dims %f axis = 1 : tensor<64xf32, #row> -> tensor<64x1xf32, #col>
      %fb = tile.broadcast %fc : tensor<64x1xf32, #col> -> tensor<64x64xf32, #acc>
      %scaled = arith.mulf %o, %fb : tensor<64x64xf32, #acc>
      %h = arith.truncf %e : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %v = tile_gpu.tma_alloc 0[%i, %step] : !tile_gpu.memdesc<64x64xf16, #shared>
      %o0 = tile_gpu.wgmma %h, %v, %scaled warps = [4, 1] : tensor<64x64xf16, #acc> * !tile_gpu.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
      %o1 = tile_gpu.wgmma_wait 0(%o0) : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %t, %l1, %o1 : tensor<64xf32, #row>, tensor<64xf32, #row>, tensor<64x64xf32, #acc>
    } {tile.warp_specialize}
    %lc = tile.expand_dims %r#1 axis = 1 : tensor<64xf32, #row> -> tensor<64x1xf32, #col>
    %lb = tile.broadcast %lc : tensor<64x1xf32, #col> -> tensor<64x64xf32, #acc>
    %w = arith.divf %r#2, %lb : tensor<64x64xf32, #acc>
    %ps = tile.splat %out : tensor<64x64x!tile.ptr<f32>, #acc>
    tile.store %ps, %w : tensor<64x64x!tile.ptr<f32>, #acc>
    return
  }
}
