// A loop with a mask along K and pointers of which nothing is known: a fast loop without either, and the old one for the rest.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4 num-stages=2" --tile-gpu-split-loops --canonicalize --tile-combine --canonicalize | FileCheck %s
// On NVIDIA, and without pipelines, nothing happens.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4 num-stages=2" --tile-gpu-split-loops | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4 num-stages=1" --tile-gpu-split-loops | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4 num-stages=2 disable=buffer-ops" --tile-gpu-split-loops | FileCheck %s --check-prefix=ONE
// ONE-LABEL: @product
// ONE-COUNT-1: scf.for
// ONE-NOT: scf.for
// ONE-LABEL: @others
//
// CHECK: %[[O:.*]] = arith.addi %{{.*}}, %{{.*}} : tensor<64x64xi32>
// The offsets of %a lie between these; the second array's need no bounds.
// CHECK: %[[LOW:.*]] = arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[SPAN:.*]] = arith.subi %{{.*}}, %[[LOW]] : i64
// CHECK: arith.cmpi sle, %[[SPAN]], %c1073741823_i64
// CHECK: %[[FITS:.*]] = arith.andi
// CHECK: arith.divui %{{.*}}, %c64_i64
// CHECK: %[[END:.*]] = arith.select %[[FITS]], %{{.*}}, %c0_i32
// CHECK: %[[FAST:.*]]:3 = scf.for %{{.*}} = %c0_i32 to %[[END]] step %c64_i32 iter_args(%{{.*}}, %{{.*}} = %c0_i64, %[[D:.*]] = %c0_i64)
// CHECK-NOT: cmpi
// CHECK: %[[OFF:.*]] = arith.subi %[[O]], %{{.*}} : tensor<64x64xi32>
// CHECK: tile.addptr %{{.*}}, %[[OFF]]
// CHECK: tile.load %{{[0-9]+}} {tile_gpu.buffer}
// CHECK: tile.load %{{[0-9]+}} :
// CHECK: scf.yield
// CHECK: scf.for %{{.*}} = %[[END]] to %arg3 step %c64_i32 iter_args(%{{.*}} = %[[FAST]]#0, %{{.*}} = %[[FAST]]#1
// CHECK: arith.cmpi slt
// CHECK: tile.load %{{.*}} mask
// CHECK: tile.load %{{.*}} mask
// CHECK: {tile.num_stages = 1 : i32}
func.func @product(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %c: !tile.ptr<f32>, %k: i32, %stride: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c64 : i32
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<64xi32>
  %rows = arith.addi %m0s, %r : tensor<64xi32>
  %re = tile.expand_dims %rows axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ss = tile.splat %stride : tensor<64x1xi32>
  %ro = arith.muli %re, %ss : tensor<64x1xi32>
  %ce = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rob = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
  %ceb = tile.broadcast %ce : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %rob, %ceb : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %pb = tile.addptr %bs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %step = arith.constant dense<64> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %s:3 = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero, %qa = %pa, %qb = %pb) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %left = arith.subi %k, %i : i32
    %ls = tile.splat %left : tensor<1x64xi32>
    %m = arith.cmpi slt, %ce, %ls : tensor<1x64xi32>
    %mb = tile.broadcast %m : tensor<1x64xi1> -> tensor<64x64xi1>
    %x = tile.load %qa mask %mb other %none : tensor<64x64x!tile.ptr<f16>>
    %y0 = tile.load %qb mask %mb other %none : tensor<64x64x!tile.ptr<f16>>
    %y = tile.trans %y0 order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %na = tile.addptr %qa, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %nb = tile.addptr %qb, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %na, %nb : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %pc, %s#0 : tensor<64x64x!tile.ptr<f32>>
  return
}

// A mask that is not true from the first iteration on is left alone, and so is one that may wrap around.
// CHECK-LABEL: @others
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @others(%a: !tile.ptr<f16> {tile.pointer_range = 32 : i32}, %c: !tile.ptr<f32>, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r = tile.make_range 0 to 16 : tensor<16xi32>
  %ce = tile.expand_dims %r axis = 0 : tensor<16xi32> -> tensor<1x16xi32>
  %o = tile.broadcast %ce : tensor<1x16xi32> -> tensor<16x16xi32>
  %as = tile.splat %a : tensor<16x16x!tile.ptr<f16>>
  %cs = tile.splat %c : tensor<16x16x!tile.ptr<f32>>
  %pa = tile.addptr %as, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %pc = tile.addptr %cs, %o : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %none = arith.constant dense<0.0> : tensor<16x16xf16>
  %s = scf.for %i = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    %is = tile.splat %i : tensor<16x16xi32>
    %less = arith.cmpi slt, %o, %is : tensor<16x16xi32>
    %sum = arith.addi %k, %i : i32
    %sums = tile.splat %sum : tensor<16x16xi32>
    %wraps = arith.cmpi slt, %o, %sums : tensor<16x16xi32>
    %m = arith.andi %less, %wraps : tensor<16x16xi1>
    %x = tile.load %pa mask %m other %none : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %x, %x, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tile.store %pc, %s : tensor<16x16x!tile.ptr<f32>>
  return
}

// Columns between bounds, the same in all iterations: asked for whole chunks of 8 in the fast loop, if the bound lies between chunks (its distance from the
// first column is a multiple of 8) or outside of the block, and no sum leaves i32.
// CHECK-LABEL: @columns
// CHECK: %[[D:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK: %[[REST:.*]] = arith.andi %[[D]], %c7_i64
// CHECK: arith.ori
// CHECK: %[[END:.*]] = arith.select %{{.*}}, %{{.*}}, %c0_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[END]]
// CHECK: %[[CHUNK:.*]] = arith.divui %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK: %[[FIRST:.*]] = arith.muli %[[CHUNK]], %{{.*}} : tensor<64xi32>
// CHECK: arith.addi %{{.*}}, %[[FIRST]]
// CHECK: arith.cmpi slt
// CHECK: tile.load %{{.*}} mask %{{.*}} {tile_gpu.buffer}
// CHECK: scf.for %{{.*}} = %[[END]] to %arg3
// CHECK-NOT: divui
func.func @columns(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %k: i32, %n: i32, %stride: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %n0 = arith.muli %pid, %c64 : i32
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %x = arith.addi %n0s, %r : tensor<64xi32>
  %ns = tile.splat %n : tensor<64xi32>
  %in = arith.cmpi slt, %x, %ns : tensor<64xi32>
  %in1 = tile.expand_dims %in axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %inb = tile.broadcast %in1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %re = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %xe = tile.expand_dims %x axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ss = tile.splat %stride : tensor<64x1xi32>
  %ro = arith.muli %re, %ss : tensor<64x1xi32>
  %rob = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
  %xb = tile.broadcast %xe : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %rob, %xb : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %pb = tile.addptr %bs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %left = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %down = arith.muli %stride, %c64 : i32
  %step = tile.splat %down : tensor<64x64xi32>
  %s:2 = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero, %qb = %pb) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %y = tile.load %qb mask %inb other %none : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %left, %y, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %nb = tile.addptr %qb, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %nb : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %pc, %s#0 : tensor<64x64x!tile.ptr<f32>>
  return
}
