// RUN: tile-opt %s --tile-gpu-merge-carried --canonicalize --cse | FileCheck %s

// Two rings that advance together: one number, one parity. The third starts elsewhere, the fourth counts otherwise.
// CHECK-LABEL: func @rings
// CHECK: %[[R:.*]]:4 = scf.for {{.*}} iter_args(%[[A:.*]] = %c0_i32, %[[P:.*]] = %c0_i32, %[[C:.*]] = %c1_i32, %[[D:.*]] = %c0_i32)
// CHECK: %[[A1:.*]] = tile_gpu.advance %[[A]] of 2
// CHECK: %[[P1:.*]] = arith.select
// CHECK: %[[C1:.*]] = tile_gpu.advance %[[C]] of 2
// CHECK: %[[D1:.*]] = tile_gpu.advance %[[D]] of 3
// CHECK: call @use(%[[A]], %[[P]], %[[A]], %[[P]], %[[C]], %[[D]])
// CHECK: scf.yield %[[A1]], %[[P1]], %[[C1]], %[[D1]]
// CHECK: call @use(%[[R]]#0, %[[R]]#1, %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[R]]#3)
func.func private @use(i32, i32, i32, i32, i32, i32)
func.func @rings(%n: i32) {
  %c0 = arith.constant 0 : i32
  %again = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %p = %c0, %b = %again, %q = %again, %c = %c1, %d = %c0) -> (i32, i32, i32, i32, i32, i32) : i32 {
    %a1 = tile_gpu.advance %a of 2
    %aw = arith.cmpi eq, %a1, %c0 : i32
    %ax = arith.xori %p, %c1 : i32
    %p1 = arith.select %aw, %ax, %p : i32
    %b1 = tile_gpu.advance %b of 2
    %bw = arith.cmpi eq, %b1, %again : i32
    %bx = arith.xori %q, %c1 : i32
    %q1 = arith.select %bw, %bx, %q : i32
    %c2 = tile_gpu.advance %c of 2
    %d1 = tile_gpu.advance %d of 3
    func.call @use(%a, %p, %b, %q, %c, %d) : (i32, i32, i32, i32, i32, i32) -> ()
    scf.yield %a1, %p1, %b1, %q1, %c2, %d1 : i32, i32, i32, i32, i32, i32
  }
  func.call @use(%r#0, %r#1, %r#2, %r#3, %r#4, %r#5) : (i32, i32, i32, i32, i32, i32) -> ()
  return
}

// One adds what the loop counts, the other what it was: they start alike and part.
// CHECK-LABEL: func @apart
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %c0_i32, %{{.*}} = %c0_i32)
func.func private @two(i32, i32)
func.func @apart(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c0) -> (i32, i32) : i32 {
    %a1 = arith.addi %a, %i : i32
    %b1 = arith.addi %b, %c1 : i32
    func.call @two(%a, %b) : (i32, i32) -> ()
    scf.yield %a1, %b1 : i32, i32
  }
  func.call @two(%r#0, %r#1) : (i32, i32) -> ()
  return
}
