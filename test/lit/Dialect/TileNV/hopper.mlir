// RUN: tile-opt %s -split-input-file --expand-tile-nv | FileCheck %s
// RUN: tile-opt %s -split-input-file | tile-opt -split-input-file | FileCheck %s --check-prefix=TEXT

!acc = !llvm.struct<(f32, f32, f32, f32)>
!i4 = !llvm.struct<(i32, i32, i32, i32)>
!h2 = !llvm.struct<(i32, i32)>

// The accumulator is tied; the scale is a predicate.
// CHECK-LABEL: @wgmma
// CHECK: "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, $6, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l,b,0,1,2,3,~{memory}" %arg1, %arg2, %arg3
// CHECK: "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $4, $4, $4}, $5, 1, 1, -1, 1;", "=f,=f,=f,=f,r,l,0,1,2,3,~{memory}"
// CHECK: m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, $4, $5, 1, 1, 1;"
// CHECK: m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, $4, $5, 1, 1, 1;"
// CHECK: m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 1, 1;"
// TEXT: tile_nv.wgmma %arg0, [%arg1], %arg2, scale = %arg3 n = 8 f16, f16 : !llvm.struct<(f32, f32, f32, f32)>, i64
// TEXT: tile_nv.wgmma %arg0, [%arg4, %arg4, %arg4, %arg4], %arg2 n = 8 bf16, bf16 trans_b negate_b : !llvm.struct<(f32, f32, f32, f32)>, i32, i32, i32, i32
llvm.func @wgmma(%c: !acc, %a: i64, %b: i64, %s: i1, %r: i32) -> !acc {
  %0 = tile_nv.wgmma %c, [%a], %b, scale = %s n = 8 f16, f16 : !acc, i64
  %1 = tile_nv.wgmma %c, [%r, %r, %r, %r], %b n = 8 bf16, bf16 trans_b negate_b : !acc, i32, i32, i32, i32
  %2 = tile_nv.wgmma %c, [%a], %b n = 8 tf32, tf32 : !acc, i64
  %3 = tile_nv.wgmma %c, [%a], %b n = 8 e4m3, e5m2 : !acc, i64
  %4 = tile_nv.wgmma %c, [%a], %b n = 8 f16, f16 trans_a trans_b : !acc, i64
  llvm.return %4 : !acc
}

// Products that follow each other in a sum are one piece of assembly; operands are named once. The later ones read theirs when
// the first has written the sum: early clobbers.
// CHECK-LABEL: @chain
// CHECK-NOT: inline_asm
// CHECK: %[[SUM:.*]] = llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, $6, 1, 1, 0, 0;
// CHECK-SAME: { .reg .b64 a; add.s64 a, $4, 2; .reg .b64 b; add.s64 b, $5, 64; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, a, b, 1, 1, 1, 0, 0; }
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$7, $7, $7, $7}, $5, 1, 1, 1, 0;"
// CHECK-SAME: "=&f,=&f,=&f,=&f,l,l,b,r,0,1,2,3,~{memory}" %arg1, %arg2, %arg3, %arg4, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} :
// CHECK-NOT: inline_asm
// CHECK: llvm.return %[[SUM]]
llvm.func @chain(%c: !acc, %a: i64, %b: i64, %s: i1, %r: i32) -> !acc {
  %0 = tile_nv.wgmma %c, [%a], %b, scale = %s n = 8 f16, f16 : !acc, i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %more = llvm.mlir.constant(64 : i64) : i64
  %a1 = llvm.add %a, %two : i64
  %b1 = llvm.add %b, %more : i64
  %1 = tile_nv.wgmma %0, [%a1], %b1 n = 8 f16, f16 : !acc, i64
  %2 = tile_nv.wgmma %1, [%r, %r, %r, %r], %b n = 8 f16, f16 : !acc, i32, i32, i32, i32
  llvm.return %2 : !acc
}

// The first one writes a sum that none comes into: nothing is tied.
// CHECK-LABEL: @fresh_chain
// CHECK: "wgmma{{.*}}, $4, $5, 0, 1, 1, 0, 0;{{.*}}wgmma{{.*}}, $5, $4, 1, 1, 1, 0, 0;", "=&f,=&f,=&f,=&f,l,l,~{memory}" %arg1, %arg2 :
llvm.func @fresh_chain(%c: !acc, %a: i64, %b: i64) -> !acc {
  %no = llvm.mlir.constant(false) : i1
  %0 = tile_nv.wgmma %c, [%a], %b, scale = %no n = 8 f16, f16 : !acc, i64
  %1 = tile_nv.wgmma %0, [%b], %a n = 8 f16, f16 : !acc, i64
  llvm.return %1 : !acc
}

