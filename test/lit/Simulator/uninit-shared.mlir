// Reads of shared memory that nobody has written: all of it, or the part that a mask left out.
// tile.param COUNT = 128
// RUN: %sm %s --arg=i32[128]=zeros
// RUN: not %sm %s -D COUNT=100 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %sm %s -D COUNT=0 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %sm %s -D COUNT=0 --check=race,oob --arg=i32[128]=zeros
// The last warp that came to the barrier goes on first.
// ALL: error: 'llvm.load' op reads offset 384 of shared memory, which nobody has written so far (program (0, 0, 0), warp 3, lane 0)
llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>
llvm.func @shared(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %count = llvm.mlir.constant(${COUNT} : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %m = llvm.icmp "slt" %tid, %count : i32
  llvm.cond_br %m, ^write, ^join
^write:
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  nvvm.barrier0
  // PART: uninit-shared.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op reads offset 400 of shared memory, which nobody has written so far (program (0, 0, 0), warp 3, lane 4)
  %v = llvm.load %p : !llvm.ptr<3> -> i32
  %q = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %q : i32, !llvm.ptr<1>
  llvm.return
}
