// Phases of a barrier in shared memory: one arrival is one too many while a phase lacks bytes, and nobody waits where none was made.
// RUN: tile-run %s --device=sim --target=sm_90a --grid=1 -D BYTES=// -D MAKE=tile_nv.mbarrier_init -D MORE=// --arg=i32[32]=zeros
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D BYTES=tile_nv.mbarrier_expect -D MAKE=tile_nv.mbarrier_init -D MORE=tile_nv.mbarrier_arrive --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D BYTES=// -D MAKE=// -D MORE=// --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=NONE
llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>
llvm.func @k(%out: !llvm.ptr<1> {tile.element = i32}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %bytes = llvm.mlir.constant(64 : i32) : i32
  %b = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %first = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %first, ^make, ^made
^make:
  ${MAKE} %b, %one
  llvm.br ^made
^made:
  nvvm.barrier0
  llvm.cond_br %first, ^arrive, ^arrived
^arrive:
  ${BYTES} %b, %bytes
  // NONE: error: 'tile_nv.mbarrier_arrive' op got offset 0 of shared memory, where no barrier was initialised (program (0, 0, 0), warp 0, lane 0)
  tile_nv.mbarrier_arrive %b
  // MORE: mbarriers-phases.mlir:[[#@LINE-1]]:3: error: 'tile_nv.mbarrier_arrive' op arrives once more at the barrier at offset 0, which expects 1 arrivals and still waits for 64 bytes (program (0, 0, 0), warp 0, lane 0)
  ${MORE} %b
  llvm.br ^arrived
^arrived:
  tile_nv.mbarrier_wait %b, %zero
  llvm.return
}
