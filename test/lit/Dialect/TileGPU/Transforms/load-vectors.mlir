// Vectors beside blocks of the copy engine: the pass, the rings' barriers behind it, and both ways of reading in the simulator.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-accelerate-wgmma=descriptors=true --tile-gpu-load-vectors | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu --num-stages=2 | FileCheck %s --check-prefix=RING
// RUN: tile-run %s --kernel=two --device=sim --target=sm_90a --against=cpu --atol=0.01 --grid=1 --num-stages=2 --shuffle=1 '--arg=desc(f16[64,64],box=64x64)=randn:1' '--arg=desc(f16[200,64],box=64x64)=randn:2' '--arg=desc(f32[200],box=64)=randn:3' '--arg=desc(f32[250],box=64)=randn:4' '--arg=desc(f32[100],box=16)=randn:5' '--arg=desc(f32[64],box=64)=zeros' '--arg=f32[4096]=fill:nan' --arg=i32=200
// RUN: tile-run %s --kernel=one --device=sim --target=sm_90a --against=cpu --atol=0.01 --grid=1 --num-stages=3 --shuffle=2 '--arg=desc(f16[64,200],box=64x64)=randn:1' '--arg=desc(f16[200,64],box=64x64)=randn:2' '--arg=desc(f32[250],box=64)=randn:3' '--arg=f32[4096]=fill:nan' --arg=i32=200
// Chips without the engine load them.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-load-vectors | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @two
// CHECK-SAME: {base = {{[0-9]+}} : i32, box = array<i32: 64>, element = f32, sizes = array<i32: 11>, strides = array<i32>, swizzle = 0 : i32}
// CHECK: scf.for
// CHECK: tile_gpu.tma_alloc 1[%[[I:.*]], %{{.*}}]
// CHECK-NEXT: %[[B:.*]] = tile_gpu.tma_alloc 2[%[[I]]] : !tile_gpu.memdesc<64xf32
// CHECK: tile_gpu.local_load %[[B]]
// CHECK: tile_gpu.local_load
// Too short for the engine's alignment; written by the kernel.
// CHECK: tile.desc_load {{.*}} -> tensor<16xf32>
// CHECK: tile.desc_load {{.*}} -> tensor<64xf32>
// CHECK-LABEL: func.func @one
// CHECK: tile_gpu.local_load

// PLAIN-NOT: tma_alloc

// The first vector is read before the products of its block are over: both count towards one barrier. The second one is read behind
// them, and has barriers of its own, where warps meet before they arrive.
// RING-LABEL: func.func @two
// RING: tile_gpu.producer {
// RING: scf.for
// RING: tile_gpu.mbarrier_expect %[[F:.*]], 8448
// RING: tile_gpu.tma_copy 1[%{{.*}}, %{{.*}}], %{{.*}}, %[[F]]
// RING-NOT: mbarrier
// RING: tile_gpu.tma_copy 2[%{{.*}}], %{{.*}}, %[[F]]
// RING: tile_gpu.mbarrier_expect %[[G:.*]], 256
// RING: tile_gpu.tma_copy 3[%{{.*}}], %{{.*}}, %[[G]]
// RING: scf.for
// RING: %[[BIAS:.*]] = tile_gpu.local_load
// RING-NEXT: tile.expand_dims %[[BIAS]]
// RING: %[[S:.*]] = tile_gpu.wgmma %
// RING: tile_gpu.wgmma_wait 0(%[[S]])
// RING: %[[O:.*]] = tile_gpu.wgmma %
// RING: tile_gpu.wgmma_wait 0(%[[O]])
// RING: tile_gpu.mbarrier_arrive
// RING: tile_gpu.local_load
// RING-NEXT: tile.barrier {tile_gpu.groups = 4 : i32, tile_gpu.shared_only}
// RING-NEXT: tile_gpu.mbarrier_arrive
func.func @two(%q: !tile.desc<64x64xf16>, %k: !tile.desc<64x64xf16>, %bias: !tile.desc<64xf32>, %gain: !tile.desc<64xf32>,
    %few: !tile.desc<16xf32>, %written: !tile.desc<64xf32>, %out: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %rows = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %width = arith.constant dense<64> : tensor<64x1xi32>
  %from = arith.muli %rows, %width : tensor<64x1xi32>
  %fromb = tile.broadcast %from : tensor<64x1xi32> -> tensor<64x64xi32>
  %columnsb = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %fromb, %columnsb : tensor<64x64xi32>
  %qt = tile.desc_load %q[%zero, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %o = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %kt = tile.desc_load %k[%i, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %b = tile.desc_load %bias[%i] : !tile.desc<64xf32> -> tensor<64xf32>
    %ktt = tile.trans %kt order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %qt, %ktt, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %b1 = tile.expand_dims %b axis = 0 : tensor<64xf32> -> tensor<1x64xf32>
    %bb = tile.broadcast %b1 : tensor<1x64xf32> -> tensor<64x64xf32>
    %t = arith.addf %s, %bb : tensor<64x64xf32>
    %p = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xf16>
    %g = tile.desc_load %gain[%i] : !tile.desc<64xf32> -> tensor<64xf32>
    %few0 = tile.desc_load %few[%i] : !tile.desc<16xf32> -> tensor<16xf32>
    %few1 = tile.reduce %few0 axis = 0 : tensor<16xf32> -> f32 {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tile.yield %z : f32
    }
    %old = tile.desc_load %written[%zero] : !tile.desc<64xf32> -> tensor<64xf32>
    %few2 = tile.splat %few1 : tensor<64xf32>
    %new = arith.addf %old, %few2 : tensor<64xf32>
    tile.desc_store %written[%zero], %new : !tile.desc<64xf32>, tensor<64xf32>
    %next = tile.dot %p, %kt, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %g1 = tile.expand_dims %g axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
    %gb = tile.broadcast %g1 : tensor<64x1xf32> -> tensor<64x64xf32>
    %scaled = arith.mulf %next, %gb : tensor<64x64xf32>
    scf.yield %scaled : tensor<64x64xf32>
  } {tile.warp_specialize}
  %outs = tile.splat %out : tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %outs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %p, %o : tensor<64x64x!tile.ptr<f32>>
  return
}

// One product: no producer, copies run ahead of the program's own threads.
// RING-LABEL: func.func @one
// RING-NOT: tile_gpu.producer
// RING: tile_gpu.tma_copy
func.func @one(%a: !tile.desc<64x64xf16>, %b: !tile.desc<64x64xf16>, %gain: !tile.desc<64xf32>, %out: !tile.ptr<f32>, %n: i32)
    attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %rows = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %width = arith.constant dense<64> : tensor<64x1xi32>
  %from = arith.muli %rows, %width : tensor<64x1xi32>
  %fromb = tile.broadcast %from : tensor<64x1xi32> -> tensor<64x64xi32>
  %columnsb = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %fromb, %columnsb : tensor<64x64xi32>
  %o = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %y = tile.desc_load %b[%i, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %g = tile.desc_load %gain[%i] : !tile.desc<64xf32> -> tensor<64xf32>
    %s = tile.dot %x, %y, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %g1 = tile.expand_dims %g axis = 0 : tensor<64xf32> -> tensor<1x64xf32>
    %gb = tile.broadcast %g1 : tensor<1x64xf32> -> tensor<64x64xf32>
    %t = math.fma %s, %gb, %acc : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {tile.warp_specialize}
  %outs = tile.splat %out : tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %outs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %p, %o : tensor<64x64x!tile.ptr<f32>>
  return
}
