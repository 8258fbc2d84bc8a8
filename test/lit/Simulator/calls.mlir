// Printing, and assertions that fail: the functions that the driver gives to kernels.
// RUN: %sm %s --kernel=print | FileCheck %s
// RUN: not %sm %s --kernel=fail 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not %sm %s --kernel=other 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %sm %s --kernel=bad 2>&1 | FileCheck %s --check-prefix=BAD
llvm.mlir.global private constant @format("%d of %s: %5.2f, 100%%, %llx\0A\00") {addr_space = 0 : i32}
llvm.mlir.global private constant @name("lane\00") {addr_space = 0 : i32}
llvm.mlir.global private constant @wrong("%q\00") {addr_space = 0 : i32}
llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
llvm.func @unknown()

// CHECK: -1 of lane:  2.50, 100%, ff00000000
// CHECK-NEXT: -1 of lane:  2.50, 100%, ff00000000
// CHECK-NOT: lane
llvm.func @print() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %bytes = llvm.mlir.constant(32 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %real = llvm.mlir.constant(2.5 : f64) : f64
  %wide = llvm.mlir.constant(0xff00000000 : i64) : i64
  %buffer = llvm.alloca %bytes x i8 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %name = llvm.mlir.addressof @name : !llvm.ptr
  %first = llvm.icmp "eq" %id, %zero : i32
  llvm.cond_br %first, ^say, ^end
^say:
  %p8 = llvm.getelementptr %buffer[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %p16 = llvm.getelementptr %buffer[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %p24 = llvm.getelementptr %buffer[24] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %minus, %buffer : i32, !llvm.ptr
  llvm.store %name, %p8 : !llvm.ptr, !llvm.ptr
  llvm.store %real, %p16 : f64, !llvm.ptr
  llvm.store %wide, %p24 : i64, !llvm.ptr
  %n = llvm.call @vprintf(%format, %buffer) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @fail() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %line = llvm.mlir.constant(7 : i32) : i32
  %size = llvm.mlir.constant(1 : i64) : i64
  %name = llvm.mlir.addressof @name : !llvm.ptr
  // FAIL: calls.mlir:[[#@LINE+1]]:3: error: 'llvm.call' op fails: lane (program (0, 0, 0), warp 0, lane 0)
  llvm.call @__assertfail(%name, %name, %line, %name, %size) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()
  llvm.return
}

llvm.func @other() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  // OTHER: calls.mlir:[[#@LINE+1]]:3: error: 'llvm.call' op calls 'unknown', which is not known to the simulator
  llvm.call @unknown() : () -> ()
  llvm.return
}

llvm.func @bad() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %format = llvm.mlir.addressof @wrong : !llvm.ptr
  // BAD: calls.mlir:[[#@LINE+1]]:8: error: 'llvm.call' op prints with the unknown conversion 'q' (program (0, 0, 0), warp 0, lane 0)
  %n = llvm.call @vprintf(%format, %format) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
