// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm --split-input-file | FileCheck %s

// The source is stored in wide accesses; an index is taken modulo the axis, so that it stays in the scratch.
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.and %{{.*}}, %{{.*}} : i32
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
func.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %i: !tile.ptr<i64> {tile.divisibility = 16 : i32},
                %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %xp : tensor<128x!tile.ptr<f32>>
  %q = tile.make_range 0 to 32 : tensor<32xi32>
  %is = tile.splat %i : tensor<32x!tile.ptr<i64>>
  %ip = tile.addptr %is, %q : tensor<32x!tile.ptr<i64>>, tensor<32xi32>
  %k = tile.load %ip : tensor<32x!tile.ptr<i64>>
  %y = tile.gather %v, %k axis = 0 : tensor<128xf32>, tensor<32xi64> -> tensor<32xf32>
  %os = tile.splat %o : tensor<32x!tile.ptr<f32>>
  %op = tile.addptr %os, %q : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %op, %y : tensor<32x!tile.ptr<f32>>
  return
}

// -----

// Of the threads that hold copies of the source, one stores: four elements, thirty-two lanes. An i1 is a byte.
// CHECK-LABEL: llvm.func @copies
// CHECK: llvm.mlir.addressof @tile_shared
// CHECK: %[[COPY:.*]] = llvm.and %{{.*}}, %{{.*}} : i32
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %[[COPY]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[OWNER]], ^[[STORE:.*]], ^[[AFTER:.*]]
// CHECK: ^[[STORE]]:
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i8, !llvm.ptr<3>
// CHECK: ^[[AFTER]]:
// CHECK-NEXT: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> i8
func.func @copies(%i: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<i1>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4 : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %v = arith.cmpi slt, %r, %two : tensor<4xi32>
  %q = tile.make_range 0 to 32 : tensor<32xi32>
  %is = tile.splat %i : tensor<32x!tile.ptr<i32>>
  %ip = tile.addptr %is, %q : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %k = tile.load %ip : tensor<32x!tile.ptr<i32>>
  %y = tile.gather %v, %k axis = 0 : tensor<4xi1>, tensor<32xi32> -> tensor<32xi1>
  %os = tile.splat %o : tensor<32x!tile.ptr<i1>>
  %op = tile.addptr %os, %q : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  tile.store %op, %y : tensor<32x!tile.ptr<i1>>
  return
}
