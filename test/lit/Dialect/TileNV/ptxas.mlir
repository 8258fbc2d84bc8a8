// What the expansions say is accepted by NVIDIA's assembler, without a word about lost performance.
// REQUIRES: ptxas
// RUN: tile-translate --target=sm_90a --emit=report %s 2>&1 | FileCheck %s
// CHECK-NOT: (C7
// CHECK: kernel every
// CHECK: spilled: 0 bytes a thread, stack 0 bytes
!acc = !llvm.struct<(f32, f32, f32, f32)>
!i4 = !llvm.struct<(i32, i32, i32, i32)>
!h2 = !llvm.struct<(i32, i32)>
llvm.mlir.global external @shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
llvm.func @every(%out: !llvm.ptr<1>, %n: i32, %a: i64, %m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
  %s = llvm.mlir.addressof @shared_memory : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %mask = llvm.mlir.constant(3 : i16) : i16
  %threads = llvm.mlir.constant(128 : i32) : i32
  %p = nvvm.elect.sync -> i1
  tile_nv.prefetch_tensormap %m
  tile_nv.mbarrier_init %s, %n
  nvvm.fence.mbarrier.init
  nvvm.barrier0
  tile_nv.mbarrier_expect %s, %n if %p
  tile_nv.tma_load %s, %m[%n], %s if %p
  tile_nv.tma_load %s, %m[%n, %n], %s if %p multicast %mask
  tile_nv.tma_load %s, %m[%n, %n, %n, %n, %n], %s
  tile_nv.mbarrier_arrive %s
  tile_nv.mbarrier_arrive %s if %p cta %n
  tile_nv.mbarrier_wait %s, %zero
  %f0 = llvm.mlir.poison : !acc
  %i0 = llvm.mlir.poison : !i4
  %h0 = llvm.mlir.poison : !h2
  nvvm.wgmma.fence.aligned
  %f1 = tile_nv.wgmma %f0, [%a], %a, scale = %p n = 8 f16, f16 : !acc, i64
  %f2 = tile_nv.wgmma %f1, [%a], %a n = 8 bf16, bf16 trans_a trans_b negate_a : !acc, i64
  %f3 = tile_nv.wgmma %f2, [%n, %n, %n, %n], %a n = 8 f16, f16 trans_b : !acc, i32, i32, i32, i32
  nvvm.wgmma.commit.group.sync.aligned
  %w3 = tile_nv.wgmma_wait 0 (%f3) : (!acc) -> !acc
  nvvm.wgmma.fence.aligned
  %f4 = tile_nv.wgmma %w3, [%a], %a n = 8 tf32, tf32 : !acc, i64
  nvvm.wgmma.commit.group.sync.aligned
  %w4 = tile_nv.wgmma_wait 0 (%f4) : (!acc) -> !acc
  nvvm.wgmma.fence.aligned
  %f5 = tile_nv.wgmma %w4, [%a], %a n = 8 e4m3, e5m2 : !acc, i64
  %f6 = tile_nv.wgmma %f5, [%n, %n, %n, %n], %a n = 8 e5m2, e5m2 : !acc, i32, i32, i32, i32
  nvvm.wgmma.commit.group.sync.aligned
  %f7 = tile_nv.wgmma_wait 0 (%f6) : (!acc) -> !acc
  nvvm.wgmma.fence.aligned
  %i1 = tile_nv.wgmma %i0, [%a], %a, scale = %p n = 8 s8, u8 saturate : !i4, i64
  nvvm.wgmma.commit.group.sync.aligned
  %i2 = tile_nv.wgmma_wait 0 (%i1) : (!i4) -> !i4
  nvvm.wgmma.fence.aligned
  %h1 = tile_nv.wgmma %h0, [%a], %a, scale = %p n = 8 f16, f16 : !h2, i64
  nvvm.wgmma.commit.group.sync.aligned
  %h2 = tile_nv.wgmma_wait 0 (%h1) : (!h2) -> !h2
  %x = llvm.extractvalue %f7[0] : !acc
  %y = llvm.extractvalue %i2[1] : !i4
  %z = llvm.extractvalue %h2[1] : !h2
  llvm.store %x, %out : f32, !llvm.ptr<1>
  llvm.store %y, %out : i32, !llvm.ptr<1>
  llvm.store %z, %out : i32, !llvm.ptr<1>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  tile_nv.tma_store %m[%n, %n], %s if %p
  tile_nv.tma_store %m[%n, %n], %s reduce = add
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 0 {read}
  nvvm.cp.async.bulk.wait_group 0
  nvvm.barrier.arrive id = %n number_of_threads = %threads
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.wait {aligned}
  tile_nv.mbarrier_inval %s
  llvm.return
}
