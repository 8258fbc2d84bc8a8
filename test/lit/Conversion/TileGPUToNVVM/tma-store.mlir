// Sums of blocks of descriptors leave by the copy engine, through shared memory.
// DEFINE: %{args} = '--arg=desc(f16[200,168],box=128x64)=randn:1' '--arg=desc(f16[120,168],box=64x64)=randn:2' '--arg=desc(f16[200,120],box=128x64)=fill:nan' --arg=i32=168
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --against=cpu --atol=0.02 --grid=2,2
// RUN: tile-translate --target=sm_90a --emit=tile_gpu %s | FileCheck %s --check-prefix=GPU
// RUN: tile-translate --target=sm_90a --emit=llvm-dialect %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --target=sm_90a --emit=report %s 2>&1 | FileCheck %s --check-prefix=REPORT %}
// RUN: %{run} %{args}
// RUN: %{run} %{args} --shuffle=1 --num-warps=8
// RUN: %{run} %{args} --shuffle=2 --num-stages=1

// GPU: %[[M:.*]] = tile_gpu.alloc %{{.*}} : (tensor<128x64xf16, #{{.*}}>) -> !tile_gpu.memdesc<128x64xf16
// GPU-NEXT: tile_gpu.fence_async %[[M]]
// GPU-NEXT: tile.barrier
// GPU-NEXT: tile_gpu.tma_store 2[%{{.*}}, %{{.*}}], %[[M]]
// GPU-NEXT: tile_gpu.tma_store_wait
// CHECK: nvvm.fence.proxy
// CHECK: tile_nv.tma_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} if
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// REPORT-NOT: (C7
// REPORT: spilled: 0 bytes a thread, stack 0 bytes
func.func @stored(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<128x64xf16>, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x64xf32>) : i32 {
    %x = tile.desc_load %a[%m0, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %y = tile.desc_load %b[%n0, %kk] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %yt = tile.trans %y order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %yt, %acc : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %c[%m0, %n0], %h : !tile.desc<128x64xf16>, tensor<128x64xf16>
  return
}
