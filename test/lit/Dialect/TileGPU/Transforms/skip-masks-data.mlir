// Masks by numbers from memory: a warp whose numbers all pass goes past the mask, and what it asks for that is a comparison for each number
// of a row or column, not for each pair.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// CHECK-LABEL: func.func @segments
// CHECK: tile_gpu.mma
// CHECK: %[[NE:.*]] = arith.cmpi ne, {{.*}} : tensor<64x64xi32
// CHECK: %[[ANY:.*]] = tile_gpu.any %[[NE]] {tile_gpu.warp}
// CHECK: %[[ALL:.*]] = arith.xori %[[ANY]]
// CHECK: scf.if
// CHECK-NEXT: scf.yield
// CHECK: } else {
// CHECK: arith.select
// CHECK-LABEL: func.func @padded
// CHECK: tile_gpu.mma
// CHECK: arith.cmpi eq, {{.*}} : tensor<
// CHECK: tile_gpu.any
// CHECK: scf.if
// RUN: tile-run %s --kernel=segments --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=ones --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=segments --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=rand:5:0:2 --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=segments --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=zeros --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=segments --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=rand:5:-3:90 --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=padded --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=ones --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=padded --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=rand:5:0:2 --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=padded --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=zeros --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
// RUN: tile-run %s --kernel=padded --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[128]=zeros --arg=i32[192]=rand:5:-3:90 --arg=f32=0.25 --against=cpu --rtol=1e-4 --atol=1e-5
func.func @segments(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %f: f32) attributes {tile.kernel} {
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
  %gs = tile.splat %g : tensor<64x!tile.ptr<i32>>
  %prows = tile.addptr %gs, %range : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %rowids = tile.load %prows : tensor<64x!tile.ptr<i32>>
  %rowid = tile.expand_dims %rowids axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rowidb = tile.broadcast %rowid : tensor<64x1xi32> -> tensor<64x64xi32>
  %none = arith.constant dense<0> : tensor<64x64xi32>
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
    %pcols = tile.addptr %gs, %cols : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %colids = tile.load %pcols : tensor<64x!tile.ptr<i32>>
    %colid = tile.expand_dims %colids axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colidb = tile.broadcast %colid : tensor<1x64xi32> -> tensor<64x64xi32>
    %in = arith.cmpi eq, %colidb, %rowidb : tensor<64x64xi32>
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
func.func @padded(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %f: f32) attributes {tile.kernel} {
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
  %gs = tile.splat %g : tensor<64x!tile.ptr<i32>>
  %prows = tile.addptr %gs, %range : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %rowids = tile.load %prows : tensor<64x!tile.ptr<i32>>
  %rowid = tile.expand_dims %rowids axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rowidb = tile.broadcast %rowid : tensor<64x1xi32> -> tensor<64x64xi32>
  %none = arith.constant dense<0> : tensor<64x64xi32>
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
    %pcols = tile.addptr %gs, %cols : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %colids = tile.load %pcols : tensor<64x!tile.ptr<i32>>
    %colid = tile.expand_dims %colids axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colidb = tile.broadcast %colid : tensor<1x64xi32> -> tensor<64x64xi32>
    %in = arith.cmpi ne, %colidb, %none : tensor<64x64xi32>
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
