// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_80 num-warps=2" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// 64 elements, one a thread; nobody else needs the result.
// CHECK-LABEL: llvm.func @add
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, f32
// CHECK-NOT: barrier
func.func @add(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %old = tile.atomic_rmw fadd %p, %one : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// A scalar's atomic is thread 0's; the result reaches the others through shared memory.
// CHECK-LABEL: llvm.func @ticket
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("block") acq_rel
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
func.func @ticket(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %t = tile.atomic_rmw add %x, %one sem = acq_rel scope = cta : !tile.ptr<i32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<i32>>
  %ts = tile.splat %t : tensor<64xi32>
  %i = arith.addi %r, %ts : tensor<64xi32>
  %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %p, %r : tensor<64x!tile.ptr<i32>>
  return
}

// -----

// CHECK-LABEL: llvm.func @lock
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acquire acquire {alignment = 4 : i64} : !llvm.ptr<1>, i32
func.func @lock(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %old = tile.atomic_cas %x, %zero, %one sem = acquire scope = sys : !tile.ptr<i32>
  return
}

// -----

// Minimum and maximum of floats, and counting with a wrap, are LLVM's own.
// CHECK-LABEL: llvm.func @kinds
// CHECK: llvm.atomicrmw fmax {{.*}} bf16
// CHECK: llvm.atomicrmw min {{.*}} i32
// CHECK: llvm.atomicrmw uinc_wrap {{.*}} i32
// CHECK: llvm.atomicrmw udec_wrap {{.*}} i32
func.func @kinds(%p: !tile.ptr<bf16>, %x: bf16, %q: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %a = tile.atomic_rmw max %p, %x : !tile.ptr<bf16>
  %b = tile.atomic_rmw min %q, %n : !tile.ptr<i32>
  %c = tile.atomic_rmw inc %q, %n : !tile.ptr<i32>
  %d = tile.atomic_rmw dec %q, %n : !tile.ptr<i32>
  return
}
