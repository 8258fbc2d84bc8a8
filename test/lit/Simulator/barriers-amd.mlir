// AMD's s_barrier stops waves and orders nothing: memory needs the fences around it.
// tile.param RELEASE = llvm.fence syncscope("workgroup") release
// tile.param ACQUIRE = llvm.fence syncscope("workgroup") acquire
// RUN: %gfx %s --kernel=exchange --arg=i32[128]=zeros
// RUN: not %gfx %s --kernel=exchange -D RELEASE=// --arg=i32[128]=zeros 2>&1 | FileCheck %s
// RUN: not %gfx %s --kernel=exchange -D ACQUIRE=// --arg=i32[128]=zeros 2>&1 | FileCheck %s
// RUN: not %gfx %s --kernel=exchange -D 'RELEASE=llvm.fence syncscope("wavefront") release' --arg=i32[128]=zeros 2>&1 | FileCheck %s
// RUN: %gfx %s --kernel=exchange -D RELEASE=rocdl.barrier --arg=i32[128]=zeros
// RUN: %gfx %s --kernel=exchange -D 'RELEASE=rocdl.s.waitcnt 49279' --arg=i32[128]=zeros
llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>
llvm.func @exchange(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 128, 1, 1>} {
  %tid = rocdl.workitem.id.x : i32
  %last = llvm.mlir.constant(127 : i32) : i32
  %base = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.sub %last, %tid : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  ${RELEASE}
  rocdl.s.barrier
  ${ACQUIRE}
  // CHECK: barriers-amd.mlir:[[#@LINE+1]]:8: error: 'llvm.load' op races: reads offset 252 of shared memory, written by warp 0, lane 63 with no barrier between (program (0, 0, 0), warp 1, lane 0)
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  %r = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}

// GFX12 has arriving and waiting apart.
// RUN: tile-run --device=sim --target=gfx1201 --grid=2 %s --kernel=split --arg=i32[128]=zeros
llvm.func @split(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 128, 1, 1>} {
  %tid = rocdl.workitem.id.x : i32
  %last = llvm.mlir.constant(127 : i32) : i32
  %base = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.sub %last, %tid : i32
  %q = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  ${RELEASE}
  rocdl.s.barrier.signal id = -1
  rocdl.s.barrier.wait id = -1
  ${ACQUIRE}
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  %r = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}
