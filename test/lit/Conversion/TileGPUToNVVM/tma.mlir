// Products of blocks of descriptors: brought by the copy engine, iterations ahead, counted by barriers in shared memory.
// tile.param T = f16 in f16, bf16, f32, i8
// tile.param S = f32 in f32, i32
// tile.param ZERO = 0.0
// tile.param PRECISION = precision = ieee
// DEFINE: %{sizes} = --arg=f32[200,120]=fill:nan --arg=i32=200 --arg=i32=120 --arg=i32=168
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --against=cpu --atol=1e-3 --rtol=1e-3
// DEFINE: %{f16} = '--arg=desc(f16[200,168],box=128x64)=randn:1' '--arg=desc(f16[120,168],box=64x64)=randn:2' %{sizes}

// RUN: tile-translate --target=sm_90a --emit=tile_gpu %s | FileCheck %s --check-prefix=GPU
// RUN: tile-translate --target=sm_90a --emit=llvm-dialect %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --target=sm_90a --emit=report %s 2>&1 | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ tile-translate --target=sm_90a --emit=cubin %s -o %t.cubin && FileCheck %s --check-prefix=MANIFEST --input-file=%t.cubin.json %}

// GPU: tile_gpu.tensor_maps = [{base = 0 : i32, box = array<i32: 64, 128>, element = f16, sizes = array<i32: 2, 1>, strides = array<i32: 3>, swizzle = 128 : i32}, {base = 5 : i32, box = array<i32: 64, 64>,
// GPU: tile_gpu.mbarrier_init %[[BARS:.*]] : !tile_gpu.memdesc<4x2xi64
// GPU-NEXT: tile_gpu.fence_async
// GPU-NEXT: tile.barrier
// GPU-COUNT-4: tile_gpu.tma_copy
// GPU: scf.for
// GPU: tile_gpu.mbarrier_wait
// GPU-NEXT: tile.barrier
// GPU: tile_gpu.mbarrier_expect %{{.*}}, 24576
// GPU: tile_gpu.tma_copy 0[
// GPU: tile_gpu.tma_copy 1[
// GPU: tile_gpu.wgmma
// GPU-NEXT: tile_gpu.wgmma_wait 1()
// GPU: tile_gpu.mbarrier_inval %[[BARS]]

// CHECK: llvm.func @product({{.*}} !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK: tile_nv.tma_load %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} if %{{.*}}

// REPORT-NOT: (C7
// REPORT: spilled: 0 bytes a thread, stack 0 bytes
// MANIFEST: "tensor_maps"

// Edges in all three directions; stages; rows of 64 bytes; types.
// RUN: %{run} --grid=2,2 %{f16}
// RUN: %{run} --grid=2,2 %{f16} --shuffle=1 --num-stages=2
// RUN: %{run} --grid=2,2 %{f16} --shuffle=2 --num-stages=1
// RUN: %{run} --grid=2,2 %{f16} --shuffle=3 --num-stages=5 --num-warps=8
// RUN: %{run} --grid=2,2 -D T=bf16 '--arg=desc(bf16[200,168],box=128x64)=randn:1' '--arg=desc(bf16[120,168],box=64x64)=randn:2' %{sizes}
// RUN: %{run} --grid=2,2 -D T=f32 -D 'PRECISION=precision = tf32' '--arg=desc(f32[200,168],box=128x64)=randn:1' '--arg=desc(f32[120,168],box=64x64)=randn:2' %{sizes} --atol=0.1
// RUN: tile-run %s --device=sim --target=sm_90a --against=cpu --grid=2,2 -D T=i8 -D S=i32 -D ZERO=0 '--arg=desc(i8[200,176],box=128x64)=rand:1' '--arg=desc(i8[120,176],box=64x64)=rand:2' --arg=i32[200,120]=fill:7 --arg=i32=200 --arg=i32=120 --arg=i32=176
func.func @product(%a: !tile.desc<128x64x${T}>, %b: !tile.desc<64x64x${T}>, %c: !tile.ptr<${S}> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %acc0 = arith.constant dense<${ZERO}> : tensor<128x64x${S}>
  %r = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x64x${S}>) : i32 {
    %x = tile.desc_load %a[%m0, %kk] : !tile.desc<128x64x${T}> -> tensor<128x64x${T}>
    %y = tile.desc_load %b[%n0, %kk] : !tile.desc<64x64x${T}> -> tensor<64x64x${T}>
    %yt = tile.trans %y order = [1, 0] : tensor<64x64x${T}> -> tensor<64x64x${T}>
    %d = tile.dot %x, %yt, %acc ${PRECISION} : tensor<128x64x${T}> * tensor<64x64x${T}> -> tensor<128x64x${S}>
    scf.yield %d : tensor<128x64x${S}>
  }
  %rm = tile.make_range 0 to 128 : tensor<128xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<128xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %im = arith.addi %m0s, %rm : tensor<128xi32>
  %in = arith.addi %n0s, %rn : tensor<64xi32>
  %im1 = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %ns = tile.splat %n : tensor<128x1xi32>
  %co = arith.muli %im1, %ns : tensor<128x1xi32>
  %in0 = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %co2 = tile.broadcast %co : tensor<128x1xi32> -> tensor<128x64xi32>
  %cn2 = tile.broadcast %in0 : tensor<1x64xi32> -> tensor<128x64xi32>
  %coff = arith.addi %co2, %cn2 : tensor<128x64xi32>
  %cs = tile.splat %c : tensor<128x64x!tile.ptr<${S}>>
  %pc = tile.addptr %cs, %coff : tensor<128x64x!tile.ptr<${S}>>, tensor<128x64xi32>
  %ms = tile.splat %m : tensor<128x1xi32>
  %mm = arith.cmpi slt, %im1, %ms : tensor<128x1xi32>
  %nn = tile.splat %n : tensor<1x64xi32>
  %mn = arith.cmpi slt, %in0, %nn : tensor<1x64xi32>
  %mm2 = tile.broadcast %mm : tensor<128x1xi1> -> tensor<128x64xi1>
  %mn2 = tile.broadcast %mn : tensor<1x64xi1> -> tensor<128x64xi1>
  %mask = arith.andi %mm2, %mn2 : tensor<128x64xi1>
  tile.store %pc, %r mask %mask : tensor<128x64x!tile.ptr<${S}>>
  return
}
