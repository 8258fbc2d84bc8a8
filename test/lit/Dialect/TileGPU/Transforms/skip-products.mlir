// Products of which a mask keeps nothing: rows and columns of different segments.
//
// tile.param HOW = andi of andi, ori
// tile.param IS = eq of eq, ne
//
// RUN: tile-translate %s --target=sm_80 --num-warps=4 --emit=tile_gpu | FileCheck %s
// CHECK: scf.for
// CHECK: %[[LEAST:.*]] = tile.reduce %[[IDS:[0-9]+]] axis = 0 : tensor<64xi32
// CHECK: arith.minsi
// CHECK: %[[MOST:.*]] = tile.reduce %[[IDS]]
// CHECK: arith.maxsi
// CHECK: %[[L:.*]] = tile.splat %[[LEAST]]
// CHECK-NEXT: %[[A:.*]] = arith.cmpi sge, %[[ROWS:[0-9]+]], %[[L]]
// CHECK-NEXT: %[[M:.*]] = tile.splat %[[MOST]]
// CHECK-NEXT: %[[B:.*]] = arith.cmpi sle, %[[ROWS]], %[[M]]
// CHECK-NEXT: %[[C:.*]] = arith.andi %[[A]], %[[B]]
// CHECK-NEXT: %[[ANY:.*]] = tile_gpu.any %[[C]] {tile_gpu.warp}
// CHECK-NEXT: scf.if %[[ANY]]
// CHECK-NEXT: %[[K:.*]] = tile_gpu.local_load {{.*}} -> tensor<64x64xf16
// CHECK-NEXT: %[[T:.*]] = tile.trans %[[K]]
// CHECK-NEXT: %[[S:.*]] = tile_gpu.mma {{.*}}, %[[T]],
// CHECK-NEXT: scf.yield %[[S]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK: tile_gpu.mma
// CHECK: scf.yield
//
// Masks that hold where numbers differ, or for another reason; chips without mma.sync; warp groups, which multiply together.
// RUN: tile-translate %s --target=sm_80 -D HOW=ori --emit=tile_gpu | FileCheck %s --check-prefix=ALL
// RUN: tile-translate %s --target=sm_80 -D IS=ne --emit=tile_gpu | FileCheck %s --check-prefix=ALL
// RUN: tile-translate %s --target=gfx942 --emit=tile_gpu | FileCheck %s --check-prefix=ALL
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=ALL
// ALL-NOT: arith.minsi
//
// DEFINE: %{run} = tile-run %s --device=sim --grid=1 --arg=f16[4096]=randn:1 --arg=f16[16384]=randn:2 --arg=f16[16384]=randn:3 --arg=f32[4096]=zeros --against=cpu --atol=0.02 --rtol=2e-3
// One number; few, most of them elsewhere; the whole range of i32; none that occur.
// RUN: %{run} --target=sm_80 --arg=i32[64]=fill:3 --arg=i32[256]=rand:5:0:6 --arg=i32=256
// RUN: %{run} --target=sm_90 --arg=i32[64]=rand:4:0:2 --arg=i32[256]=iota --arg=i32=256
// RUN: %{run} --target=sm_80 --num-warps=8 --num-stages=2 --arg=i32[64]=rand:4:-2147483648:2147483647 --arg=i32[256]=rand:5:-2147483648:2147483647 --arg=i32=192
// RUN: %{run} --target=sm_86 --num-warps=2 --arg=i32[64]=iota --arg=i32[256]=iota --arg=i32=256
// RUN: %{run} --target=sm_80 --arg=i32[64]=fill:-1 --arg=i32[256]=iota --arg=i32=64
// RUN: %{run} --target=sm_80 --arg=i32[64]=fill:-1 --arg=i32[256]=iota --arg=i32=0
!p16 = !tile.ptr<f16>
!p32 = !tile.ptr<f32>
!pi = !tile.ptr<i32>
func.func @segments(%q: !p16 {tile.divisibility = 16 : i32}, %k: !p16 {tile.divisibility = 16 : i32}, %v: !p16 {tile.divisibility = 16 : i32},
    %o: !p32 {tile.divisibility = 16 : i32}, %rows: !pi {tile.divisibility = 16 : i32}, %columns: !pi {tile.divisibility = 16 : i32},
    %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %low = arith.constant dense<-2.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.125> : tensor<64x64xf32>
  %all = tile.make_range 0 to 4096 : tensor<4096xi32>
  %at = tile.reshape %all : tensor<4096xi32> -> tensor<64x64xi32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %qs = tile.splat %q : tensor<64x64x!p16>
  %qp = tile.addptr %qs, %at : tensor<64x64x!p16>, tensor<64x64xi32>
  %qt = tile.load %qp : tensor<64x64x!p16>
  %rs = tile.splat %rows : tensor<64x!pi>
  %rp = tile.addptr %rs, %r : tensor<64x!pi>, tensor<64xi32>
  %rt = tile.load %rp : tensor<64x!pi>
  %rt1 = tile.expand_dims %rt axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rb = tile.broadcast %rt1 : tensor<64x1xi32> -> tensor<64x64xi32>
  %ks = tile.splat %k : tensor<64x64x!p16>
  %vs = tile.splat %v : tensor<64x64x!p16>
  %cs = tile.splat %columns : tensor<64x!pi>
  %d = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %block = arith.muli %j, %c64 : i32
    %blocks = tile.splat %block : tensor<64x64xi32>
    %to = arith.addi %blocks, %at : tensor<64x64xi32>
    %kp = tile.addptr %ks, %to : tensor<64x64x!p16>, tensor<64x64xi32>
    %vp = tile.addptr %vs, %to : tensor<64x64x!p16>, tensor<64x64xi32>
    %js = tile.splat %j : tensor<64xi32>
    %jr = arith.addi %js, %r : tensor<64xi32>
    %cp = tile.addptr %cs, %jr : tensor<64x!pi>, tensor<64xi32>
    %kt = tile.load %kp : tensor<64x64x!p16>
    %vt = tile.load %vp : tensor<64x64x!p16>
    %ct = tile.load %cp : tensor<64x!pi>
    %kT = tile.trans %kt order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %qt, %kT, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %t = arith.mulf %s, %scale : tensor<64x64xf32>
    %ct1 = tile.expand_dims %ct axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %cb = tile.broadcast %ct1 : tensor<1x64xi32> -> tensor<64x64xi32>
    %same = arith.cmpi ${IS}, %rb, %cb : tensor<64x64xi32>
    %jr1 = tile.expand_dims %jr axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %jb = tile.broadcast %jr1 : tensor<1x64xi32> -> tensor<64x64xi32>
    %r1 = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %rrb = tile.broadcast %r1 : tensor<64x1xi32> -> tensor<64x64xi32>
    %off = arith.constant dense<170> : tensor<64x64xi32>
    %last = arith.addi %rrb, %off : tensor<64x64xi32>
    %past = arith.cmpi sle, %jb, %last : tensor<64x64xi32>
    %in = arith.${HOW} %past, %same : tensor<64x64xi1>
    %u = arith.select %in, %t, %low : tensor<64x64xi1>, tensor<64x64xf32>
    %p = arith.truncf %u : tensor<64x64xf32> to tensor<64x64xf16>
    %next = tile.dot %p, %vt, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %os = tile.splat %o : tensor<64x64x!p32>
  %op = tile.addptr %os, %at : tensor<64x64x!p32>, tensor<64x64xi32>
  tile.store %op, %d : tensor<64x64x!p32>
  return
}
