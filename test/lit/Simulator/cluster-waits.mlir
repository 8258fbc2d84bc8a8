// One block waits for the cluster, the other one for an arrival that never comes; the twin's does.
// tile.param COME = tile_nv.mbarrier_arrive %b if %one
// RUN: %sm %s --grid=1 --arg=i32[128]=zeros
// RUN: not %sm %s -D COME=// --grid=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=LONELY
llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>
llvm.func @lonely(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %count = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %all = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.icmp "eq" %tid, %zero : i32
  %first = llvm.icmp "eq" %rank, %zero : i32
  llvm.cond_br %first, ^meet, ^wait
^wait:
  llvm.cond_br %one, ^make, ^made
^make:
  tile_nv.mbarrier_init %b, %count
  llvm.br ^made
^made:
  nvvm.bar.warp.sync %all : i32
  ${COME}
  // LONELY-DAG: cluster-waits.mlir:[[#@LINE+1]]:3: note: it waits here
  tile_nv.mbarrier_wait %b, %zero
  llvm.br ^meet
^meet:
  nvvm.cluster.arrive {aligned}
  // LONELY-DAG: cluster-waits.mlir:[[#@LINE+1]]:3: error: 'nvvm.cluster.wait' op waits for ever at the cluster's barrier: warp 0 of block 1 does not come (program (0, 0, 0), warp 0)
  nvvm.cluster.wait {aligned}
  llvm.return
}
