// tile-combine on pointers, masks and loads.
// RUN: tile-opt %s --tile-combine -split-input-file | FileCheck %s

// Offsets of 64 bits add up; constants do if their sum fits; other i32 offsets may wrap around and stay.
// CHECK-LABEL: @chain
func.func @chain(%p: !tile.ptr<f32>, %a: i64, %b: i64, %i: i32, %j: i32) -> (!tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>) {
  // CHECK-DAG: %[[C12:.*]] = arith.constant 12 : i32
  // CHECK-DAG: %[[BIG:.*]] = arith.constant 2147483647 : i32
  // CHECK: %[[S:.*]] = arith.addi %arg1, %arg2 : i64
  // CHECK: %[[Q:.*]] = tile.addptr %arg0, %[[S]]
  %p1 = tile.addptr %p, %a : !tile.ptr<f32>, i64
  %q = tile.addptr %p1, %b : !tile.ptr<f32>, i64
  // CHECK: %[[R:.*]] = tile.addptr %arg0, %[[C12]]
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %p2 = tile.addptr %p, %c5 : !tile.ptr<f32>, i32
  %r = tile.addptr %p2, %c7 : !tile.ptr<f32>, i32
  // CHECK: %[[P3:.*]] = tile.addptr %arg0, %arg3
  // CHECK: %[[T:.*]] = tile.addptr %[[P3]], %arg4
  %p3 = tile.addptr %p, %i : !tile.ptr<f32>, i32
  %t = tile.addptr %p3, %j : !tile.ptr<f32>, i32
  // CHECK: %[[P4:.*]] = tile.addptr %arg0, %[[BIG]]
  // CHECK: %[[U:.*]] = tile.addptr %[[P4]], %{{.*}}
  %max = arith.constant 2147483647 : i32
  %p4 = tile.addptr %p, %max : !tile.ptr<f32>, i32
  %u = tile.addptr %p4, %c5 : !tile.ptr<f32>, i32
  // CHECK: return %[[Q]], %[[R]], %[[T]], %[[U]]
  return %q, %r, %t, %u : !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>
}

// -----

// CHECK-LABEL: @masks
func.func @masks(%p: tensor<64x!tile.ptr<f32>>, %x: tensor<64xf32>, %m: tensor<64xi1>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %yes = arith.constant dense<true> : tensor<64xi1>
  %no = arith.constant dense<false> : tensor<64xi1>
  // CHECK: %[[A:.*]] = tile.load %arg0 cache = cg {note = 1 : i32} :
  %a = tile.load %p mask %yes other %x cache = cg {note = 1 : i32} : tensor<64x!tile.ptr<f32>>
  // CHECK: %[[B:.*]] = tile.load %arg0 mask %arg2 :
  %poison = ub.poison : tensor<64xf32>
  %b = tile.load %p mask %m other %poison : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.store %arg0, %arg1 evict = last :
  tile.store %p, %x mask %yes evict = last : tensor<64x!tile.ptr<f32>>
  // CHECK-NOT: tile.store
  tile.store %p, %x mask %no : tensor<64x!tile.ptr<f32>>
  // CHECK: %[[C:.*]] = tile.atomic_rmw fadd %arg0, %arg1 sem = acquire scope = cta :
  %c = tile.atomic_rmw fadd %p, %x mask %yes sem = acquire scope = cta : tensor<64x!tile.ptr<f32>>
  // CHECK-NOT: tile.assume
  %t = arith.constant true
  tile.assume %t
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  return %a, %b, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// CHECK-LABEL: @select
func.func @select(%p: tensor<64x!tile.ptr<f32>>, %x: tensor<64xf32>, %m: tensor<64xi1>, %s: i1) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[A:.*]] = tile.load %arg0 mask %arg2 other %arg1 :
  %la = tile.load %p mask %m : tensor<64x!tile.ptr<f32>>
  %a = arith.select %m, %la, %x : tensor<64xi1>, tensor<64xf32>
  // CHECK: %[[SM:.*]] = tile.splat %arg3
  // CHECK: %[[B:.*]] = tile.load %arg0 mask %[[SM]] other %[[Z]] :
  // CHECK: tile.store
  %sm = tile.splat %s : tensor<64xi1>
  %lb = tile.load %p mask %sm : tensor<64x!tile.ptr<f32>>
  tile.store %p, %x : tensor<64x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.select %s, %lb, %zero : tensor<64xf32>
  // What replaces is not known at the load yet.
  // CHECK: %[[L:.*]] = tile.load %arg0 mask %arg2 :
  // CHECK: %[[N:.*]] = arith.negf
  // CHECK: %[[C:.*]] = arith.select %arg2, %[[L]], %[[N]]
  %lc = tile.load %p mask %m : tensor<64x!tile.ptr<f32>>
  %n = arith.negf %x : tensor<64xf32>
  %c = arith.select %m, %lc, %n : tensor<64xi1>, tensor<64xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  return %a, %b, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
