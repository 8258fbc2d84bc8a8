// Programs that talk through a counter: the last to come adds up what all have written. Without acquire and
// release the counter orders nothing.
// tile.param ORDER = acq_rel
// RUN: %sm %s --arg=i32[2]=zeros --arg=i32[1]=zeros --arg=i32[1]=zeros --out=2:%t.npy
// RUN: %sm %s --arg=i32[2]=zeros --arg=i32[1]=zeros --arg=i32[1]=zeros --shuffle=3 --expect=2:%t.npy
// RUN: not %sm %s -D ORDER=monotonic --arg=i32[2]=zeros --arg=i32[1]=zeros --arg=i32[1]=zeros 2>&1 | FileCheck %s
llvm.func @last(%parts: !llvm.ptr<1> {tile.element = i32}, %counter: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ten = llvm.mlir.constant(10 : i32) : i32
  %part = llvm.add %block, %ten : i32
  %p = llvm.getelementptr %parts[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // CHECK-DAG: race-atomics.mlir:[[#@LINE+1]]:3: note: it was written here
  llvm.store %part, %p : i32, !llvm.ptr<1>
  %before = llvm.atomicrmw add %counter, %one ${ORDER} : !llvm.ptr<1>, i32
  %isLast = llvm.icmp "eq" %before, %one : i32
  llvm.cond_br %isLast, ^sum, ^end
^sum:
  // CHECK-DAG: race-atomics.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 0 of argument 0, written by program (0, 0, 0), warp 0, lane 0 (program (1, 0, 0), warp 0, lane 0)
  %a = llvm.load %parts : !llvm.ptr<1> -> i32
  %q = llvm.getelementptr %parts[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %b = llvm.load %q : !llvm.ptr<1> -> i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %out : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
