// Races in global memory: between warps of a program, between programs; what makes them none.
// tile.param BARRIER = nvvm.barrier0
// tile.param FIRST = %start
// tile.param VALUE = %id
// tile.param READ = %i
// RUN: %sm %s --kernel=warps --arg=i32[128]=zeros --arg=i32[128]=zeros
// RUN: not %sm %s --kernel=warps -D BARRIER=// --arg=i32[128]=zeros --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=WARPS
llvm.func @warps(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %id : i32
  %reversed = llvm.sub %last, %id : i32
  %j = llvm.add %start, %reversed : i32
  %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // WARPS-DAG: race-global.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op races: writes another value at offset 128 of argument 0, read by warp 0, lane 31 with no barrier between (program (0, 0, 0), warp 1, lane 0)
  llvm.store %last, %p : i32, !llvm.ptr<1>
  ${BARRIER}
  %q = llvm.getelementptr %in[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // WARPS-DAG: race-global.mlir:[[#@LINE+1]]:8: note: it was read here
  %v = llvm.load %q : !llvm.ptr<1> -> i32
  %r = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}

// Two programs write the same place: other values are a race, the same values are none.
// RUN: %sm %s --kernel=programs --arg=i32[128]=zeros
// RUN: %sm %s --kernel=programs -D FIRST=%zero --arg=i32[128]=zeros
// RUN: not %sm %s --kernel=programs -D FIRST=%zero -D VALUE=%block --arg=i32[128]=fill:7 2>&1 | FileCheck %s --check-prefix=WRITES
llvm.func @programs(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %start = llvm.mul %block, %size : i32
  %i = llvm.add ${FIRST}, %id : i32
  %p = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // WRITES: race-global.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op races: writes another value at offset 0 of argument 0, written by program (0, 0, 0), warp 0, lane 0 (program (1, 0, 0), warp 0, lane 0)
  llvm.store ${VALUE}, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A program reads what another one writes.
// RUN: %sm %s --kernel=halves --arg=i32[128]=iota
// RUN: not %sm %s --kernel=halves -D READ=%other --arg=i32[128]=iota 2>&1 | FileCheck %s --check-prefix=READS
llvm.func @halves(%data: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %last = llvm.mlir.constant(127 : i32) : i32
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %id : i32
  %other = llvm.sub %last, %i : i32
  %q = llvm.getelementptr %data[${READ}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // READS-DAG: race-global.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 252 of argument 0, written by program (0, 0, 0), warp 1, lane 31 (program (1, 0, 0), warp 0, lane 0)
  %v = llvm.load %q : !llvm.ptr<1> -> i32
  %w = llvm.add %v, %one : i32
  %p = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // READS-DAG: race-global.mlir:[[#@LINE+1]]:3: note: it was written here
  llvm.store %w, %p : i32, !llvm.ptr<1>
  llvm.return
}
