// A product beside those of warp groups, in the version for rows that start at any element: its factor starts anywhere, which nobody has
// asked about, and stays a load through pointers.
// RUN: for off in 0 3 20; do tile-run %s --device=sim --target=sm_90a --check=race,oob,uninit,nan --against=cpu --atol=0.02 --rtol=0.01 --num-warps=4 --grid=1 --arg=f16[67,203]=randn:1 --arg=f16[71,203]=randn:2 --arg=f16[67,71]=fill:7 --arg=i32=67 --arg=i32=71 --arg=i32=203 --arg=i32=203 --arg=i32=203 --arg=i32=71 --arg=i32=$off --arg=f32[32,32]=fill:3; done | FileCheck %s --check-prefix=SAME
// SAME-COUNT-3: argument 10 'o2' {{.*}} {{agrees with|equals}} cpu
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=tile_gpu | FileCheck %s
// CHECK-COUNT-2: tile_gpu.shifted_load
// CHECK-NOT: tile_gpu.shifted_load

func.func @mm(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %lda: i32, %ldb: i32, %ldc: i32, %off: i32, %o2: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bm = arith.constant 64 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 64 : i32
  %bm1 = arith.constant 63 : i32
  %bn1 = arith.constant 63 : i32
  %g = arith.constant 2 : i32
  %pid = tile.program_id x
  %mp = arith.addi %m, %bm1 : i32
  %tm = arith.divsi %mp, %bm : i32
  %np = arith.addi %n, %bn1 : i32
  %tn = arith.divsi %np, %bn : i32
  %per = arith.muli %g, %tn : i32
  %gid = arith.divsi %pid, %per : i32
  %first = arith.muli %gid, %g : i32
  %left = arith.subi %tm, %first : i32
  %gs = arith.minsi %left, %g : i32
  %in = arith.remsi %pid, %per : i32
  %inm = arith.remsi %in, %gs : i32
  %pm = arith.addi %first, %inm : i32
  %pn = arith.divsi %in, %gs : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %rm = tile.make_range 0 to 64 : tensor<64xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %rk = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<64xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %im = arith.addi %m0s, %rm : tensor<64xi32>
  %jn = arith.addi %n0s, %rn : tensor<64xi32>
  %ms = tile.splat %m : tensor<64xi32>
  %ns = tile.splat %n : tensor<64xi32>
  %imw = arith.remsi %im, %ms : tensor<64xi32>
  %jnw = arith.remsi %jn, %ns : tensor<64xi32>
  %row = tile.expand_dims %imw axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldas = tile.splat %lda : tensor<64x1xi32>
  %ro = arith.muli %row, %ldas : tensor<64x1xi32>
  %kr = tile.expand_dims %rk axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rob = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
  %krb = tile.broadcast %kr : tensor<1x64xi32> -> tensor<64x64xi32>
  %ao = arith.addi %rob, %krb : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa0 = tile.addptr %as, %ao : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %stepa = arith.constant dense<64> : tensor<64x64xi32>
  %brow = tile.expand_dims %jnw axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldbs = tile.splat %ldb : tensor<64x1xi32>
  %bro = arith.muli %brow, %ldbs : tensor<64x1xi32>
  %brb = tile.broadcast %bro : tensor<64x1xi32> -> tensor<64x64xi32>
  %bkb = tile.broadcast %kr : tensor<1x64xi32> -> tensor<64x64xi32>
  %stepb = arith.constant dense<64> : tensor<64x64xi32>
  %bo = arith.addi %brb, %bkb : tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %pb0 = tile.addptr %bs, %bo : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %za = arith.constant dense<0.0> : tensor<64x64xf16>
  %zb = arith.constant dense<0.0> : tensor<64x64xf16>
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %km = arith.addi %k, %bk : i32
  %km1 = arith.subi %km, %one : i32
  %trips = arith.divsi %km1, %bk : i32
  %acc20 = arith.constant dense<0.0> : tensor<32x32xf32>
  %a2c = arith.constant dense<1.0> : tensor<32x64xf16>
  %r32 = tile.make_range 0 to 32 : tensor<32xi32>
  %offs = tile.splat %off : tensor<64xi32>
  %jo = arith.addi %offs, %rn : tensor<64xi32>
  %jor = tile.expand_dims %jo axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %jol = arith.muli %jor, %ldbs : tensor<64x1xi32>
  %k32 = tile.expand_dims %r32 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %jolb = tile.broadcast %jol : tensor<64x1xi32> -> tensor<64x32xi32>
  %k32b = tile.broadcast %k32 : tensor<1x32xi32> -> tensor<64x32xi32>
  %b2o = arith.addi %jolb, %k32b : tensor<64x32xi32>
  %b2s = tile.splat %b : tensor<64x32x!tile.ptr<f16>>
  %pb2 = tile.addptr %b2s, %b2o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %nsr = tile.splat %n : tensor<64x1xi32>
  %inj = arith.cmpi slt, %jor, %nsr : tensor<64x1xi32>
  %injb = tile.broadcast %inj : tensor<64x1xi1> -> tensor<64x32xi1>
  %z32 = arith.constant dense<0.0> : tensor<64x32xf16>
  %step32 = arith.constant dense<64> : tensor<64x32xi32>
  %r:5 = scf.for %i = %zero to %trips step %one iter_args(%acc = %acc0, %pa = %pa0, %pb = %pb0, %acc2 = %acc20, %pc2 = %pb2) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>, tensor<32x32xf32>, tensor<64x32x!tile.ptr<f16>>) : i32 {
    %kk = arith.muli %i, %bk : i32
    %rest = arith.subi %k, %kk : i32
    %rs = tile.splat %rest : tensor<64xi32>
    %ink = arith.cmpi slt, %rk, %rs : tensor<64xi32>
    %inr = tile.expand_dims %ink axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
    %ma = tile.broadcast %inr : tensor<1x64xi1> -> tensor<64x64xi1>
    %x = tile.load %pa mask %ma other %za : tensor<64x64x!tile.ptr<f16>>
    %mb = tile.broadcast %inr : tensor<1x64xi1> -> tensor<64x64xi1>
    %yt = tile.load %pb mask %mb other %zb : tensor<64x64x!tile.ptr<f16>>
    %y = tile.trans %yt order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %rs32 = tile.splat %rest : tensor<32xi32>
    %ink32 = arith.cmpi slt, %r32, %rs32 : tensor<32xi32>
    %ink32e = tile.expand_dims %ink32 axis = 0 : tensor<32xi1> -> tensor<1x32xi1>
    %ink32b = tile.broadcast %ink32e : tensor<1x32xi1> -> tensor<64x32xi1>
    %m2 = arith.andi %ink32b, %injb : tensor<64x32xi1>
    %y2 = tile.load %pc2 mask %m2 other %z32 : tensor<64x32x!tile.ptr<f16>>
    %d2 = tile.dot %a2c, %y2, %acc2 : tensor<32x64xf16> * tensor<64x32xf16> -> tensor<32x32xf32>
    %qc2 = tile.addptr %pc2, %step32 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %qa = tile.addptr %pa, %stepa : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %qb = tile.addptr %pb, %stepb : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %qa, %qb, %d2, %qc2 : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>, tensor<32x32xf32>, tensor<64x32x!tile.ptr<f16>>
  }
  %h = arith.truncf %r#0 : tensor<64x64xf32> to tensor<64x64xf16>
  %crow = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldcs = tile.splat %ldc : tensor<64x1xi32>
  %cro = arith.muli %crow, %ldcs : tensor<64x1xi32>
  %ccol = tile.expand_dims %jn axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %crb = tile.broadcast %cro : tensor<64x1xi32> -> tensor<64x64xi32>
  %ccb = tile.broadcast %ccol : tensor<1x64xi32> -> tensor<64x64xi32>
  %co = arith.addi %crb, %ccb : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
  %pc = tile.addptr %cs, %co : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %inm1 = arith.cmpi slt, %im, %ms : tensor<64xi32>
  %inn1 = arith.cmpi slt, %jn, %ns : tensor<64xi32>
  %inm2 = tile.expand_dims %inm1 axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
  %inn2 = tile.expand_dims %inn1 axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %inm3 = tile.broadcast %inm2 : tensor<64x1xi1> -> tensor<64x64xi1>
  %inn3 = tile.broadcast %inn2 : tensor<1x64xi1> -> tensor<64x64xi1>
  %mc = arith.andi %inm3, %inn3 : tensor<64x64xi1>
  tile.store %pc, %h mask %mc : tensor<64x64x!tile.ptr<f16>>
  %r1k = tile.make_range 0 to 1024 : tensor<1024xi32>
  %r2k = tile.reshape %r1k : tensor<1024xi32> -> tensor<32x32xi32>
  %o2s = tile.splat %o2 : tensor<32x32x!tile.ptr<f32>>
  %po2 = tile.addptr %o2s, %r2k : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %po2, %r#3 : tensor<32x32x!tile.ptr<f32>>
  return
}
