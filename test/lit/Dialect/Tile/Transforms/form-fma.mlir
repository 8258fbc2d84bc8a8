// RUN: tile-opt %s --tile-form-fma | FileCheck %s

// CHECK-LABEL: @forms
func.func @forms(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  // CHECK-NEXT: %[[R0:.*]] = math.fma %arg0, %arg1, %arg2 : tensor<64xf32>
  %m0 = arith.mulf %a, %b : tensor<64xf32>
  %r0 = arith.addf %m0, %c : tensor<64xf32>
  // CHECK-NEXT: %[[R1:.*]] = math.fma %arg0, %arg1, %arg2 : tensor<64xf32>
  %m1 = arith.mulf %a, %b : tensor<64xf32>
  %r1 = arith.addf %c, %m1 : tensor<64xf32>
  // CHECK-NEXT: %[[NC:.*]] = arith.negf %arg2
  // CHECK-NEXT: %[[R2:.*]] = math.fma %arg0, %arg1, %[[NC]] : tensor<64xf32>
  %m2 = arith.mulf %a, %b : tensor<64xf32>
  %r2 = arith.subf %m2, %c : tensor<64xf32>
  // CHECK-NEXT: %[[NA:.*]] = arith.negf %arg0
  // CHECK-NEXT: %[[R3:.*]] = math.fma %[[NA]], %arg1, %arg2 : tensor<64xf32>
  %m3 = arith.mulf %a, %b : tensor<64xf32>
  %r3 = arith.subf %c, %m3 : tensor<64xf32>
  // CHECK-NEXT: return %[[R0]], %[[R1]], %[[R2]], %[[R3]]
  return %r0, %r1, %r2, %r3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Of two products the left one; a sum of a sum goes on.
// CHECK-LABEL: @left
func.func @left(%a: f16, %b: f16, %c: f16, %d: f16) -> f16 {
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %arg2, %arg3 : f16
  // CHECK-NEXT: %[[S:.*]] = math.fma %arg0, %arg1, %[[M]] : f16
  // CHECK-NEXT: math.fma %arg0, %arg2, %[[S]] : f16
  %m = arith.mulf %a, %b : f16
  %n = arith.mulf %c, %d : f16
  %s = arith.addf %m, %n : f16
  %o = arith.mulf %a, %c : f16
  %t = arith.addf %s, %o : f16
  return %t : f16
}

// Not fused: a product with two uses, squares included; another block; bf16.
// CHECK-LABEL: @not
// CHECK-NOT: math.fma
func.func @not(%a: f64, %b: f64, %n: i32, %x: bf16, %i: f64) -> (f64, f64, f64, bf16) {
  %m = arith.mulf %a, %b : f64
  %s = arith.addf %m, %a : f64
  %t = arith.addf %m, %b : f64
  %q = arith.mulf %a, %a : f64
  %u = arith.addf %q, %q : f64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %out = arith.mulf %b, %b : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %i) -> (f64) : i32 {
    %next = arith.addf %acc, %out : f64
    scf.yield %next : f64
  }
  %y = arith.mulf %x, %x : bf16
  %z = arith.addf %y, %x : bf16
  %v = arith.addf %s, %t : f64
  return %v, %u, %r, %z : f64, f64, f64, bf16
}

// In the body of a reduction too.
// CHECK-LABEL: @reduce
func.func @reduce(%x: tensor<64xf32>) -> f32 {
  %s = tile.reduce %x axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    // CHECK: math.fma %[[B:.*]], %[[B]], %{{.*}} : f32
    %m = arith.mulf %b, %b : f32
    %c = arith.addf %a, %m : f32
    tile.yield %c : f32
  }
  return %s : f32
}

// A sum over an axis may take products unrounded; a product with another use, another combiner and bf16 stay as they are.
// CHECK-LABEL: @sums
func.func @sums(%x: tensor<64xf32>, %h: tensor<64xbf16>) -> (f32, f32, f32, bf16, tensor<64xf32>) {
  // CHECK: tile.reduce %{{.*}} axis = 0 contract : tensor<64xf32> -> f32
  %m = arith.mulf %x, %x : tensor<64xf32>
  %s = tile.reduce %m axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    tile.yield %c : f32
  }
  // CHECK-NOT: contract
  %n = arith.mulf %x, %x : tensor<64xf32>
  %t = tile.reduce %n axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %o = arith.mulf %x, %x : tensor<64xf32>
  %u = tile.reduce %o axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %p = arith.mulf %h, %h : tensor<64xbf16>
  %v = tile.reduce %p axis = 0 : tensor<64xbf16> -> bf16 {
  ^bb0(%a: bf16, %b: bf16):
    %c = arith.addf %a, %b : bf16
    tile.yield %c : bf16
  }
  return %s, %t, %u, %v, %n : f32, f32, f32, bf16, tensor<64xf32>
}
