// Where a third buffer is what leaves room for a second block on the multiprocessor, copies of threads start behind the wait for the product
// of the iteration before, whose buffers they fill; what they need is computed beside this iteration's. With all checks.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=3 --disable=tma-pointers --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.alloc {{.*}} !tile_gpu.memdesc<3x128x64xf16
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.async_wait 1
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile.barrier
// CHECK-NOT: arith.muli
// CHECK: tile_gpu.wgmma
// CHECK: tile_gpu.wgmma_wait 1()
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile_gpu.async_copy
// CHECK-NEXT: tile_gpu.async_copy
// CHECK-NEXT: tile_gpu.async_commit
// CHECK: scf.yield
// CHECK: tile_gpu.wgmma_wait 0
// One block a multiprocessor anyway: a buffer more, and no second barrier.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=5 --disable=tma-pointers --emit=tile_gpu | FileCheck %s --check-prefix=MORE
// MORE: tile_gpu.alloc {{.*}} !tile_gpu.memdesc<6x128x64xf16
// MORE: tile_gpu.async_commit
// MORE: tile_gpu.wgmma_wait 1()
// MORE-NOT: tile_gpu.async_copy
// MORE: scf.yield
// The copy engine's take the barrier along that stood in front of them.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=3 --emit=tile_gpu | FileCheck %s --check-prefix=ENGINE
// ENGINE: tile_gpu.alloc {{.*}} !tile_gpu.memdesc<3x128x64xf16
// ENGINE: scf.for
// ENGINE: tile_gpu.mbarrier_wait
// ENGINE-NOT: tile.barrier
// ENGINE: tile_gpu.wgmma
// ENGINE: tile_gpu.wgmma_wait 1()
// ENGINE-NEXT: tile.barrier
// ENGINE-NEXT: tile_gpu.mbarrier_expect
// ENGINE-NEXT: tile_gpu.tma_copy
// ENGINE-NEXT: tile_gpu.tma_copy
// Who asks for four gets them, and the rest of the shared memory.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=4 --emit=tile_gpu | FileCheck %s --check-prefix=ALL
// ALL: tile_gpu.alloc {{.*}} !tile_gpu.memdesc<7x128x64xf16
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=4 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 \
// RUN:   --grid=2,2 --arg=f16[67200]=randn:1 --arg=f16[67200]=randn:2 --arg=f16[41600]=zeros --arg=i32=200 --arg=i32=200 --arg=i32=330 --arg=i32=336 --arg=i32=336 --arg=i32=208
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=4 --num-stages=3 --disable=tma-pointers --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 \
// RUN:   --grid=2,2 --arg=f16[67200]=randn:1 --arg=f16[67200]=randn:2 --arg=f16[41600]=zeros --arg=i32=200 --arg=i32=200 --arg=i32=330 --arg=i32=336 --arg=i32=336 --arg=i32=208

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 128 : i32
  %bn = arith.constant 128 : i32
  %bk = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
  %zx = arith.constant dense<0.0> : tensor<128x64xf16>
  %zy = arith.constant dense<0.0> : tensor<64x128xf16>
  %rm = tile.make_range 0 to 128 : tensor<128xi32>
  %rn = tile.make_range 0 to 128 : tensor<128xi32>
  %rk = tile.make_range 0 to 64 : tensor<64xi32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<128xi32>
  %n0s = tile.splat %n0 : tensor<128xi32>
  %im = arith.addi %m0s, %rm : tensor<128xi32>
  %in = arith.addi %n0s, %rn : tensor<128xi32>
  %ame = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %ams = tile.splat %lda : tensor<128x1xi32>
  %amm = arith.muli %ame, %ams : tensor<128x1xi32>
  %amb = tile.broadcast %amm : tensor<128x1xi32> -> tensor<128x64xi32>
  %bnve = tile.expand_dims %in axis = 0 : tensor<128xi32> -> tensor<1x128xi32>
  %bnvs = tile.splat %ldb : tensor<1x128xi32>
  %bnvm = arith.muli %bnve, %bnvs : tensor<1x128xi32>
  %bnvb = tile.broadcast %bnvm : tensor<1x128xi32> -> tensor<64x128xi32>
  %mmabs = tile.splat %m : tensor<128xi32>
  %mmac = arith.cmpi slt, %im, %mmabs : tensor<128xi32>
  %mmae = tile.expand_dims %mmac axis = 1 : tensor<128xi1> -> tensor<128x1xi1>
  %mmab = tile.broadcast %mmae : tensor<128x1xi1> -> tensor<128x64xi1>
  %mnbbs = tile.splat %n : tensor<128xi32>
  %mnbc = arith.cmpi slt, %in, %mnbbs : tensor<128xi32>
  %mnbe = tile.expand_dims %mnbc axis = 0 : tensor<128xi1> -> tensor<1x128xi1>
  %mnbb = tile.broadcast %mnbe : tensor<1x128xi1> -> tensor<64x128xi1>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x128xf32>) : i32 {
    %kks = tile.splat %kk : tensor<64xi32>
    %ik = arith.addi %kks, %rk : tensor<64xi32>
    %ake = tile.expand_dims %ik axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %akb = tile.broadcast %ake : tensor<1x64xi32> -> tensor<128x64xi32>
    %bkve = tile.expand_dims %ik axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %bkvb = tile.broadcast %bkve : tensor<64x1xi32> -> tensor<64x128xi32>
    %aoff = arith.addi %amb, %akb : tensor<128x64xi32>
    %boff = arith.addi %bnvb, %bkvb : tensor<64x128xi32>
    %asp = tile.splat %a : tensor<128x64x!tile.ptr<f16>>
    %bsp = tile.splat %b : tensor<64x128x!tile.ptr<f16>>
    %ap = tile.addptr %asp, %aoff : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %bp = tile.addptr %bsp, %boff : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
    %mkabs = tile.splat %k : tensor<64xi32>
    %mkac = arith.cmpi slt, %ik, %mkabs : tensor<64xi32>
    %mkae = tile.expand_dims %mkac axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
    %mkab = tile.broadcast %mkae : tensor<1x64xi1> -> tensor<128x64xi1>
    %mkbbs = tile.splat %k : tensor<64xi32>
    %mkbc = arith.cmpi slt, %ik, %mkbbs : tensor<64xi32>
    %mkbe = tile.expand_dims %mkbc axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
    %mkbb = tile.broadcast %mkbe : tensor<64x1xi1> -> tensor<64x128xi1>
    %mxa = arith.andi %mkab, %mmab : tensor<128x64xi1>
    %mxb = arith.andi %mkbb, %mnbb : tensor<64x128xi1>
    %x = tile.load %ap mask %mxa other %zx : tensor<128x64x!tile.ptr<f16>>
    %y = tile.load %bp mask %mxb other %zy : tensor<64x128x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %cme = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %cms = tile.splat %ldc : tensor<128x1xi32>
  %cmm = arith.muli %cme, %cms : tensor<128x1xi32>
  %cmb = tile.broadcast %cmm : tensor<128x1xi32> -> tensor<128x128xi32>
  %cne = tile.expand_dims %in axis = 0 : tensor<128xi32> -> tensor<1x128xi32>
  %cnb = tile.broadcast %cne : tensor<1x128xi32> -> tensor<128x128xi32>
  %coff = arith.addi %cmb, %cnb : tensor<128x128xi32>
  %csp = tile.splat %c : tensor<128x128x!tile.ptr<f16>>
  %cp = tile.addptr %csp, %coff : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %smmbs = tile.splat %m : tensor<128xi32>
  %smmc = arith.cmpi slt, %im, %smmbs : tensor<128xi32>
  %smme = tile.expand_dims %smmc axis = 1 : tensor<128xi1> -> tensor<128x1xi1>
  %smmb = tile.broadcast %smme : tensor<128x1xi1> -> tensor<128x128xi1>
  %smnbs = tile.splat %n : tensor<128xi32>
  %smnc = arith.cmpi slt, %in, %smnbs : tensor<128xi32>
  %smne = tile.expand_dims %smnc axis = 0 : tensor<128xi1> -> tensor<1x128xi1>
  %smnb = tile.broadcast %smne : tensor<1x128xi1> -> tensor<128x128xi1>
  %sm = arith.andi %smmb, %smnb : tensor<128x128xi1>
  %h = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %cp, %h mask %sm : tensor<128x128x!tile.ptr<f16>>
  return
}
