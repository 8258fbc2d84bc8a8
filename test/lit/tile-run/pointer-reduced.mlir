// Rows and columns modulo sizes whose products are reduced (maxima and sums of exponentials of rows, as of a cross entropy): rows that come again are
// not stored, columns that come again are left out by a select, so that the copy engine may bring zeros for both. With all checks,
// compared with the cpu device.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=3 --emit=report | FileCheck %s
// CHECK-COUNT-2: load by tensor map
// Without the select they count.
// RUN: sed 's/, .sum, .low/, %%low, %%sum/' %s > %t.mlir
// RUN: tile-translate %t.mlir --target=sm_90a --num-warps=4 --num-stages=3 --emit=report | FileCheck %s --check-prefix=COUNT
// COUNT: load not taken: its rows or columns are taken modulo a number
// And rows that are reduced too.
// RUN: sed 's/axis = 1 : tensor<128x128xf32> -> tensor<128xf32>/axis = 0 : tensor<128x128xf32> -> tensor<128xf32>/' %s > %t.mlir
// RUN: tile-translate %t.mlir --target=sm_90a --num-warps=4 --num-stages=3 --emit=report | FileCheck %s --check-prefix=COUNT
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=4 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 --grid=2,3
// DEFINE: %{data} = --arg=f16[16800]=randn:1 --arg=f16[25200]=randn:2 --arg=f32[600]=zeros --arg=f32[600]=zeros
// RUN: %{run} %{data} --arg=i32=200 --arg=i32=300 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=304
// RUN: %{run} --disable=tma-pointers %{data} --arg=i32=200 --arg=i32=300 --arg=i32=72 --arg=i32=80 --arg=i32=80 --arg=i32=304

func.func @softmax_sums(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %e: !tile.ptr<f32> {tile.divisibility = 16 : i32},
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
  %wm = tile.splat %m : tensor<128xi32>
  %imw = arith.remsi %im, %wm : tensor<128xi32>
  %wn = tile.splat %n : tensor<128xi32>
  %inw = arith.remsi %in, %wn : tensor<128xi32>
  %ame = tile.expand_dims %imw axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %ams = tile.splat %lda : tensor<128x1xi32>
  %amm = arith.muli %ame, %ams : tensor<128x1xi32>
  %amb = tile.broadcast %amm : tensor<128x1xi32> -> tensor<128x64xi32>
  %bnve = tile.expand_dims %inw axis = 0 : tensor<128xi32> -> tensor<1x128xi32>
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
  %sum = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x128xf32>) : i32 {
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
        %x = tile.load %ap mask %mkab other %zx : tensor<128x64x!tile.ptr<f16>>
    %y = tile.load %bp mask %mkbb other %zy : tensor<64x128x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %nsb = tile.splat %n : tensor<128xi32>
  %nc = arith.cmpi slt, %in, %nsb : tensor<128xi32>
  %ne = tile.expand_dims %nc axis = 0 : tensor<128xi1> -> tensor<1x128xi1>
  %nb = tile.broadcast %ne : tensor<1x128xi1> -> tensor<128x128xi1>
  %low = arith.constant dense<-1.0e30> : tensor<128x128xf32>
  %x0 = arith.select %nb, %sum, %low : tensor<128x128xi1>, tensor<128x128xf32>
  %mx = tile.reduce %x0 axis = 1 : tensor<128x128xf32> -> tensor<128xf32> {
  ^bb0(%p: f32, %q: f32):
    %r = arith.maxnumf %p, %q : f32
    tile.yield %r : f32
  }
  %mxe = tile.expand_dims %mx axis = 1 : tensor<128xf32> -> tensor<128x1xf32>
  %mxb = tile.broadcast %mxe : tensor<128x1xf32> -> tensor<128x128xf32>
  %d0 = arith.subf %x0, %mxb : tensor<128x128xf32>
  %ex = math.exp2 %d0 : tensor<128x128xf32>
  %se = tile.reduce %ex axis = 1 : tensor<128x128xf32> -> tensor<128xf32> {
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  %at0 = arith.muli %pn, %m : i32
  %at1 = tile.splat %at0 : tensor<128xi32>
  %at = arith.addi %at1, %im : tensor<128xi32>
  %msb = tile.splat %m : tensor<128xi32>
  %mc = arith.cmpi slt, %im, %msb : tensor<128xi32>
  %cs = tile.splat %c : tensor<128x!tile.ptr<f32>>
  %cp = tile.addptr %cs, %at : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %cp, %mx mask %mc : tensor<128x!tile.ptr<f32>>
  %es = tile.splat %e : tensor<128x!tile.ptr<f32>>
  %ep = tile.addptr %es, %at : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %ep, %se mask %mc : tensor<128x!tile.ptr<f32>>
  return
}
