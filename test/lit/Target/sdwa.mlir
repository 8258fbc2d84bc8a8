// The upper half of a 16-bit value is zero when it is extended: no instruction takes its byte as a signed 32-bit number.
// RUN: tile-translate --target=gfx90a --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// CHECK: v_ashrrev_i16
// CHECK-NOT: sext(
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64"} {
  %id = rocdl.workitem.id.x : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %p = llvm.getelementptr %in[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %w = llvm.load %p : !llvm.ptr<1> -> i32
  %a = llvm.trunc %w : i32 to i8
  %h = llvm.lshr %w, %eight : i32
  %b = llvm.trunc %h : i32 to i8
  %s = llvm.intr.ssub.sat(%a, %b) : (i8, i8) -> i8
  %e = llvm.sext %s : i8 to i16
  %z = llvm.zext %e : i16 to i32
  %x = llvm.xor %z, %w : i32
  %q = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %x, %q : i32, !llvm.ptr<1>
  llvm.return
}
