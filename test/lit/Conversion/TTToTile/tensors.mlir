// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s

// CHECK-LABEL: func.func private @shapes
tt.func @shapes(%s: f32, %x: tensor<8x4xf32>, %p: !tt.ptr<f16>, %one: tensor<1xf32>) {
  // CHECK: tile.splat %{{.*}} : tensor<8x4xf32>
  %0 = tt.splat %s : f32 -> tensor<8x4xf32>
  // CHECK: tile.splat %{{.*}} : tensor<8x!tile.ptr<f16>>
  %1 = tt.splat %p : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
  // CHECK: tile.unsplat %{{.*}} : tensor<1xf32>
  %2 = tt.unsplat %one : tensor<1xf32>
  // CHECK: tile.make_range 4 to 12 : tensor<8xi32>
  %3 = tt.make_range {end = 12 : i32, start = 4 : i32} : tensor<8xi32>
  // CHECK: tile.expand_dims %{{.*}} axis = 1 : tensor<8xi32> -> tensor<8x1xi32>
  %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  // CHECK: tile.broadcast %{{.*}} : tensor<8x1xi32> -> tensor<8x4xi32>
  %5 = tt.broadcast %4 : tensor<8x1xi32> -> tensor<8x4xi32>
  // CHECK: tile.trans %{{.*}} order = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %6 = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<8x4xf32> -> tensor<32xf32>
  %7 = tt.reshape %x {allow_reorder = false} : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tile.reshape %{{.*}} allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  %8 = tt.reshape %x allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<8x4xf32> -> tensor<8x4x2xf32>
  %9 = tt.join %x, %0 : tensor<8x4xf32> -> tensor<8x4x2xf32>
  // CHECK: tile.split %{{.*}} : tensor<8x4x2xf32> -> tensor<8x4xf32>
  %10, %11 = tt.split %9 : tensor<8x4x2xf32> -> tensor<8x4xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} : tensor<32xf32>, tensor<32xf32> -> tensor<64xf32>
  %12 = tt.cat %7, %8 : tensor<32xf32> -> tensor<64xf32>
  tt.return
}

// CHECK-LABEL: func.func private @bodies
tt.func @bodies(%x: tensor<8x4xf32>, %i: tensor<8x4xi32>) {
  // CHECK: tile.reduce %{{.*}} axis = 1 : tensor<8x4xf32> -> tensor<8xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[SUM:.*]] = func.call @add(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  // CHECK-NEXT: tile.yield %[[SUM]] : f32
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = tt.call @add(%a, %b) : (f32, f32) -> f32
    tt.reduce.return %sum : f32
  }) : (tensor<8x4xf32>) -> tensor<8xf32>
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis = 0 : tensor<8x4xf32>, tensor<8x4xi32> -> tensor<4xf32>, tensor<4xi32>
  %1:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %m: i32, %b: f32, %n: i32):
    tt.reduce.return %b, %n : f32, i32
  }) : (tensor<8x4xf32>, tensor<8x4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK: tile.scan %{{.*}} axis = 1 reverse : tensor<8x4xf32> {
  %2 = "tt.scan"(%x) <{axis = 1 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %b : f32
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: tile.map_elementwise %{{.*}} pack = 2 : tensor<8x4xf32> -> tensor<8x4xf32> {
  %3 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.map_elementwise.return %b, %a : f32, f32
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  tt.return
}

tt.func private @add(%a: f32, %b: f32) -> f32 {
  %sum = arith.addf %a, %b : f32
  tt.return %sum : f32
}

// CHECK-LABEL: func.func private @data_dependent
tt.func @data_dependent(%x: tensor<8x4xf32>, %i: tensor<8x4xi32>, %v: tensor<32xi32>, %m: tensor<32xi1>) {
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} : tensor<32xi32> -> tensor<16xi32>
  %0 = tt.histogram %v, %m : tensor<32xi32> -> tensor<16xi32>
  // CHECK: tile.gather %{{.*}}, %{{.*}} axis = 0 : tensor<8x4xf32>, tensor<8x4xi32> -> tensor<8x4xf32>
  %1 = tt.gather %x[%i] {axis = 0 : i32, efficient_layout} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  tt.return
}

// CHECK-LABEL: func.func private @products
tt.func @products(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>, %h: tensor<16x32xf16>, %g: tensor<32x16xf16>,
                  %s: tensor<16x1xi8>, %x: tensor<16x32xi8>, %y: tensor<32x16xbf16>, %z: tensor<32x16xi8>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  %0 = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision = bf16x6 : tensor<16x32xf32>
  %1 = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision = tf32 : tensor<16x32xf32>
  %2 = tt.dot %a, %b, %c {allowTF32 = true, maxNumImpreciseAcc = 0 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // The precision of f32 operands says nothing about f16.
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} imprecise_acc = 32 : tensor<16x32xf16>
  %3 = tt.dot %h, %g, %c, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  // CHECK: tile.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} a_type = e4m3 b_type = bf16 fast_math : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  %4 = tt.dot_scaled %x scale %s, %y, %c lhs = e4m3 rhs = bf16 {fastMath = true} : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  // CHECK: tile.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} a_type = e5m2 b_type = e4m3 : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xi8>, tensor<16x1xi8> -> tensor<16x16xf32>
  %5 = tt.dot_scaled %x, %s, %z, %s, %c lhs = e5m2 rhs = e4m3 : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xi8>, tensor<16x1xi8> -> tensor<16x16xf32>
  tt.return
}
