// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-tile-gpu{target=sm_90},tile-gpu-expand-math,canonicalize)' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-tile-gpu{target=gfx942},tile-gpu-expand-math,canonicalize)' | FileCheck %s --check-prefix=SAME
// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-tile-gpu{target=sm_90},tile-gpu-expand-math{precise=true},canonicalize)' | FileCheck %s --check-prefix=SAME

// A divisor that is at least 1 needs no scaling up: a quarter of it is always in range.
// CHECK-LABEL: @logistic
// CHECK: %[[S:.*]] = math.fma %{{.*}}, %[[Q:.*]], %[[Q]]
// CHECK: %[[T:.*]] = arith.mulf %arg0, %[[Q]]
// CHECK: arith.divf %[[T]], %[[S]] {tile_gpu.normal}
// SAME-LABEL: @logistic
// SAME: arith.divf %arg0, %{{[0-9]+}} : tensor<64xf32>
func.func @logistic(%x: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %n = arith.negf %x : tensor<64xf32>
  %e = math.exp %n : tensor<64xf32>
  %b = arith.addf %e, %one : tensor<64xf32>
  %q = arith.divf %x, %b : tensor<64xf32>
  return %q : tensor<64xf32>
}

// CHECK-LABEL: @may_be_small
// CHECK: arith.divf %arg0, %{{[0-9]+}} : tensor<64xf32>
func.func @may_be_small(%x: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %b = arith.addf %x, %one : tensor<64xf32>
  %q = arith.divf %x, %b : tensor<64xf32>
  return %q : tensor<64xf32>
}
