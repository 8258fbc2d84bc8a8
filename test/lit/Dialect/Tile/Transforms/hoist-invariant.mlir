// RUN: tile-opt %s --tile-hoist-invariant | FileCheck %s

// A load and what it needs; the loop may have no iteration.
// CHECK-LABEL: @load
// CHECK: %[[P:.*]] = tile.addptr
// CHECK: %[[LT:.*]] = arith.cmpi slt, %{{.*}}, %arg1 : i32
// CHECK: %[[G:.*]] = tile.splat %[[LT]] : tensor<64xi1>
// CHECK: %[[M:.*]] = arith.andi %arg3, %[[G]]
// CHECK: %[[L:.*]] = tile.load %[[P]] mask %[[M]] other %arg2 evict = last :
// CHECK: %[[N:.*]] = arith.negf %[[L]]
// CHECK: scf.for
// CHECK-NEXT: arith.addf %{{.*}}, %[[N]]
func.func @load(%p: tensor<64x!tile.ptr<f32>>, %n: i32, %x: tensor<64xf32>, %m: tensor<64xi1>, %o: tensor<64xi32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<64xf32>) : i32 {
    %q = tile.addptr %p, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %q mask %m other %x evict = last : tensor<64x!tile.ptr<f32>>
    %w = arith.negf %v : tensor<64xf32>
    %s = arith.addf %acc, %w : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// Known to be entered: no mask. Out of two loops at once.
// CHECK-LABEL: @entered
// CHECK: tile.load %arg0 : !tile.ptr<f32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: tile.load
func.func @entered(%p: !tile.ptr<f32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> (f32) : i32 {
    %t = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> (f32) : i32 {
      %v = tile.load %p : !tile.ptr<f32>
      %s = arith.addf %b, %v : f32
      scf.yield %s : f32
    }
    scf.yield %t : f32
  }
  return %r : f32
}

// What the loop stores, or another program after a barrier, may be what is loaded.
// CHECK-LABEL: @writes
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.store
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.barrier
// CHECK: scf.for
// CHECK: tile.load {{.*}} volatile
func.func @writes(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tile.load %p : !tile.ptr<f32>
    tile.store %q, %v : !tile.ptr<f32>
  }
  %x = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) : i32 {
    %v = tile.load %p : !tile.ptr<f32>
    tile.barrier
    %s = arith.addf %a, %v : f32
    scf.yield %s : f32
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (f32) : i32 {
    %v = tile.load %p volatile : !tile.ptr<f32>
    %s = arith.addf %a, %v : f32
    scf.yield %s : f32
  }
  tile.store %q, %t : !tile.ptr<f32>
  return
}

// A reduction with its body, out of a while loop; what its body needs of the loop keeps the other in.
// CHECK-LABEL: @regions
// CHECK: tile.reduce %arg0
// CHECK: scf.while
// CHECK: } do {
// CHECK: tile.reduce %arg0
func.func @regions(%x: tensor<64xf32>, %n: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %w = scf.while (%i = %zero) : (f32) -> f32 {
    %more = arith.cmpf olt, %i, %n : f32
    scf.condition(%more) %i : f32
  } do {
  ^bb0(%i: f32):
    %s = tile.reduce %x axis = 0 : tensor<64xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %t = tile.reduce %x axis = 0 : tensor<64xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      %d = arith.addf %c, %i : f32
      tile.yield %d : f32
    }
    %u = arith.addf %s, %t : f32
    %next = arith.addf %i, %u : f32
    scf.yield %next : f32
  }
  return %w : f32
}
