// Scores of attention under a soft cap: rows look for the largest score, the cap is taken of it, and of the others in the difference.
//
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s
// CHECK: %[[S:.*]] = tile_gpu.wgmma_wait
// CHECK: %[[I:.*]] = arith.bitcast %[[S]] : tensor<64x64xf32{{.*}} to tensor<64x64xi32
// CHECK: arith.maxsi
// CHECK: arith.maxsi
// CHECK: arith.maxui
// CHECK: arith.maxui
// CHECK: %[[Q:.*]] = tile_gpu.any
// CHECK: %[[R:.*]]:5 = scf.if %[[Q]]
// CHECK: tile_gpu.any
// CHECK: math.exp2
// CHECK: scf.yield %[[S]], %{{.*}} : tensor<64x64xf32, {{.*}}>, tensor<64x4xf32
// CHECK-NEXT: }
// CHECK: arith.maxnumf
// CHECK: %[[Z:.*]] = arith.mulf %[[R]]#0, %[[R]]#0
// CHECK: math.fma %[[Z]]
// CHECK: %[[P:.*]] = math.fma %[[Z]]
// CHECK: math.fma %[[R]]#0, %[[P]], %{{.*}} {tile_gpu.by_element}
//
// Nothing of it without fused operations, on other chips, or where something else needs the scores.
// RUN: tile-translate %s --target=sm_90a --fp-contract=off --emit=tile_gpu | FileCheck %s --check-prefix=NOT
// RUN: tile-translate %s --target=sm_80 --emit=tile_gpu | FileCheck %s --check-prefix=NOT
// RUN: sed 's/\(.\)d = arith.subf \(.w\), \(.topb\)/\1d0 = arith.subf \2, \3 : tensor<64x64xf32>\n    \1d = arith.addf \1d0, \2/' %s > %t.other.mlir
// RUN: tile-translate %t.other.mlir --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=NOT
// NOT-NOT: arith.maxsi
//
// Three of a thread's numbers in one instruction.
// RUN: %if ptxas %{ tile-translate %s --target=sm_90a --emit=cubin -o %t.cubin %}
//
// Small scores, large ones, caps of either sign, too large or small for the polynomial, rows of negative scores alone, infinite ones and NaN.
// RUN: for c in 20 0.001 -20 1.0e30 0; do for f in 0.01 2.0; do tile-run %s --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=$f --arg=f32=$c --against=cpu --atol=2e-3 --rtol=2e-3 || exit 1; done; done
// RUN: for x in rand:1 fill:1 fill:-1 fill:inf fill:nan fill:0; do tile-run %s --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=$x --arg=f16[64,192]=rand:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.01 --arg=f32=5 --against=cpu --atol=2e-3 --rtol=2e-3 || exit 1; done
//
// With a mask behind it, as a block at the diagonal has it: rows of which nothing is left too.
// RUN: sed 's/\(.\)m = tile.reduce \(.w\) /\1in = arith.cmpi sge, \1bound, \1colb : tensor<64x64xi32>\n    \2m = arith.select \1in, \2, \1low : tensor<64x64xi1>, tensor<64x64xf32>\n    \1m = tile.reduce \2m /; s/arith.subf \(.w\), \(.topb\)/arith.subf \1m, \2/; s/^  \(.\)bs = /  \1hundred = arith.constant dense<100> : tensor<64x64xi32>\n  \1low = arith.constant dense<LOW> : tensor<64x64xf32>\n  \1rowb = tile.broadcast \1row : tensor<64x1xi32> -> tensor<64x64xi32>\n  \1bound = arith.addi \1rowb, \1hundred : tensor<64x64xi32>\n&/' %s > %t.masked.mlir
// RUN: sed 's/<LOW>/<0xFF800000>/' %t.masked.mlir > %t.inf.mlir
// RUN: sed 's/<LOW>/<-1.0e30>/' %t.masked.mlir > %t.low.mlir
// RUN: tile-translate %t.inf.mlir --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=MASKED
// MASKED: arith.maxui
// MASKED: tile_gpu.any
// MASKED: arith.ori
// MASKED: scf.if
// RUN: for m in inf low; do for c in 20 0.5 1.0e30; do tile-run %t.$m.mlir --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32[64,64]=zeros --arg=f32=0.02 --arg=f32=$c --against=cpu --atol=2e-3 --rtol=2e-3 || exit 1; done; done
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
