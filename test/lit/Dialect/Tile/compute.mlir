// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s -verify-roundtrip | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// Element-wise operations, matrix products, reductions, scans and gathers, every attribute of each.

// CHECK-LABEL: func @elementwise
func.func @elementwise(%x: tensor<256xf32>, %s: f32, %i: tensor<256xi32>, %l: i64) {
  // CHECK: tile.clampf %{{.*}}, %{{.*}}, %{{.*}} : tensor<256xf32>
  %0 = tile.clampf %x, %x, %x : tensor<256xf32>
  // CHECK: tile.clampf %{{.*}}, %{{.*}}, %{{.*}} propagate_nan = all : f32
  %1 = tile.clampf %s, %s, %s propagate_nan = all : f32
  // CHECK: tile.precise_sqrt %{{.*}} : tensor<256xf32>
  %2 = tile.precise_sqrt %x : tensor<256xf32>
  // CHECK: tile.precise_divf %{{.*}}, %{{.*}} : tensor<256xf32>
  %3 = tile.precise_divf %x, %2 : tensor<256xf32>
  // CHECK: tile.mulhiui %{{.*}}, %{{.*}} : tensor<256xi32>
  %4 = tile.mulhiui %i, %i : tensor<256xi32>
  // CHECK: tile.mulhiui %{{.*}}, %{{.*}} : i64
  %5 = tile.mulhiui %l, %l : i64
  // CHECK: tile.extern_elementwise "__nv_rsqrtf"(%{{.*}}) pure : (tensor<256xf32>) -> tensor<256xf32>
  %6 = tile.extern_elementwise "__nv_rsqrtf"(%x) pure : (tensor<256xf32>) -> tensor<256xf32>
  // CHECK: tile.extern_elementwise "f"(%{{.*}}, %{{.*}}) lib "mine" path "/opt/mine.bc" : (f32, i64) -> f32
  %7 = tile.extern_elementwise "f"(%s, %l) lib "mine" path "/opt/mine.bc" : (f32, i64) -> f32
  // CHECK: tile.inline_asm "add.f32 $0, $1, $2;" constraints "=f,f,f"(%{{.*}}, %{{.*}}) pure : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %8 = tile.inline_asm "add.f32 $0, $1, $2;" constraints "=f,f,f"(%x, %x) pure : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  // CHECK: tile.inline_asm "bar" constraints "=r,=r,r"(%{{.*}}) pack = 4 : (tensor<256xi32>) -> (tensor<256xi8>, tensor<256xi8>)
  %9:2 = tile.inline_asm "bar" constraints "=r,=r,r"(%i) pack = 4 : (tensor<256xi32>) -> (tensor<256xi8>, tensor<256xi8>)
  // CHECK: tile.map_elementwise %{{.*}}, %{{.*}} : tensor<256xf32>, tensor<256xi32> -> tensor<256xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32):
  %10 = tile.map_elementwise %x, %i : tensor<256xf32>, tensor<256xi32> -> tensor<256xf32> {
  ^bb0(%a: f32, %b: i32):
    // CHECK: scf.if
    %c0 = arith.constant 0 : i32
    %p = arith.cmpi sgt, %b, %c0 : i32
    %c = scf.if %p -> f32 {
      scf.yield %a : f32
    } else {
      %d = arith.negf %a : f32
      scf.yield %d : f32
    }
    // CHECK: tile.yield %{{.*}} : f32
    tile.yield %c : f32
  }
  // CHECK: tile.map_elementwise %{{.*}} pack = 2 : tensor<256xf32> -> tensor<256xf32> {
  %11 = tile.map_elementwise %x pack = 2 : tensor<256xf32> -> tensor<256xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %b, %a : f32, f32
  }
  return
}

// CHECK-LABEL: func @dot
func.func @dot(%a: tensor<128x32xf16>, %b: tensor<32x64xf16>, %c: tensor<128x64xf32>,
               %x: tensor<128x32xf32>, %y: tensor<32x64xf32>, %p: tensor<4x16x32xf8E4M3FN>, %q: tensor<4x32x8xf8E5M2>,
               %r: tensor<4x16x8xf32>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
  %0 = tile.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
  // CHECK: tile.dot %{{.*}} precision = tf32 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
  %1 = tile.dot %x, %y, %0 precision = tf32 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
  // CHECK: tile.dot %{{.*}} precision = tf32x3 :
  %2 = tile.dot %x, %y, %0 precision = tf32x3 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
  // CHECK: tile.dot %{{.*}} precision = bf16x3 :
  %3 = tile.dot %x, %y, %0 precision = bf16x3 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
  // CHECK: tile.dot %{{.*}} precision = bf16x6 :
  %4 = tile.dot %x, %y, %0 precision = bf16x6 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
  // CHECK: tile.dot %{{.*}} imprecise_acc = 128 : tensor<4x16x32xf8E4M3FN> * tensor<4x32x8xf8E5M2> -> tensor<4x16x8xf32>
  %5 = tile.dot %p, %q, %r precision = ieee imprecise_acc = 128 : tensor<4x16x32xf8E4M3FN> * tensor<4x32x8xf8E5M2> -> tensor<4x16x8xf32>
  return
}

