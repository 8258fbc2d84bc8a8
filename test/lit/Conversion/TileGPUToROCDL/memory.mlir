// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --convert-tile-gpu-to-rocdl | FileCheck %s

// A masked access stands in a block of its own; what is masked off comes from `other` through the block argument.
// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: attributes {rocdl.flat_work_group_size = "64,64", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>}
// CHECK: llvm.cond_br %[[PRED:.*]], ^[[LOAD:.*]], ^[[AFTER:.*]](%{{.*}} : f32)
// CHECK: ^[[LOAD]]:
// CHECK: llvm.load {{.*}} {alignment = 4 : i64, nontemporal} : !llvm.ptr<1> -> f32
// CHECK: ^[[AFTER]](%[[V:.*]]: f32):
// CHECK: llvm.cond_br %[[PRED]], ^[[STORE:.*]], ^{{.*}}
// CHECK: ^[[STORE]]:
// CHECK: llvm.store %[[V]], {{.*}} : f32, !llvm.ptr<1>
func.func @masked(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %e = tile.splat %n : tensor<64xi32>
  %m = arith.cmpi slt, %r, %e : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p mask %m other %one evict = first : tensor<64x!tile.ptr<f32>>
  tile.store %p, %v mask %m : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// CHECK-LABEL: llvm.func @programs(
// CHECK: rocdl.workgroup.id.y
// CHECK: llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"
// CHECK: llvm.getelementptr %{{.*}}[8]
func.func @programs(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %a = tile.program_id y
  %b = tile.num_programs z
  %c = arith.addi %a, %b : i32
  tile.store %x, %c : !tile.ptr<i32>
  return
}
