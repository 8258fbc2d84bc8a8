// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s --check-prefix=WARPS
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=0 --against=cpu --atol=1e-3
// RUN: tile-run %s --kernel=window --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=70 --against=cpu --atol=1e-3

// Every number to the last bit, with products of 0: small ones, the first and last that are, and those that are not.
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=77 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=8388500 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=-8388550 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=33554399 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=2147483600 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=distance --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=77 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=distance --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=-50331700 --against=cpu --atol=0 --rtol=0

// Windows whose edges are beyond the integers: no number of theirs may be taken for another.
// RUN: tile-run %s --kernel=window --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=2147483647 --against=cpu --atol=1e-3
// RUN: tile-run %s --kernel=window --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=-2147483648 --against=cpu --atol=1e-3
// RUN: tile-run %s --kernel=window --device=sim --target=sm_90a --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=-5 --against=cpu --atol=1e-3

// Each edge of the window has a branch of its own, by the rows that a thread holds; numbers that are all small, comparisons that say so.
// CHECK-LABEL: func.func @window
// CHECK: tile_gpu.wgmma
// CHECK: %[[FUTURE:.*]] = tile_gpu.any %{{.*}} : tensor<64xi1
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.if
// CHECK-NOT: arith.andi {{.*}} tensor
// CHECK: arith.cmpi sle, {{.*}} {tile_gpu.small}
// CHECK: } else {
// CHECK: arith.cmpi sle, {{.*}} {tile_gpu.sums} : tensor
// CHECK: arith.cmpi sgt, {{.*}} {tile_gpu.small}
// CHECK: arith.cmpi sgt, {{.*}} {tile_gpu.sums} : tensor

// One comparison with a constant for each distance of a row and a column: 32 columns, another 8 rows above.
// LLVM-LABEL: @window
// LLVM: icmp sl{{[et]}} i32 %[[SUM:.*]], -{{[0-9]+}}
// LLVM: icmp sl{{[et]}} i32 %[[SUM]], -{{[0-9]+}}

// Beside products of warps, whose conversions have a branch too, comparisons do not.
// WARPS-LABEL: func.func @bias
// WARPS: tile_gpu.mma
// WARPS: arith.sitofp {{.*}} {tile_gpu.small}
// WARPS-NOT: arith.cmpi {{.*}} {tile_gpu.small}
// RUN: tile-run %s --kernel=bias --device=sim --target=sm_90 --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=8388500 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=distance --device=sim --target=sm_90 --grid=3 --arg=f16[192,64]=zeros --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --arg=f32=0.3 --arg=i32=-50331700 --against=cpu --atol=0 --rtol=0
func.func @window(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %window: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %low = arith.constant dense<-1.0e30> : tensor<64x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %top0 = arith.constant dense<-1.0e30> : tensor<64xf32>
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %size : i32
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<64xi32>
  %rows = arith.addi %m0s, %range : tensor<64xi32>
  %row = tile.expand_dims %rows axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
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
  %kc = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k192 = arith.muli %kc, %c192 : tensor<64x1xi32>
  %k192b = tile.broadcast %k192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %rowb = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
  %ws = tile.splat %window : tensor<64x64xi32>
  %start = arith.subi %rowb, %ws : tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %end = arith.constant 192 : i32
  %r = scf.for %j = %zero to %end step %size iter_args(%top = %top0) -> (tensor<64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %past = arith.cmpi sle, %colb, %rowb : tensor<64x64xi32>
    %recent = arith.cmpi sgt, %colb, %start : tensor<64x64xi32>
    %counts = arith.andi %past, %recent : tensor<64x64xi1>
    %t = arith.select %counts, %s, %low : tensor<64x64xi1>, tensor<64x64xf32>
    %m = tile.reduce %t axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.maxnumf %p, %q : f32
      tile.yield %z : f32
    }
    %next = arith.maxnumf %top, %m : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %cs = tile.splat %c : tensor<64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %rows : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pc, %r : tensor<64x!tile.ptr<f32>>
  return
}

