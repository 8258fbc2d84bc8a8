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

// A mean: the number of elements is an integer.
// CHECK-LABEL: @mean
// CHECK: arith.divf %arg0, %{{[0-9]+}} {tile_gpu.normal} : f32
// SAME-LABEL: @mean
// SAME: arith.divf %arg0, %{{[0-9]+}} : f32
func.func @mean(%sum: f32, %n: i32) -> f32 {
  %f = arith.sitofp %n : i32 to f32
  %q = arith.divf %sum, %f : f32
  return %q : f32
}

// By a standard deviation.
// CHECK-LABEL: @deviation
// CHECK: %[[R:.*]] = math.rsqrt %arg0 : f32
// CHECK: %[[Q:.*]] = arith.mulf %arg1, %{{.*}} : f32
// CHECK: return %[[R]], %[[Q]]
// SAME-LABEL: @deviation
// SAME: arith.divf
// SAME: arith.divf
func.func @deviation(%variance: f32, %x: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %s = math.sqrt %variance : f32
  %r = arith.divf %one, %s : f32
  %q = arith.divf %x, %s : f32
  return %r, %q : f32, f32
}

// The sum of a softmax is at least 1; with a mask too, if it is the one of the maximum.
// CHECK-LABEL: @softmax
// CHECK: arith.divf %{{.*}}, %{{.*}} {tile_gpu.normal} : tensor<4x64xf32>
// SAME-LABEL: @softmax
// SAME: arith.divf %{{.*}}, %{{.*}} : tensor<4x64xf32>
func.func @softmax(%x: tensor<4x64xf32>, %mask: tensor<4x64xi1>) -> tensor<4x64xf32> {
  %low = arith.constant dense<0xFF800000> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4x64xf32>
  %k = arith.select %mask, %x, %low : tensor<4x64xi1>, tensor<4x64xf32>
  %m = tile.reduce %k axis = 1 : tensor<4x64xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %me = tile.expand_dims %m axis = 1 : tensor<4xf32> -> tensor<4x1xf32>
  %mb = tile.broadcast %me : tensor<4x1xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %mb : tensor<4x64xf32>
  %e = math.exp %d : tensor<4x64xf32>
  %t = arith.select %mask, %e, %zero : tensor<4x64xi1>, tensor<4x64xf32>
  %s = tile.reduce %t axis = 1 : tensor<4x64xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %se = tile.expand_dims %s axis = 1 : tensor<4xf32> -> tensor<4x1xf32>
  %sb = tile.broadcast %se : tensor<4x1xf32> -> tensor<4x64xf32>
  %q = arith.divf %e, %sb : tensor<4x64xf32>
  return %q : tensor<4x64xf32>
}

// The maximum of a masked row does not bound a sum that goes without the mask; nor does that of a column, of a square.
// CHECK-LABEL: @not_softmax
// CHECK: arith.divf %{{[0-9]+}}, %{{[0-9]+}} : tensor<64xf32>
// CHECK: arith.divf %{{[0-9]+}}, %{{[0-9]+}} : tensor<8x8xf32>
func.func @not_softmax(%x: tensor<64xf32>, %mask: tensor<64xi1>, %y: tensor<8x8xf32>) -> (tensor<64xf32>, tensor<8x8xf32>) {
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %k = arith.select %mask, %x, %low : tensor<64xi1>, tensor<64xf32>
  %m = tile.reduce %k axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %mb = tile.splat %m : tensor<64xf32>
  %d = arith.subf %x, %mb : tensor<64xf32>
  %e = math.exp2 %d : tensor<64xf32>
  %s = tile.reduce %e axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %sb = tile.splat %s : tensor<64xf32>
  %q = arith.divf %e, %sb : tensor<64xf32>
  %n = tile.reduce %y axis = 1 : tensor<8x8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %ne = tile.expand_dims %n axis = 0 : tensor<8xf32> -> tensor<1x8xf32>
  %nb = tile.broadcast %ne : tensor<1x8xf32> -> tensor<8x8xf32>
  %f = arith.subf %y, %nb : tensor<8x8xf32>
  %g = math.exp2 %f : tensor<8x8xf32>
  %t = tile.reduce %g axis = 1 : tensor<8x8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %te = tile.expand_dims %t axis = 1 : tensor<8xf32> -> tensor<8x1xf32>
  %tb = tile.broadcast %te : tensor<8x1xf32> -> tensor<8x8xf32>
  %r = arith.divf %g, %tb : tensor<8x8xf32>
  return %q, %r : tensor<64xf32>, tensor<8x8xf32>
}

// A variance in one pass: the counts that a loop and a reduction add up are whole numbers that cannot become large.
// CHECK-LABEL: @welford
// CHECK: arith.divf %{{.*}}, %{{.*}} {tile_gpu.normal} : tensor<64xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} {tile_gpu.normal} : f32
// SAME-LABEL: @welford
// SAME: arith.divf %{{.*}}, %{{.*}} : tensor<64xf32>
// SAME: arith.divf %{{.*}}, %{{.*}} : f32
func.func @welford(%x: tensor<64xf32>, %mask: tensor<64xi1>, %n: i32) -> (f32, f32) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%mean = %zero, %count = %zero) -> (tensor<64xf32>, tensor<64xf32>) : i32 {
    %first = arith.cmpi eq, %i, %c0 : i32
    %s:2 = scf.if %first -> (tensor<64xf32>, tensor<64xf32>) {
      scf.yield %x, %one : tensor<64xf32>, tensor<64xf32>
    } else {
      %d = arith.subf %x, %mean : tensor<64xf32>
      %next = arith.addf %one, %count : tensor<64xf32>
      %part = arith.divf %d, %next : tensor<64xf32>
      %sum = arith.addf %mean, %part : tensor<64xf32>
      scf.yield %sum, %next : tensor<64xf32>, tensor<64xf32>
    }
    %m = arith.select %mask, %s#0, %mean : tensor<64xi1>, tensor<64xf32>
    %c = arith.select %mask, %s#1, %count : tensor<64xi1>, tensor<64xf32>
    scf.yield %m, %c : tensor<64xf32>, tensor<64xf32>
  }
  %t:2 = tile.reduce %r#0, %r#1 axis = 0 : tensor<64xf32>, tensor<64xf32> -> f32, f32 {
  ^bb0(%am: f32, %ac: f32, %bm: f32, %bc: f32):
    %both = arith.addf %ac, %bc : f32
    %part = arith.divf %bc, %both : f32
    %d = arith.subf %bm, %am : f32
    %p = arith.mulf %d, %part : f32
    %m = arith.addf %am, %p : f32
    tile.yield %m, %both : f32, f32
  }
  return %t#0, %t#1 : f32, f32
}

// Halves are no whole numbers, and doubling leads anywhere.
// CHECK-LABEL: @no_counts
// CHECK: arith.divf %{{.*}}, %{{[a-z0-9]+}} : f32
// CHECK: arith.divf %{{.*}}, %{{[a-z0-9]+}} : f32
// CHECK: arith.divf %{{.*}}, %{{[a-z0-9]+}} : f32
func.func @no_counts(%x: f32, %n: i32) -> (f32, f32, f32) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one, %b = %one, %c = %x) -> (f32, f32, f32) : i32 {
    %halves = arith.addf %a, %half : f32
    %p = arith.divf %x, %halves : f32
    %double = arith.addf %b, %b : f32
    %q = arith.divf %p, %double : f32
    %given = arith.addf %c, %one : f32
    %t = arith.divf %q, %given : f32
    %sum = arith.addf %given, %t : f32
    scf.yield %halves, %double, %sum : f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : f32, f32, f32
}
