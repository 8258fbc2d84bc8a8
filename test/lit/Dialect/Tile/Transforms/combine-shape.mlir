// tile-combine on shapes and on what computes around them.
// RUN: tile-opt %s --tile-combine -split-input-file | FileCheck %s

// CHECK-LABEL: @splats
func.func @splats(%x: f32) -> (tensor<4x64xf32>, tensor<64x4xf32>) {
  // CHECK-DAG: %[[B:.*]] = tile.splat %arg0 : tensor<4x64xf32>
  // CHECK-DAG: %[[T:.*]] = tile.splat %arg0 : tensor<64x4xf32>
  %s = tile.splat %x : tensor<64xf32>
  %e = tile.expand_dims %s axis = 0 : tensor<64xf32> -> tensor<1x64xf32>
  %b = tile.broadcast %e : tensor<1x64xf32> -> tensor<4x64xf32>
  %r = tile.reshape %b : tensor<4x64xf32> -> tensor<4x64xf32>
  %t = tile.trans %r order = [1, 0] : tensor<4x64xf32> -> tensor<64x4xf32>
  // CHECK-NEXT: return %[[B]], %[[T]]
  return %b, %t : tensor<4x64xf32>, tensor<64x4xf32>
}

// -----

// CHECK-LABEL: @undone
func.func @undone(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64x2xf32>, %o: tensor<1xi32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x2xf32>, tensor<64xf32>, i32) {
  %j = tile.join %x, %y : tensor<64xf32> -> tensor<64x2xf32>
  %a, %b = tile.split %j : tensor<64x2xf32> -> tensor<64xf32>
  %c, %d = tile.split %z : tensor<64x2xf32> -> tensor<64xf32>
  %k = tile.join %c, %d : tensor<64xf32> -> tensor<64x2xf32>
  %e = tile.expand_dims %x axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
  %f = tile.reshape %e : tensor<64x1xf32> -> tensor<64xf32>
  // CHECK-NEXT: %[[U:.*]] = tile.unsplat %arg3 : tensor<1xi32>
  %g = tile.expand_dims %o axis = 0 : tensor<1xi32> -> tensor<1x1xi32>
  %u = tile.unsplat %g : tensor<1x1xi32>
  // CHECK-NEXT: return %arg0, %arg1, %arg2, %arg0, %[[U]]
  return %a, %b, %k, %f, %u : tensor<64xf32>, tensor<64xf32>, tensor<64x2xf32>, tensor<64xf32>, i32
}

// -----

// CHECK-LABEL: @before_splat
func.func @before_splat(%x: i32, %p: !tile.ptr<f32>, %c: i1) -> (tensor<64xi1>, tensor<64x!tile.ptr<f32>>, tensor<64xi32>) {
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
  // CHECK: %[[M:.*]] = arith.muli %arg0, %[[C3]] : i32
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %[[M]], %arg0 : i32
  // CHECK: %[[LTS:.*]] = tile.splat %[[LT]] : tensor<64xi1>
  %xs = tile.splat %x : tensor<64xi32>
  %c3 = arith.constant dense<3> : tensor<64xi32>
  %m = arith.muli %xs, %c3 : tensor<64xi32>
  %lt = arith.cmpi slt, %m, %xs : tensor<64xi32>
  // CHECK: %[[Q:.*]] = tile.addptr %arg1, %[[M]] : !tile.ptr<f32>, i32
  // CHECK: %[[QS:.*]] = tile.splat %[[Q]]
  %ps = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %m : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  // CHECK: %[[S:.*]] = arith.select %arg2, %arg0, %[[C3]] : i32
  // CHECK: %[[SS:.*]] = tile.splat %[[S]]
  %s = arith.select %c, %xs, %c3 : tensor<64xi32>
  // CHECK: return %[[LTS]], %[[QS]], %[[SS]]
  return %lt, %q, %s : tensor<64xi1>, tensor<64x!tile.ptr<f32>>, tensor<64xi32>
}

// -----

