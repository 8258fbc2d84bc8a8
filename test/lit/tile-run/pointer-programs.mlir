// A kernel whose programs fill a multiprocessor each goes over them in a loop: copies for the next one start while the last one's sums are
// stored. The launcher is told, and passes the numbers of programs. With all checks, compared with the cpu device.
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu | FileCheck %s
// CHECK: func.func @matmul({{.*}}, %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[Z:[a-z0-9]+]]: i32)
// CHECK-SAME: tile_gpu.program_loop
// CHECK: %[[XY:.*]] = arith.muli %[[X]], %[[Y]] : i32
// CHECK: %[[ALL:.*]] = arith.muli %[[XY]], %[[Z]] : i32
// CHECK: tile_gpu.producer
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %[[ALL]] step
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=report | FileCheck %s --check-prefix=REPORT
// REPORT: programs: one after the other in a loop, one block a multiprocessor
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.ptx.json
// MANIFEST: "hidden": [
// MANIFEST-NEXT: "programs_x"
// MANIFEST-NEXT: "programs_y"
// MANIFEST-NEXT: "programs_z"
// MANIFEST: "grid_rule": {
// MANIFEST: "persistent"
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu --disable=program-loops | FileCheck %s --check-prefix=OFF
// Two programs share a multiprocessor, or more: no loop.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=tile_gpu | FileCheck %s --check-prefix=OFF
// OFF-NOT: tile_gpu.program_loop
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=8 --num-stages=3 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01 --grid=2,2,2 \
// RUN:   --arg=f16[32000]=randn:1 --arg=f16[48000]=randn:2 --arg=f16[121600]=zeros --arg=i32=200 --arg=i32=300 --arg=i32=72 --arg=i32=80 --arg=i32=80 \
// RUN:   --arg=i32=304 --arg=i64=16000 --arg=i64=24000 --arg=i64=60800

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32},
    %sa: i64 {tile.divisibility = 16 : i32}, %sb: i64 {tile.divisibility = 16 : i32}, %sc: i64 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
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
  %bid = tile.program_id z
  %aw = arith.extsi %bid : i32 to i64
  %ao = arith.muli %aw, %sa : i64
  %ab = tile.addptr %a, %ao : !tile.ptr<f16>, i64
  %bw = arith.extsi %bid : i32 to i64
  %bo = arith.muli %bw, %sb : i64
  %bb = tile.addptr %b, %bo : !tile.ptr<f16>, i64
  %cw = arith.extsi %bid : i32 to i64
  %co = arith.muli %cw, %sc : i64
  %cb = tile.addptr %c, %co : !tile.ptr<f16>, i64
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
    %asp = tile.splat %ab : tensor<128x64x!tile.ptr<f16>>
    %bsp = tile.splat %bb : tensor<64x256x!tile.ptr<f16>>
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
  %h = arith.truncf %s : tensor<128x256xf32> to tensor<128x256xf16>
  %cme = tile.expand_dims %im axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %cms = tile.splat %ldc : tensor<128x1xi32>
  %cmm = arith.muli %cme, %cms : tensor<128x1xi32>
  %cmb = tile.broadcast %cmm : tensor<128x1xi32> -> tensor<128x256xi32>
  %cne = tile.expand_dims %in axis = 0 : tensor<256xi32> -> tensor<1x256xi32>
  %cnb = tile.broadcast %cne : tensor<1x256xi32> -> tensor<128x256xi32>
  %coff = arith.addi %cmb, %cnb : tensor<128x256xi32>
  %csp = tile.splat %cb : tensor<128x256x!tile.ptr<f16>>
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
  tile.store %cp, %h mask %sm : tensor<128x256x!tile.ptr<f16>>
  return
}
