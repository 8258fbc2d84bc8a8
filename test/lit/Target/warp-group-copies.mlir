// Products of warp groups beside masked copies of threads: the loop and the wait behind it stand where there is an iteration, so that ptxas
// copies no sums in front of the wait (C7514). One product through pointers whose masks leave out something else than 0.
// REQUIRES: ptxas
// RUN: tile-translate %s --target=sm_90a --emit=cubin --ptxas=%ptxas -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: tile-run %s --device=sim --target=sm_90a --grid=2,2 --against=cpu --atol=0.1 --rtol=0.01 --arg=f16[100,80]=randn:1 --arg=f16[80,80]=randn:2 --arg=f16[100,80]=zeros --arg=i32=100 --arg=i32=72 --arg=i32=80 --arg=i32=80
// No iteration at all.
// RUN: tile-run %s --device=sim --target=sm_90a --grid=2,2 --against=cpu --arg=f16[100,80]=randn:1 --arg=f16[80,80]=randn:2 --arg=f16[100,80]=randn:3 --arg=i32=100 --arg=i32=72 --arg=i32=0 --arg=i32=80
// CHECK-NOT: (C75
// CHECK-NOT: spills
// tile.param NUM_WARPS = 4
// tile.param NUM_STAGES = 3
func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %ld: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 64 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %zx = arith.constant dense<1.0> : tensor<64x32xf16>
  %zy = arith.constant dense<1.0> : tensor<32x64xf16>
  %rm = tile.make_range 0 to 64 : tensor<64xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %rk = tile.make_range 0 to 32 : tensor<32xi32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<64xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %im = arith.addi %m0s, %rm : tensor<64xi32>
  %in = arith.addi %n0s, %rn : tensor<64xi32>
  %ame = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ams = tile.splat %ld : tensor<64x1xi32>
  %amm = arith.muli %ame, %ams : tensor<64x1xi32>
  %amb = tile.broadcast %amm : tensor<64x1xi32> -> tensor<64x32xi32>
  %bnve = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %bnvb = tile.broadcast %bnve : tensor<1x64xi32> -> tensor<32x64xi32>
  %mmabs = tile.splat %m : tensor<64xi32>
  %mmac = arith.cmpi slt, %im, %mmabs : tensor<64xi32>
  %mmae = tile.expand_dims %mmac axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
  %mmab = tile.broadcast %mmae : tensor<64x1xi1> -> tensor<64x32xi1>
  %mnbbs = tile.splat %n : tensor<64xi32>
  %mnbc = arith.cmpi slt, %in, %mnbbs : tensor<64xi32>
  %mnbe = tile.expand_dims %mnbc axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %mnbb = tile.broadcast %mnbe : tensor<1x64xi1> -> tensor<32x64xi1>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
    %kks = tile.splat %kk : tensor<32xi32>
    %ik = arith.addi %kks, %rk : tensor<32xi32>
    %ake = tile.expand_dims %ik axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %akb = tile.broadcast %ake : tensor<1x32xi32> -> tensor<64x32xi32>
    %bkve = tile.expand_dims %ik axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
    %bkvs = tile.splat %ld : tensor<32x1xi32>
    %bkvm = arith.muli %bkve, %bkvs : tensor<32x1xi32>
    %bkvb = tile.broadcast %bkvm : tensor<32x1xi32> -> tensor<32x64xi32>
    %aoff = arith.addi %amb, %akb : tensor<64x32xi32>
    %boff = arith.addi %bnvb, %bkvb : tensor<32x64xi32>
    %asp = tile.splat %a : tensor<64x32x!tile.ptr<f16>>
    %bsp = tile.splat %b : tensor<32x64x!tile.ptr<f16>>
    %ap = tile.addptr %asp, %aoff : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %bp = tile.addptr %bsp, %boff : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    %mkabs = tile.splat %k : tensor<32xi32>
    %mkac = arith.cmpi slt, %ik, %mkabs : tensor<32xi32>
    %mkae = tile.expand_dims %mkac axis = 0 : tensor<32xi1> -> tensor<1x32xi1>
    %mkab = tile.broadcast %mkae : tensor<1x32xi1> -> tensor<64x32xi1>
    %mkbbs = tile.splat %k : tensor<32xi32>
    %mkbc = arith.cmpi slt, %ik, %mkbbs : tensor<32xi32>
    %mkbe = tile.expand_dims %mkbc axis = 1 : tensor<32xi1> -> tensor<32x1xi1>
    %mkbb = tile.broadcast %mkbe : tensor<32x1xi1> -> tensor<32x64xi1>
    %mxa = arith.andi %mkab, %mmab : tensor<64x32xi1>
    %mxb = arith.andi %mkbb, %mnbb : tensor<32x64xi1>
    %x = tile.load %ap mask %mxa other %zx : tensor<64x32x!tile.ptr<f16>>
    %y = tile.load %bp mask %mxb other %zy : tensor<32x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %cme = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cms = tile.splat %ld : tensor<64x1xi32>
  %cmm = arith.muli %cme, %cms : tensor<64x1xi32>
  %cmb = tile.broadcast %cmm : tensor<64x1xi32> -> tensor<64x64xi32>
  %cne = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cnb = tile.broadcast %cne : tensor<1x64xi32> -> tensor<64x64xi32>
  %coff = arith.addi %cmb, %cnb : tensor<64x64xi32>
  %csp = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
  %cp = tile.addptr %csp, %coff : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %smmbs = tile.splat %m : tensor<64xi32>
  %smmc = arith.cmpi slt, %im, %smmbs : tensor<64xi32>
  %smme = tile.expand_dims %smmc axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
  %smmb = tile.broadcast %smme : tensor<64x1xi1> -> tensor<64x64xi1>
  %smnbs = tile.splat %n : tensor<64xi32>
  %smnc = arith.cmpi slt, %in, %smnbs : tensor<64xi32>
  %smne = tile.expand_dims %smnc axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %smnb = tile.broadcast %smne : tensor<1x64xi1> -> tensor<64x64xi1>
  %sm = arith.andi %smmb, %smnb : tensor<64x64xi1>
  tile.store %cp, %h mask %sm : tensor<64x64x!tile.ptr<f16>>
  return
}
