// Races in shared memory beside the plain one: two writes, lanes of a warp, lanes of one store, atomics beside
// plain accesses. VALUE is what each thread writes: the same value twice is no race.
// tile.param VALUE = %one
// tile.param WARP = nvvm.bar.warp.sync %all : i32
// tile.param BARRIER = nvvm.barrier0
// RUN: %sm %s --kernel=writes --arg=i32[1]=zeros
// RUN: not %sm %s --kernel=writes -D VALUE=%warp --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not %sm %s --kernel=writes -D VALUE=%id --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=CLASH
llvm.mlir.global external @cell() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>
llvm.func @writes(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %warp = llvm.lshr %id, %five : i32
  %base = llvm.mlir.addressof @cell : !llvm.ptr<3>
  // WRITES: race-kinds.mlir:[[#@LINE+2]]:3: error: 'llvm.store' op races: writes offset 0 of shared memory, written by warp 0, lane 31 with no barrier between (program (0, 0, 0), warp 1, lane 0)
  // CLASH: race-kinds.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op races with itself: lanes 0 and 31 store different values at offset 0 of shared memory (program (0, 0, 0), warp 0, lane 0)
  llvm.store ${VALUE}, %base : i32, !llvm.ptr<3>
  nvvm.barrier0
  %v = llvm.load %base : !llvm.ptr<3> -> i32
  llvm.store %v, %out : i32, !llvm.ptr<1>
  llvm.return
}

// Lanes of a warp are no lockstep machine on NVIDIA: a warp barrier orders them.
// RUN: %sm %s --kernel=lanes --arg=i32[32]=zeros
// RUN: not %sm %s --kernel=lanes -D WARP=// --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=LANES
llvm.func @lanes(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %last = llvm.mlir.constant(31 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %base = llvm.mlir.addressof @cell : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.sub %last, %id : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %id, %p : i32, !llvm.ptr<3>
  ${WARP}
  // LANES: race-kinds.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 124 of shared memory, written by warp 0, lane 31 with no barrier between (program (0, 0, 0), warp 0, lane 0)
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}

// The same on AMD, where a wave is: no fault.
// RUN: %gfx %s --kernel=wave --arg=i32[64]=zeros
llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
llvm.func @wave(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %base = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.sub %last, %id : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %id, %p : i32, !llvm.ptr<3>
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}

// Atomic additions of all threads, then a plain read.
// RUN: %sm %s --kernel=sum --arg=i32[64]=zeros
// RUN: not %sm %s --kernel=sum -D BARRIER=// --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=SUM
llvm.func @sum(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %base = llvm.mlir.addressof @cell : !llvm.ptr<3>
  llvm.store %zero, %base : i32, !llvm.ptr<3>
  nvvm.barrier0
  %old = llvm.atomicrmw add %base, %id monotonic : !llvm.ptr<3>, i32
  ${BARRIER}
  // SUM: race-kinds.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 0 of shared memory, written by warp 1, lane 31 with no barrier between (program (0, 0, 0), warp 1, lane 0)
  %v = llvm.load %base : !llvm.ptr<3> -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}
