// Blocks of a cluster run side by side: each stores its number, all meet, the first one reads what the others have stored, all
// meet again before anybody stores once more. What each of these orders is needed for.
// tile.param ARRIVE = nvvm.cluster.arrive {aligned}
// tile.param WAIT = nvvm.cluster.wait {aligned}
// tile.param AGAIN = nvvm.cluster.arrive {aligned}
// tile.param LAST = nvvm.cluster.wait {aligned}
// tile.param BLOCK = 1
// tile.param OFFSET = 0
// tile.param OVERWRITE = //
// tile.param MAPA = nvvm.mapa %p, %other : !llvm.ptr<3> -> !llvm.ptr<7>
// RUN: %sm %s --grid=2 --arg=i32[128]=zeros --out=0:%t.npy
// RUN: od -A n -v -w16 -j 128 -t d4 %t.npy | FileCheck %s --check-prefix=OUT
// RUN: %sm %s --grid=2 --shuffle=3 --arg=i32[128]=zeros
// The first program's first block got 100 + 1, its second one stored nothing there; and so on.
// OUT: 101 101 101 101
// OUT: 301 301 301 301

// RUN: not %sm %s -D ARRIVE=// -D WAIT=// --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not %sm %s -D ARRIVE=// --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: not %sm %s -D AGAIN=// -D LAST=// --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not %sm %s -D WAIT=// --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %sm %s -D "ARRIVE=nvvm.cluster.arrive.relaxed {aligned}" --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: not %sm %s -D BLOCK=2 --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not %sm %s -D OFFSET=128 --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=UNINIT
// RUN: not %sm %s -D OFFSET=256 --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not %sm %s -D OFFSET=2 --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not %sm %s -D "MAPA=llvm.addrspacecast %%p : !llvm.ptr<3> to !llvm.ptr<7>" --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=MAPA
// RUN: not %sm %s -D AGAIN=// --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=LAST
// The first block stores again what others may still read: itself, through its own address in the cluster.
// RUN: not %sm %s -D BLOCK=0 -D OVERWRITE= --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=WRITES
llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
llvm.func @cluster(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %hundred = llvm.mlir.constant(100 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %other = llvm.mlir.constant(${BLOCK} : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %n = llvm.mul %block, %hundred : i32
  %v = llvm.add %n, %rank : i32
  // RELAXED-DAG: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: note: it was written here
  llvm.store %v, %p : i32, !llvm.ptr<3>
  ${ARRIVE}
  // WAITS: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'nvvm.cluster.wait' op waits at the cluster's barrier without having arrived (program (1, 0, 0), warp 0)
  ${WAIT}
  %first = llvm.icmp "eq" %rank, %zero : i32
  llvm.cond_br %first, ^read, ^rest
^read:
  // RANK: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'nvvm.mapa' op got block 2 of a cluster of 2 (program (0, 0, 0), warp 0, lane 0)
  %q = ${MAPA}
  %at = llvm.getelementptr %q[${OFFSET}] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8
  // FIRST: cluster.mlir:[[#@LINE+8]]:{{[0-9]+}}: error: 'llvm.load' op reads shared memory of block 1, which may not have begun: the cluster has not met (program (0, 0, 0), warp 0, lane 0)
  // SECOND: cluster.mlir:[[#@LINE+7]]:{{[0-9]+}}: error: 'llvm.load' op reads shared memory of block 1, which has ended (program (0, 0, 0), warp 0, lane 0)
  // RELAXED-DAG: cluster.mlir:[[#@LINE+6]]:{{[0-9]+}}: error: 'llvm.load' op races: reads offset 0 of block 1's shared memory, written by its warp 0 with no barrier of the cluster between (program (0, 0, 0), warp 0, lane 0)
  // UNINIT: cluster.mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'llvm.load' op reads offset 128 of block 1's shared memory, which nobody has written so far (program (0, 0, 0), warp 0, lane 0)
  // BOUNDS: cluster.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'llvm.load' op reads 4 bytes at offset 256 of block 1's shared memory, which has 256 bytes (program (0, 0, 0), warp 0, lane 0)
  // ALIGN: cluster.mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'llvm.load' op reads at offset 2, expected a multiple of 4 (program (0, 0, 0), warp 0, lane 0)
  // MAPA: cluster.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'llvm.load' op reads at 0x40000000000000, which is no address of a block of the cluster (program (0, 0, 0), warp 0, lane 0)
  // WRITES-DAG: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: note: it was read here
  %w = llvm.load %at : !llvm.ptr<7> -> i32
  %thirtytwo = llvm.mlir.constant(32 : i32) : i32
  %start = llvm.mul %block, %thirtytwo : i32
  %place = llvm.add %start, %tid : i32
  %r = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %w, %r : i32, !llvm.ptr<1>
  // WRITES-DAG: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.store' op races: writes offset 0 of shared memory, read by another block with no barrier of the cluster between (program (0, 0, 0), warp 0, lane 0)
  ${OVERWRITE} llvm.store %v, %p : i32, !llvm.ptr<3>
  llvm.br ^rest
^rest:
  // TWICE: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'nvvm.cluster.arrive' op arrives twice at the cluster's barrier with no wait between (program (1, 0, 0), warp 0)
  ${AGAIN}
  // LAST: cluster.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'nvvm.cluster.wait' op waits at the cluster's barrier without having arrived (program (1, 0, 0), warp 0)
  ${LAST}
  llvm.return
}
