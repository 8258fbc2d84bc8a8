// Sums that the copy engine adds to memory leave warp by warp, without waiting for other warps.
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=2 --emit=tile_gpu | FileCheck %s
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=8 --num-stages=2 --against=cpu --atol=0.02 --grid=1 --shuffle=1 '--arg=desc(f16[128,64],box=128x64)=randn:1' '--arg=desc(f16[208,64],box=64x64)=randn:2' '--arg=desc(f32[208,64],box=64x64)=zeros' '--arg=f32[8192]=fill:nan' --arg=i32=208

// CHECK: tile_gpu.producer
// CHECK: scf.for
// CHECK: tile.barrier {tile_gpu.groups = 8 : i32
// CHECK-NEXT: tile_gpu.local_store
// CHECK: tile.barrier {tile_gpu.groups = 8 : i32
// CHECK: tile_gpu.tma_store {{.*}} add {tile_gpu.groups = 8 : i32, tile_gpu.warp_columns = array<i32: 0, 0, 32>, tile_gpu.warp_rows = array<i32: 16, 32, 0>}
// CHECK: scf.yield
func.func @sums(%k: !tile.desc<128x64xf16>, %q: !tile.desc<64x64xf16>, %d: !tile.desc<64x64xf32>,
    %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %no = arith.constant dense<0.0> : tensor<64x64xf32>
  %small = arith.constant dense<0.0625> : tensor<128x64xf32>
  %kt = tile.desc_load %k[%zero, %zero] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
  %o = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x64xf32>) : i32 {
    %qt = tile.desc_load %q[%i, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %qtt = tile.trans %qt order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %kt, %qtt, %none : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    %w = arith.mulf %s, %small : tensor<128x64xf32>
    %p = arith.truncf %w : tensor<128x64xf32> to tensor<128x64xf16>
    %pt = tile.trans %p order = [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %dq = tile.dot %pt, %kt, %no : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
    %next = tile.dot %p, %qt, %acc : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    tile.desc_reduce add %d[%i, %zero], %dq : !tile.desc<64x64xf32>, tensor<64x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.warp_specialize}
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %c = tile.make_range 0 to 64 : tensor<64xi32>
  %rows = tile.expand_dims %r axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %columns = tile.expand_dims %c axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %width = arith.constant dense<64> : tensor<128x1xi32>
  %from = arith.muli %rows, %width : tensor<128x1xi32>
  %fromb = tile.broadcast %from : tensor<128x1xi32> -> tensor<128x64xi32>
  %columnsb = tile.broadcast %columns : tensor<1x64xi32> -> tensor<128x64xi32>
  %at = arith.addi %fromb, %columnsb : tensor<128x64xi32>
  %outs = tile.splat %out : tensor<128x64x!tile.ptr<f32>>
  %ptrs = tile.addptr %outs, %at : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
  tile.store %ptrs, %o : tensor<128x64x!tile.ptr<f32>>
  return
}
