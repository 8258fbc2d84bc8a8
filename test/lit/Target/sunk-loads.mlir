// What is read between two barriers is read there, though only a later block uses it: the next write may follow the second one.
// RUN: tile-translate --target=gfx90a --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1201 --emit=amdgcn %s | FileCheck %s
// CHECK: {{ds_write|ds_store}}_b32
// CHECK: s_barrier
// CHECK: {{ds_read|ds_load}}_b32
// CHECK: s_barrier
// CHECK: s_cbranch
llvm.mlir.global internal @exchange() {addr_space = 3 : i32} : !llvm.array<128 x i32>
llvm.func @k(%out: !llvm.ptr<1>, %n: i32) attributes {rocdl.kernel, rocdl.flat_work_group_size = "128,128"} {
  %id = rocdl.workitem.id.x : i32
  %last = llvm.mlir.constant(127 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %e = llvm.mlir.addressof @exchange : !llvm.ptr<3>
  %mine = llvm.getelementptr %e[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %mirror = llvm.sub %last, %id : i32
  %other = llvm.getelementptr %e[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %id, %mine : i32, !llvm.ptr<3>
  rocdl.barrier
  %x = llvm.load %other : !llvm.ptr<3> -> i32
  rocdl.barrier
  %q = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %some = llvm.icmp "sgt" %n, %zero : i32
  llvm.cond_br %some, ^use, ^done
^use:
  llvm.store volatile %x, %q : i32, !llvm.ptr<1>
  llvm.br ^done
^done:
  llvm.return
}
