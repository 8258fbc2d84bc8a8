// Batches through plain pointers on Hopper: matrices apart by a stride of 64 bits, each with masks of its own rows and columns. The tensor
// maps have a dimension for the batch; a distance that is no whole 16 bytes is found out when the kernel runs. With all checks,
// compared with the cpu device.
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=4 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 --grid=2,2,3
// DEFINE: %{data} = --arg=f16[24000]=randn:1 --arg=f16[20000]=randn:2 --arg=f16[24000]=zeros --arg=i32=100 --arg=i32=72 --arg=i32=40 --arg=i32=48 --arg=i32=80 --arg=i32=80

// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=report | FileCheck %s
// CHECK-COUNT-2: load by tensor map
// CHECK: store by tensor map
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=tile_gpu | FileCheck %s --check-prefix=MAPS
// MAPS: box = array<i32: 32, 64, 1>, checked, element = f16, size_factors = array<i64: 1, 1, 2147483632>, sizes = array<i32: 5, 3, -1>, strides = array<i32: 6, 9>
// RUN: %{run} %{data} --arg=i64=4816 --arg=i64=3200 --arg=i64=8000
// The second version: the distance of matrices of b, 3,204 elements, is no multiple of 16 bytes; then it is 0.
// RUN: %{run} %{data} --arg=i64=4816 --arg=i64=3204 --arg=i64=8000
// RUN: %{run} %{data} --arg=i64=4816 --arg=i64=0 --arg=i64=8000

// A distance that is the product of two parameters.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=report -D DISTANCE=%more64 | FileCheck %s
// RUN: %{run} %{data} --arg=i64=4816 --arg=i64=3200 --arg=i64=8000 -D DISTANCE=%more64
// tile.param DISTANCE = %sa

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32},
    %sa: i64 {tile.divisibility = 16 : i32}, %sb: i64, %sc: i64 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 64 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %zx = arith.constant dense<0.0> : tensor<64x32xf16>
  %zy = arith.constant dense<0.0> : tensor<32x64xf16>
  %rm = tile.make_range 0 to 64 : tensor<64xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %rk = tile.make_range 0 to 32 : tensor<32xi32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %bid = tile.program_id z
  %aw = arith.extsi %bid : i32 to i64
  %more = arith.muli %m, %lda : i32
  %more64 = arith.extsi %more : i32 to i64
  %ao = arith.muli %aw, ${DISTANCE} : i64
  %ab = tile.addptr %a, %ao : !tile.ptr<f16>, i64
  %bw = arith.extsi %bid : i32 to i64
  %bo = arith.muli %bw, %sb : i64
  %bb = tile.addptr %b, %bo : !tile.ptr<f16>, i64
  %cw = arith.extsi %bid : i32 to i64
  %co = arith.muli %cw, %sc : i64
  %cb = tile.addptr %c, %co : !tile.ptr<f16>, i64
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<64xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %im = arith.addi %m0s, %rm : tensor<64xi32>
  %in = arith.addi %n0s, %rn : tensor<64xi32>
  %ame = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ams = tile.splat %lda : tensor<64x1xi32>
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
    %bkvs = tile.splat %ldb : tensor<32x1xi32>
    %bkvm = arith.muli %bkve, %bkvs : tensor<32x1xi32>
    %bkvb = tile.broadcast %bkvm : tensor<32x1xi32> -> tensor<32x64xi32>
    %aoff = arith.addi %amb, %akb : tensor<64x32xi32>
    %boff = arith.addi %bnvb, %bkvb : tensor<32x64xi32>
    %asp = tile.splat %ab : tensor<64x32x!tile.ptr<f16>>
    %bsp = tile.splat %bb : tensor<32x64x!tile.ptr<f16>>
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
  %cms = tile.splat %ldc : tensor<64x1xi32>
  %cmm = arith.muli %cme, %cms : tensor<64x1xi32>
  %cmb = tile.broadcast %cmm : tensor<64x1xi32> -> tensor<64x64xi32>
  %cne = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cnb = tile.broadcast %cne : tensor<1x64xi32> -> tensor<64x64xi32>
  %coff = arith.addi %cmb, %cnb : tensor<64x64xi32>
  %csp = tile.splat %cb : tensor<64x64x!tile.ptr<f16>>
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
