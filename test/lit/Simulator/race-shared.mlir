// A value goes to the neighbour through shared memory; without a barrier that is a race.
// RUN: %sm %s -D BARRIER=nvvm.barrier0 --arg=f32[128]=iota --arg=f32[128]=zeros
// RUN: not %sm %s -D BARRIER=// --arg=f32[128]=iota --arg=f32[128]=zeros 2>&1 | FileCheck %s
llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x f32>
llvm.func @shift(%in: !llvm.ptr<1> {tile.element = f32}, %out: !llvm.ptr<1> {tile.element = f32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(127 : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %p = llvm.getelementptr %in[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %p : !llvm.ptr<1> -> f32
  %q = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %next = llvm.add %tid, %one : i32
  %wrapped = llvm.and %next, %mask : i32
  // CHECK-DAG: race-shared.mlir:[[#@LINE+1]]:3: note: it was written here
  llvm.store %v, %q : f32, !llvm.ptr<3>
  ${BARRIER}
  %r = llvm.getelementptr %base[%wrapped] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  // CHECK-DAG: race-shared.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 4 of shared memory, written by warp 0, lane 1 with no barrier between (program (0, 0, 0), warp 0, lane 0)
  %w = llvm.load %r : !llvm.ptr<3> -> f32
  %s = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %w, %s : f32, !llvm.ptr<1>
  llvm.return
}
