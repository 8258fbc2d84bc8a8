// Loads through a buffer resource to LDS: what lies outside of the resource becomes zero, and reading before the wait is reported.
// tile.param WAIT = rocdl.s.waitcnt 3952
// tile.param BYTES = 1024
// tile.param STRIDE = 0
// RUN: %gfx950 %s --arg=i32[256]=iota --arg=i32[256]=zeros --out=0:%t.iota.npy --out=1:%t.out.npy && cmp %t.iota.npy %t.out.npy
// RUN: %gfx950 %s --arg=i32[256]=zeros --arg=i32[256]=ones --out=0:%t.zeros.npy
// RUN: %gfx950 %s -D BYTES=0 --arg=i32[256]=iota --arg=i32[256]=ones --expect=1:%t.zeros.npy
// RUN: not %gfx950 %s -D WAIT=// --arg=i32[256]=iota --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not %gfx950 %s -D STRIDE=4 --arg=i32[256]=iota --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not %gfx %s --arg=i32[256]=iota --arg=i32[256]=zeros 2>&1 | FileCheck %s --check-prefix=SIZE
llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i32>
llvm.func @copy(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %tid = rocdl.workitem.id.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %stride = llvm.mlir.constant(${STRIDE} : i16) : i16
  %bytes = llvm.mlir.constant(${BYTES} : i64) : i64
  %flags = llvm.mlir.constant(159744 : i32) : i32
  %size = llvm.mlir.constant(16 : i32) : i32
  %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags : !llvm.ptr<1> to !llvm.ptr<8>
  %lds = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %from = llvm.mul %tid, %size : i32
  // STRIDE: async-amd-buffer.mlir:[[#@LINE+3]]:3: error: 'rocdl.raw.ptr.buffer.load.lds' op has a resource with stride or swizzle, which the simulator does not know (program (0, 0, 0), warp 0, lane 0)
  // FLIGHT-DAG: async-amd-buffer.mlir:[[#@LINE+2]]:3: note: the copy started here
  // SIZE: error: 'rocdl.raw.ptr.buffer.load.lds' op of this size or offset is not known to the simulator
  rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %size, %from, %zero, %zero, %zero
  ${WAIT}
  %mine = llvm.getelementptr %lds[%from] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // FLIGHT-DAG: async-amd-buffer.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op touches offset 0 of shared memory while an asynchronous copy of warp 0 to it has not been waited for
  %v = llvm.load %mine {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %to = llvm.getelementptr %out[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  llvm.store %v, %to {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}
