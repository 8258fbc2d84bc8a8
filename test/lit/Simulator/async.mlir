// cp.async: the bytes land at the wait that covers them, for the lane that waits; a barrier tells the others.
// tile.param COMMIT = nvvm.cp.async.commit.group
// tile.param LATER = %copied
// tile.param WAIT = nvvm.cp.async.wait.group 0
// tile.param BARRIER = nvvm.barrier0
// tile.param TOUCH = llvm.intr.assume %true : i1
// tile.param SHIFT = 0
// RUN: %sm %s --kernel=copy --arg=i32[512]=iota --arg=i32[512]=zeros --out=1:%t.npy
// RUN: %sm %s --kernel=copy --shuffle=5 --arg=i32[512]=iota --arg=i32[512]=zeros --expect=1:%t.npy
// RUN: not %sm %s --kernel=copy -D WAIT=// --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not %sm %s --kernel=copy -D COMMIT=// --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not %sm %s --kernel=copy -D 'WAIT=nvvm.cp.async.wait.group 1' --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not %sm %s --kernel=copy -D BARRIER=// --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %sm %s --kernel=copy -D 'TOUCH=llvm.store %id, %into : i32, !llvm.ptr<3>' --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// RUN: not %sm %s --kernel=copy -D 'TOUCH=llvm.store %all, %from : i32, !llvm.ptr<1>' --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: not %sm %s --kernel=copy -D SHIFT=4 --arg=i32[516]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=ALIGNED
// RUN: not %sm %s --kernel=copy --arg=i32[300]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=BOUNDS
llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i32>
llvm.func @copy(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %true = llvm.mlir.constant(true) : i1
  %all = llvm.mlir.constant(-1 : i32) : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %id : i32
  %in0 = llvm.getelementptr %in[${SHIFT}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %from = llvm.getelementptr %in0[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  %into = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  // ALIGNED: async.mlir:[[#@LINE+3]]:3: error: 'nvvm.cp.async.shared.global' op reads at address 0x20000000004, expected a multiple of 16 (program (0, 0, 0), warp 0, lane 0)
  // BOUNDS: async.mlir:[[#@LINE+2]]:3: error: 'nvvm.cp.async.shared.global' op reads 16 bytes at 0x200000004b0, 1200 bytes from the start of argument 0, which has 1200 bytes (program (1, 0, 0), warp 0, lane 11)
  // FLIGHT-DAG: async.mlir:[[#@LINE+1]]:3: note: {{the copy started|it was written}} here
  nvvm.cp.async.shared.global %into, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  // OVERWRITE: async.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op touches offset 0 of shared memory while an asynchronous copy of warp 0 to it has not been waited for (program (0, 0, 0), warp 0, lane 0)
  ${TOUCH}
  ${COMMIT}
  // SOURCE: async.mlir:[[#@LINE+1]]:3: error: 'nvvm.cp.async.wait.group' op waits for a copy whose source has been overwritten meanwhile (program (0, 0, 0), warp 0, lane 0)
  ${WAIT}
  ${BARRIER}
  %other = llvm.sub %last, %id : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  // FLIGHT-DAG: async.mlir:[[#@LINE+2]]:8: error: 'llvm.load' op touches offset {{[0-9]+}} of shared memory while an asynchronous copy of warp {{.*}} to it has not been waited for
  // EARLY: async.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op reads offset 1008 of shared memory, which nobody has written so far (program (0, 0, 0), warp 0, lane 0)
  %v = llvm.load %q : !llvm.ptr<3> -> vector<4xi32>
  %r = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  llvm.store %v, %r : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}

// A ring of two buffers: the next copy may start when everybody has read the buffer.
// tile.param FREE = nvvm.barrier0
// RUN: %sm %s --kernel=ring --arg=i32[512]=iota --arg=i32[512]=zeros
// RUN: not %sm %s --kernel=ring -D FREE=// --arg=i32[512]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=REUSE
llvm.func @ring(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %rounds = llvm.mlir.constant(4 : i32) : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %from = llvm.getelementptr %in[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %into = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.sub %last, %id : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^header(%zero, %zero : i32, i32)
^header(%k: i32, %sum: i32):
  %more = llvm.icmp "slt" %k, %rounds : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  // REUSE-DAG: async.mlir:[[#@LINE+1]]:3: note: {{the copy started|it was written}} here
  nvvm.cp.async.shared.global %into, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  nvvm.barrier0
  // REUSE-DAG: async.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 252 of shared memory, written by warp 1, lane 31 with no barrier between (program (0, 0, 0), warp 0, lane 0)
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  %next = llvm.add %sum, %v : i32
  %k1 = llvm.add %k, %one : i32
  ${FREE}
  llvm.br ^header(%k1, %next : i32, i32)
^exit:
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %sum, %r : i32, !llvm.ptr<1>
  llvm.return
}

// A count of source bytes: the rest of the destination is zero.
// RUN: %sm %s --kernel=tail --arg=i32[6]=fill:9 --arg=i32[8]=zeros --stats | FileCheck %s --check-prefix=TAIL
// TAIL: async 6
llvm.func @tail(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 2, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %less = llvm.shl %id, %three : i32
  %count = llvm.sub %sixteen, %less : i32
  %from = llvm.getelementptr %in[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  %into = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  nvvm.cp.async.shared.global %into, %from, 16, cache = cg, %count : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %v = llvm.load %into : !llvm.ptr<3> -> vector<4xi32>
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  llvm.store %v, %r : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}
