// What the counters say of one warp: aligned accesses of 4 and of 16 bytes a lane, and a stride of 32 bytes.
// RUN: %sm %s --kernel=narrow --arg=f32[64]=iota --arg=f32[64]=zeros --stats | FileCheck %s --check-prefix=NARROW
// RUN: %sm %s --kernel=wide --arg=f32[256]=iota --arg=f32[256]=zeros --stats=json | FileCheck %s --check-prefix=WIDE
// RUN: %sm %s --kernel=strided --arg=f32[512]=iota --arg=f32[64]=zeros --stats | FileCheck %s --check-prefix=STRIDED
// RUN: %sm %s --kernel=shared --arg=f32[32]=zeros --check=race,oob --stats | FileCheck %s --check-prefix=SHARED

// NARROW: sim sm_90: 2 programs of 1 warps of 32 lanes
// NARROW: global load 2 requests 8 sectors (4.00 a request) 256 bytes
// NARROW: global store 2 requests 8 sectors (4.00 a request) 256 bytes
// NARROW: accesses:
// NARROW-NEXT: {{.*}}stats.mlir:[[#@LINE+11]]:8 llvm.load, global load: 2 requests, 4.00 sectors a request, 32.0 lanes of 4 bytes
// NARROW: source:
// NARROW: 2 2 8 {{.*}}stats.mlir:[[#@LINE+9]] {{.*}}%v = llvm.load %p : !llvm.ptr<1> -> f32
llvm.func @narrow(%in: !llvm.ptr<1> {tile.element = f32}, %out: !llvm.ptr<1> {tile.element = f32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(32 : i32) : i32
  %first = llvm.mul %block, %size : i32
  %i = llvm.add %first, %tid : i32
  %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %p : !llvm.ptr<1> -> f32
  %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %v, %q : f32, !llvm.ptr<1>
  llvm.return
}

// WIDE: "global_load": {"requests": 2, "sectors": 32, "lanes": 64, "bytes": 1024}
// WIDE: "kind": "global store", "requests": 2, "sectors": 32, "lanes": 64, "bytes": 1024
llvm.func @wide(%in: !llvm.ptr<1> {tile.element = f32}, %out: !llvm.ptr<1> {tile.element = f32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(32 : i32) : i32
  %first = llvm.mul %block, %size : i32
  %i = llvm.add %first, %tid : i32
  %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
  %v = llvm.load %p : !llvm.ptr<1> -> vector<4xf32>
  %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
  llvm.store %v, %q : vector<4xf32>, !llvm.ptr<1>
  llvm.return
}

// STRIDED: global load 2 requests 64 sectors (32.00 a request) 256 bytes
// STRIDED: global store 2 requests 8 sectors (4.00 a request)
llvm.func @strided(%in: !llvm.ptr<1> {tile.element = f32}, %out: !llvm.ptr<1> {tile.element = f32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = llvm.mlir.constant(32 : i32) : i32
  %stride = llvm.mlir.constant(8 : i32) : i32
  %first = llvm.mul %block, %size : i32
  %i = llvm.add %first, %tid : i32
  %j = llvm.mul %i, %stride : i32
  %p = llvm.getelementptr %in[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %p : !llvm.ptr<1> -> f32
  %q = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %v, %q : f32, !llvm.ptr<1>
  llvm.return
}

// Rows of 32 words, read by columns: all lanes in one bank.
// SHARED: mix:{{.*}} shared 4 {{.*}}barrier 2
// SHARED: shared load 2 requests 64 passes (32.00 a request) 256 bytes 62 bank conflicts
// SHARED: shared store 2 requests 2 passes (1.00 a request) 256 bytes 0 bank conflicts
llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x f32>
llvm.func @shared(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %n = llvm.mlir.constant(32 : i32) : i32
  %base = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %p = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %x = llvm.sitofp %tid : i32 to f32
  llvm.store %x, %p : f32, !llvm.ptr<3>
  nvvm.barrier0
  %row = llvm.mul %tid, %n : i32
  %q = llvm.getelementptr %base[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %v = llvm.load %q : !llvm.ptr<3> -> f32
  %r = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %v, %r : f32, !llvm.ptr<1>
  llvm.return
}
