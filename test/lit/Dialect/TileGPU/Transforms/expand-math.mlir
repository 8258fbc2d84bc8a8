// RUN: tile-opt %s --tile-gpu-expand-math | FileCheck %s
// Functions become arithmetic and primitives; f16 is computed in f32; a name of the device library is its op.

// CHECK-LABEL: func.func @exp(
func.func @exp(%x: tensor<256xf32>) -> tensor<256xf32> {
  // CHECK: %[[T:.*]] = arith.mulf %arg0, %{{.*}} : tensor<256xf32>
  // CHECK: math.fma %arg0,
  // CHECK: math.exp2 %[[T]] : tensor<256xf32>
  // CHECK-NOT: math.exp %
  %0 = math.exp %x : tensor<256xf32>
  return %0 : tensor<256xf32>
}

// CHECK-LABEL: func.func @primitives(
func.func @primitives(%x: tensor<4xf32>, %w: f64) -> (tensor<4xf32>, tensor<4xf32>, f64) {
  // CHECK-NEXT: math.exp2 %arg0 : tensor<4xf32>
  // CHECK-NEXT: math.rsqrt %{{.*}} : tensor<4xf32>
  // CHECK-NEXT: math.sqrt %arg1 : f64
  // CHECK-NEXT: return
  %0 = math.exp2 %x : tensor<4xf32>
  %1 = math.rsqrt %0 : tensor<4xf32>
  %2 = math.sqrt %w : f64
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, f64
}

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

// f16 arguments are small: no reduction for large ones.
// CHECK-LABEL: func.func @sine(
func.func @sine(%x: f16, %y: f32) -> (f16, f32) {
  // CHECK-NOT: tile.mulhiui
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK: tile.mulhiui
  %0 = math.sin %x : f16
  %1 = math.sin %y : f32
  return %0, %1 : f16, f32
}

// CHECK-LABEL: func.func @calls(
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: math.roundeven %arg0
  %0 = tile.extern_elementwise "__nv_nearbyintf"(%x) pure : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: math.exp2
  %1 = tile.extern_elementwise "__nv_erff"(%0) pure : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NOT: tile.extern_elementwise
  return %1 : tensor<4xf32>
}
