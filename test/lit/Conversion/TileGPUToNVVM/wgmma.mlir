// Products of warp groups from plain products: factors in swizzled buffers, filled by copies ahead, one product left open;
// no lost performance by ptxas, the cpu device's results on the simulator with all checks.
// tile.param T = f16 in f16, bf16, f32, i8
// tile.param S = f32 in f32, i32
// tile.param ZERO = 0.0
// tile.param BM = 128
// tile.param BN = 64
// tile.param BK = 64
// tile.param BROW = %n
// tile.param BCOL = %one
// tile.param PRECISION = precision = ieee
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --grid=2,2 --against=cpu
// DEFINE: %{float} = --arg=f16[256,192]=randn:1 --arg=f16[192,128]=randn:2 --arg=f32[256,128]=fill:nan --arg=i32=128 --arg=i32=192 --atol=1e-3 --rtol=1e-3

// RUN: tile-translate --target=sm_90a --disable=tma-pointers --emit=tile_gpu %s | FileCheck %s --check-prefix=GPU
// RUN: tile-translate --target=sm_90a --disable=tma-pointers --emit=llvm-dialect %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --target=sm_90a --emit=report %s 2>&1 | FileCheck %s --check-prefix=REPORT %}

// GPU: scf.for
// Three stages would take four buffers, beside which no second block fits: copies start behind the wait for the product before.
// GPU: tile_gpu.async_wait 1
// GPU-NEXT: tile_gpu.fence_async
// GPU-NEXT: tile.barrier
// GPU: %[[SUM:.*]] = tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} warps = [4, 1]
// GPU: tile_gpu.wgmma_wait 1() : () -> ()
// GPU-NEXT: tile.barrier
// GPU: tile_gpu.async_copy {{.*}} !tile_gpu.memdesc<128x64xf16
// GPU: tile_gpu.async_copy {{.*}} !tile_gpu.memdesc<64x64xf16
// GPU: scf.yield {{.*}}%[[SUM]]
// GPU: tile_gpu.wgmma_wait 0(

// Two rows of 64 and four steps along K.
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-8: tile_nv.wgmma %{{.*}}, [%{{.*}}], %{{.*}} n = 64 f16, f16 trans_b :
// CHECK-NOT: tile_nv.wgmma %
// CHECK: nvvm.wgmma.commit.group.sync.aligned

// REPORT-NOT: (C7
// REPORT: spilled: 0 bytes a thread, stack 0 bytes

