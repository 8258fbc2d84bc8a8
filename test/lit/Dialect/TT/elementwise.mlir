// RUN: tile-opt %s | tile-opt | FileCheck %s
// Casts, math, library calls, inline assembly.

tt.func @casts(%i: tensor<8xi64>, %p: !tt.ptr<f32>, %f: tensor<8xf32>, %s: f32) {
  // CHECK: tt.int_to_ptr %{{.*}} : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
  %0 = tt.int_to_ptr %i : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
  // CHECK: tt.ptr_to_int %{{.*}} : !tt.ptr<f32> -> i64
  %1 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  // CHECK: tt.bitcast %{{.*}} : tensor<8xf32> -> tensor<8xi32>
  %2 = tt.bitcast %f : tensor<8xf32> -> tensor<8xi32>
  // CHECK: tt.bitcast %{{.*}} : !tt.ptr<f32> -> !tt.ptr<i32>
  %3 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32>
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<8xf8E5M2> -> tensor<8xf32>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : f32 -> f16
  %4 = arith.constant dense<1.0> : tensor<8xf8E5M2>
  %5 = tt.fp_to_fp %4 : tensor<8xf8E5M2> -> tensor<8xf32>
  %6 = tt.fp_to_fp %f, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  %7 = tt.fp_to_fp %s, rounding = rtz : f32 -> f16
  tt.return
}

tt.func @math(%f: tensor<8xf32>, %s: f32, %i: tensor<8xi32>) {
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : tensor<8xf32>
  %0 = tt.clampf %f, %f, %f, propagateNan = none : tensor<8xf32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all : f32
  %1 = tt.clampf %s, %s, %s, propagateNan = all : f32
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<8xf32>
  %2 = tt.precise_sqrt %f : tensor<8xf32>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : f32
  %3 = tt.precise_divf %s, %s : f32
  // CHECK: tt.approx_divf %{{.*}}, %{{.*}} : tensor<8xf32>
  %4 = tt.approx_divf %f, %f : tensor<8xf32>
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<8xi32>
  %5 = tt.mulhiui %i, %i : tensor<8xi32>
  // CHECK: arith.divsi %{{.*}}, %{{.*}} {tt.constancy = dense<8> : tensor<1xi32>} : tensor<8xi32>
  %6 = arith.divsi %i, %i {tt.constancy = dense<8> : tensor<1xi32>} : tensor<8xi32>
  tt.return
}

tt.func @opaque(%f: tensor<8xf32>, %s: f32, %i: i32) {
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = tt.extern_elementwise %f, %f {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tt.elementwise_inline_asm "mov.u64 $0, %globaltimer;" {constraints = "=l", packed_element = 1 : i32, pure = false} -> i64
  %1 = tt.elementwise_inline_asm "mov.u64 $0, %globaltimer;" {constraints = "=l", packed_element = 1 : i32, pure = false} -> i64
  // CHECK: tt.elementwise_inline_asm "{\0A f $0, $1, $2;\0A}" {constraints = "=f,f,f", packed_element = 2 : i32, pure = true} %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>, tensor<8xi32>
  %2:2 = tt.elementwise_inline_asm "{\0A f $0, $1, $2;\0A}" {constraints = "=f,f,f", packed_element = 2 : i32, pure = true} %f, %f : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>, tensor<8xi32>
  tt.return
}
