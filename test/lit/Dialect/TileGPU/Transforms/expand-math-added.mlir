// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90 num-warps=4" --tile-gpu-expand-math | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90 num-warps=4" --tile-gpu-expand-math="precise=true" | FileCheck %s --check-prefix=PRECISE

// A value between -1 and 1 that is only added to 1 or more needs a small absolute error, for which one form does.
// CHECK-LABEL: func.func @added
// CHECK-NOT: arith.select
// CHECK: math.exp2
// CHECK-NOT: arith.select
// CHECK: math.exp2
// CHECK-NOT: arith.select
// CHECK: return
// PRECISE-LABEL: func.func @added
// PRECISE: arith.select
// CHECK-LABEL: func.func @other
// CHECK: arith.select
// CHECK: arith.select
// CHECK: return
func.func @added(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %one = arith.constant dense<1.0> : tensor<256xf32>
  %half = arith.constant dense<0.5> : tensor<256xf32>
  %e = math.erf %x : tensor<256xf32>
  %a = arith.addf %one, %e : tensor<256xf32>
  %t = math.tanh %x : tensor<256xf32>
  %b = math.fma %half, %t, %half : tensor<256xf32>
  return %a, %b : tensor<256xf32>, tensor<256xf32>
}

// Not where something else reads it, and not beside less.
func.func @other(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %one = arith.constant dense<1.0> : tensor<256xf32>
  %half = arith.constant dense<0.5> : tensor<256xf32>
  %e = math.erf %x : tensor<256xf32>
  %a = arith.addf %one, %e : tensor<256xf32>
  %t = math.tanh %x : tensor<256xf32>
  %b = arith.addf %t, %half : tensor<256xf32>
  return %a, %b, %e : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
