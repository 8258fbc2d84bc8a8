// Products of scaled operands: decoded in registers, multiplied as bf16, alike on every device. Scales are 2^-3 to 2^4.
// tile.param T = e4m3
// tile.param U = e5m2
// RUN: tile-translate --target=sm_80 --emit=tile_gpu %s | FileCheck %s
// RUN: tile-translate --target=sm_90 --emit=tile_gpu %s | FileCheck %s --check-prefix=PLAIN
// RUN: %root/test/lit/Dialect/TileGPU/Transforms/Inputs/scaled %s e4m3 e5m2
// RUN: %root/test/lit/Dialect/TileGPU/Transforms/Inputs/scaled %s e2m3 e3m2
// RUN: %root/test/lit/Dialect/TileGPU/Transforms/Inputs/scaled %s e5m2 e2m3

// CHECK-LABEL: func.func @scaled
// CHECK-NOT: tile.dot
// CHECK: tile_gpu.mma {{.*}} <mma_sync, 16, 8, 16, {{.*}} tensor<32x64xbf16
func.func @scaled(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %ia = tile.reshape %n : tensor<2048xi32> -> tensor<32x64xi32>
  %ib = tile.reshape %n : tensor<2048xi32> -> tensor<64x32xi32>
  %m = tile.make_range 0 to 64 : tensor<64xi32>
  %is = tile.reshape %m : tensor<64xi32> -> tensor<32x2xi32>
  %pa = tile.splat %p : tensor<32x64x!tile.ptr<i8>>
  %qa = tile.addptr %pa, %ia : tensor<32x64x!tile.ptr<i8>>, tensor<32x64xi32>
  %pb = tile.splat %p : tensor<64x32x!tile.ptr<i8>>
  %qb = tile.addptr %pb, %ib : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
  %ps = tile.splat %p : tensor<32x2x!tile.ptr<i8>>
  %qs = tile.addptr %ps, %is : tensor<32x2x!tile.ptr<i8>>, tensor<32x2xi32>
  %seven = arith.constant dense<7> : tensor<32x2xi8>
  %least = arith.constant dense<124> : tensor<32x2xi8>
  %mask = arith.constant dense<55> : tensor<32x64xi8>
  %maskb = arith.constant dense<55> : tensor<64x32xi8>
  %a0 = tile.load %qa : tensor<32x64x!tile.ptr<i8>>
  %b0 = tile.load %qb : tensor<64x32x!tile.ptr<i8>>
  %s0 = tile.load %qs : tensor<32x2x!tile.ptr<i8>>
  %a = arith.andi %a0, %mask : tensor<32x64xi8>
  %b = arith.andi %b0, %maskb : tensor<64x32xi8>
  %s1 = arith.andi %s0, %seven : tensor<32x2xi8>
  %s = arith.addi %s1, %least : tensor<32x2xi8>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot_scaled %a scale %s, %b scale %s, %c a_type = ${T} b_type = ${U}
     : tensor<32x64xi8>, tensor<32x2xi8> * tensor<64x32xi8>, tensor<32x2xi8> -> tensor<32x32xf32>
  %k = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ic = tile.reshape %k : tensor<1024xi32> -> tensor<32x32xi32>
  %pc = tile.splat %q : tensor<32x32x!tile.ptr<f32>>
  %qc = tile.addptr %pc, %ic : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %qc, %d : tensor<32x32x!tile.ptr<f32>>
  return
}

// Pairs of four bits, along K and across it; scales as floats; one operand without a scale.
func.func @packed(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %i32x32 = tile.reshape %n : tensor<1024xi32> -> tensor<32x32xi32>
  %i64x16 = tile.reshape %n : tensor<1024xi32> -> tensor<64x16xi32>
  %m = tile.make_range 0 to 128 : tensor<128xi32>
  %is = tile.reshape %m : tensor<128xi32> -> tensor<32x4xi32>
  %p0 = tile.splat %p : tensor<32x32x!tile.ptr<i8>>
  %q0 = tile.addptr %p0, %i32x32 : tensor<32x32x!tile.ptr<i8>>, tensor<32x32xi32>
  %p1 = tile.splat %p : tensor<64x16x!tile.ptr<i8>>
  %q1 = tile.addptr %p1, %i64x16 : tensor<64x16x!tile.ptr<i8>>, tensor<64x16xi32>
  %ps = tile.splat %p : tensor<32x4x!tile.ptr<i8>>
  %qs = tile.addptr %ps, %is : tensor<32x4x!tile.ptr<i8>>, tensor<32x4xi32>
  %a = tile.load %q0 : tensor<32x32x!tile.ptr<i8>>
  %b = tile.load %q1 : tensor<64x16x!tile.ptr<i8>>
  %s0 = tile.load %qs : tensor<32x4x!tile.ptr<i8>>
  %mask = arith.constant dense<55> : tensor<32x4xi8>
  %s1 = arith.andi %s0, %mask : tensor<32x4xi8>
  %s = tile.bitcast %s1 : tensor<32x4xi8> -> tensor<32x4xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot_scaled %a scale %s, %b, %c a_type = e2m1 b_type = e2m1 b_pack_n
     : tensor<32x32xi8>, tensor<32x4xf8E4M3FN> * tensor<64x16xi8> -> tensor<32x32xf32>
  %a2 = tile.reshape %b : tensor<64x16xi8> -> tensor<16x64xi8>
  %e = tile.dot_scaled %a2, %a, %d a_type = e2m1 b_type = e2m1 a_pack_m
     : tensor<16x64xi8> * tensor<32x32xi8> -> tensor<32x32xf32>
  %pc = tile.splat %q : tensor<32x32x!tile.ptr<f32>>
  %qc = tile.addptr %pc, %i32x32 : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %qc, %e : tensor<32x32x!tile.ptr<f32>>
  return
}

