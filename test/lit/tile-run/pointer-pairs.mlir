// Strides that are not known to be whole 16 bytes when the kernel is compiled: beside the copy engine's version there are two, one for rows
// of whole words, whose elements are loaded in pairs, and one for others; blocks do not start at multiples of eight rows, which the copy engine
// would take whatever their strides are (pointer-odd-rows.mlir). Rows modulo a size, which come to nothing, are the last row there.
// With all checks, compared with the cpu device.
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=3 --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.tma_store
// CHECK: } else {
// CHECK: %[[LDA:.*]] = arith.andi %arg6, %c1_i32 : i32
// CHECK: arith.cmpi eq, %[[LDA]], %c0_i32 : i32
// CHECK: scf.if %{{.*}} {
// CHECK-DAG: arith.shrsi %arg6, %c1_i32 : i32
// CHECK-DAG: arith.shrsi %arg7, %c1_i32 : i32
// CHECK-NOT: arith.remsi {{.*}} tensor
// CHECK: tile.load {{.*}} : tensor<64x128x!tile.ptr<f16>
// CHECK: tile.load {{.*}} : tensor<128x64x!tile.ptr<f16>
// CHECK: } else {
// CHECK: tile.load {{.*}} : tensor<64x128x!tile.ptr<f16>
// More sums leave room for fewer at a time.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=3 --emit=tile_gpu | FileCheck %s --check-prefix=FEW
// FEW: tile.load {{.*}} : tensor<16x128x!tile.ptr<f16>
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=3 --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: ld.global.b32
// PTX: ld.global.b16
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=8 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 --grid=2,2
// By the engine.
// RUN: %{run} --arg=f16[67200]=randn:1 --arg=f16[67200]=randn:2 --arg=f16[41600]=zeros --arg=i32=200 --arg=i32=200 --arg=i32=330 --arg=i32=336 --arg=i32=336 --arg=i32=208
// Whole words.
// RUN: %{run} --arg=f16[66000]=randn:1 --arg=f16[66000]=randn:2 --arg=f16[40000]=zeros --arg=i32=200 --arg=i32=200 --arg=i32=330 --arg=i32=330 --arg=i32=330 --arg=i32=200
// An odd number of them along K, and odd rows.
// RUN: %{run} --arg=f16[66000]=randn:1 --arg=f16[66000]=randn:2 --arg=f16[40000]=zeros --arg=i32=200 --arg=i32=200 --arg=i32=329 --arg=i32=330 --arg=i32=330 --arg=i32=200
// RUN: %{run} --arg=f16[66200]=randn:1 --arg=f16[66200]=randn:2 --arg=f16[40200]=zeros --arg=i32=200 --arg=i32=200 --arg=i32=331 --arg=i32=331 --arg=i32=331 --arg=i32=201

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: i32, %ldb: i32, %ldc: i32) attributes {tile.kernel} {
  %apart = arith.constant 132 : i32
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
  %m0 = arith.muli %pm, %apart : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<128xi32>
  %n0s = tile.splat %n0 : tensor<128xi32>
  %im = arith.addi %m0s, %rm : tensor<128xi32>
  %in = arith.addi %n0s, %rn : tensor<128xi32>
  %ams0 = tile.splat %m : tensor<128xi32>
  %imw = arith.remsi %im, %ams0 : tensor<128xi32>
  %ame = tile.expand_dims %imw axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
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
      %mxb = arith.andi %mkbb, %mnbb : tensor<64x128xi1>
    %x = tile.load %ap mask %mkab other %zx : tensor<128x64x!tile.ptr<f16>>
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
