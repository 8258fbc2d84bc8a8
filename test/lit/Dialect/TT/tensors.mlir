// RUN: tile-opt %s | tile-opt | FileCheck %s
// Shapes, reductions, scans, element-wise bodies, gathers, matrix products.

tt.func @shapes(%s: f32, %x: tensor<8x4xf32>) {
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<8x4xf32>
  %0 = tt.splat %s : f32 -> tensor<8x4xf32>
  %1 = tt.splat %s : f32 -> tensor<1xf32>
  // CHECK: tt.unsplat %{{.*}} : tensor<1xf32>
  %2 = tt.unsplat %1 : tensor<1xf32>
  // CHECK: tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %3 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  // CHECK: tt.broadcast %{{.*}} : tensor<8x1xi32> -> tensor<8x4xi32>
  %5 = tt.broadcast %4 : tensor<8x1xi32> -> tensor<8x4xi32>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  %6 = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  // CHECK: tt.reshape %{{.*}} : tensor<8x4xf32> -> tensor<32xf32>
  %7 = tt.reshape %x : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  %8 = tt.reshape %x allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
  %9 = tt.reshape %x allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<8x4xf32> -> tensor<8x4x2xf32>
  %10 = tt.join %x, %0 : tensor<8x4xf32> -> tensor<8x4x2xf32>
  // CHECK: tt.split %{{.*}} : tensor<8x4x2xf32> -> tensor<8x4xf32>
  %11, %12 = tt.split %10 : tensor<8x4x2xf32> -> tensor<8x4xf32>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<32xf32> -> tensor<64xf32>
  %13 = tt.cat %7, %8 : tensor<32xf32> -> tensor<64xf32>
  tt.return
}

tt.func @bodies(%x: tensor<8x4xf32>, %i: tensor<8x4xi32>) {
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}> ({
  // CHECK: tt.reduce.return %{{.*}} : f32
  // CHECK: }) : (tensor<8x4xf32>) -> tensor<8xf32>
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tt.reduce.return %sum : f32
  }) : (tensor<8x4xf32>) -> tensor<8xf32>
  // CHECK: "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 0 : i32}> ({
  // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
  %1:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %m: i32, %b: f32, %n: i32):
    tt.reduce.return %b, %n : f32, i32
  }) : (tensor<8x4xf32>, tensor<8x4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 1 : i32, reverse = true}> ({
  // CHECK: tt.scan.return %{{.*}} : f32
  %2 = "tt.scan"(%x) <{axis = 1 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %b : f32
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: "tt.map_elementwise"(%{{.*}}) <{pack = 2 : i32}> ({
  // CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : f32, f32
  %3 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    cf.br ^bb1
  ^bb1:
    tt.map_elementwise.return %b, %a : f32, f32
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  tt.return
}

tt.func @data_dependent(%x: tensor<8x4xf32>, %i: tensor<8x4xi32>, %v: tensor<32xi32>, %m: tensor<32xi1>) {
  // CHECK: tt.histogram %{{.*}} : tensor<32xi32> -> tensor<16xi32>
  %0 = tt.histogram %v : tensor<32xi32> -> tensor<16xi32>
  // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<32xi32> -> tensor<16xi32>
  %1 = tt.histogram %v, %m : tensor<32xi32> -> tensor<16xi32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  %2 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  tt.return
}

tt.func @products(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>, %s: tensor<16x1xi8>, %x: tensor<16x32xi8>, %y: tensor<32x16xbf16>) {
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  %0 = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}}, inputPrecision = bf16x6 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  %1 = tt.dot %a, %b, %c, inputPrecision = bf16x6 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e4m3 rhs = bf16 {fastMath = true} : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  %2 = tt.dot_scaled %x scale %s, %y, %c lhs = e4m3 rhs = bf16 {fastMath = true} : tensor<16x32xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %{{.*}}, %{{.*}}, %{{.*}} lhs = fp16 rhs = bf16 {{.*}}: tensor<16x32xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  %3 = tt.dot_scaled %x, %y, %c lhs = fp16 rhs = bf16 {fastMath = false, lhs_k_pack = false} : tensor<16x32xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}
