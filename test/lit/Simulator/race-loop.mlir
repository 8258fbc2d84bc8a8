// A loop that hands values through one shared buffer needs two barriers: before the reads and before the next
// round's writes.
// tile.param FIRST = nvvm.barrier0
// tile.param SECOND = nvvm.barrier0
// RUN: %sm %s --arg=i32[128]=zeros
// RUN: %sm %s --shuffle=7 --arg=i32[128]=zeros
// RUN: not %sm %s -D FIRST=// --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not %sm %s -D SECOND=// --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=SECOND
llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>
llvm.func @loop(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %rounds = llvm.mlir.constant(5 : i32) : i32
  %last = llvm.mlir.constant(127 : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.sub %last, %tid : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^header(%zero, %tid : i32, i32)
^header(%k: i32, %v: i32):
  %more = llvm.icmp "slt" %k, %rounds : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  // SECOND-DAG: race-loop.mlir:[[#@LINE+1]]:3: note: it was written here
  llvm.store %v, %p : i32, !llvm.ptr<3>
  ${FIRST}
  // Warp 0 comes first: nobody has written the other end yet.
  // FIRST: race-loop.mlir:[[#@LINE+2]]:8: error: 'llvm.load' op reads offset 508 of shared memory, which nobody has written so far (program (0, 0, 0), warp 0, lane 0)
  // SECOND-DAG: race-loop.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 508 of shared memory, written by warp 3, lane 31 with no barrier between (program (0, 0, 0), warp 0, lane 0)
  %w = llvm.load %q : !llvm.ptr<3> -> i32
  ${SECOND}
  %k1 = llvm.add %k, %one : i32
  %w1 = llvm.add %w, %one : i32
  llvm.br ^header(%k1, %w1 : i32, i32)
^exit:
  %r = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}
