// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts | FileCheck %s

// All values of a chain share the layout of its accesses: four f32 a thread, because base and bound are multiples of 16.
// CHECK: #layout = #tile_gpu.layout<1, register = {{\[\[}}1], [2], [512]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]], block = []>
// CHECK-LABEL: @chain
// CHECK: tile.make_range 0 to 1024 : tensor<1024xi32, #layout>
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #layout>
// CHECK: arith.addf {{.*}} : tensor<1024xf32, #layout>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #layout>
// CHECK-NOT: tile_gpu.layout =
func.func @chain(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c = arith.constant 1024 : i32
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %s = arith.muli %pid, %c : i32
  %b = tile.splat %s : tensor<1024xi32>
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %i = arith.addi %b, %r : tensor<1024xi32>
  %e = tile.splat %n : tensor<1024xi32>
  %m = arith.cmpi slt, %i, %e : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p mask %m : tensor<1024x!tile.ptr<f32>>
  %w = arith.addf %v, %one : tensor<1024xf32>
  tile.store %p, %w mask %m : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// The layout of a tile is carried back through broadcast and expand_dims: the ranges are held as slices of it, no conversion.
// CHECK-LABEL: @matrix
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store
func.func @matrix(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %ld: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %c = tile.make_range 0 to 64 : tensor<64xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c2 = tile.expand_dims %c axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %l = tile.splat %ld : tensor<32x1xi32>
  %row = arith.muli %r2, %l : tensor<32x1xi32>
  %rb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x64xi32>
  %cb = tile.broadcast %c2 : tensor<1x64xi32> -> tensor<32x64xi32>
  %i = arith.addi %rb, %cb : tensor<32x64xi32>
  %xs = tile.splat %x : tensor<32x64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f32>>
  %w = arith.mulf %v, %v : tensor<32x64xf32>
  tile.store %p, %w : tensor<32x64x!tile.ptr<f32>>
  return
}

// -----

// One range seen along both dimensions: it is cloned, not converted.
// CHECK-LABEL: @square
// CHECK-COUNT-2: tile.make_range
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store
func.func @square(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c32 = arith.constant dense<32> : tensor<32x1xi32>
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c2 = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = arith.muli %r2, %c32 : tensor<32x1xi32>
  %rb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %cb = tile.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %i = arith.addi %rb, %cb : tensor<32x32xi32>
  %f = arith.sitofp %i : tensor<32x32xi32> to tensor<32x32xf32>
  %xs = tile.splat %x : tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %p, %f : tensor<32x32x!tile.ptr<f32>>
  return
}

// -----

// Loop carries and branch results agree with what flows into them; a constant start value takes their layout.
// CHECK-LABEL: @carries
// CHECK: arith.constant dense<0.000000e+00> : tensor<256xf32, #[[L:layout[0-9]*]]>
// CHECK: scf.for {{.*}} -> (tensor<256xf32, #[[L]]>)
// CHECK: scf.if {{.*}} -> (tensor<256xf32, #[[L]]>)
func.func @carries(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<256xf32>) : i32 {
    %v = tile.load %p : tensor<256x!tile.ptr<f32>>
    %even = arith.cmpi eq, %k, %c0 : i32
    %b = scf.if %even -> tensor<256xf32> {
      scf.yield %v : tensor<256xf32>
    } else {
      %t = arith.addf %a, %v : tensor<256xf32>
      scf.yield %t : tensor<256xf32>
    }
    scf.yield %b : tensor<256xf32>
  }
  tile.store %p, %sum : tensor<256x!tile.ptr<f32>>
  return
}

// -----

// A gather takes its source as it is, here along columns, also where the shapes agree: no conversion.
// CHECK-LABEL: @gather
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.gather %{{.*}}, %{{.*}} axis = 0 : tensor<64x64xf32, #[[SOURCE:.*]]>, tensor<64x64xi32, #[[INDEX:.*]]> -> tensor<64x64xf32, #[[INDEX]]>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store
func.func @gather(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %k: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %i = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %j = tile.trans %i order = [1, 0] : tensor<64x64xi32> -> tensor<64x64xi32>
  %xs = tile.splat %x : tensor<64x64x!tile.ptr<f32>>
  %columns = tile.addptr %xs, %j : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %v = tile.load %columns : tensor<64x64x!tile.ptr<f32>>
  %ks = tile.splat %k : tensor<64x64x!tile.ptr<i32>>
  %rows = tile.addptr %ks, %i : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
  %n = tile.load %rows : tensor<64x64x!tile.ptr<i32>>
  %y = tile.gather %v, %n axis = 0 : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>
  %out = tile.addptr %xs, %i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %out, %y : tensor<64x64x!tile.ptr<f32>>
  return
}