// Not across stores, other products or the sum's other uses, and not where the sum starts anew.
// CHECK-LABEL: @apart
// CHECK-COUNT-6: inline_asm has_side_effects "wgmma{{[^;]*}};", "=f,=f,=f,=f,l,l
llvm.func @apart(%c: !acc, %d: !acc, %a: i64, %b: i64, %p: !llvm.ptr<3>) -> !llvm.struct<(struct<(f32, f32, f32, f32)>, struct<(f32, f32, f32, f32)>)> {
  %no = llvm.mlir.constant(false) : i1
  %0 = tile_nv.wgmma %c, [%a], %b n = 8 f16, f16 : !acc, i64
  llvm.store %a, %p : i64, !llvm.ptr<3>
  %1 = tile_nv.wgmma %0, [%a], %b n = 8 f16, f16 : !acc, i64
  %2 = tile_nv.wgmma %d, [%a], %b n = 8 f16, f16 : !acc, i64
  %3 = tile_nv.wgmma %1, [%a], %b n = 8 f16, f16 : !acc, i64
  %4 = tile_nv.wgmma %3, [%a], %b, scale = %no n = 8 f16, f16 : !acc, i64
  %5 = tile_nv.wgmma %3, [%b], %a n = 8 f16, f16 : !acc, i64
  %u = llvm.mlir.poison : !llvm.struct<(struct<(f32, f32, f32, f32)>, struct<(f32, f32, f32, f32)>)>
  %v = llvm.insertvalue %4, %u[0] : !llvm.struct<(struct<(f32, f32, f32, f32)>, struct<(f32, f32, f32, f32)>)>
  %w = llvm.insertvalue %5, %v[1] : !llvm.struct<(struct<(f32, f32, f32, f32)>, struct<(f32, f32, f32, f32)>)>
  llvm.return %w : !llvm.struct<(struct<(f32, f32, f32, f32)>, struct<(f32, f32, f32, f32)>)>
}

// CHECK-LABEL: @integers
// CHECK: "wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.u8 {$0, $1, $2, $3}, $4, $5, 1;", "=r,=r,=r,=r,l,l,0,1,2,3,~{memory}"
// CHECK: "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1,~{memory}"
llvm.func @integers(%c: !i4, %d: !h2, %a: i64, %b: i64) {
  %0 = tile_nv.wgmma %c, [%a], %b n = 8 s8, u8 saturate : !i4, i64
  %1 = tile_nv.wgmma %d, [%a], %b n = 8 f16, f16 : !h2, i64
  llvm.return
}

// CHECK-LABEL: @wait
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=r,=r,0,1,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "~{memory}"  : () -> ()
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=r,=r,0,1,2,3,4,5,~{memory}"
// TEXT: tile_nv.wgmma_fence(%arg1) : (!llvm.struct<(i32, i32)>) -> !llvm.struct<(i32, i32)>
// TEXT: tile_nv.wgmma_wait 1() : () -> ()
// TEXT: tile_nv.wgmma_wait 0(%arg0, %arg1) : (!llvm.struct<(f32, f32, f32, f32)>, !llvm.struct<(i32, i32)>) -> (!llvm.struct<(f32, f32, f32, f32)>, !llvm.struct<(i32, i32)>)
llvm.func @wait(%c: !acc, %d: !h2) -> !acc {
  %f = tile_nv.wgmma_fence(%d) : (!h2) -> !h2
  tile_nv.wgmma_wait 1 () : () -> ()
  %0:2 = tile_nv.wgmma_wait 0 (%c, %d) : (!acc, !h2) -> (!acc, !h2)
  llvm.return %0#0 : !acc
}

// CHECK-LABEL: @barriers
// CHECK: "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}"
// CHECK: "@$2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,b,~{memory}"
// CHECK: "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}"
// CHECK: "{\0A.reg .b32 remote;\0Amapa.shared::cluster.u32 remote, $0, $1;\0A@$2 mbarrier.arrive.shared::cluster.b64 _, [remote];\0A}", "r,r,b,~{memory}"
// CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;
// CHECK: "mbarrier.inval.shared::cta.b64 [$0];"
// CHECK: "bar.arrive $1, $0;", "r,r,~{memory}"
llvm.func @barriers(%b: !llvm.ptr<3>, %n: i32, %p: i1) {
  tile_nv.mbarrier_init %b, %n
  tile_nv.mbarrier_expect %b, %n if %p
  tile_nv.mbarrier_arrive %b
  tile_nv.mbarrier_arrive %b if %p cta %n
  tile_nv.mbarrier_wait %b, %n
  tile_nv.mbarrier_inval %b
  nvvm.barrier.arrive id = %n number_of_threads = %n
  llvm.return
}

// CHECK-LABEL: @copies
// CHECK: "@$5 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,b,~{memory}"
// CHECK: "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3, $4}], [$5], $6;", "r,l,r,r,r,r,h,~{memory}"
// CHECK: "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [$0, {$1}], [$2];", "l,r,r,~{memory}"
// CHECK: "@$4 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [$0, {$1, $2}], [$3];", "l,r,r,r,b,~{memory}"
// CHECK: "prefetch.tensormap [$0];", "l,~{memory}"
llvm.func @copies(%s: !llvm.ptr<3>, %m: !llvm.ptr, %x: i32, %p: i1, %mask: i16) {
  tile_nv.tma_load %s, %m[%x, %x], %s if %p
  tile_nv.tma_load %s, %m[%x, %x, %x], %s multicast %mask
  tile_nv.tma_store %m[%x], %s
  tile_nv.tma_store %m[%x, %x], %s reduce = add if %p
  tile_nv.prefetch_tensormap %m
  llvm.return
}

// Nothing that LLVM knows.
// CHECK-LABEL: @anew
// CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, $1;", "=r,r" %arg0
// TEXT: tile_nv.anew %arg0 : i32
llvm.func @anew(%v: i32) -> i32 {
  %r = tile_nv.anew %v : i32
  llvm.return %r : i32
}

// Never stored, but ptxas cannot know.
// CHECK-LABEL: @hold
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.b32 p, $1, -1; @p st.volatile.shared.b32 [$1], $0; }", "f,r{{.*}}" %arg0, %arg1
// TEXT: tile_nv.hold %arg0, %arg1 : f32
llvm.func @hold(%v: f32, %n: i32) {
  tile_nv.hold %v, %n : f32
  llvm.return
}