// Batches of scaled pairs, along K for a, across it for b.
// CHECK-LABEL: func.func @batched
// CHECK-NOT: tile.dot
// CHECK: tile_gpu.mma {{.*}} <mma_sync, 16, 8, 16, {{.*}} tensor<2x32x64xbf16
func.func @batched(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %ia = tile.reshape %n : tensor<2048xi32> -> tensor<2x32x32xi32>
  %ib = tile.reshape %n : tensor<2048xi32> -> tensor<2x64x16xi32>
  %m = tile.make_range 0 to 128 : tensor<128xi32>
  %is = tile.reshape %m : tensor<128xi32> -> tensor<2x32x2xi32>
  %pa = tile.splat %p : tensor<2x32x32x!tile.ptr<i8>>
  %qa = tile.addptr %pa, %ia : tensor<2x32x32x!tile.ptr<i8>>, tensor<2x32x32xi32>
  %pb = tile.splat %p : tensor<2x64x16x!tile.ptr<i8>>
  %qb = tile.addptr %pb, %ib : tensor<2x64x16x!tile.ptr<i8>>, tensor<2x64x16xi32>
  %ps = tile.splat %p : tensor<2x32x2x!tile.ptr<i8>>
  %qs = tile.addptr %ps, %is : tensor<2x32x2x!tile.ptr<i8>>, tensor<2x32x2xi32>
  %seven = arith.constant dense<7> : tensor<2x32x2xi8>
  %least = arith.constant dense<124> : tensor<2x32x2xi8>
  %a = tile.load %qa : tensor<2x32x32x!tile.ptr<i8>>
  %b = tile.load %qb : tensor<2x64x16x!tile.ptr<i8>>
  %s0 = tile.load %qs : tensor<2x32x2x!tile.ptr<i8>>
  %s1 = arith.andi %s0, %seven : tensor<2x32x2xi8>
  %s = arith.addi %s1, %least : tensor<2x32x2xi8>
  %c = arith.constant dense<0.0> : tensor<2x32x32xf32>
  %d = tile.dot_scaled %a scale %s, %b scale %s, %c a_type = e2m1 b_type = e2m1 b_pack_n
     : tensor<2x32x32xi8>, tensor<2x32x2xi8> * tensor<2x64x16xi8>, tensor<2x32x2xi8> -> tensor<2x32x32xf32>
  %a2 = tile.reshape %a : tensor<2x32x32xi8> -> tensor<2x16x64xi8>
  %b2 = tile.reshape %b : tensor<2x64x16xi8> -> tensor<2x32x32xi8>
  %e = tile.dot_scaled %a2, %b2 scale %s, %d a_type = e2m1 b_type = e2m1 a_pack_m
     : tensor<2x16x64xi8> * tensor<2x32x32xi8>, tensor<2x32x2xi8> -> tensor<2x32x32xf32>
  %ic = tile.reshape %n : tensor<2048xi32> -> tensor<2x32x32xi32>
  %pc = tile.splat %q : tensor<2x32x32x!tile.ptr<f32>>
  %qc = tile.addptr %pc, %ic : tensor<2x32x32x!tile.ptr<f32>>, tensor<2x32x32xi32>
  tile.store %qc, %e : tensor<2x32x32x!tile.ptr<f32>>
  return
}

// Without scales, 8-bit floats are multiplied as such.
// PLAIN-LABEL: func.func @plain
// PLAIN: tile_gpu.mma {{.*}} <mma_sync, 16, 8, 32, {{.*}} tensor<32x64xf8E4M3FN
func.func @plain(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %ia = tile.reshape %n : tensor<2048xi32> -> tensor<32x64xi32>
  %ib = tile.reshape %n : tensor<2048xi32> -> tensor<64x32xi32>
  %pa = tile.splat %p : tensor<32x64x!tile.ptr<i8>>
  %qa = tile.addptr %pa, %ia : tensor<32x64x!tile.ptr<i8>>, tensor<32x64xi32>
  %pb = tile.splat %p : tensor<64x32x!tile.ptr<i8>>
  %qb = tile.addptr %pb, %ib : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
  %a0 = tile.load %qa : tensor<32x64x!tile.ptr<i8>>
  %b0 = tile.load %qb : tensor<64x32x!tile.ptr<i8>>
  %mask = arith.constant dense<55> : tensor<32x64xi8>
  %maskb = arith.constant dense<55> : tensor<64x32xi8>
  %a = arith.andi %a0, %mask : tensor<32x64xi8>
  %b = arith.andi %b0, %maskb : tensor<64x32xi8>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot_scaled %a, %b, %c a_type = e4m3 b_type = e4m3 : tensor<32x64xi8> * tensor<64x32xi8> -> tensor<32x32xf32>
  %k = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ic = tile.reshape %k : tensor<1024xi32> -> tensor<32x32xi32>
  %pc = tile.splat %q : tensor<32x32x!tile.ptr<f32>>
  %qc = tile.addptr %pc, %ic : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %qc, %d : tensor<32x32x!tile.ptr<f32>>
  return
}
