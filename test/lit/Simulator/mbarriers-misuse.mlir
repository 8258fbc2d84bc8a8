// Barriers in shared memory that are made or ended in the wrong place, and lanes that wait for different things.
// tile.param COUNT = 32
// tile.param BYTES = 8
// tile.param ROUNDS = 16
// tile.param AGAIN = //
// tile.param PARITY = %zero
// tile.param END = //
// RUN: %sm %s --arg=i32[64]=zeros
// RUN: not %sm %s -D COUNT=0 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %sm %s -D COUNT=1048576 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not %sm %s -D BYTES=4 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=OFFSET
// RUN: not %sm %s -D ROUNDS=129 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %sm %s -D AGAIN= --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not %sm %s -D PARITY=%odd --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=PARITY
// RUN: not %sm %s -D END= --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=END
llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<132 x i64>
llvm.func @k(%out: !llvm.ptr<1> {tile.element = i32}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  %rounds = llvm.mlir.constant(${ROUNDS} : i32) : i32
  %bytes = llvm.mlir.constant(${BYTES} : i32) : i32
  %count = llvm.mlir.constant(${COUNT} : i32) : i32
  %b = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %odd = llvm.and %tid, %one : i32
  %first = llvm.icmp "eq" %tid, %zero : i32
  %low = llvm.icmp "slt" %tid, %half : i32
  llvm.cond_br %first, ^make(%zero : i32), ^made
^make(%k: i32):
  %at = llvm.mul %k, %bytes : i32
  %p = llvm.getelementptr %b[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // COUNT: mbarriers-misuse.mlir:[[#@LINE+4]]:3: error: 'tile_nv.mbarrier_init' op got a count of 0, expected 1 to 2^20 - 1 (program (0, 0, 0), warp 0, lane 0)
  // LARGE: mbarriers-misuse.mlir:[[#@LINE+3]]:3: error: 'tile_nv.mbarrier_init' op got a count of 1048576, expected 1 to 2^20 - 1 (program (0, 0, 0), warp 0, lane 0)
  // OFFSET: mbarriers-misuse.mlir:[[#@LINE+2]]:3: error: 'tile_nv.mbarrier_init' op got offset 4, expected a multiple of 8 inside shared memory, which has 1056 bytes (program (0, 0, 0), warp 0, lane 0)
  // MANY: mbarriers-misuse.mlir:[[#@LINE+1]]:3: error: 'tile_nv.mbarrier_init' op makes more than 128 barriers (program (0, 0, 0), warp 0, lane 0)
  tile_nv.mbarrier_init %p, %count
  // AGAIN: mbarriers-misuse.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'tile_nv.mbarrier_init' op makes a barrier at offset 0, where there is one (program (0, 0, 0), warp 0, lane 0)
  ${AGAIN} tile_nv.mbarrier_init %p, %count
  %next = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %next, %rounds : i32
  llvm.cond_br %more, ^make(%next : i32), ^made
^made:
  nvvm.barrier0
  llvm.cond_br %low, ^ends, ^waits
^waits:
  // PARITY: mbarriers-misuse.mlir:[[#@LINE+1]]:3: error: 'tile_nv.mbarrier_wait' op waits for another barrier or phase than the warp's first lane (program (0, 0, 0), warp 1, lane 1)
  tile_nv.mbarrier_wait %b, ${PARITY}
  llvm.br ^done
^ends:
  // END: mbarriers-misuse.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'tile_nv.mbarrier_inval' op ends a barrier that is in use (program (0, 0, 0), warp 0, lane 0)
  ${END} tile_nv.mbarrier_inval %b
  tile_nv.mbarrier_arrive %b
  tile_nv.mbarrier_wait %b, %zero
  llvm.br ^done
^done:
  llvm.return
}
