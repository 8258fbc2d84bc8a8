// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s

// CHECK-LABEL: func.func private @casts
tt.func @casts(%i: tensor<8xi64>, %p: !tt.ptr<f32>, %f: tensor<8xf32>, %s: f32) {
  // CHECK: tile.int_to_ptr %{{.*}} : tensor<8xi64> -> tensor<8x!tile.ptr<f32>>
  %0 = tt.int_to_ptr %i : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
  // CHECK: tile.ptr_to_int %{{.*}} : !tile.ptr<f32> -> i64
  %1 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  // CHECK: tile.bitcast %{{.*}} : tensor<8xf32> -> tensor<8xi32>
  %2 = tt.bitcast %f : tensor<8xf32> -> tensor<8xi32>
  // CHECK: tile.bitcast %{{.*}} : !tile.ptr<f32> -> !tile.ptr<i32>
  %3 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32>
  // CHECK: tile.fp_to_fp %{{.*}} : tensor<8xf32> -> tensor<8xf8E5M2>
  // CHECK: tile.fp_to_fp %{{.*}} : tensor<8xf8E5M2> -> tensor<8xf32>
  // CHECK: tile.fp_to_fp %{{.*}} rounding = rtz : f32 -> f16
  %4 = tt.fp_to_fp %f, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  %5 = tt.fp_to_fp %4 : tensor<8xf8E5M2> -> tensor<8xf32>
  %6 = tt.fp_to_fp %s, rounding = rtz : f32 -> f16
  tt.return
}

// CHECK-LABEL: func.func private @math
tt.func @math(%f: tensor<8xf32>, %s: f32, %i: tensor<8xi32>) {
  // CHECK: tile.clampf %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xf32>
  %0 = tt.clampf %f, %f, %f, propagateNan = none : tensor<8xf32>
  // CHECK: tile.clampf %{{.*}}, %{{.*}}, %{{.*}} propagate_nan = all : f32
  %1 = tt.clampf %s, %s, %s, propagateNan = all : f32
  // CHECK: tile.precise_sqrt %{{.*}} : tensor<8xf32>
  %2 = tt.precise_sqrt %f : tensor<8xf32>
  // CHECK: tile.precise_divf %{{.*}}, %{{.*}} : f32
  %3 = tt.precise_divf %s, %s : f32
  // CHECK: arith.divf %{{.*}}, %{{.*}} : tensor<8xf32>
  %4 = tt.approx_divf %f, %f : tensor<8xf32>
  // CHECK: tile.mulhiui %{{.*}}, %{{.*}} : tensor<8xi32>
  %5 = tt.mulhiui %i, %i : tensor<8xi32>
  // A hint that does not fit the result is dropped.
  // CHECK: arith.addi %{{.*}}, %{{.*}} {tile.constancy = array<i32: 8>} : tensor<8xi32>
  %6 = arith.addi %i, %i {tt.constancy = dense<8> : tensor<1xi32>, tt.contiguity = dense<[2, 2]> : tensor<2xi32>, tt.divisibility = dense<0> : tensor<1xi32>} : tensor<8xi32>
  // Properties of other dialects' ops stay.
  // CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw> : tensor<8xi32>
  %7 = arith.muli %i, %i overflow<nsw> : tensor<8xi32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : tensor<8xf32>
  %8 = arith.addf %f, %f fastmath<contract> : tensor<8xf32>
  tt.return
}

// CHECK-LABEL: func.func private @opaque
tt.func @opaque(%f: tensor<8xf32>, %i: tensor<8xi32>) {
  // CHECK: tile.extern_elementwise "__nv_powf"(%{{.*}}, %{{.*}}) pure : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = tt.extern_elementwise %f, %f {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.extern_elementwise "f"(%{{.*}}) lib "mine" path "/opt/mine.bc" : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tt.extern_elementwise %f {libname = "mine", libpath = "/opt/mine.bc", pure = false, symbol = "f"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.inline_asm "mov.u64 $0, %globaltimer;" constraints "=l"() : () -> i64
  %2 = tt.elementwise_inline_asm "mov.u64 $0, %globaltimer;" {constraints = "=l", packed_element = 1 : i32, pure = false} -> i64
  // CHECK: tile.inline_asm "f $0, $1, $2;" constraints "=r,=r,r,r"(%{{.*}}, %{{.*}}) pack = 2 pure : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %3:2 = tt.elementwise_inline_asm "f $0, $1, $2;" {constraints = "=r,=r,r,r", packed_element = 2 : i32, pure = true} %f, %i : tensor<8xf32>, tensor<8xi32> -> tensor<8xf32>, tensor<8xi32>
  tt.return
}