// CHECK-LABEL: @before_broadcast
func.func @before_broadcast(%r: tensor<64x1xi32>, %t: tensor<64x1xi32>, %c: tensor<1x32xi32>, %n: i32) -> (tensor<64x32xi1>, tensor<64x32xi32>) {
  // CHECK-DAG: %[[NS:.*]] = tile.splat %arg3 : tensor<64x1xi32>
  // CHECK-DAG: %[[A:.*]] = arith.addi %arg0, %arg1 : tensor<64x1xi32>
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %[[A]], %[[NS]] : tensor<64x1xi32>
  // CHECK: %[[LTB:.*]] = tile.broadcast %[[LT]] : tensor<64x1xi1> -> tensor<64x32xi1>
  %rb = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x32xi32>
  %tb = tile.broadcast %t : tensor<64x1xi32> -> tensor<64x32xi32>
  %a = arith.addi %rb, %tb : tensor<64x32xi32>
  %ns = tile.splat %n : tensor<64x32xi32>
  %lt = arith.cmpi slt, %a, %ns : tensor<64x32xi32>
  // Rows and columns meet in full.
  // CHECK: %[[FULL:.*]] = arith.addi %{{.*}}, %{{.*}} : tensor<64x32xi32>
  %cb = tile.broadcast %c : tensor<1x32xi32> -> tensor<64x32xi32>
  %full = arith.addi %rb, %cb : tensor<64x32xi32>
  // CHECK: return %[[LTB]], %[[FULL]]
  return %lt, %full : tensor<64x32xi1>, tensor<64x32xi32>
}

// -----

// What an operation is told about its result keeps it where it is.
// CHECK-LABEL: @told
func.func @told(%x: i32) -> tensor<64xi32> {
  // CHECK: arith.addi {{.*}} {tile.divisibility = array<i32: 8>} : tensor<64xi32>
  %xs = tile.splat %x : tensor<64xi32>
  %a = arith.addi %xs, %xs {tile.divisibility = array<i32: 8>} : tensor<64xi32>
  return %a : tensor<64xi32>
}

// -----

// CHECK-LABEL: @dot
func.func @dot(%a: tensor<32x16xf16>, %b: tensor<16x32xf16>, %c: tensor<32x32xf32>, %n: i32) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  // CHECK: %[[D:.*]] = tile.dot %arg0, %arg1, %arg2
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %p = tile.dot %a, %b, %zero : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
  %d = arith.addf %c, %p : tensor<32x32xf32>
  // Not into a loop: it would be computed again and again.
  // CHECK: %[[Q:.*]] = tile.dot
  // CHECK: scf.for
  // CHECK: arith.addf %{{.*}}, %[[Q]]
  %q = tile.dot %a, %b, %zero : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<32x32xf32>) : i32 {
    %next = arith.addf %acc, %q : tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  }
  return %d, %r : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// A bias that an iteration computes stays behind its product; a sum that is carried goes into it. Distances from what a loop moves: the
// rows take the movement, so that a thread's columns differ by constants.
// CHECK-LABEL: @bias
func.func @bias(%a: tensor<32x16xf16>, %b: tensor<16x32xf16>, %c: tensor<32x32xf32>, %k: tensor<32x32xf32>, %rows: tensor<32x1xi32>, %n: i32) -> tensor<32x32xf32> {
  // CHECK: %[[RANGE:.*]] = tile.make_range
  // CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] =
  // CHECK: %[[S:.*]] = tile.splat %[[I]] : tensor<32x1xi32>
  // CHECK: %[[FROM:.*]] = arith.subi %[[S]], %arg4
  // CHECK: %[[COLS:.*]] = tile.expand_dims %[[RANGE]]
  // CHECK: %[[COLUMNS:.*]] = tile.broadcast %[[COLS]]
  // CHECK: %[[FROMS:.*]] = tile.broadcast %[[FROM]]
  // CHECK: %[[D:.*]] = arith.addi %[[COLUMNS]], %[[FROMS]]
  // CHECK: arith.sitofp %[[D]]
  // CHECK: %[[P:.*]] = tile.dot %arg0, %arg1, %[[ZERO:.*]] :
  // CHECK: arith.addf %[[P]]
  // CHECK: tile.dot %arg0, %arg1, %[[ACC]]
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %range = tile.make_range 0 to 32 : tensor<32xi32>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %c) -> (tensor<32x32xf32>) : i32 {
    %is = tile.splat %i : tensor<32xi32>
    %columns = arith.addi %is, %range : tensor<32xi32>
    %columns2 = tile.expand_dims %columns axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %cb = tile.broadcast %columns2 : tensor<1x32xi32> -> tensor<32x32xi32>
    %rb = tile.broadcast %rows : tensor<32x1xi32> -> tensor<32x32xi32>
    %d = arith.subi %cb, %rb : tensor<32x32xi32>
    %df = arith.sitofp %d : tensor<32x32xi32> to tensor<32x32xf32>
    %db = arith.mulf %df, %k : tensor<32x32xf32>
    %p = tile.dot %a, %b, %zero : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
    %s = arith.addf %p, %db : tensor<32x32xf32>
    %q = tile.dot %a, %b, %zero : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
    %t = arith.addf %acc, %q : tensor<32x32xf32>
    %u = arith.mulf %s, %t : tensor<32x32xf32>
    scf.yield %u : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}
