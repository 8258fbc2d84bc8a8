// RUN: tile-opt %s --tile-gpu-accelerate-wgmma="descriptors=true" --canonicalize | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu | FileCheck %s --check-prefix=WHOLE
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=llvm-dialect | FileCheck %s --check-prefix=PARTS

// What makes the second part of the factor stands behind the first part's product, and so on.
// PARTS: tile_nv.wgmma_fence
// PARTS-NOT: llvm.fsub
// PARTS: tile_nv.wgmma %
// PARTS: llvm.fsub
// PARTS: tile_nv.wgmma_fence
// PARTS-NOT: llvm.fsub
// PARTS: tile_nv.wgmma %
// PARTS: llvm.fsub
// PARTS: tile_nv.wgmma_fence
// PARTS: tile_nv.wgmma %
// PARTS: llvm.fsub
// PARTS: tile_nv.wgmma_fence
// PARTS: tile_nv.wgmma %
// PARTS-NOT: tile_nv.wgmma_fence
// PARTS: nvvm.wgmma.commit.group.sync.aligned

// A second factor that is widened from bytes goes first, into registers; the sum is carried transposed. Bytes come by the copy engine.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<128x64xf32>)
// CHECK: %[[W:.*]] = tile_gpu.tma_alloc {{.*}} : !tile_gpu.memdesc<128x64xi8
// CHECK: %[[R:.*]] = tile_gpu.local_load %[[W]]
// CHECK: %[[F:.*]] = arith.sitofp %[[R]]
// CHECK: %[[S:.*]] = arith.mulf %[[F]]
// CHECK: %[[D:.*]] = tile_gpu.wgmma %[[S]], %{{.*}}, %[[ACC]]
// CHECK-SAME: tensor<128x64xf16> * !tile_gpu.memdesc<64x64xf16
// CHECK: tile_gpu.wgmma_wait 0(%[[D]])
// CHECK: }
// CHECK: tile.trans %[[SUM]] order = [1, 0]

// The scale of the next iteration is loaded beside the product, each thread its own; nothing moves between threads, and warps do not
// meet. The buffer of bytes is given back when they have been read.
// WHOLE: tile_gpu.producer
// WHOLE: scf.for {{.*}} iter_args({{.*}}tensor<128xf16,
// WHOLE-NOT: tile_gpu.convert_layout
// WHOLE: tile_gpu.local_load {{.*}} -> tensor<128x64xi8, #[[L:[a-z0-9]+]]>
// WHOLE-NEXT: tile.barrier {tile_gpu.groups = 8 : i32, tile_gpu.shared_only}
// WHOLE-NEXT: tile_gpu.mbarrier_arrive
// WHOLE: tile_gpu.wgmma {{.*}} : tensor<128x64xf16, #[[L]]>
// WHOLE: tile.load {{.*}} : tensor<128x!tile.ptr<f16>,
// WHOLE: tile_gpu.wgmma_wait 0
// WHOLE: tile_gpu.mbarrier_arrive
// WHOLE-NOT: tile.barrier
// WHOLE: scf.yield
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 8 : i32, tile_gpu.threads_per_warp = 32 : i32, tile_gpu.num_ctas = 1 : i32} {
  func.func @bytes(%a: !tile.desc<64x64xf16>, %b: !tile.desc<128x64xi8>, %c: !tile.desc<64x128xf16>, %scale: !tile.ptr<f16>, %n: i32, %k: i32)
      attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %acc0 = arith.constant dense<0.0> : tensor<64x128xf32>
    %r = tile.make_range 0 to 128 : tensor<128xi32>
    %s = scf.for %kk = %zero to %k step %step iter_args(%acc = %acc0) -> (tensor<64x128xf32>) : i32 {
      %x = tile.desc_load %a[%zero, %kk] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %y = tile.desc_load %b[%zero, %kk] : !tile.desc<128x64xi8> -> tensor<128x64xi8>
      %w = arith.sitofp %y : tensor<128x64xi8> to tensor<128x64xf16>
      %g = arith.divui %kk, %step : i32
      %o = arith.muli %g, %n : i32
      %p = tile.addptr %scale, %o : !tile.ptr<f16>, i32
      %ps = tile.splat %p : tensor<128x!tile.ptr<f16>>
      %pr = tile.addptr %ps, %r : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
      %f = tile.load %pr : tensor<128x!tile.ptr<f16>>
      %f2 = tile.expand_dims %f axis = 1 : tensor<128xf16> -> tensor<128x1xf16>
      %fb = tile.broadcast %f2 : tensor<128x1xf16> -> tensor<128x64xf16>
      %ws = arith.mulf %w, %fb : tensor<128x64xf16>
      %t = tile.trans %ws order = [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
      %d = tile.dot %x, %t, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    } {tile.warp_specialize}
    %h = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xf16>
    tile.desc_store %c[%zero, %zero], %h : !tile.desc<64x128xf16>, tensor<64x128xf16>
    return
  }
}
