// Barriers that do not complete: lanes or warps that go another way, counts that do not fit.
// tile.param LANES = 64
// tile.param THREADS = 64
// tile.param OTHER = 64
// tile.param ID = 1
// RUN: %sm %s --kernel=branch --arg=i32[64]=zeros
// RUN: not %sm %s --kernel=branch -D LANES=40 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not %sm %s --kernel=branch -D LANES=32 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: not %sm %s --kernel=branch -D THREADS=96 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %sm %s --kernel=branch -D THREADS=40 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=PART
llvm.func @branch(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %limit = llvm.mlir.constant(${LANES} : i32) : i32
  %id = llvm.mlir.constant(${ID} : i32) : i32
  %threads = llvm.mlir.constant(${THREADS} : i32) : i32
  %m = llvm.icmp "slt" %tid, %limit : i32
  llvm.cond_br %m, ^wait, ^end
^wait:
  // LANES: barriers.mlir:[[#@LINE+4]]:3: error: 'nvvm.barrier' op is executed by a part of the warp's lanes (mask 0xff of 0xffffffff), expected all (program (0, 0, 0), warp 1, lane 8)
  // WARP: barriers.mlir:[[#@LINE+3]]:3: error: 'nvvm.barrier' op is never complete: 32 of 64 threads have arrived, warp 1 has ended (program (0, 0, 0), warp 0)
  // MANY: barriers.mlir:[[#@LINE+2]]:3: error: 'nvvm.barrier' op waits for 96 threads, expected a multiple of 32 up to 64 (program (0, 0, 0), warp 0)
  // PART: barriers.mlir:[[#@LINE+1]]:3: error: 'nvvm.barrier' op waits for 40 threads, expected a multiple of 32 up to 64 (program (0, 0, 0), warp 0)
  nvvm.barrier id = %id number_of_threads = %threads
  llvm.br ^end
^end:
  llvm.return
}

// Two warps at one barrier each, or at one barrier with two ideas of it.
// RUN: %sm %s --kernel=pair --arg=i32[64]=zeros
// RUN: not %sm %s --kernel=pair -D ID=2 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not %sm %s --kernel=pair -D OTHER=32 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not %sm %s --kernel=pair -D ID=16 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=NUMBER
llvm.func @pair(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %id = llvm.mlir.constant(${ID} : i32) : i32
  %threads = llvm.mlir.constant(${THREADS} : i32) : i32
  %other = llvm.mlir.constant(${OTHER} : i32) : i32
  %m = llvm.icmp "slt" %tid, %half : i32
  llvm.cond_br %m, ^low, ^high
^low:
  // APART-DAG: barriers.mlir:[[#@LINE+2]]:3: error: 'nvvm.barrier' op is never complete: 32 of 64 threads have arrived, warp 1 waits at barrier 2 (program (0, 0, 0), warp 0)
  // COUNTS-DAG: barriers.mlir:[[#@LINE+1]]:3: note: the other warp waits here
  nvvm.barrier id = %one number_of_threads = %threads
  llvm.br ^end
^high:
  // APART-DAG: barriers.mlir:[[#@LINE+3]]:3: note: warp 1 waits here
  // COUNTS-DAG: barriers.mlir:[[#@LINE+2]]:3: error: 'nvvm.barrier' op waits for 32 threads at barrier 1, where another warp waits for 64 (program (0, 0, 0), warp 1)
  // NUMBER: barriers.mlir:[[#@LINE+1]]:3: error: 'nvvm.barrier' op got barrier 16, expected one below 16 (program (0, 0, 0), warp 1)
  nvvm.barrier id = %id number_of_threads = %other
  llvm.br ^end
^end:
  llvm.return
}

// A barrier of a warp's lanes that some of them do not reach, and one at which a warp arrives again before the others came.
// tile.param AGAIN = //
// tile.param MASK = 255
// RUN: %sm %s --kernel=lanes --arg=i32[64]=zeros
// RUN: not %sm %s --kernel=lanes -D MASK=511 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: not %sm %s --kernel=lanes -D AGAIN= --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=AGAIN
llvm.func @lanes(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %mask = llvm.mlir.constant(${MASK} : i32) : i32
  %id = llvm.mlir.constant(1 : i32) : i32
  %threads = llvm.mlir.constant(64 : i32) : i32
  %few = llvm.icmp "slt" %tid, %eight : i32
  %low = llvm.icmp "slt" %tid, %half : i32
  llvm.cond_br %few, ^some, ^all
^some:
  // MASK: barriers.mlir:[[#@LINE+1]]:3: error: 'nvvm.bar.warp.sync' op waits for lanes 0x100 that are not here (active: 0xff) (program (0, 0, 0), warp 0, lane 0)
  nvvm.bar.warp.sync %mask : i32
  llvm.br ^all
^all:
  llvm.cond_br %low, ^arrive, ^wait
^arrive:
  nvvm.barrier.arrive id = %id number_of_threads = %threads
  // AGAIN: barriers.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'nvvm.barrier.arrive' op arrives twice at barrier 1 before it is complete (program (0, 0, 0), warp 0)
  ${AGAIN} nvvm.barrier.arrive id = %id number_of_threads = %threads
  llvm.br ^end
^wait:
  nvvm.barrier id = %id number_of_threads = %threads
  llvm.br ^end
^end:
  llvm.return
}
