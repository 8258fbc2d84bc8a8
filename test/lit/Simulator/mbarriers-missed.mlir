// Warp 1 waits for the first phase of a barrier in shared memory. Warp 0 completes the next one too before warp 1 has looked: whether
// it ever does see the first is chance. The twin waits in between until warp 1 has gone on.
// RUN: tile-run %s --device=sim --target=sm_90a --grid=2 -D BETWEEN=nvvm.barrier0 --arg=i32[64]=zeros
// RUN: tile-run %s --device=sim --target=sm_90a --grid=2 -D BETWEEN=nvvm.barrier0 --arg=i32[64]=zeros --shuffle=3
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=2 -D BETWEEN=// --arg=i32[64]=zeros 2>&1 | FileCheck %s
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=2 -D BETWEEN=// --arg=i32[64]=zeros --shuffle=5 2>&1 | FileCheck %s --check-prefix=EITHER
// EITHER: mbarriers-missed.mlir:{{[0-9]+}}:3: error: 'tile_nv.mbarrier_wait' op {{has missed a phase|waits for ever}}
llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>
llvm.func @k(%out: !llvm.ptr<1> {tile.element = i32}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  %b = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %first = llvm.icmp "eq" %tid, %zero : i32
  %low = llvm.icmp "slt" %tid, %half : i32
  llvm.cond_br %first, ^make, ^made
^make:
  tile_nv.mbarrier_init %b, %one
  llvm.br ^made
^made:
  nvvm.barrier0
  llvm.cond_br %low, ^arrives, ^waits
^arrives:
  tile_nv.mbarrier_arrive %b if %first
  ${BETWEEN}
  tile_nv.mbarrier_arrive %b if %first
  tile_nv.mbarrier_wait %b, %one
  llvm.br ^end
^waits:
  // CHECK: mbarriers-missed.mlir:[[#@LINE+1]]:3: error: 'tile_nv.mbarrier_wait' op has missed a phase of the barrier at offset 0: two were completed meanwhile (program (0, 0, 0), warp 1)
  tile_nv.mbarrier_wait %b, %zero
  ${BETWEEN}
  llvm.br ^end
^end:
  llvm.return
}
