// A warp of its own starts the copies; the program's warps multiply and store; both go from block to block of the result.
// DEFINE: %{args} = '--arg=desc(f16[200,168],box=64x64)=randn:1' '--arg=desc(f16[120,168],box=64x64)=randn:2' '--arg=desc(f16[200,120],box=64x64)=fill:nan' --arg=i32=200 --arg=i32=120 --arg=i32=168
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --against=cpu --atol=0.02
// RUN: tile-translate --target=sm_90a --emit=tile_gpu %s | FileCheck %s --check-prefix=GPU
// RUN: tile-translate --target=sm_90a --emit=llvm-dialect %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --target=sm_90a --emit=report %s 2>&1 | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ tile-translate --target=sm_90a --emit=cubin %s -o %t.cubin && FileCheck %s --check-prefix=MANIFEST --input-file=%t.cubin.json %}
// RUN: %{run} --grid=1 %{args}
// RUN: %{run} --grid=3 %{args} --shuffle=1
// RUN: %{run} --grid=8 %{args} --shuffle=2 --num-stages=5
// RUN: %{run} --grid=2 %{args} --shuffle=3 --num-warps=8 --num-stages=2
// Without the engine there is nothing to specialise.
// RUN: tile-run %s --device=sim --target=sm_80 --against=cpu --atol=0.02 --grid=3 %{args}

// GPU: tile_gpu.mbarrier_init %[[FULL:.*]] : !tile_gpu.memdesc<3x2xi64
// GPU: tile_gpu.mbarrier_init %[[FREE:.*]] count = 4
// GPU: tile_gpu.producer {
// GPU: scf.for
// GPU: scf.for
// GPU: tile_gpu.mbarrier_wait
// GPU-NEXT: tile_gpu.mbarrier_expect %{{.*}}, 16384
// GPU: tile_gpu.tma_copy 0[
// GPU: tile_gpu.tma_copy 1[
// GPU: %[[C:.*]] = tile_gpu.alloc {{.*}}!tile_gpu.memdesc<64x64xf16
// GPU: scf.for
// GPU: scf.for
// GPU: tile_gpu.mbarrier_wait
// GPU: tile_gpu.wgmma %
// GPU: tile_gpu.wgmma_wait 1()
// GPU: tile_gpu.mbarrier_arrive
// GPU: tile_gpu.wgmma_wait 0(
// GPU: tile_gpu.mbarrier_arrive
// The store goes on beside the next block's products.
// GPU: tile_gpu.tma_store_wait %[[C]]
// GPU-NEXT: tile.barrier
// GPU-NEXT: tile_gpu.local_store %{{.*}}, %[[C]]
// GPU-NEXT: tile_gpu.fence_async %[[C]]
// GPU-NEXT: tile.barrier
// GPU-NEXT: tile_gpu.tma_store 2[
// GPU-NOT: tile_gpu.tma_store_wait
// GPU: {{^    }}}
// GPU: tile_gpu.tma_store_wait %[[C]]
// Nothing takes the memory again: the barriers are not ended.
// GPU-NOT: tile_gpu.mbarrier_inval

// CHECK: llvm.func @gemm({{.*}}nvvm.reqntid = array<i32: 160, 1, 1>{{.*}}tile_gpu.extra_warps = 1
// One fence covers all barriers.
// CHECK-COUNT-3: tile_nv.mbarrier_init
// CHECK-NOT: nvvm.fence
// One more stands for the buffer before the first.
// CHECK-COUNT-4: tile_nv.mbarrier_init
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NOT: nvvm.fence
// CHECK: nvvm.barrier0
// CHECK-NOT: nvvm.barrier0
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads =
// CHECK-NOT: nvvm.barrier0

// REPORT-NOT: (C7
// REPORT: threads: {{ *}}160
// REPORT: spilled: 0 bytes a thread, stack 0 bytes
// MANIFEST: "extra_warps": 1
func.func @gemm(%a: !tile.desc<64x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf16>,
    %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant 64 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.constant 8 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %tm = arith.ceildivsi %m, %bm : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %tiles = arith.muli %tm, %tn : i32
  %per = arith.muli %tn, %group : i32
  scf.for %t = %pid to %tiles step %num : i32 {
    %gid = arith.divsi %t, %per : i32
    %fm = arith.muli %gid, %group : i32
    %left = arith.subi %tm, %fm : i32
    %gs = arith.minsi %left, %group : i32
    %gt = arith.muli %gid, %per : i32
    %r = arith.subi %t, %gt : i32
    %q = arith.divsi %r, %gs : i32
    %qg = arith.muli %q, %gs : i32
    %rm = arith.subi %r, %qg : i32
    %pm = arith.addi %fm, %rm : i32
    %m0 = arith.muli %pm, %bm : i32
    %n0 = arith.muli %q, %bn : i32
    %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
      %x = tile.desc_load %a[%m0, %kk] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %y = tile.desc_load %b[%n0, %kk] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %yt = tile.trans %y order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %yt, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.warp_specialize}
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    tile.desc_store %c[%m0, %n0], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  }
  return
}
