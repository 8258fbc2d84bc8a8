// Scores that are scaled, and a bias times another number, beside products of warp groups.
//
// RUN: tile-translate %s -D H=f16 -D F=0.125 -D G=1.5 --target=sm_90a --emit=tile_gpu | FileCheck %s
// Known factors: maxima of the scores and 12 times the bias.
// CHECK: %[[S:.*]] = tile_gpu.wgmma_wait
// CHECK: %[[X:.*]] = math.fma %{{.*}}, %{{.*}}, %[[S]]
// CHECK-NOT: scf.if
// CHECK: tile.reshape %[[X]]
// CHECK: %[[M:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x4xf32
// CHECK-NEXT: tile.reduce %[[M]] axis = 1
// CHECK: math.fma %[[X]]
// A factor below zero, and one that would make numbers of more bits too large, stay.
// RUN: tile-translate %s -D H=f16 -D F=-0.125 -D G=1.5 --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=STAYS
// RUN: tile-translate %s -D H=bf16 -D F=0.125 -D G=1.5 --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=STAYS
// So does one that is too small for an f32: infinite biases times 0 would be no numbers.
// RUN: tile-translate %s -D H=f16 -D F=1.0e30 -D G=1.0e-20 --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=STAYS
// RUN: for x in -inf inf; do tile-run %s -D H=f16 -D F=1.0e30 -D G=1.0e-20 --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=fill:0 --arg=f16[64,192]=fill:$x --arg=f32[128]=zeros --against=cpu || exit 1; done
// RUN: tile-translate %s -D H=bf16 -D F=2.0 -D G=0.5 --target=sm_90a --emit=tile_gpu | FileCheck %s
// STAYS: %[[S:.*]] = tile_gpu.wgmma_wait
// STAYS: %[[X:.*]] = math.fma %[[S]]
// STAYS-NEXT: tile.reduce %[[X]] axis = 1
//
// RUN: for h in f16 bf16; do for f in 0.125 -0.125 1.0 1.0e-30; do for g in 1.5 -0.5 0.0 1.0e6; do tile-run %s -D H=$h -D F=$f -D G=$g --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=$h[64,192]=randn:3 --arg=f32[128]=zeros --against=cpu --rtol=1e-4 --atol=1e-5 || exit 1; done; done; done
// Infinite biases and none, as masks have them: rows of nothing else are no numbers on both sides.
// RUN: for x in -inf inf -65504 nan; do tile-run %s -D H=f16 -D F=0.125 -D G=1.5 --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f16[64,192]=fill:$x --arg=f32[128]=zeros --against=cpu --rtol=1e-4 --atol=1e-5 || exit 1; done
func.func @biased(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %h: !tile.ptr<${H}> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %g = arith.constant ${G} : f32
  %gs = tile.splat %g : tensor<64x64xf32>
  %hs = tile.splat %h : tensor<64x64x!tile.ptr<${H}>>
  %f = arith.constant ${F} : f32
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
  %fs = tile.splat %f : tensor<64x64xf32>
  %r:2 = scf.for %j = %zero to %end step %size iter_args(%top = %top0, %sum = %sum0) -> (tensor<64xf32>, tensor<64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %ph = tile.addptr %hs, %bt : tensor<64x64x!tile.ptr<${H}>>, tensor<64x64xi32>
    %hn = tile.load %ph : tensor<64x64x!tile.ptr<${H}>>
    %hw = arith.extf %hn : tensor<64x64x${H}> to tensor<64x64xf32>
    %t = arith.mulf %s, %fs : tensor<64x64xf32>
    %hg = arith.mulf %hw, %gs : tensor<64x64xf32>
    %u = arith.addf %t, %hg : tensor<64x64xf32>
    %m = tile.reduce %u axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.maxnumf %p, %q : f32
      tile.yield %z : f32
    }
    %next = arith.maxnumf %top, %m : tensor<64xf32>
    %tops = tile.expand_dims %next axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
    %topb = tile.broadcast %tops : tensor<64x1xf32> -> tensor<64x64xf32>
    %d = arith.subf %u, %topb : tensor<64x64xf32>
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
    scf.yield %next, %all : tensor<64xf32>, tensor<64xf32>
  }
  %cs = tile.splat %c : tensor<64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %range : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pc, %r#0 : tensor<64x!tile.ptr<f32>>
  %c64v = arith.constant dense<64> : tensor<64xi32>
  %pd = tile.addptr %pc, %c64v : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pd, %r#1 : tensor<64x!tile.ptr<f32>>
  return
}
