// A residual that is added to the sums of a block comes by the copy engine too, in a buffer of its own; the block leaves in parts beside it.
// Where the engine does not take the matrices, it is loaded as the sums lie. With all checks, compared with the cpu device.
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=3 --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.producer
// CHECK: tile_gpu.tma_copy 2[%{{.*}}, %{{.*}}], {{.*}} : !tile_gpu.memdesc<128x256xf16
// CHECK: } {tile_gpu.moves_registers}
// CHECK: tile_gpu.wgmma_wait 0
// CHECK: tile_gpu.local_load %{{.*}} : !tile_gpu.memdesc<128x256xf16
// CHECK-COUNT-4: tile_gpu.tma_store 3[{{.*}} : !tile_gpu.memdesc<128x64xf16
// The second version: nothing is turned round through shared memory.
// CHECK: } else {
// CHECK: %[[R:.*]] = tile.load {{.*}} : tensor<128x256x!tile.ptr<f16>
// CHECK-NEXT: arith.extf %[[R]]
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=3 --emit=report | FileCheck %s --check-prefix=REPORT
// REPORT-COUNT-3: load by tensor map
// REPORT: store by tensor map
// Four stages are asked for; three and the residual are worth more.
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=4 --emit=tile_gpu | FileCheck %s --check-prefix=FOUR
// FOUR: tile_gpu.alloc {{.*}} !tile_gpu.memdesc<3x128x64xf16
// FOUR: tile_gpu.tma_copy 2[%{{.*}}, %{{.*}}], {{.*}} : !tile_gpu.memdesc<128x256xf16
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=8 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 --grid=2,2
// DEFINE: %{data} = --arg=f16[16000]=randn:1 --arg=f16[24000]=randn:2 --arg=f16[60800]=zeros --arg=f16[60800]=randn:3
// RUN: %{run} %{data} --arg=i32=200 --arg=i32=300 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=304
// Without the engine.
// RUN: %{run} --disable=tma-pointers %{data} --arg=i32=200 --arg=i32=300 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=304
// What a mask leaves out is 1: the residual is loaded.
// RUN: %{run} %{data} -D OTHER=1.0 --arg=i32=200 --arg=i32=300 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=304
// RUN: tile-translate %s --target=sm_90a --num-warps=8 -D OTHER=1.0 --emit=report | FileCheck %s --check-prefix=OTHER
// OTHER: load not taken: what its mask leaves out is not 0
//
// tile.param OTHER = 0.0

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %r: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 128 : i32
  %bn = arith.constant 256 : i32
  %bk = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x256xf32>
  %zx = arith.constant dense<0.0> : tensor<128x64xf16>
  %zy = arith.constant dense<0.0> : tensor<64x256xf16>
  %rm = tile.make_range 0 to 128 : tensor<128xi32>
  %rn = tile.make_range 0 to 256 : tensor<256xi32>
  %rk = tile.make_range 0 to 64 : tensor<64xi32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<128xi32>
  %n0s = tile.splat %n0 : tensor<256xi32>
  %im = arith.addi %m0s, %rm : tensor<128xi32>
  %in = arith.addi %n0s, %rn : tensor<256xi32>
  %ame = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %ams = tile.splat %lda : tensor<128x1xi32>
  %amm = arith.muli %ame, %ams : tensor<128x1xi32>
  %amb = tile.broadcast %amm : tensor<128x1xi32> -> tensor<128x64xi32>
  %bnve = tile.expand_dims %in axis = 0 : tensor<256xi32> -> tensor<1x256xi32>
  %bnvs = tile.splat %ldb : tensor<1x256xi32>
  %bnvm = arith.muli %bnve, %bnvs : tensor<1x256xi32>
  %bnvb = tile.broadcast %bnvm : tensor<1x256xi32> -> tensor<64x256xi32>
  %mmabs = tile.splat %m : tensor<128xi32>
  %mmac = arith.cmpi slt, %im, %mmabs : tensor<128xi32>
  %mmae = tile.expand_dims %mmac axis = 1 : tensor<128xi1> -> tensor<128x1xi1>
  %mmab = tile.broadcast %mmae : tensor<128x1xi1> -> tensor<128x64xi1>
  %mnbbs = tile.splat %n : tensor<256xi32>
  %mnbc = arith.cmpi slt, %in, %mnbbs : tensor<256xi32>
  %mnbe = tile.expand_dims %mnbc axis = 0 : tensor<256xi1> -> tensor<1x256xi1>
  %mnbb = tile.broadcast %mnbe : tensor<1x256xi1> -> tensor<64x256xi1>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x256xf32>) : i32 {
    %kks = tile.splat %kk : tensor<64xi32>
    %ik = arith.addi %kks, %rk : tensor<64xi32>
    %ake = tile.expand_dims %ik axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %akb = tile.broadcast %ake : tensor<1x64xi32> -> tensor<128x64xi32>
    %bkve = tile.expand_dims %ik axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %bkvb = tile.broadcast %bkve : tensor<64x1xi32> -> tensor<64x256xi32>
    %aoff = arith.addi %amb, %akb : tensor<128x64xi32>
    %boff = arith.addi %bnvb, %bkvb : tensor<64x256xi32>
    %asp = tile.splat %a : tensor<128x64x!tile.ptr<f16>>
    %bsp = tile.splat %b : tensor<64x256x!tile.ptr<f16>>
    %ap = tile.addptr %asp, %aoff : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %bp = tile.addptr %bsp, %boff : tensor<64x256x!tile.ptr<f16>>, tensor<64x256xi32>
    %mkabs = tile.splat %k : tensor<64xi32>
    %mkac = arith.cmpi slt, %ik, %mkabs : tensor<64xi32>
    %mkae = tile.expand_dims %mkac axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
    %mkab = tile.broadcast %mkae : tensor<1x64xi1> -> tensor<128x64xi1>
    %mkbbs = tile.splat %k : tensor<64xi32>
    %mkbc = arith.cmpi slt, %ik, %mkbbs : tensor<64xi32>
    %mkbe = tile.expand_dims %mkbc axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
    %mkbb = tile.broadcast %mkbe : tensor<64x1xi1> -> tensor<64x256xi1>
    %mxa = arith.andi %mkab, %mmab : tensor<128x64xi1>
    %mxb = arith.andi %mkbb, %mnbb : tensor<64x256xi1>
    %x = tile.load %ap mask %mxa other %zx : tensor<128x64x!tile.ptr<f16>>
    %y = tile.load %bp mask %mxb other %zy : tensor<64x256x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %cme = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %cms = tile.splat %ldc : tensor<128x1xi32>
  %cmm = arith.muli %cme, %cms : tensor<128x1xi32>
  %cmb = tile.broadcast %cmm : tensor<128x1xi32> -> tensor<128x256xi32>
  %cne = tile.expand_dims %in axis = 0 : tensor<256xi32> -> tensor<1x256xi32>
  %cnb = tile.broadcast %cne : tensor<1x256xi32> -> tensor<128x256xi32>
  %coff = arith.addi %cmb, %cnb : tensor<128x256xi32>
  %csp = tile.splat %c : tensor<128x256x!tile.ptr<f16>>
  %cp = tile.addptr %csp, %coff : tensor<128x256x!tile.ptr<f16>>, tensor<128x256xi32>
  %smmbs = tile.splat %m : tensor<128xi32>
  %smmc = arith.cmpi slt, %im, %smmbs : tensor<128xi32>
  %smme = tile.expand_dims %smmc axis = 1 : tensor<128xi1> -> tensor<128x1xi1>
  %smmb = tile.broadcast %smme : tensor<128x1xi1> -> tensor<128x256xi1>
  %smnbs = tile.splat %n : tensor<256xi32>
  %smnc = arith.cmpi slt, %in, %smnbs : tensor<256xi32>
  %smne = tile.expand_dims %smnc axis = 0 : tensor<256xi1> -> tensor<1x256xi1>
  %smnb = tile.broadcast %smne : tensor<1x256xi1> -> tensor<128x256xi1>
  %sm = arith.andi %smmb, %smnb : tensor<128x256xi1>
  %rsp = tile.splat %r : tensor<128x256x!tile.ptr<f16>>
  %rp = tile.addptr %rsp, %coff : tensor<128x256x!tile.ptr<f16>>, tensor<128x256xi32>
  %none = arith.constant dense<${OTHER}> : tensor<128x256xf16>
  %res = tile.load %rp mask %sm other %none : tensor<128x256x!tile.ptr<f16>>
  %wide = arith.extf %res : tensor<128x256xf16> to tensor<128x256xf32>
  %both = arith.addf %s, %wide : tensor<128x256xf32>
  %h = arith.truncf %both : tensor<128x256xf32> to tensor<128x256xf16>
  tile.store %cp, %h mask %sm : tensor<128x256x!tile.ptr<f16>>
  return
}
