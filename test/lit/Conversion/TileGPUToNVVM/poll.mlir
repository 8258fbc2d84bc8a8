// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=2" --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm -split-input-file | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx90a num-warps=2" --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-rocdl -split-input-file | FileCheck %s --check-prefix=AMD

// Without a timeout the result is known: a loop of one thread, a barrier of all.
// CHECK-NOT: tile_shared
// CHECK-LABEL: llvm.func @forever
// CHECK: llvm.cond_br %{{.*}}, ^[[START:.*]], ^[[AFTER:.*]]
// CHECK: ^[[AFTER]]:
// CHECK-NEXT: nvvm.barrier0
// CHECK: ^[[POLL:.*]]: // 2 preds
// CHECK: llvm.load %{{.*}} atomic syncscope("device") acquire {alignment = 4 : i64}
// CHECK: llvm.icmp "eq"
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[POLL]]
// AMD: llvm.load %{{.*}} atomic syncscope("agent") acquire {alignment = 4 : i64}
func.func @forever(%flag: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  %seen = tile.atomic_poll %flag, %x sem = acquire : !tile.ptr<i32>
  return
}

// -----

// A counter of 25 MHz: 40 nanoseconds a tick, rounded up.
// CHECK-LABEL: llvm.func @once
// CHECK-DAG: llvm.load %{{.*}} atomic syncscope("") monotonic {alignment = 8 : i64}
// CHECK-DAG: llvm.call_intrinsic "llvm.readsteadycounter"()
// CHECK-DAG: llvm.icmp "uge"
// CHECK-DAG: llvm.store %{{.*}} : i8, !llvm.ptr<3>
// AMD-DAG: llvm.mlir.constant(40 : i64)
// AMD: llvm.udiv
func.func @once(%flag: !tile.ptr<i64>, %x: i64, %ns: i64, %o: !tile.ptr<i1>) attributes {tile.kernel} {
  %seen = tile.atomic_poll %flag, %x timeout %ns scope = sys : !tile.ptr<i64>
  tile.store %o, %seen : !tile.ptr<i1>
  return
}
