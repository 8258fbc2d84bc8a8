// RUN: tile-opt %s --tile-gpu-expand-math -split-input-file | FileCheck %s
// Functions become arithmetic and primitives; f16 is computed in f32; what the lowering knows stays.

// CHECK-LABEL: func.func @exp(
func.func @exp(%x: tensor<256xf32>) -> tensor<256xf32> {
  // CHECK-NOT: math.exp %
  // CHECK: math.fma %arg0,
  // CHECK: math.fma %arg0,
  // CHECK: %[[R:.*]] = math.fma %arg0,
  // CHECK: math.exp2 %[[R]] {tile_gpu.normal} : tensor<256xf32>
  // CHECK: return
  %0 = math.exp %x : tensor<256xf32>
  return %0 : tensor<256xf32>
}

// -----

// CHECK-LABEL: func.func @primitives(
func.func @primitives(%x: tensor<4xf32>, %w: f64, %h: f16) -> (tensor<4xf32>, tensor<4xf32>, f64, f16) {
  // CHECK-NEXT: math.exp2 %arg0 : tensor<4xf32>
  // CHECK-NEXT: math.rsqrt %{{.*}} : tensor<4xf32>
  // CHECK-NEXT: math.sqrt %arg1 : f64
  // CHECK-NEXT: math.floor %arg2 : f16
  // CHECK-NEXT: return
  %0 = math.exp2 %x : tensor<4xf32>
  %1 = math.rsqrt %0 : tensor<4xf32>
  %2 = math.sqrt %w : f64
  %3 = math.floor %h : f16
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, f64, f16
}

// -----

// CHECK-LABEL: func.func @narrow(
func.func @narrow(%x: tensor<4xf16>, %y: bf16) -> (tensor<4xf16>, bf16) {
  // CHECK: arith.extf %arg0 : tensor<4xf16> to tensor<4xf32>
  // CHECK: math.exp2 %{{.*}} : tensor<4xf32>
  // CHECK: arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xf16>
  %0 = math.tanh %x : tensor<4xf16>
  // CHECK: arith.extf %arg1 : bf16 to f32
  // CHECK: math.rsqrt %{{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %1 = math.rsqrt %y : bf16
  return %0, %1 : tensor<4xf16>, bf16
}

// -----

// f16 arguments are small: no reduction of large ones.
// CHECK-LABEL: func.func @sine(
func.func @sine(%x: f16, %y: f32) -> (f16, f32) {
  // CHECK-NOT: tile.mulhiui
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK: tile.mulhiui
  %0 = math.sin %x : f16
  %1 = math.sin %y : f32
  return %0, %1 : f16, f32
}

// -----

// Both results from one op.
// CHECK-LABEL: func.func @sincos(
func.func @sincos(%x: f16) -> (f16, f16) {
  // CHECK: %[[S:.*]] = arith.truncf
  // CHECK: %[[C:.*]] = arith.truncf
  // CHECK-NOT: math.sincos
  // CHECK: return %[[S]], %[[C]]
  %0, %1 = math.sincos %x : f16
  return %0, %1 : f16, f16
}

// -----

// f64 has no primitives but sqrt and division.
// CHECK-LABEL: func.func @wide(
func.func @wide(%x: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK-NOT: math.exp2
  // CHECK-NOT: math.erf
  // CHECK: return
  %0 = math.erf %x : tensor<4xf64>
  %1 = math.exp2 %0 : tensor<4xf64>
  return %1 : tensor<4xf64>
}

// -----

// Tests and powers: an i1 result stays i1, integers stay integers.
// CHECK-LABEL: func.func @others(
func.func @others(%x: tensor<4xf16>, %n: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi32>, tensor<4xf16>) {
  // CHECK: arith.cmpf uno, %{{.*}} : tensor<4xf32>
  %0 = math.isnan %x : tensor<4xf16>
  // CHECK-NOT: math.ipowi
  %1 = math.ipowi %n, %n : tensor<4xi32>
  // CHECK: arith.sitofp %arg1 : tensor<4xi32> to tensor<4xf32>
  %2 = math.fpowi %x, %n : tensor<4xf16>, tensor<4xi32>
  // CHECK: return
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi32>, tensor<4xf16>
}

// -----

// The names of device libraries.
// CHECK-LABEL: func.func @calls(
func.func @calls(%x: tensor<4xf32>, %n: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: math.roundeven %arg0
  %0 = tile.extern_elementwise "__nv_nearbyintf"(%x) pure : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: math.exp2
  %1 = tile.extern_elementwise "__nv_erff"(%0) pure : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: math.exp2
  %2 = tile.extern_elementwise "__ocml_exp_f32"(%1) pure : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[F:.*]] = math.log2
  // CHECK: arith.mulf %[[F]]
  %3 = tile.extern_elementwise "__nv_fast_logf"(%2) pure : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: arith.minsi %arg1,
  %4 = tile.extern_elementwise "__nv_ldexpf"(%3, %n) pure : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  // CHECK-NOT: tile.extern_elementwise
  // CHECK: return
  return %4 : tensor<4xf32>
}

// -----

// 2 + f of a mantissa needs no scaling before its reciprocal is taken; only an exponent that is NaN asks whether the base is 1.
// CHECK-LABEL: func.func @power(
func.func @power(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-COUNT-1: arith.divf %{{.*}}, %{{.*}} {tile_gpu.normal} : tensor<4xf32>
  // CHECK-NOT: arith.divf
  // CHECK: %[[ORDERED:.*]] = arith.cmpf oeq, %arg1, %arg1
  // CHECK: %[[ONE:.*]] = arith.select
  // CHECK: arith.select %[[ORDERED]], %{{.*}}, %[[ONE]]
  %0 = math.powf %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
