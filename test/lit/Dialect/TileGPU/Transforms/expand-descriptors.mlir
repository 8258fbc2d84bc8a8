// RUN: tile-opt %s -split-input-file --tile-gpu-expand-descriptors --canonicalize | FileCheck %s

// A parameter is passed as base, sizes and strides, of which the last is 1. The start of a block is a scalar.
// CHECK-LABEL: func.func @param(%arg0: i32 {tile.divisibility = 4 : i32}, %arg1: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i64 {tile.divisibility = 4 : i32}, %arg5: i64, %arg6: i32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x16xf32>
// CHECK-DAG: %[[ROW:.*]] = arith.extsi %arg0 : i32 to i64
// CHECK: %[[DOWN:.*]] = arith.muli %[[ROW]], %arg4 : i64
// CHECK: %[[ROWS:.*]] = tile.make_range 0 to 8
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
// CHECK: %[[RIGHT:.*]] = arith.extsi %arg6 : i32 to i64
// CHECK: %[[AT:.*]] = arith.addi %[[DOWN]], %[[RIGHT]] : i64
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}} : tensor<8x16xi1>
// CHECK: %[[START:.*]] = tile.addptr %arg1, %[[AT]] : !tile.ptr<f32>, i64
// CHECK: %[[ALL:.*]] = tile.splat %[[START]] : tensor<8x16x!tile.ptr<f32>>
// CHECK: %[[PTR:.*]] = tile.addptr %[[ALL]], %{{.*}} : tensor<8x16x!tile.ptr<f32>>, tensor<8x16xi64>
// CHECK: tile.load %[[PTR]] mask %[[MASK]] other %[[ZERO]] cache = cg : tensor<8x16x!tile.ptr<f32>>
func.func @param(%i: i32 {tile.divisibility = 4 : i32}, %d: !tile.desc<8x16xf32>, %j: i32) attributes {tile.kernel} {
  %t = tile.desc_load %d[%i, %j] cache = cg : !tile.desc<8x16xf32> -> tensor<8x16xf32>
  tile.desc_store %d[%j, %i], %t : !tile.desc<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

// A program's coordinate is not negative, and adding the block's extent does not wrap: one comparison is enough.
// CHECK-LABEL: @program
// CHECK-NOT: arith.cmpi sge
// CHECK: tile.store
func.func @program(%d: !tile.desc<16xi32>, %t: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c16 = arith.constant 16 : i32
  %i = arith.muli %pid, %c16 : i32
  %v = tile.splat %t : tensor<16xi32>
  tile.desc_store %d[%i], %v : !tile.desc<16xi32>, tensor<16xi32>
  return
}

// -----

// Through a loop that exchanges two descriptors: their components are exchanged, the strides among them.
// CHECK-LABEL: func.func @loop(%arg0: !tile.ptr<f16>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9]*]] = %arg1, %[[AN:[a-z0-9]*]] = %arg1, %[[AS:[a-z0-9]*]] = %arg3, %[[B:[a-z0-9]*]] = %arg2, %[[BN:[a-z0-9]*]] = %arg2, %[[BS:[a-z0-9]*]] = %arg4)
// CHECK: tile.load
// CHECK: tile.store
// CHECK: scf.yield %[[B]], %[[BN]], %[[BS]], %[[A]], %[[AN]], %[[AS]]
func.func @loop(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %r: i64, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %a = tile.make_desc %p shape [%m, %m] strides [%s, %one] : !tile.desc<4x4xf16>
  %b = tile.make_desc %p shape [%n, %n] strides [%r, %one] : !tile.desc<4x4xf16>
  %x:2 = scf.for %i = %c0 to %k step %c1 iter_args(%u = %a, %w = %b) -> (!tile.desc<4x4xf16>, !tile.desc<4x4xf16>) : i32 {
    %t = tile.desc_load %u[%i, %c0] : !tile.desc<4x4xf16> -> tensor<4x4xf16>
    tile.desc_store %w[%c0, %i], %t : !tile.desc<4x4xf16>, tensor<4x4xf16>
    scf.yield %w, %u : !tile.desc<4x4xf16>, !tile.desc<4x4xf16>
  }
  return
}

// -----

// Padding is part of the value; integers have none.
// CHECK-LABEL: @padding
// CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[PAD:.*]] = arith.select %arg3, %[[NAN]], %[[ZERO]] : f32
// CHECK: %[[OTHER:.*]] = tile.splat %[[PAD]] : tensor<8xf32>
// CHECK: tile.load {{.*}} other %[[OTHER]]
func.func @padding(%p: !tile.ptr<f32>, %n: i32, %i: i32, %c: i1) attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %a = tile.make_desc %p shape [%n] strides [%one] padding = nan : !tile.desc<8xf32>
  %b = tile.make_desc %p shape [%n] strides [%one] : !tile.desc<8xf32>
  %d = scf.if %c -> (!tile.desc<8xf32>) {
    scf.yield %a : !tile.desc<8xf32>
  } else {
    scf.yield %b : !tile.desc<8xf32>
  }
  %t = tile.desc_load %d[%i] : !tile.desc<8xf32> -> tensor<8xf32>
  tile.desc_store %b[%i], %t : !tile.desc<8xf32>, tensor<8xf32>
  return
}

// -----

// A leading dimension that the tensor lacks adds to the start and is checked once.
// CHECK-LABEL: @dropped
// CHECK: %[[IN:.*]] = arith.andi %{{.*}} : i1
// CHECK: %[[ALL:.*]] = tile.splat %[[IN]] : tensor<8xi1>
// CHECK: arith.andi %[[ALL]], %{{.*}} : tensor<8xi1>
// CHECK: tile.atomic_rmw max %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8x!tile.ptr<f16>>
func.func @dropped(%d: !tile.desc<1x8xf16>, %i: i32, %x: f16) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %t = tile.splat %x : tensor<8xf16>
  tile.desc_reduce max %d[%i, %c0], %t : !tile.desc<1x8xf16>, tensor<8xf16>
  return
}

// -----

// Rows by list.
// CHECK-LABEL: @rows
// CHECK: %[[R:.*]] = tile.make_range 3 to 7
// CHECK: %[[W:.*]] = arith.extsi %[[R]] : tensor<4xi32> to tensor<4xi64>
// CHECK: arith.muli %[[W]], %{{.*}} : tensor<4xi64>
// CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} : tensor<4x8x!tile.ptr<bf16>>
// CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<4x8x!tile.ptr<bf16>>
func.func @rows(%d: !tile.desc<1x8xbf16>, %j: i32) attributes {tile.kernel} {
  %r = tile.make_range 3 to 7 : tensor<4xi32>
  %t = tile.desc_gather %d[%r, %j] : !tile.desc<1x8xbf16>, tensor<4xi32> -> tensor<4x8xbf16>
  tile.desc_scatter %d[%r, %j], %t : !tile.desc<1x8xbf16>, tensor<4xi32>, tensor<4x8xbf16>
  return
}
