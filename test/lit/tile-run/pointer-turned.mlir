// A block that one product reads along its rows and another along its columns (keys, in the gradient of queries): elements of 16 bits come
// by the copy engine all the same, once, and both read them as they lie.
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --grid=2 --check=race,oob,uninit,nan --against=cpu --atol=2e-2 --rtol=1e-2
// DEFINE: %{q} = --arg=f16[16384]=randn:1

// RUN: tile-translate %s --target=sm_90a --emit=report 2>&1 | FileCheck %s
// CHECK: copy engine, for factors and sums:
// CHECK-COUNT-2: load by tensor map
// CHECK: store by tensor map
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=ONCE
// ONCE: scf.if
// ONCE: scf.for
// ONCE: tile_gpu.tma_copy 1
// ONCE-NOT: tma_copy
// ONCE: tile_gpu.wgmma
// ONCE-NOT: tma_copy
// ONCE: tile_gpu.wgmma
// ONCE-NOT: tma_copy
// ONCE: scf.yield

// Whole blocks, a part of one, one row, none; strides that leave gaps; rows of 8 bytes, which the second version loads.
// RUN: %{run} %{q} --arg=f16[12288]=randn:2 --arg=f16[16384]=zeros --arg=i32=192 --arg=i32=64
// RUN: %{run} %{q} --arg=f16[12800]=randn:2 --arg=f16[16384]=zeros --arg=i32=200 --arg=i32=64
// RUN: %{run} %{q} --arg=f16[64]=randn:2 --arg=f16[16384]=zeros --arg=i32=1 --arg=i32=64
// RUN: %{run} %{q} --arg=f16[64]=randn:2 --arg=f16[16384]=zeros --arg=i32=0 --arg=i32=64
// RUN: %{run} %{q} --arg=f16[12800]=randn:2 --arg=f16[16384]=zeros --arg=i32=130 --arg=i32=96
// RUN: %{run} %{q} --arg=f16[12800]=randn:2 --arg=f16[16384]=zeros --arg=i32=130 --arg=i32=68
// RUN: %{run} -D T=bf16 --arg=bf16[16384]=randn:1 --arg=bf16[12800]=randn:2 --arg=bf16[16384]=zeros --arg=i32=200 --arg=i32=64
// RUN: %{run} -D NUM_WARPS=4 %{q} --arg=f16[12800]=randn:2 --arg=f16[16384]=zeros --arg=i32=200 --arg=i32=64

// 8-bit elements run along K in each product: there is no such block of them.
// RUN: tile-translate %s --target=sm_90a --emit=report -D T=f8E4M3FN 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES-NOT: load by tensor map

// tile.param T = f16 of f16, bf16, f8E4M3FN
// tile.param NUM_WARPS = 8
func.func @turned(%q: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %k: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %o: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
    %n: i32, %ld: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c128 : i32
  %rq = tile.make_range 0 to 128 : tensor<128xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<128xi32>
  %rows = arith.addi %m0s, %rq : tensor<128xi32>
  %row1 = tile.expand_dims %rows axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %c64s = arith.constant dense<64> : tensor<128x1xi32>
  %rowo = arith.muli %row1, %c64s : tensor<128x1xi32>
  %col1 = tile.expand_dims %rn axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rowb = tile.broadcast %rowo : tensor<128x1xi32> -> tensor<128x64xi32>
  %colb = tile.broadcast %col1 : tensor<1x64xi32> -> tensor<128x64xi32>
  %off = arith.addi %rowb, %colb : tensor<128x64xi32>
  %qs = tile.splat %q : tensor<128x64x!tile.ptr<${T}>>
  %pq = tile.addptr %qs, %off : tensor<128x64x!tile.ptr<${T}>>, tensor<128x64xi32>
  %x = tile.load %pq : tensor<128x64x!tile.ptr<${T}>>
  %z = arith.constant dense<0.0> : tensor<128x64xf32>
  %eighth = arith.constant dense<0.125> : tensor<128x64xf32>
  %ks = tile.splat %k : tensor<64x64x!tile.ptr<${T}>>
  %none = arith.constant dense<0.0> : tensor<64x64x${T}>
  %kcol = tile.broadcast %col1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %lds = tile.splat %ld : tensor<64x1xi32>
  %ns = tile.splat %n : tensor<64x1xi32>
  %acc = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %z) -> (tensor<128x64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %jr = arith.addi %js, %rn : tensor<64xi32>
    %j1 = tile.expand_dims %jr axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %jo = arith.muli %j1, %lds : tensor<64x1xi32>
    %jb = tile.broadcast %jo : tensor<64x1xi32> -> tensor<64x64xi32>
    %ko = arith.addi %jb, %kcol : tensor<64x64xi32>
    %pk = tile.addptr %ks, %ko : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
    %in = arith.cmpi slt, %j1, %ns : tensor<64x1xi32>
    %mask = tile.broadcast %in : tensor<64x1xi1> -> tensor<64x64xi1>
    %y = tile.load %pk mask %mask other %none : tensor<64x64x!tile.ptr<${T}>>
    %yt = tile.trans %y order = [1, 0] : tensor<64x64x${T}> -> tensor<64x64x${T}>
    %s = tile.dot %x, %yt, %z : tensor<128x64x${T}> * tensor<64x64x${T}> -> tensor<128x64xf32>
    %ss = arith.mulf %s, %eighth : tensor<128x64xf32>
    %p = arith.truncf %ss : tensor<128x64xf32> to tensor<128x64x${T}>
    %d = tile.dot %p, %y, %sum : tensor<128x64x${T}> * tensor<64x64x${T}> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %r = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64x${T}>
  %os = tile.splat %o : tensor<128x64x!tile.ptr<${T}>>
  %po = tile.addptr %os, %off : tensor<128x64x!tile.ptr<${T}>>, tensor<128x64xi32>
  tile.store %po, %r : tensor<128x64x!tile.ptr<${T}>>
  return
}