// RUN: %{run} %{float}
// RUN: %{run} %{float} --shuffle=1 --num-stages=1
// RUN: %{run} %{float} --shuffle=2 --num-stages=4 --num-warps=8
// RUN: %{run} %{float} --shuffle=3 -D BK=32
// RUN: tile-run %s --device=sim --target=sm_90a --grid=4,1 --against=cpu %{float} -D BM=64 -D BN=128 --num-warps=8
// Rows of B along K; types.
// RUN: %{run} -D BROW=%one -D BCOL=%k %{float}
// RUN: %{run} -D T=bf16 --arg=bf16[256,192]=randn:1 --arg=bf16[192,128]=randn:2 --arg=f32[256,128]=fill:nan --arg=i32=128 --arg=i32=192 --atol=1e-3 --rtol=1e-3
// RUN: %{run} -D T=f32 -D 'PRECISION=precision = tf32' --arg=f32[256,192]=randn:1 --arg=f32[192,128]=randn:2 --arg=f32[256,128]=fill:nan --arg=i32=128 --arg=i32=192 --atol=0.1 --rtol=0.01
// RUN: %{run} -D T=f32 -D BROW=%one -D BCOL=%k -D 'PRECISION=precision = tf32' --arg=f32[256,192]=randn:1 --arg=f32[192,128]=randn:2 --arg=f32[256,128]=fill:nan --arg=i32=128 --arg=i32=192 --atol=0.1 --rtol=0.01
// RUN: %{run} -D T=i8 -D S=i32 -D ZERO=0 --arg=i8[256,192]=rand:1 --arg=i8[192,128]=rand:2 --arg=i32[256,128]=fill:7 --arg=i32=128 --arg=i32=192
// RUN: %{run} -D T=i8 -D S=i32 -D ZERO=0 -D BROW=%one -D BCOL=%k --arg=i8[256,192]=rand:1 --arg=i8[192,128]=rand:2 --arg=i32[256,128]=fill:7 --arg=i32=128 --arg=i32=192
func.func @product(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %b: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<${S}> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32},
    %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %acc0 = arith.constant dense<${ZERO}> : tensor<${BM}x${BN}x${S}>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %rm = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %rn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %rk = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %m0s = tile.splat %m0 : tensor<${BM}xi32>
  %n0s = tile.splat %n0 : tensor<${BN}xi32>
  %im = arith.addi %m0s, %rm : tensor<${BM}xi32>
  %in = arith.addi %n0s, %rn : tensor<${BN}xi32>
  %imc = tile.expand_dims %im axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %inr = tile.expand_dims %in axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %rkr = tile.expand_dims %rk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %rkc = tile.expand_dims %rk axis = 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  // A [M, K] by rows
  %ks = tile.splat %k : tensor<${BM}x1xi32>
  %arow = arith.muli %imc, %ks : tensor<${BM}x1xi32>
  %arows = tile.broadcast %arow : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %acols = tile.broadcast %rkr : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %aoff = arith.addi %arows, %acols : tensor<${BM}x${BK}xi32>
  // B [K, N]: element (k, n) at k * BROW + n * BCOL
  %brow = tile.splat ${BROW} : tensor<${BK}x1xi32>
  %bcol = tile.splat ${BCOL} : tensor<1x${BN}xi32>
  %brow1 = arith.muli %rkc, %brow : tensor<${BK}x1xi32>
  %bcol1 = arith.muli %inr, %bcol : tensor<1x${BN}xi32>
  %brows = tile.broadcast %brow1 : tensor<${BK}x1xi32> -> tensor<${BK}x${BN}xi32>
  %bcols = tile.broadcast %bcol1 : tensor<1x${BN}xi32> -> tensor<${BK}x${BN}xi32>
  %boff = arith.addi %brows, %bcols : tensor<${BK}x${BN}xi32>
  %as = tile.splat %a : tensor<${BM}x${BK}x!tile.ptr<${T}>>
  %bs = tile.splat %b : tensor<${BK}x${BN}x!tile.ptr<${T}>>
  %pa0 = tile.addptr %as, %aoff : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BM}x${BK}xi32>
  %pb0 = tile.addptr %bs, %boff : tensor<${BK}x${BN}x!tile.ptr<${T}>>, tensor<${BK}x${BN}xi32>
  %bstep1 = arith.muli %bk, ${BROW} : i32
  %astep = tile.splat %bk : tensor<${BM}x${BK}xi32>
  %bstep = tile.splat %bstep1 : tensor<${BK}x${BN}xi32>
  %r:3 = scf.for %i = %zero to %k step %bk iter_args(%pa = %pa0, %pb = %pb0, %acc = %acc0)
      -> (tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BK}x${BN}x!tile.ptr<${T}>>, tensor<${BM}x${BN}x${S}>) : i32 {
    %x = tile.load %pa : tensor<${BM}x${BK}x!tile.ptr<${T}>>
    %y = tile.load %pb : tensor<${BK}x${BN}x!tile.ptr<${T}>>
    %d = tile.dot %x, %y, %acc ${PRECISION} : tensor<${BM}x${BK}x${T}> * tensor<${BK}x${BN}x${T}> -> tensor<${BM}x${BN}x${S}>
    %na = tile.addptr %pa, %astep : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BM}x${BK}xi32>
    %nb = tile.addptr %pb, %bstep : tensor<${BK}x${BN}x!tile.ptr<${T}>>, tensor<${BK}x${BN}xi32>
    scf.yield %na, %nb, %d : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BK}x${BN}x!tile.ptr<${T}>>, tensor<${BM}x${BN}x${S}>
  }
  %ns = tile.splat %n : tensor<${BM}x1xi32>
  %crow = arith.muli %imc, %ns : tensor<${BM}x1xi32>
  %crows = tile.broadcast %crow : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %ccols = tile.broadcast %inr : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %coff = arith.addi %crows, %ccols : tensor<${BM}x${BN}xi32>
  %cs = tile.splat %c : tensor<${BM}x${BN}x!tile.ptr<${S}>>
  %pc = tile.addptr %cs, %coff : tensor<${BM}x${BN}x!tile.ptr<${S}>>, tensor<${BM}x${BN}xi32>
  tile.store %pc, %r#2 : tensor<${BM}x${BN}x!tile.ptr<${S}>>
  return
}
