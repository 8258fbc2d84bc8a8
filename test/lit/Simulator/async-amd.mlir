// Loads from global memory straight to LDS, and the counter that says when they have landed.
// tile.param WAIT = rocdl.s.waitcnt 3952
// tile.param TO = %base
// RUN: %gfx %s --arg=i32[128]=iota --arg=i32[128]=zeros
// RUN: not %gfx %s -D WAIT=// --arg=i32[128]=iota --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not %gfx %s -D 'WAIT=rocdl.s.waitcnt 3953' --arg=i32[128]=iota --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: not %gfx %s -D TO=%mine --arg=i32[128]=iota --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=UNIFORM
llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>
llvm.func @copy(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %tid = rocdl.workitem.id.x : i32
  %block = rocdl.workgroup.id.x : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  %base = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %mine = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %start = llvm.mul %block, %size : i32
  %i = llvm.add %start, %tid : i32
  %from = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %second = llvm.getelementptr %base[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  // UNIFORM: async-amd.mlir:[[#@LINE+2]]:3: error: 'rocdl.load.to.lds' op got LDS address 4, expected 0 as in the warp's first lane (program (0, 0, 0), warp 0, lane 1)
  // FLIGHT-DAG: async-amd.mlir:[[#@LINE+1]]:3: note: the copy started here
  rocdl.load.to.lds %from, ${TO}, 4, 0, 0 : !llvm.ptr<1>
  rocdl.load.to.lds %from, %second, 4, 0, 0 : !llvm.ptr<1>
  ${WAIT}
  // FLIGHT-DAG: async-amd.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op touches offset 0 of shared memory while an asynchronous copy of warp 0 to it has not been waited for (program (0, 0, 0), warp 0, lane 0)
  %v = llvm.load %mine : !llvm.ptr<3> -> i32
  %q = llvm.getelementptr %second[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  // One operation may be open: the first has landed, the second has not.
  // LAST: async-amd.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op touches offset 256 of shared memory while an asynchronous copy
  %w = llvm.load %q : !llvm.ptr<3> -> i32
  %sum = llvm.add %v, %w : i32
  %r = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %sum, %r : i32, !llvm.ptr<1>
  llvm.return
}
