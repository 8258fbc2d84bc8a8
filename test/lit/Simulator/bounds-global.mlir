// Accesses of global memory: outside of a buffer at either end, at a null pointer, misaligned.
// tile.param FIRST = 0
// tile.param STORES = 100
// RUN: %sm %s --kernel=copy --arg=i32[256]=iota --arg=i32[256]=zeros
// RUN: not %sm %s --kernel=copy --arg=i32[255]=iota --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not %sm %s --kernel=copy --arg=i32[256]=iota --arg=i32[200]=zeros 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not %sm %s --kernel=copy -D FIRST=-1 --arg=i32[256]=iota --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not %sm %s --kernel=copy -D FIRST=536870912 --arg=i32[256]=iota --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not %sm %s --kernel=copy --arg=i32[0]=zeros --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: %sm %s --kernel=copy --check=race --arg=i32[100]=iota --arg=i32[256]=zeros

// BEFORE: error: 'llvm.load' op reads 4 bytes at 0x1fffffffffc, 4 bytes before argument 0 (program (0, 0, 0), warp 0, lane 0)
// FAR: error: 'llvm.load' op reads 4 bytes at 0x20080000000, 2147483648 bytes from the start of argument 0, which has 1024 bytes (program (0, 0, 0), warp 0, lane 0)
// NULL: error: 'llvm.load' op reads 4 bytes at a null pointer (program (0, 0, 0), warp 0, lane 0)
llvm.func @copy(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(128 : i32) : i32
  %first = llvm.mlir.constant(${FIRST} : i64) : i64
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %tid : i32
  %p0 = llvm.getelementptr %in[%first] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %p = llvm.getelementptr %p0[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32

  // The last lane of the last warp of the second program.
  // LOAD: bounds-global.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op reads 4 bytes at 0x200000003fc, 1020 bytes from the start of argument 0, which has 1020 bytes (program (1, 0, 0), warp 3, lane 31)
  %v = llvm.load %p : !llvm.ptr<1> -> i32
  %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32

  // STORE: bounds-global.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op writes 4 bytes at 0x30000000320, 800 bytes from the start of argument 1, which has 800 bytes (program (1, 0, 0), warp 2, lane 8)
  llvm.store %v, %q : i32, !llvm.ptr<1>
  llvm.return
}

// RUN: %sm %s --kernel=vectors -D FIRST=4 --arg=i32[516]=iota --arg=i32[512]=zeros
// RUN: not %sm %s --kernel=vectors -D FIRST=1 --arg=i32[516]=iota --arg=i32[512]=zeros 2>&1 | FileCheck %s --check-prefix=ALIGNED
// RUN: %sm %s --kernel=vectors -D FIRST=1 --check=uninit --arg=i32[516]=iota --arg=i32[512]=zeros
// ALIGNED: error: 'llvm.load' op reads at address 0x20000000004, expected a multiple of 16 (program (0, 0, 0), warp 0, lane 0)
llvm.func @vectors(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  %first = llvm.mlir.constant(${FIRST} : i32) : i32
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %tid : i32
  %p0 = llvm.getelementptr %in[%first] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %p = llvm.getelementptr %p0[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  %v = llvm.load %p : !llvm.ptr<1> -> vector<4xi32>
  %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  llvm.store %v, %q : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}

// A tail that the predicate of both accesses leaves out.
// RUN: %sm %s --kernel=masked -D FIRST=100 --arg=i32[200]=iota --arg=i32[200]=zeros
// RUN: not %sm %s --kernel=masked -D FIRST=101 --arg=i32[200]=iota --arg=i32[200]=zeros 2>&1 | FileCheck %s --check-prefix=MASKLOAD
// RUN: not %sm %s --kernel=masked -D FIRST=100 -D STORES=101 --arg=i32[200]=iota --arg=i32[200]=zeros 2>&1 | FileCheck %s --check-prefix=MASKSTORE
// MASKLOAD: error: 'tile_nv.load' op reads 4 bytes at 0x20000000320, 800 bytes from the start of argument 0, which has 800 bytes (program (1, 0, 0), warp 3, lane 4)
// The store beyond the tail is in the other program's part first.
// MASKSTORE: error: 'tile_nv.store' op races: writes another value at offset 400 of argument 1, written by program (0, 0, 0), warp 3, lane 4 (program (1, 0, 0), warp 0, lane 0)
llvm.func @masked(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(100 : i32) : i32
  %loads = llvm.mlir.constant(${FIRST} : i32) : i32
  %stores = llvm.mlir.constant(${STORES} : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %tid : i32
  %m = llvm.icmp "slt" %tid, %loads : i32
  %n = llvm.icmp "slt" %tid, %stores : i32
  %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %v = tile_nv.load %p, %m, %zero : !llvm.ptr<1>, i32
  %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  tile_nv.store %v, %q, %n : i32, !llvm.ptr<1>
  llvm.return
}
