// Order and scope of an atomic reach the PTX: LLVM 22 leaves them out of what it prints for an atomicrmw.
// RUN: tile-translate --target=sm_90a --emit=ptx %s | FileCheck %s
// RUN: tile-translate --target=sm_80 --emit=ptx %s | FileCheck %s --check-prefix=OLD

// CHECK-LABEL: .entry order(
// CHECK-NOT: fence
// CHECK: atom.global.add.u32
// CHECK: fence.release.gpu;
// CHECK-NEXT: atom.global.add.u32
// CHECK-NOT: fence
// CHECK: atom.relaxed.sys.global.exch.b32
// CHECK: fence.acquire.sys;
// CHECK: fence.release.cta;
// CHECK-NEXT: atom.global.max.s32
// CHECK-NEXT: fence.acquire.cta;
// CHECK: atom.acq_rel.gpu.global.cas.b32
// CHECK: atom.relaxed.sys.global.add.f64
// CHECK: atom.relaxed.sys.global.min.u64
// CHECK: atom.relaxed.sys.global.add.noftz.f16
// CHECK: atom.relaxed.sys.global.add.noftz.bf16
// OLD: fence.acq_rel.gpu;
// OLD-NEXT: atom.global.add.u32
// OLD: atom.relaxed.sys.global.add.noftz.f16
// OLD: atom.relaxed.sys.global.cas.b32
func.func @order(%x: !tile.ptr<i32>, %v: i32, %y: !tile.ptr<f64>, %z: f64, %w: !tile.ptr<i64>, %u: i64,
                 %half: !tile.ptr<f16>, %h: f16, %brain: !tile.ptr<bf16>, %b16: bf16) attributes {tile.kernel} {
  %a = tile.atomic_rmw add %x, %v : !tile.ptr<i32>
  %b = tile.atomic_rmw add %x, %v sem = release : !tile.ptr<i32>
  %c = tile.atomic_rmw exch %x, %v sem = acquire scope = sys : !tile.ptr<i32>
  %d = tile.atomic_rmw max %x, %v sem = acq_rel scope = cta : !tile.ptr<i32>
  %e = tile.atomic_cas %x, %v, %v sem = acq_rel : !tile.ptr<i32>
  %f = tile.atomic_rmw fadd %y, %z scope = sys : !tile.ptr<f64>
  %g = tile.atomic_rmw umin %w, %u scope = sys : !tile.ptr<i64>
  %i = tile.atomic_rmw fadd %half, %h sem = relaxed scope = sys : !tile.ptr<f16>
  %j = tile.atomic_rmw fadd %brain, %b16 sem = relaxed scope = sys : !tile.ptr<bf16>
  return
}
