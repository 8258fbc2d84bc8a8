// RUN: tile-opt %s -canonicalize | FileCheck %s
// Folders: constants through shape operations, and operations that change nothing.

// CHECK-LABEL: func @constants
func.func @constants() -> (tensor<128x64xf32>, tensor<2x4xi32>, tensor<1xi32>, f32, tensor<64x2xi1>) {
  // CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<128x64xf32>
  // CHECK-DAG: %[[LIST:.*]] = arith.constant dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi32>
  // CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<7> : tensor<1xi32>
  // CHECK-DAG: %[[SCALAR:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant dense<true> : tensor<64x2xi1>
  %c = arith.constant 1.0 : f32
  %t = arith.constant true
  %0 = tile.splat %c : tensor<128xf32>
  %1 = tile.expand_dims %0 axis = 1 : tensor<128xf32> -> tensor<128x1xf32>
  %2 = tile.broadcast %1 : tensor<128x1xf32> -> tensor<128x64xf32>
  %3 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
  %4 = tile.reshape %3 : tensor<8xi32> -> tensor<2x4xi32>
  %5 = tile.make_range 7 to 8 : tensor<1xi32>
  %6 = tile.splat %c : tensor<1x1xf32>
  %7 = tile.unsplat %6 : tensor<1x1xf32>
  %8 = tile.splat %t : tensor<2x64xi1>
  %9 = tile.trans %8 order = [1, 0] : tensor<2x64xi1> -> tensor<64x2xi1>
  // CHECK: return %[[ONE]], %[[LIST]], %[[SEVEN]], %[[SCALAR]], %[[TRUE]]
  return %2, %4, %5, %7, %9 : tensor<128x64xf32>, tensor<2x4xi32>, tensor<1xi32>, f32, tensor<64x2xi1>
}

// CHECK-LABEL: func @identity
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[P:.*]]: tensor<8x!tile.ptr<f32>>, %[[S:.*]]: f32)
func.func @identity(%x: tensor<4x8xf32>, %p: tensor<8x!tile.ptr<f32>>, %s: f32)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x!tile.ptr<f32>>, f32) {
  %zero = arith.constant dense<0> : tensor<8xi32>
  %0 = tile.reshape %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.broadcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tile.trans %x order = [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = tile.bitcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = tile.fp_to_fp %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %5 = tile.addptr %p, %zero : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %6 = tile.splat %s : tensor<1xf32>
  %7 = tile.unsplat %6 : tensor<1xf32>
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[P]], %[[S]]
  return %0, %1, %2, %3, %4, %5, %7
    : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x!tile.ptr<f32>>, f32
}

// CHECK-LABEL: func @chains
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<1x1xf32>, %[[P:.*]]: !tile.ptr<f32>, %[[S:.*]]: tensor<4x4xf32>)
func.func @chains(%x: tensor<2x3x4xf32>, %y: tensor<1x1xf32>, %p: !tile.ptr<f32>, %s: tensor<4x4xf32>)
    -> (tensor<4x3x2xf32>, tensor<24xf32>, tensor<4x8xf32>, !tile.ptr<f32>, tensor<2x3x4xi32>, tensor<4x4xf32>) {
  // CHECK-DAG: %[[T:.*]] = tile.trans %[[X]] order = [2, 1, 0]
  %0 = tile.trans %x order = [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = tile.trans %0 order = [1, 0, 2] : tensor<3x4x2xf32> -> tensor<4x3x2xf32>
  // CHECK-DAG: %[[R:.*]] = tile.reshape %[[X]] : tensor<2x3x4xf32> -> tensor<24xf32>
  %2 = tile.reshape %x : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %3 = tile.reshape %2 : tensor<6x4xf32> -> tensor<24xf32>
  // CHECK-DAG: %[[B:.*]] = tile.broadcast %[[Y]] : tensor<1x1xf32> -> tensor<4x8xf32>
  %4 = tile.broadcast %y : tensor<1x1xf32> -> tensor<4x1xf32>
  %5 = tile.broadcast %4 : tensor<4x1xf32> -> tensor<4x8xf32>
  %6 = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
  %7 = tile.int_to_ptr %6 : i64 -> !tile.ptr<f32>
  // CHECK-DAG: %[[C:.*]] = tile.bitcast %[[X]] : tensor<2x3x4xf32> -> tensor<2x3x4xi32>
  %8 = tile.bitcast %x : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  %9 = tile.bitcast %8 : tensor<2x3x4xf32> -> tensor<2x3x4xi32>
  %10 = tile.trans %s order = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %11 = tile.trans %10 order = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  // CHECK: return %[[T]], %[[R]], %[[B]], %[[P]], %[[C]], %[[S]]
  return %1, %3, %5, %7, %9, %11
    : tensor<4x3x2xf32>, tensor<24xf32>, tensor<4x8xf32>, !tile.ptr<f32>, tensor<2x3x4xi32>, tensor<4x4xf32>
}

// A square transpose has the type of its operand and is not the identity; an order that was given up stays given up.
// CHECK-LABEL: func @kept
func.func @kept(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<2x8xf32>) {
  // CHECK: tile.trans
  %0 = tile.trans %x order = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  // CHECK: tile.reshape {{.*}} allow_reorder
  // CHECK: tile.reshape
  %1 = tile.reshape %x allow_reorder : tensor<4x4xf32> -> tensor<16xf32>
  %2 = tile.reshape %1 : tensor<16xf32> -> tensor<2x8xf32>
  return %0, %2 : tensor<4x4xf32>, tensor<2x8xf32>
}

// CHECK-LABEL: func @masked_load
// CHECK-SAME: (%[[P:.*]]: tensor<8x!tile.ptr<f32>>, %[[O:.*]]: tensor<8xf32>)
func.func @masked_load(%p: tensor<8x!tile.ptr<f32>>, %other: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %false = arith.constant dense<false> : tensor<8xi1>
  %0 = tile.load %p mask %false other %other : tensor<8x!tile.ptr<f32>>
  // CHECK: %[[V:.*]] = tile.load {{.*}} volatile
  %1 = tile.load %p mask %false other %other volatile : tensor<8x!tile.ptr<f32>>
  // CHECK: return %[[O]], %[[V]]
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
