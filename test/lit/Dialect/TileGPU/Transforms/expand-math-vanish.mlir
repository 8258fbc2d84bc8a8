// RUN: tile-opt %s --tile-gpu-expand-math | FileCheck %s
// Powers of two of x - m whose subnormal results may be 0: narrowed after a branch and a product, but not where they are stored.

// CHECK-LABEL: func.func @narrowed
// CHECK: math.exp2 %{{.*}} {tile_gpu.normal}
func.func @narrowed(%x: tensor<4x4xf32>, %m: tensor<4x1xf32>, %d: tensor<4x4xf32>, %c: i1, %in: tensor<4x4xi1>) -> (tensor<4x4xf16>, tensor<4x4xf16>) {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %b = tile.broadcast %m : tensor<4x1xf32> -> tensor<4x4xf32>
  %s = arith.subf %x, %b : tensor<4x4xf32>
  %p = math.exp2 %s : tensor<4x4xf32>
  %q = scf.if %c -> (tensor<4x4xf32>) {
    %w = arith.select %in, %p, %z : tensor<4x4xi1>, tensor<4x4xf32>
    scf.yield %w : tensor<4x4xf32>
  } else {
    scf.yield %p : tensor<4x4xf32>
  }
  %e = arith.mulf %q, %d : tensor<4x4xf32>
  %h = arith.truncf %q : tensor<4x4xf32> to tensor<4x4xf16>
  %g = arith.truncf %e : tensor<4x4xf32> to tensor<4x4xf16>
  return %h, %g : tensor<4x4xf16>, tensor<4x4xf16>
}

// CHECK-LABEL: func.func @kept
// CHECK-NOT: tile_gpu.normal
func.func @kept(%x: tensor<4x4xf32>, %m: tensor<4x1xf32>, %d: tensor<4x4xf32>) -> (tensor<4x4xf16>, tensor<4x4xf32>) {
  %b = tile.broadcast %m : tensor<4x1xf32> -> tensor<4x4xf32>
  %s = arith.subf %x, %b : tensor<4x4xf32>
  %p = math.exp2 %s : tensor<4x4xf32>
  %e = arith.mulf %p, %d : tensor<4x4xf32>
  %h = arith.truncf %p : tensor<4x4xf32> to tensor<4x4xf16>
  return %h, %e : tensor<4x4xf16>, tensor<4x4xf32>
}

// An exponent that is at least that of a normal number, whatever reads the power.
// CHECK-LABEL: func.func @bounded
// CHECK: math.exp2 %{{.*}} {tile_gpu.normal}
// CHECK-NOT: tile_gpu.normal
// CHECK: math.exp2
func.func @bounded(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %least = arith.constant dense<-126.0> : tensor<4xf32>
  %less = arith.constant dense<-126.5> : tensor<4xf32>
  %a = arith.maxnumf %x, %least : tensor<4xf32>
  %p = math.exp2 %a : tensor<4xf32>
  %b = arith.maxnumf %x, %less : tensor<4xf32>
  %q = math.exp2 %b : tensor<4xf32>
  return %p, %q : tensor<4xf32>, tensor<4xf32>
}

// What the exponents are counted from may be added, negated, and they may be powers of another number than two.
// CHECK-LABEL: func.func @shifted
// CHECK-COUNT-3: math.exp2 %{{.*}} {tile_gpu.normal}
// CHECK-NOT: tile_gpu.normal
// CHECK: math.exp2
func.func @shifted(%x: tensor<4x4xf32>, %m: tensor<4x1xf32>, %k: f32) -> (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>, tensor<4xf32>) {
  %c = arith.constant dense<1.5> : tensor<4x4xf32>
  %b = tile.broadcast %m : tensor<4x1xf32> -> tensor<4x4xf32>
  %n = arith.negf %b : tensor<4x4xf32>
  %s = arith.addf %x, %n : tensor<4x4xf32>
  %p = math.exp2 %s : tensor<4x4xf32>
  %t = arith.mulf %s, %c : tensor<4x4xf32>
  %q = math.exp2 %t : tensor<4x4xf32>
  %ks = tile.splat %k : tensor<4x4xf32>
  %u = arith.mulf %ks, %s : tensor<4x4xf32>
  %r = math.exp2 %u : tensor<4x4xf32>
  %v = arith.mulf %x, %ks : tensor<4x4xf32>
  %w = math.exp2 %v : tensor<4x4xf32>
  %h = arith.truncf %p : tensor<4x4xf32> to tensor<4x4xf16>
  %i = arith.truncf %q : tensor<4x4xf32> to tensor<4x4xf16>
  %j = arith.truncf %r : tensor<4x4xf32> to tensor<4x4xf16>
  %sum = tile.reduce %w axis = 1 : tensor<4x4xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %d: f32):
    %e = arith.addf %a, %d : f32
    tile.yield %e : f32
  }
  return %h, %i, %j, %sum : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>, tensor<4xf32>
}
