// RUN: tile-translate --target=sm_90a --emit=llvm %s | FileCheck %s
// RUN: tile-translate --target=sm_90a --emit=ptx %s | FileCheck %s --check-prefix=PTX

// Barrier-like assembly stays in front of the branch: it is neither copied nor moved into one arm.
// CHECK-LABEL: define ptx_kernel void @k(
// CHECK: call i32 asm sideeffect "my.sync $0, $1;", "=r,r"(i32 %{{.*}}) #[[ASM:[0-9]+]]
// CHECK: br i1
// CHECK: attributes #[[ASM]] = { convergent
// PTX: my.sync
// PTX: bra
// PTX-NOT: my.sync
llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %r = llvm.inline_asm has_side_effects "my.sync $0, $1;", "=r,r" %tid : (i32) -> i32
  %in = llvm.icmp "slt" %tid, %n : i32
  llvm.cond_br %in, ^body, ^end
^body:
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
