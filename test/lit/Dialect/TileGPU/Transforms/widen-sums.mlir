// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-widen-sums --cse | FileCheck %s
// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_90 num-warps=4" --tile-gpu-widen-sums | FileCheck %s --check-prefix=PLAIN

// PLAIN-NOT: -> tensor<{{.*}}xf32>

// The sum of two loops, one in the other, is rounded once, behind both.
// CHECK-LABEL: func.func @loops
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK: %[[O:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Z]]) -> (tensor<64x64xf32>)
// CHECK:   %[[I:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (tensor<64x64xf32>)
// CHECK:     %[[S:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[B]] : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
// CHECK:     scf.yield %[[S]]
// CHECK:   scf.yield %[[I]]
// CHECK: %[[R:.*]] = arith.truncf %[[O]] : tensor<64x64xf32> to tensor<64x64xf16>
// CHECK: tile.store %{{.*}}, %[[R]]
func.func @loops(%p: tensor<64x64x!tile.ptr<f16>>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<64x64xf16>) : i32 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<64x64xf16>) : i32 {
      %d = tile.dot %a, %b, %y : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
      scf.yield %d : tensor<64x64xf16>
    }
    scf.yield %s : tensor<64x64xf16>
  }
  tile.store %p, %r : tensor<64x64x!tile.ptr<f16>>
  return
}

// -----

// What the loop reads otherwise is rounded in each iteration; a start that is no zero is widened.
// CHECK-LABEL: func.func @read
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<64x64xf16>)
// CHECK:   tile.store %{{.*}}, %[[X]]
// CHECK:   %[[W:.*]] = arith.extf %[[X]]
// CHECK:   %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[W]] {{.*}} -> tensor<64x64xf32>
// CHECK:   %[[R:.*]] = arith.truncf %[[D]]
// CHECK:   scf.yield %[[R]]
func.func @read(%p: tensor<64x64x!tile.ptr<f16>>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %start: tensor<64x64xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> (tensor<64x64xf16>) : i32 {
    tile.store %p, %x : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %x : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
    scf.yield %d : tensor<64x64xf16>
  }
  tile.store %p, %r : tensor<64x64x!tile.ptr<f16>>
  return
}

// -----

// Widened anyway: not rounded, and added to by the product, which moves behind what it adds to.
// CHECK-LABEL: func.func @widened
// CHECK: %[[S:.*]] = arith.mulf %arg3, %arg3
// CHECK: %[[D:.*]] = tile.dot %arg1, %arg2, %[[S]] {{.*}} -> tensor<64x64xf32>
// CHECK: tile.store %arg0, %[[D]]
func.func @widened(%p: tensor<64x64x!tile.ptr<f32>>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %x: tensor<64x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %d = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
  %w = arith.extf %d : tensor<64x64xf16> to tensor<64x64xf32>
  %y = arith.mulf %x, %x : tensor<64x64xf32>
  %s = arith.addf %y, %w : tensor<64x64xf32>
  tile.store %p, %s : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// So is a sum that was scaled: the fused multiply-add becomes the product's start, in a loop the one accumulator.
// CHECK-LABEL: func.func @scaled
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg3)
// CHECK:   %[[S:.*]] = arith.mulf %[[A]], %arg4
// CHECK:   %[[D:.*]] = tile.dot %arg1, %arg2, %[[S]] {{.*}} -> tensor<64x64xf32>
// CHECK:   scf.yield %[[D]]
func.func @scaled(%p: tensor<64x64x!tile.ptr<f32>>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %x: tensor<64x64xf32>, %f: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<64x64xf32>) : i32 {
    %d = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
    %w = arith.extf %d : tensor<64x64xf16> to tensor<64x64xf32>
    %s = math.fma %y, %f, %w : tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %p, %r : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// Not where the product is a factor of the fused multiply-add, or is added in another block.
// CHECK-LABEL: func.func @factor
// CHECK: %[[D:.*]] = tile.dot %arg1, %arg2, %cst{{.*}} -> tensor<64x64xf32>
// CHECK: math.fma %[[D]], %arg3, %arg3
// CHECK: scf.for
// CHECK:   math.fma %arg3, %{{.*}}, %[[D]]
func.func @factor(%p: tensor<64x64x!tile.ptr<f32>>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %x: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %d = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
  %w = arith.extf %d : tensor<64x64xf16> to tensor<64x64xf32>
  %s = math.fma %w, %x, %x : tensor<64x64xf32>
  tile.store %p, %s : tensor<64x64x!tile.ptr<f32>>
  %e = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
  %v = arith.extf %e : tensor<64x64xf16> to tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<64x64xf32>) : i32 {
    %t = math.fma %x, %y, %v : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  tile.store %p, %r : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// Its own double: nothing to add to.
// CHECK-LABEL: func.func @doubled
// CHECK: %[[D:.*]] = tile.dot %arg1, %arg2, %{{.*}} -> tensor<64x64xf32>
// CHECK: arith.addf %[[D]], %[[D]]
func.func @doubled(%p: tensor<64x64x!tile.ptr<f32>>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %d = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
  %w = arith.extf %d : tensor<64x64xf16> to tensor<64x64xf32>
  %s = arith.addf %w, %w : tensor<64x64xf32>
  tile.store %p, %s : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// More numbers than a thread has registers for, and rows that are no warp group's.
// CHECK-LABEL: func.func @large
// CHECK: tile.dot {{.*}} -> tensor<128x256xf16>
// CHECK: tile.dot {{.*}} -> tensor<32x64xf16>
func.func @large(%p: tensor<128x256x!tile.ptr<f16>>, %q: tensor<32x64x!tile.ptr<f16>>, %a: tensor<128x32xf16>, %b: tensor<32x256xf16>, %c: tensor<32x32xf16>, %e: tensor<32x64xf16>) {
  %zero = arith.constant dense<0.0> : tensor<128x256xf16>
  %small = arith.constant dense<0.0> : tensor<32x64xf16>
  %d = tile.dot %a, %b, %zero : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf16>
  %f = tile.dot %c, %e, %small : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf16>
  tile.store %p, %d : tensor<128x256x!tile.ptr<f16>>
  tile.store %q, %f : tensor<32x64x!tile.ptr<f16>>
  return
}
