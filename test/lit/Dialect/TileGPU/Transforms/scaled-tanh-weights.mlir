// A soft cap of scores that become weights of 16 bits: a polynomial of three coefficients, which two operations and a product compute.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-translate %s --target=sm_90 --num-warps=2 --emit=tile_gpu | FileCheck %s
// CHECK: %[[S:.*]] = tile_gpu.mma
// CHECK: %[[W:.*]] = math.fma %[[S]], %[[S]]
// CHECK: tile_gpu.any {{.*}} {tile_gpu.warp}
// CHECK: math.exp2
// CHECK: } else {
// CHECK: } else {
// CHECK-NEXT: math.fma %[[W]]
// CHECK-NEXT: math.fma %[[W]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[S]]
// CHECK-NEXT: scf.yield %[[P]]
//
// Beside products of warp groups too, where magnitudes are asked; behind a factor up to 2, and a branch for a mask.
// RUN: sed 's/\(.\)d = arith.subf \(.w\), \(.topb\)/\1two = arith.constant dense<1.5> : tensor<64x64xf32>\n\1less0 = arith.negf \3 : tensor<64x64xf32>\n\1d = math.fma \2, \1two, \1less0/' %s > %t.fma.mlir
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=GROUPS
// RUN: tile-translate %t.fma.mlir --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=GROUPS
// GROUPS: %[[S:.*]] = tile_gpu.wgmma_wait
// GROUPS: } else {
// GROUPS: %[[Z:.*]] = arith.mulf %[[S]], %[[S]]
// GROUPS-NEXT: math.fma %[[Z]]
// GROUPS-NEXT: math.fma %[[Z]]
// GROUPS-NEXT: %[[P:.*]] = arith.mulf %[[S]]
// GROUPS-NEXT: scf.yield %[[P]]
// A factor beyond: the longer one.
// RUN: sed 's/dense<1.5>/dense<2.5>/' %t.fma.mlir > %t.far.mlir
// RUN: tile-translate %t.far.mlir --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=FAR
// FAR: arith.constant -0.05008{{.*}} : f32
// RUN: for c in 5 1000 0.001; do tile-run %s --kernel=weights --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.01 --arg=f32=$c --against=cpu --atol=2e-3 --rtol=1e-3 || exit 1; done
//
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.004 --arg=f32=20 --against=cpu --atol=2e-3 --rtol=1e-3
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.05 --arg=f32=5 --against=cpu --atol=2e-3 --rtol=1e-3
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=-0.05 --arg=f32=5 --against=cpu --atol=2e-3 --rtol=1e-3
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.01 --arg=f32=1000 --against=cpu --atol=2e-3 --rtol=1e-3
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.01 --arg=f32=-100 --against=cpu --atol=2e-3 --rtol=1e-3
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.0 --arg=f32=5 --against=cpu --atol=2e-3 --rtol=1e-3
// RUN: tile-run %s --kernel=weights --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=2.0 --arg=f32=0.001 --against=cpu --atol=2e-3 --rtol=1e-3
func.func @weights(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f32>, %f: f32, %cap: f32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %end = arith.constant 192 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %top0 = arith.constant dense<-1.0e30> : tensor<64xf32>
  %sum0 = arith.constant dense<0.0> : tensor<64xf32>
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %c192 = arith.constant dense<192> : tensor<64x1xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %r64b = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %kb = tile.broadcast %k : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r64b, %kb : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %k192 = arith.muli %row, %c192 : tensor<64x1xi32>
  %k192b = tile.broadcast %k192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %caps = tile.splat %cap : tensor<64x64xf32>
  %fs = tile.splat %f : tensor<64x64xf32>
  %r:3 = scf.for %j = %zero to %end step %size iter_args(%top = %top0, %sum = %sum0, %acc = %zeros) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %u = arith.mulf %s, %fs : tensor<64x64xf32>
    %n = math.tanh %u : tensor<64x64xf32>
    %w = arith.mulf %n, %caps : tensor<64x64xf32>
    %m = tile.reduce %w axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.maxnumf %p, %q : f32
      tile.yield %z : f32
    }
    %next = arith.maxnumf %top, %m : tensor<64xf32>
    %tops = tile.expand_dims %next axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
    %topb = tile.broadcast %tops : tensor<64x1xf32> -> tensor<64x64xf32>
    %d = arith.subf %w, %topb : tensor<64x64xf32>
    %e = math.exp2 %d : tensor<64x64xf32>
    %es = tile.reduce %e axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.addf %p, %q : f32
      tile.yield %z : f32
    }
    %less = arith.subf %top, %next : tensor<64xf32>
    %old = math.exp2 %less : tensor<64xf32>
    %kept = arith.mulf %sum, %old : tensor<64xf32>
    %all = arith.addf %kept, %es : tensor<64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %to = tile.dot %h, %x, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next, %all, %to : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
  }
  %gs = tile.splat %g : tensor<64x64x!tile.ptr<f32>>
  %pg = tile.addptr %gs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pg, %r#2 : tensor<64x64x!tile.ptr<f32>>
  %cs = tile.splat %c : tensor<64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %range : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pc, %r#0 : tensor<64x!tile.ptr<f32>>
  %c64v = arith.constant dense<64> : tensor<64xi32>
  %pd = tile.addptr %pc, %c64v : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pd, %r#1 : tensor<64x!tile.ptr<f32>>
  return
}
