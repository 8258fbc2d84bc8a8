// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu --fp-contract=off | FileCheck %s --check-prefix=OFF
// RUN: tile-run %s --kernel=known --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=-0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=0.0 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=inf --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=nan --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=1e-40 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=asked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=1e38 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=masked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=0.25 --arg=i32=150 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=masked --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=-0.25 --arg=i32=150 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: for t in sm_90 sm_90a; do tile-run %s --kernel=stored --device=sim --target=$t --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --against=cpu --rtol=1e-4 --atol=1e-5 || exit 1; done
// RUN: for t in sm_90 sm_90a; do for f in 0.25 -0.25; do tile-run %s --kernel=turned --device=sim --target=$t --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=$f --against=cpu --rtol=1e-4 --atol=1e-5 || exit 1; done; done
// Products of warp groups.
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=GROUPS
// RUN: for f in 0.25 -0.25 inf; do tile-run %s --kernel=masked --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=$f --arg=i32=150 --against=cpu --rtol=1e-4 --atol=1e-5 || exit 1; done
//
// Scaled behind the mask, whose number is large: its rounding stays, or rows that are masked as a whole would have exponents of 8e20 (0.18) or -5e21 for 0.
// RUN: sed 's/\(.\)t = arith.select \(.in\), \(.\)u, \(.low\) .*/\1v = arith.select \2, \1s, \4 : tensor<64x64xi1>, tensor<64x64xf32>\n    \1t = arith.mulf \1v, \1fs : tensor<64x64xf32>/' %s > %t.large.mlir
// RUN: for t in sm_90 sm_90a; do for n in 0 70; do for f in 0.18033688 0.1275174; do tile-run %t.large.mlir --kernel=masked --device=sim --target=$t --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=f32=$f --arg=i32=$n --against=cpu --rtol=1e-4 --atol=1e-5 || exit 1; done; done; done

