// Scales of a factor's columns, others in each iteration: two of f16 a thread, so that asynchronous copies bring them, and read in front of
// the copies that the iteration starts.
//
// RUN: tile-translate %s --target=sm_90 --num-stages=3 --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.memdesc<3x128xf16
// CHECK: scf.for
// CHECK: tile_gpu.local_load {{.*}} -> tensor<128xf16
// CHECK: tile_gpu.async_copy {{.*}}memdesc<128x32xf16
// CHECK: tile_gpu.async_copy {{.*}}memdesc<32x128xi8
// CHECK: tile_gpu.async_copy {{.*}}memdesc<128xf16
// CHECK: tile_gpu.async_commit
// CHECK-NOT: tile_gpu.local_store
// CHECK: scf.yield
//
// A block of eight warps is alone on its multiprocessor: what it copies next starts behind the first product.
// RUN: tile-translate %s --target=sm_90 --num-stages=3 --num-warps=8 --emit=tile_gpu | FileCheck %s --check-prefix=ALONE
// ALONE: scf.for
// ALONE: tile_gpu.mma
// ALONE: tile_gpu.async_copy
// ALONE: tile_gpu.async_commit
// ALONE: tile_gpu.async_wait
// ALONE: tile_gpu.mma
//
// RUN: for t in sm_80 sm_90 sm_120 gfx942; do for s in 1 2 3; do \
// RUN:   tile-run %s --device=sim --target=$t --num-stages=$s --num-warps=$((4 + 4 * (s / 3))) --grid=1 --arg=f16[128,96]=randn:1 --arg=i8[96,128]=rand:2 \
// RUN:     --arg=f16[3,128]=rand:3:0.001:0.01 --arg=f32[128,128]=zeros --against=cpu --atol=1e-3 --rtol=1e-3 || exit 1; done; done

func.func @scaled(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32},
    %s: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %c4096 = arith.constant 4096 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %n = tile.make_range 0 to 128 : tensor<128xi32>
  %k = tile.make_range 0 to 32 : tensor<32xi32>
  %row = tile.expand_dims %n axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %col = tile.expand_dims %n axis = 0 : tensor<128xi32> -> tensor<1x128xi32>
  %krow = tile.expand_dims %k axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %kcol = tile.expand_dims %k axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c96 = arith.constant dense<96> : tensor<128x1xi32>
  %c128s = arith.constant dense<128> : tensor<32x1xi32>
  %c128r = arith.constant dense<128> : tensor<128x1xi32>
  %xr = arith.muli %row, %c96 : tensor<128x1xi32>
  %xrb = tile.broadcast %xr : tensor<128x1xi32> -> tensor<128x32xi32>
  %xcb = tile.broadcast %kcol : tensor<1x32xi32> -> tensor<128x32xi32>
  %xat = arith.addi %xrb, %xcb : tensor<128x32xi32>
  %wr = arith.muli %krow, %c128s : tensor<32x1xi32>
  %wrb = tile.broadcast %wr : tensor<32x1xi32> -> tensor<32x128xi32>
  %wcb = tile.broadcast %col : tensor<1x128xi32> -> tensor<32x128xi32>
  %wat = arith.addi %wrb, %wcb : tensor<32x128xi32>
  %sum = scf.for %j = %zero to %three step %one iter_args(%acc = %zeros) -> (tensor<128x128xf32>) : i32 {
    %xk = arith.muli %j, %c32 : i32
    %x0 = tile.addptr %x, %xk : !tile.ptr<f16>, i32
    %xs = tile.splat %x0 : tensor<128x32x!tile.ptr<f16>>
    %px = tile.addptr %xs, %xat : tensor<128x32x!tile.ptr<f16>>, tensor<128x32xi32>
    %a = tile.load %px : tensor<128x32x!tile.ptr<f16>>
    %wk = arith.muli %j, %c4096 : i32
    %w0 = tile.addptr %w, %wk : !tile.ptr<i8>, i32
    %ws = tile.splat %w0 : tensor<32x128x!tile.ptr<i8>>
    %pw = tile.addptr %ws, %wat : tensor<32x128x!tile.ptr<i8>>, tensor<32x128xi32>
    %b = tile.load %pw : tensor<32x128x!tile.ptr<i8>>
    %sk = arith.muli %j, %c128 : i32
    %s0 = tile.addptr %s, %sk : !tile.ptr<f16>, i32
    %ss = tile.splat %s0 : tensor<128x!tile.ptr<f16>>
    %ps = tile.addptr %ss, %n : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
    %scale = tile.load %ps : tensor<128x!tile.ptr<f16>>
    %wide = arith.sitofp %b : tensor<32x128xi8> to tensor<32x128xf16>
    %sc = tile.expand_dims %scale axis = 0 : tensor<128xf16> -> tensor<1x128xf16>
    %scb = tile.broadcast %sc : tensor<1x128xf16> -> tensor<32x128xf16>
    %f = arith.mulf %wide, %scb : tensor<32x128xf16>
    %d = tile.dot %a, %f, %acc : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %yr = arith.muli %row, %c128r : tensor<128x1xi32>
  %yrb = tile.broadcast %yr : tensor<128x1xi32> -> tensor<128x128xi32>
  %ycb = tile.broadcast %col : tensor<1x128xi32> -> tensor<128x128xi32>
  %yat = arith.addi %yrb, %ycb : tensor<128x128xi32>
  %ys = tile.splat %y : tensor<128x128x!tile.ptr<f32>>
  %py = tile.addptr %ys, %yat : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  tile.store %py, %sum : tensor<128x128x!tile.ptr<f32>>
  return
}
