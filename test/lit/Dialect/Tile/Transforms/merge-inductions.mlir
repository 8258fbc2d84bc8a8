// A carried number that moves as the loop's own variable does is that variable, or a constant away from it.
// RUN: tile-opt %s --tile-merge-inductions --canonicalize | FileCheck %s

// CHECK-LABEL: @behind
// CHECK-NOT: iter_args
// CHECK: scf.for %[[T:.*]] = %arg1 to %arg2
// CHECK-NEXT: tile.addptr %arg0, %[[T]]
func.func @behind(%p: !tile.ptr<i32>, %start: i32, %end: i32) {
  %step = arith.constant 132 : i32
  %before = arith.subi %start, %step : i32
  scf.for %t = %start to %end step %step iter_args(%u = %before) -> (i32) : i32 {
    %next = arith.addi %u, %step : i32
    %q = tile.addptr %p, %next : !tile.ptr<i32>, i32
    tile.store %q, %t : !tile.ptr<i32>
    scf.yield %next : i32
  }
  return
}

// The step may be a number that is not known; what the loop returns stays.
// CHECK-LABEL: @returned
// CHECK: scf.for %[[T:.*]] = %arg1 to %arg2 step %arg3 iter_args
// CHECK: tile.store %{{.*}}, %[[T]]
func.func @returned(%p: !tile.ptr<i32>, %start: i32, %end: i32, %step: i32) -> i32 {
  %r = scf.for %t = %start to %end step %step iter_args(%u = %start) -> (i32) : i32 {
    tile.store %p, %u : !tile.ptr<i32>
    %next = arith.addi %step, %u : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Another step, another start.
// CHECK-LABEL: @others
// CHECK: iter_args(%[[U:.*]] = %arg1, %[[V:.*]] = %arg2)
// CHECK: tile.store %{{.*}}, %[[U]]
// CHECK: tile.store %{{.*}}, %[[V]]
func.func @others(%p: !tile.ptr<i32>, %start: i32, %end: i32) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  scf.for %t = %start to %end step %two iter_args(%u = %start, %v = %end) -> (i32, i32) : i32 {
    tile.store %p, %u : !tile.ptr<i32>
    tile.store %p, %v : !tile.ptr<i32>
    %a = arith.addi %u, %three : i32
    %b = arith.addi %v, %two : i32
    scf.yield %a, %b : i32, i32
  }
  return
}
