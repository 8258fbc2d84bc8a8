// Accesses outside of shared and of the lanes' own memory, and misaligned ones.
// RUN: %sm %s --kernel=shared -D STEP=4 --arg=i32[128]=zeros
// RUN: not %sm %s --kernel=shared -D STEP=5 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %sm %s --kernel=shared -D STEP=-4 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not %sm %s --kernel=shared -D STEP=2 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=ALIGNED
llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
llvm.func @shared(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %step = llvm.mlir.constant(${STEP} : i32) : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %offset = llvm.mul %tid, %step : i32
  %p = llvm.getelementptr %base[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // OUTSIDE: bounds-other.mlir:[[#@LINE+3]]:3: error: 'llvm.store' op writes at address 0x5, expected a multiple of 4 (program (0, 0, 0), warp 0, lane 1)
  // BEFORE: bounds-other.mlir:[[#@LINE+2]]:3: error: 'llvm.store' op writes 4 bytes at offset -4 of shared memory, which has 512 bytes (program (0, 0, 0), warp 0, lane 1)
  // ALIGNED: bounds-other.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op writes at address 0x2, expected a multiple of 4 (program (0, 0, 0), warp 0, lane 1)
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  %q = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %v = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.store %v, %q : i32, !llvm.ptr<1>
  llvm.return
}

// The same past the end, with dynamic shared memory of the size that the module gives.
// RUN: %sm %s --kernel=local -D STEP=3 --arg=i32[128]=zeros
// RUN: not %sm %s --kernel=local -D STEP=4 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=LOCAL
llvm.func @local(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %index = llvm.mlir.constant(${STEP} : i32) : i32
  %stack = llvm.alloca %four x i32 : (i32) -> !llvm.ptr
  %p = llvm.getelementptr %stack[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  // LOCAL: bounds-other.mlir:[[#@LINE+1]]:3: error: 'llvm.store' op writes 4 bytes at offset 16 of the lane's own memory, which has 16 bytes (program (0, 0, 0), warp 0, lane 0)
  llvm.store %tid, %p : i32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  %q = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %q : i32, !llvm.ptr<1>
  llvm.return
}

// A buffer resource: what lies beyond its size reads as zero; a size that is not true is a fault.
// RUN: %gfx %s --kernel=resource -D STEP=400 --arg=i32[100]=iota --arg=i32[128]=zeros
// RUN: not %gfx %s --kernel=resource -D STEP=404 --arg=i32[100]=iota --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=RESOURCE
llvm.func @resource(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 128, 1, 1>} {
  %tid = rocdl.workitem.id.x : i32
  %stride = llvm.mlir.constant(0 : i16) : i16
  %size = llvm.mlir.constant(${STEP} : i64) : i64
  %flags = llvm.mlir.constant(159744 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %r = rocdl.make.buffer.rsrc %in, %stride, %size, %flags : !llvm.ptr<1> to !llvm.ptr<8>
  %offset = llvm.mul %tid, %four : i32
  // RESOURCE: bounds-other.mlir:[[#@LINE+1]]:8: error: 'rocdl.raw.ptr.buffer.load' op reads 4 bytes at 0x20000000190, 400 bytes from the start of argument 0, which has 400 bytes (program (0, 0, 0), warp 1, lane 36)
  %v = rocdl.raw.ptr.buffer.load %r, %offset, %zero, %zero : i32
  %q = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %q : i32, !llvm.ptr<1>
  llvm.return
}
