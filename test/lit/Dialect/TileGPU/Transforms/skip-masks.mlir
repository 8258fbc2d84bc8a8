// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90 num-warps=4" --tile-gpu-accelerate-dot --tile-gpu-assign-layouts --tile-gpu-skip-masks | FileCheck %s --check-prefix=ALONE
// RUN: tile-run %s --kernel=causal --device=sim --target=sm_90 --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --against=cpu --atol=1e-3
// RUN: tile-run %s --kernel=added --device=sim --target=gfx942 --grid=3 --arg=f16[192,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f32[192]=zeros --arg=i32=150 --against=cpu --atol=1e-3
// RUN: tile-translate %s --kernel=causal --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=GROUPS

// Warp groups' products too.
// GROUPS: scf.for
// GROUPS: tile_gpu.wgmma_wait
// GROUPS-NOT: arith.cmpi {{.*}} tensor<64x64
// GROUPS: scf.if %{{.*}} -> (tensor<64x64xf32
// GROUPS: } else {
// GROUPS: arith.cmpi {{.*}} tensor<64x64

// The largest of each row of a product, below the diagonal and left of n.
// CHECK-LABEL: func.func @causal
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[S:.*]] = tile_gpu.mma
// CHECK-NOT: arith.cmpi {{.*}} tensor<64x64
// CHECK: %[[T:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32
// CHECK-NEXT: scf.yield %[[S]]
// A block that is not wholly inside pays for the condition that it does not meet.
// CHECK: } else {
// CHECK: %[[U:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: } else {
// CHECK: arith.cmpi sle{{.*}} tensor<64x64xi32
// CHECK: %[[M:.*]] = arith.select %{{.*}}, %[[S]]
// CHECK: scf.yield %[[M]]
// CHECK: %[[V:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32
// CHECK-NEXT: scf.yield %[[U]]
// CHECK: } else {
// CHECK: arith.select %{{.*}}, %[[U]]
// CHECK: scf.yield %[[V]]
// CHECK: arith.maxnumf %{{.*}}, %[[T]]
// ALONE-LABEL: func.func @causal
// ALONE: %[[S:.*]] = tile_gpu.mma
// ALONE: %[[T:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32
// ALONE-NEXT: scf.yield %[[S]]
// ALONE: } else {
// ALONE: %[[M:.*]] = arith.select %{{.*}}, %[[S]]
// ALONE: scf.yield %[[M]]
// ALONE: tile.reduce %[[T]]
func.func @causal(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
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
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %ns = tile.splat %n : tensor<64x64xi32>
  %end = arith.addi %m0, %size : i32
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
    %in = arith.cmpi slt, %colb, %ns : tensor<64x64xi32>
    %counts = arith.andi %past, %in : tensor<64x64xi1>
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

// A mask added as a number goes into the branch with the sum.
// CHECK-LABEL: func.func @added
// CHECK: tile_gpu.mma
// CHECK: scf.if
// CHECK: math.fma
// CHECK: } else {
// CHECK: arith.select
// CHECK: math.fma
// CHECK: scf.yield
func.func @added(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
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
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %ns = tile.splat %n : tensor<64x64xi32>
  %end = arith.addi %m0, %size : i32
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
    %in = arith.cmpi slt, %colb, %ns : tensor<64x64xi32>
    %counts = arith.andi %past, %in : tensor<64x64xi1>
    %bias = arith.select %counts, %zeros, %low : tensor<64x64xi1>, tensor<64x64xf32>
    %eighth = arith.constant dense<0.125> : tensor<64x64xf32>
    %u = arith.mulf %s, %eighth : tensor<64x64xf32>
    %t = arith.addf %u, %bias : tensor<64x64xf32>
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