// A bias by the distance of row and column: converted once for a thread's small ones.
// CHECK-LABEL: func.func @bias
// CHECK: tile_gpu.wgmma
// CHECK: scf.if
// CHECK: arith.sitofp {{.*}} {tile_gpu.small}
// CHECK: math.fma
// CHECK: } else {
// CHECK: arith.sitofp {{.*}} : tensor
// CHECK: math.fma
// LLVM-LABEL: @bias
// LLVM: %[[BASE:.*]] = sitofp i32 %{{.*}} to float
// LLVM: fadd float %[[BASE]], 1.000000e+00
// LLVM: fadd float %[[BASE]], -8.000000e+00
func.func @bias(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %slope: f32, %from: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %top0 = arith.constant dense<-1.0e30> : tensor<64xf32>
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %size : i32
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<64xi32>
  %rows = arith.addi %m0s, %range : tensor<64xi32>
  %row = tile.expand_dims %rows axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
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
  %kc = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k192 = arith.muli %kc, %c192 : tensor<64x1xi32>
  %k192b = tile.broadcast %k192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %froms = tile.splat %from : tensor<64xi32>
  %places = arith.subi %rows, %froms : tensor<64xi32>
  %place = tile.expand_dims %places axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rowb = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x64xi32>
  %slopes = tile.splat %slope : tensor<64x64xf32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %end = arith.constant 192 : i32
  %r = scf.for %j = %zero to %end step %size iter_args(%top = %top0) -> (tensor<64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %distance = arith.subi %colb, %rowb : tensor<64x64xi32>
    %distances = arith.sitofp %distance : tensor<64x64xi32> to tensor<64x64xf32>
    %bias = arith.mulf %distances, %slopes : tensor<64x64xf32>
    %t = arith.addf %s, %bias : tensor<64x64xf32>
    %m = tile.reduce %t axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.maxnumf %p, %q : f32
      tile.yield %z : f32
    }
    %next = arith.maxnumf %top, %m : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %cs = tile.splat %c : tensor<64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %rows : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pc, %r : tensor<64x!tile.ptr<f32>>
  return
}

// Magnitudes: of the floats.
// CHECK-LABEL: func.func @distance
// CHECK: tile_gpu.wgmma
// CHECK: scf.if
// CHECK: %[[F:.*]] = arith.sitofp {{.*}} {tile_gpu.small}
// CHECK: math.absf %[[F]]
// CHECK: } else {
// CHECK: math.absi
func.func @distance(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %slope: f32, %from: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %top0 = arith.constant dense<-1.0e30> : tensor<64xf32>
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %size : i32
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<64xi32>
  %rows = arith.addi %m0s, %range : tensor<64xi32>
  %row = tile.expand_dims %rows axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
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
  %kc = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k192 = arith.muli %kc, %c192 : tensor<64x1xi32>
  %k192b = tile.broadcast %k192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %froms = tile.splat %from : tensor<64xi32>
  %places = arith.subi %rows, %froms : tensor<64xi32>
  %place = tile.expand_dims %places axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rowb = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x64xi32>
  %slopes = tile.splat %slope : tensor<64x64xf32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %end = arith.constant 192 : i32
  %r = scf.for %j = %zero to %end step %size iter_args(%top = %top0) -> (tensor<64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %distance = arith.subi %colb, %rowb : tensor<64x64xi32>
    %magnitude = math.absi %distance : tensor<64x64xi32>
    %distances = arith.sitofp %magnitude : tensor<64x64xi32> to tensor<64x64xf32>
    %bias = arith.mulf %distances, %slopes : tensor<64x64xf32>
    %t = arith.addf %s, %bias : tensor<64x64xf32>
    %m = tile.reduce %t axis = 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %z = arith.maxnumf %p, %q : f32
      tile.yield %z : f32
    }
    %next = arith.maxnumf %top, %m : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %cs = tile.splat %c : tensor<64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %rows : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %pc, %r : tensor<64x!tile.ptr<f32>>
  return
}