// CHECK-LABEL: func @dot_scaled
func.func @dot_scaled(%a: tensor<128x64xi8>, %sa: tensor<128x2xi8>, %b: tensor<32x128xi8>, %sb: tensor<128x2xi8>,
                      %c: tensor<128x128xf32>, %h: tensor<64x128xbf16>, %am: tensor<64x64xi8>, %bn: tensor<64x64xi8>) {
  // CHECK: tile.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} a_type = e4m3 b_type = e2m1 : tensor<128x64xi8>, tensor<128x2xi8> * tensor<32x128xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
  %0 = tile.dot_scaled %a scale %sa, %b scale %sb, %c a_type = e4m3 b_type = e2m1
     : tensor<128x64xi8>, tensor<128x2xi8> * tensor<32x128xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
  // CHECK: tile.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} a_type = e5m2 b_type = bf16 fast_math : tensor<128x64xi8>, tensor<128x2xi8> * tensor<64x128xbf16> -> tensor<128x128xf32>
  %1 = tile.dot_scaled %a scale %sa, %h, %c a_type = e5m2 b_type = bf16 fast_math
     : tensor<128x64xi8>, tensor<128x2xi8> * tensor<64x128xbf16> -> tensor<128x128xf32>
  // CHECK: tile.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} a_type = e2m1 b_type = e2m1 a_pack_m b_pack_n :
  %2 = tile.dot_scaled %am scale %sa, %bn, %c a_type = e2m1 b_type = e2m1 a_pack_m b_pack_n
     : tensor<64x64xi8>, tensor<128x2xi8> * tensor<64x64xi8> -> tensor<128x128xf32>
  return
}

// CHECK-LABEL: func @reduce
func.func @reduce(%x: tensor<128x64xf32>, %i: tensor<128x64xi32>, %v: tensor<100xf32>) -> f32 {
  // CHECK: tile.reduce %{{.*}} axis = 1 : tensor<128x64xf32> -> tensor<128xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT:   %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT:   tile.yield %[[C]] : f32
  // CHECK-NEXT: }
  %0 = tile.reduce %x axis = 1 : tensor<128x64xf32> -> tensor<128xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis = 0 : tensor<128x64xf32>, tensor<128x64xi32> -> tensor<64xf32>, tensor<64xi32> {
  %1:2 = tile.reduce %x, %i axis = 0 : tensor<128x64xf32>, tensor<128x64xi32> -> tensor<64xf32>, tensor<64xi32> {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %p = arith.cmpf ogt, %a, %b : f32
    %c = arith.select %p, %a, %b : f32
    %ci = arith.select %p, %ai, %bi : i32
    tile.yield %c, %ci : f32, i32
  }
  // CHECK: tile.reduce %{{.*}} axis = 0 : tensor<100xf32> -> f32 {
  %2 = tile.reduce %v axis = 0 : tensor<100xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  return %2 : f32
}

// CHECK-LABEL: func @scan
func.func @scan(%x: tensor<128x64xf32>, %f: tensor<8xf32>) {
  // CHECK: tile.scan %{{.*}} axis = 1 : tensor<128x64xf32> {
  %0 = tile.scan %x axis = 1 : tensor<128x64xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // CHECK: tile.scan %{{.*}}, %{{.*}} axis = 0 reverse : tensor<8xf32>, tensor<8xf32> {
  %1:2 = tile.scan %f, %f axis = 0 reverse : tensor<8xf32>, tensor<8xf32> {
  ^bb0(%fl: f32, %xl: f32, %fr: f32, %xr: f32):
    %g = arith.mulf %fr, %fl : f32
    %h = arith.mulf %fr, %xl : f32
    %y = arith.addf %h, %xr : f32
    tile.yield %g, %y : f32, f32
  }
  return
}

// CHECK-LABEL: func @indexed
func.func @indexed(%x: tensor<1024xi32>, %m: tensor<1024xi1>, %t: tensor<64x32xf32>, %i: tensor<16x32xi64>) {
  // CHECK: tile.histogram %{{.*}} : tensor<1024xi32> -> tensor<64xi32>
  %0 = tile.histogram %x : tensor<1024xi32> -> tensor<64xi32>
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} : tensor<1024xi32> -> tensor<64xi32>
  %1 = tile.histogram %x mask %m : tensor<1024xi32> -> tensor<64xi32>
  // CHECK: tile.gather %{{.*}}, %{{.*}} axis = 0 : tensor<64x32xf32>, tensor<16x32xi64> -> tensor<16x32xf32>
  %2 = tile.gather %t, %i axis = 0 : tensor<64x32xf32>, tensor<16x32xi64> -> tensor<16x32xf32>
  return
}