// A known factor: the maximum is scaled, and no branch asks.
// CHECK-LABEL: func.func @known
// CHECK: %[[S:.*]] = tile_gpu.mma
// CHECK-NOT: scf.if
// CHECK: %[[M:.*]] = tile.reduce %[[S]] axis = 1
// CHECK: arith.mulf %[[M]], %{{.*}} : tensor<64xf32
// CHECK: %[[Y:.*]] = arith.negf
// CHECK: math.fma %[[S]], %{{.*}}, %[[Y]] : tensor<64x64xf32
// OFF-LABEL: func.func @known
// OFF: %[[S:.*]] = tile_gpu.mma
// OFF: %[[U:.*]] = arith.mulf %[[S]], %{{.*}} : tensor<64x64xf32
// OFF: tile.reduce %[[U]] axis = 1
// GROUPS-LABEL: func.func @known
// GROUPS: %[[S:.*]] = tile_gpu.wgmma_wait
// GROUPS: %[[M:.*]] = tile.reduce %[[S]] axis = 1
// GROUPS: arith.mulf %[[M]], %{{.*}} : tensor<64xf32
func.func @known(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %f = arith.constant 0.125 : f32
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
    %u = arith.mulf %s, %fs : tensor<64x64xf32>
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

// A parameter is asked for its sign, in front of the loop; elsewhere the product is as it was, and times one.
// CHECK-LABEL: func.func @asked
// CHECK: %[[P:.*]] = arith.cmpf ogt, %[[F:.*]], %{{.*}} : f32
// CHECK: %[[Q:.*]] = arith.cmpf olt, %[[F]], %{{.*}} : f32
// CHECK: %[[OK:.*]] = arith.andi %[[P]], %[[Q]] : i1
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile_gpu.mma
// CHECK: %[[T:.*]]:2 = scf.if %[[OK]] -> (tensor<64x64xf32, #{{.*}}>, f32)
// CHECK-NEXT: scf.yield %[[S]], %[[F]]
// CHECK: } else {
// CHECK: %[[U:.*]] = arith.mulf %[[S]]
// CHECK: scf.yield %[[U]], %{{.*}}
// CHECK: %[[M:.*]] = tile.reduce %[[T]]#0 axis = 1
// CHECK: %[[G:.*]] = tile.splat %[[T]]#1 : tensor<64xf32
// CHECK: arith.mulf %[[M]], %[[G]]
// CHECK: math.fma %[[T]]#0
func.func @asked(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %f: f32) attributes {tile.kernel} {
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
    %u = arith.mulf %s, %fs : tensor<64x64xf32>
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

// The branch of a mask asks for both.
// CHECK-LABEL: func.func @masked
// CHECK: %[[OK:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile_gpu.mma
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[OK]] : i1
// CHECK: %[[T:.*]]:2 = scf.if %[[BOTH]]
// CHECK-NEXT: scf.yield %[[S]], %{{.*}}
// CHECK: } else {
// CHECK: %[[U:.*]] = arith.mulf %[[S]]
// CHECK: %[[V:.*]] = arith.select %{{.*}}, %[[U]]
// CHECK: scf.yield %[[V]], %{{.*}}
// CHECK-NOT: scf.if
// CHECK: math.fma %[[T]]#0
func.func @masked(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %f: f32, %n: i32) attributes {tile.kernel} {
  %ns = tile.splat %n : tensor<64x64xi32>
  %low = arith.constant dense<-1.0e30> : tensor<64x64xf32>
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
    %u = arith.mulf %s, %fs : tensor<64x64xf32>
    %in = arith.cmpi slt, %colb, %ns : tensor<64x64xi32>
    %t = arith.select %in, %u, %low : tensor<64x64xi1>, tensor<64x64xf32>
    %m = tile.reduce %t axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.maxnumf %p, %q : f32
      tile.yield %z : f32
    }
    %next = arith.maxnumf %top, %m : tensor<64xf32>
    %tops = tile.expand_dims %next axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
    %topb = tile.broadcast %tops : tensor<64x1xf32> -> tensor<64x64xf32>
    %d = arith.subf %t, %topb : tensor<64x64xf32>
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

// A branch that does more on the side that leaves the product as it is stays what it is.
// CHECK-LABEL: func.func @stored
// CHECK: scf.if
// CHECK: tile.store
// CHECK: tile.reduce
func.func @stored(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %f = arith.constant 0.125 : f32
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
    %u0 = arith.mulf %s, %fs : tensor<64x64xf32>
    %lim = arith.constant 100 : i32
    %low = arith.constant dense<-1.0e20> : tensor<64x64xf32>
    %cc = arith.cmpi slt, %j, %lim : i32
    %u = scf.if %cc -> (tensor<64x64xf32>) {
      %cs2 = tile.splat %c : tensor<64x!tile.ptr<f32>>
      %c128 = arith.constant dense<128> : tensor<64xi32>
      %o2 = arith.addi %range, %c128 : tensor<64xi32>
      %pc2 = tile.addptr %cs2, %o2 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %fl = arith.sitofp %cols : tensor<64xi32> to tensor<64xf32>
      tile.store %pc2, %fl : tensor<64x!tile.ptr<f32>>
      scf.yield %u0 : tensor<64x64xf32>
    } else {
      %ng = arith.negf %u0 : tensor<64x64xf32>
      scf.yield %ng : tensor<64x64xf32>
    }
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

// Neither is a branch asked for more than it says where its other side is another value: a factor may be negative.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: -> (tensor<64x64xf32, #{{.*}}>, f32)
// CHECK: tile.reduce
func.func @turned(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %f: f32) attributes {tile.kernel} {
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
    %u0 = arith.mulf %s, %fs : tensor<64x64xf32>
    %lim = arith.constant 100 : i32
    %cc = arith.cmpi slt, %j, %lim : i32
    %u = scf.if %cc -> (tensor<64x64xf32>) {
      scf.yield %u0 : tensor<64x64xf32>
    } else {
      %ng = arith.negf %u0 : tensor<64x64xf32>
      scf.yield %ng : tensor<64x64xf32>
    }
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
