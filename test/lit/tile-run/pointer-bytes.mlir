// Weights of bytes through plain pointers on Hopper: bytes come by the copy engine and are widened in the threads that multiply, as those of
// descriptors are. With all checks, compared with the cpu device.
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=4 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 --grid=2,2
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=report | FileCheck %s
// CHECK: load by tensor map
// CHECK: load by tensor map
// CHECK: store by tensor map
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=tile_gpu | FileCheck %s --check-prefix=WIDENED
// WIDENED: scf.if
// WIDENED: tile_gpu.local_load {{.*}}xi8
// The second version widens in short steps along K too.
// WIDENED: } else {
// WIDENED: scf.for {{.*}} to %c32_i32 step %c16_i32
// WIDENED: tile.load {{.*}}16x64x!tile.ptr<i8>
// RUN: %{run} --arg=f16[16000]=randn:1 --arg=i8[8000]=rand:2 --arg=f16[16000]=zeros --arg=i32=200 --arg=i32=72 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=80
// The second version: rows of c that are no whole 16 bytes.
// RUN: %{run} --arg=f16[16000]=randn:1 --arg=i8[8000]=rand:2 --arg=f16[16000]=zeros --arg=i32=200 --arg=i32=71 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=80

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %zx = arith.constant dense<0.0> : tensor<128x32xf16>
  %zy = arith.constant dense<0> : tensor<32x64xi8>
  %rm = tile.make_range 0 to 128 : tensor<128xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %rk = tile.make_range 0 to 32 : tensor<32xi32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<128xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %im = arith.addi %m0s, %rm : tensor<128xi32>
  %in = arith.addi %n0s, %rn : tensor<64xi32>
  %ame = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %ams = tile.splat %lda : tensor<128x1xi32>
  %amm = arith.muli %ame, %ams : tensor<128x1xi32>
  %amb = tile.broadcast %amm : tensor<128x1xi32> -> tensor<128x32xi32>
  %bnve = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %bnvs = tile.splat %ldb : tensor<1x64xi32>
  %bnvm = arith.muli %bnve, %bnvs : tensor<1x64xi32>
  %bnvb = tile.broadcast %bnvm : tensor<1x64xi32> -> tensor<32x64xi32>
  %mmabs = tile.splat %m : tensor<128xi32>
  %mmac = arith.cmpi slt, %im, %mmabs : tensor<128xi32>
  %mmae = tile.expand_dims %mmac axis = 1 : tensor<128xi1> -> tensor<128x1xi1>
  %mmab = tile.broadcast %mmae : tensor<128x1xi1> -> tensor<128x32xi1>
  %mnbbs = tile.splat %n : tensor<64xi32>
  %mnbc = arith.cmpi slt, %in, %mnbbs : tensor<64xi32>
  %mnbe = tile.expand_dims %mnbc axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %mnbb = tile.broadcast %mnbe : tensor<1x64xi1> -> tensor<32x64xi1>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x64xf32>) : i32 {
    %kks = tile.splat %kk : tensor<32xi32>
    %ik = arith.addi %kks, %rk : tensor<32xi32>
    %ake = tile.expand_dims %ik axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %akb = tile.broadcast %ake : tensor<1x32xi32> -> tensor<128x32xi32>
    %bkve = tile.expand_dims %ik axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
    %bkvb = tile.broadcast %bkve : tensor<32x1xi32> -> tensor<32x64xi32>
    %aoff = arith.addi %amb, %akb : tensor<128x32xi32>
    %boff = arith.addi %bnvb, %bkvb : tensor<32x64xi32>
    %asp = tile.splat %a : tensor<128x32x!tile.ptr<f16>>
    %bsp = tile.splat %b : tensor<32x64x!tile.ptr<i8>>
    %ap = tile.addptr %asp, %aoff : tensor<128x32x!tile.ptr<f16>>, tensor<128x32xi32>
    %bp = tile.addptr %bsp, %boff : tensor<32x64x!tile.ptr<i8>>, tensor<32x64xi32>
    %mkabs = tile.splat %k : tensor<32xi32>
    %mkac = arith.cmpi slt, %ik, %mkabs : tensor<32xi32>
    %mkae = tile.expand_dims %mkac axis = 0 : tensor<32xi1> -> tensor<1x32xi1>
    %mkab = tile.broadcast %mkae : tensor<1x32xi1> -> tensor<128x32xi1>
    %mkbbs = tile.splat %k : tensor<32xi32>
    %mkbc = arith.cmpi slt, %ik, %mkbbs : tensor<32xi32>
    %mkbe = tile.expand_dims %mkbc axis = 1 : tensor<32xi1> -> tensor<32x1xi1>
    %mkbb = tile.broadcast %mkbe : tensor<32x1xi1> -> tensor<32x64xi1>
    %mxa = arith.andi %mkab, %mmab : tensor<128x32xi1>
    %mxb = arith.andi %mkbb, %mnbb : tensor<32x64xi1>
    %x = tile.load %ap mask %mxa other %zx : tensor<128x32x!tile.ptr<f16>>
    %y8 = tile.load %bp mask %mxb other %zy : tensor<32x64x!tile.ptr<i8>>
    %y = arith.sitofp %y8 : tensor<32x64xi8> to tensor<32x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
  %cme = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %cms = tile.splat %ldc : tensor<128x1xi32>
  %cmm = arith.muli %cme, %cms : tensor<128x1xi32>
  %cmb = tile.broadcast %cmm : tensor<128x1xi32> -> tensor<128x64xi32>
  %cne = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cnb = tile.broadcast %cne : tensor<1x64xi32> -> tensor<128x64xi32>
  %coff = arith.addi %cmb, %cnb : tensor<128x64xi32>
  %csp = tile.splat %c : tensor<128x64x!tile.ptr<f16>>
  %cp = tile.addptr %csp, %coff : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
  %smmbs = tile.splat %m : tensor<128xi32>
  %smmc = arith.cmpi slt, %im, %smmbs : tensor<128xi32>
  %smme = tile.expand_dims %smmc axis = 1 : tensor<128xi1> -> tensor<128x1xi1>
  %smmb = tile.broadcast %smme : tensor<128x1xi1> -> tensor<128x64xi1>
  %smnbs = tile.splat %n : tensor<64xi32>
  %smnc = arith.cmpi slt, %in, %smnbs : tensor<64xi32>
  %smne = tile.expand_dims %smnc axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %smnb = tile.broadcast %smne : tensor<1x64xi1> -> tensor<128x64xi1>
  %sm = arith.andi %smmb, %smnb : tensor<128x64xi1>
  tile.store %cp, %h mask %sm : tensor<128x64x!tile.ptr<f16>>
  return
}
