// A barrier in shared memory is ended when no warp can use it any more: both warps arrive and wait, and then one barrier of all.
// RUN: tile-run %s --device=sim --target=sm_90a --grid=1 -D BARRIER=nvvm.barrier0 --arg=i32[64]=zeros
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D BARRIER=// --arg=i32[64]=zeros 2>&1 | FileCheck %s
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D BARRIER=// --arg=i32[64]=zeros --shuffle=5 2>&1 | FileCheck %s --check-prefix=EITHER
llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>
llvm.func @k(%out: !llvm.ptr<1> {tile.element = i32}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %threads = llvm.mlir.constant(64 : i32) : i32
  %b = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %first = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %first, ^make, ^made
^make:
  tile_nv.mbarrier_init %b, %threads
  llvm.br ^made
^made:
  nvvm.barrier0
  tile_nv.mbarrier_arrive %b
  tile_nv.mbarrier_wait %b, %zero
  ${BARRIER}
  llvm.cond_br %first, ^end, ^ended
^end:
  // CHECK: mbarriers.mlir:[[#@LINE+2]]:3: error: 'tile_nv.mbarrier_inval' op ends the barrier at offset 0, which warp 1 has used with no barrier between (program (0, 0, 0), warp 0, lane 0)
  // EITHER: mbarriers.mlir:{{.*}} error: 'tile_nv.mbarrier_{{inval|wait}}' op
  tile_nv.mbarrier_inval %b
  llvm.br ^ended
^ended:
  llvm.return
}
