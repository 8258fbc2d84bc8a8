// Plain pointers on Hopper, rows and columns modulo the sizes, carried through the loop: factors that are boxes of strided matrices come by the copy engine, sums leave by it; where it cannot
// take them the kernel's second version runs. With all checks, compared with the cpu device.
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=4 --check=race,oob,uninit,nan --against=cpu --atol=0.02 --rtol=0.01
// DEFINE: %{odd} = --arg=f16[130,80]=randn:1 --arg=f16[72,144]=randn:2 --arg=f16[130,144]=fill:7 --arg=i32=130 --arg=i32=136 --arg=i32=72 --arg=i32=80 --arg=i32=144 --arg=i32=144

// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=report 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=tile_gpu --disable=tma-pointers | FileCheck %s --check-prefix=OFF
// OFF-NOT: tma_copy
// REPORT: copy engine, for factors and sums:
// REPORT-NEXT: load by tensor map
// REPORT-NEXT: load by tensor map
// REPORT-NEXT: store by tensor map

// Sizes that are no multiples of blocks, rows that are further apart than they are long.
// RUN: %{run} --grid=9 %{odd}
// Fewer rows and columns than a block.
// RUN: %{run} --grid=1 --arg=f16[3,16]=randn:1 --arg=f16[5,16]=randn:2 --arg=f16[3,16]=fill:7 --arg=i32=3 --arg=i32=8 --arg=i32=5 --arg=i32=16 --arg=i32=16 --arg=i32=16
// The engine would store whole 16 bytes: 133 columns of rows of 144.
// RUN: %{run} --grid=9 --arg=f16[130,80]=randn:1 --arg=f16[72,144]=randn:2 --arg=f16[130,144]=fill:7 --arg=i32=130 --arg=i32=133 --arg=i32=72 --arg=i32=80 --arg=i32=144 --arg=i32=144
// No tensor map has a size of 0, or a stride of 0.
// RUN: %{run} --grid=9 --arg=f16[130,80]=randn:1 --arg=f16[72,144]=randn:2 --arg=f16[130,144]=fill:7 --arg=i32=130 --arg=i32=136 --arg=i32=0 --arg=i32=80 --arg=i32=144 --arg=i32=144
// RUN: %{run} --grid=9 --arg=f16[80]=randn:1 --arg=f16[72,144]=randn:2 --arg=f16[130,144]=fill:7 --arg=i32=130 --arg=i32=136 --arg=i32=72 --arg=i32=0 --arg=i32=144 --arg=i32=144

func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 64 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.constant 8 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %zx = arith.constant dense<0.0> : tensor<64x32xf16>
  %zy = arith.constant dense<0.0> : tensor<32x64xf16>
  %rm0 = tile.make_range 0 to 64 : tensor<64xi32>
  %rn0 = tile.make_range 0 to 64 : tensor<64xi32>
  %rk0 = tile.make_range 0 to 32 : tensor<32xi32>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %tm = arith.ceildivsi %m, %bm : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %tiles = arith.muli %tm, %tn : i32
  %per = arith.muli %tn, %group : i32
    %gid = arith.divsi %pid, %per : i32
    %first = arith.muli %gid, %group : i32
    %left = arith.subi %tm, %first : i32
    %gs = arith.minsi %left, %group : i32
    %ing = arith.remsi %pid, %per : i32
    %inm = arith.remsi %ing, %gs : i32
    %pm = arith.addi %first, %inm : i32
    %pn = arith.divsi %ing, %gs : i32
    %m0 = arith.muli %pm, %bm : i32
    %n0 = arith.muli %pn, %bn : i32
    %m0s = tile.splat %m0 : tensor<64xi32>
    %n0s = tile.splat %n0 : tensor<64xi32>
    %im = arith.addi %m0s, %rm0 : tensor<64xi32>
    %in = arith.addi %n0s, %rn0 : tensor<64xi32>
    %ms1 = tile.splat %m : tensor<64xi32>
    %ns1 = tile.splat %n : tensor<64xi32>
    %am = arith.remsi %im, %ms1 : tensor<64xi32>
    %bn_ = arith.remsi %in, %ns1 : tensor<64xi32>
    %amc = tile.expand_dims %am axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %imc = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %bnr = tile.expand_dims %bn_ axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %inr = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ldas = tile.splat %lda : tensor<64x1xi32>
    %aoff = arith.muli %amc, %ldas : tensor<64x1xi32>
    %abase = tile.splat %a : tensor<64x1x!tile.ptr<f16>>
    %arow = tile.addptr %abase, %aoff : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
    %arowb = tile.broadcast %arow : tensor<64x1x!tile.ptr<f16>> -> tensor<64x32x!tile.ptr<f16>>
    %mcol = tile.splat %m : tensor<64x1xi32>
    %mmask = arith.cmpi slt, %imc, %mcol : tensor<64x1xi32>
    %nrow = tile.splat %n : tensor<1x64xi32>
    %nmask = arith.cmpi slt, %inr, %nrow : tensor<1x64xi32>
    %bb = tile.splat %b : tensor<1x64x!tile.ptr<f16>>
    %bcol = tile.addptr %bb, %bnr : tensor<1x64x!tile.ptr<f16>>, tensor<1x64xi32>
    %bcolb = tile.broadcast %bcol : tensor<1x64x!tile.ptr<f16>> -> tensor<32x64x!tile.ptr<f16>>
    %rkr = tile.expand_dims %rk0 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %rkc = tile.expand_dims %rk0 axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
    %rkrb = tile.broadcast %rkr : tensor<1x32xi32> -> tensor<64x32xi32>
    %ap0 = tile.addptr %arowb, %rkrb : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %ainc = arith.constant dense<32> : tensor<64x32xi32>
    %ldbc = tile.splat %ldb : tensor<32x1xi32>
    %kboff = arith.muli %rkc, %ldbc : tensor<32x1xi32>
    %kboffb = tile.broadcast %kboff : tensor<32x1xi32> -> tensor<32x64xi32>
    %bp0 = tile.addptr %bcolb, %kboffb : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    %binc0 = arith.muli %ldb, %bk : i32
    %binc = tile.splat %binc0 : tensor<32x64xi32>
    %kt = arith.ceildivsi %k, %bk : i32
    %s, %apz, %bpz = scf.for %kk = %zero to %kt step %one iter_args(%acc = %acc0, %ap = %ap0, %bp = %bp0) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
      %kd = arith.muli %kk, %bk : i32
      %kl = arith.subi %k, %kd : i32
      %kls = tile.splat %kl : tensor<1x32xi32>
      %klc = tile.splat %kl : tensor<32x1xi32>
      %ka = arith.cmpi slt, %rkr, %kls : tensor<1x32xi32>
      %kb = arith.cmpi slt, %rkc, %klc : tensor<32x1xi32>
      %kab = tile.broadcast %ka : tensor<1x32xi1> -> tensor<64x32xi1>
      %kbb = tile.broadcast %kb : tensor<32x1xi1> -> tensor<32x64xi1>
      %x = tile.load %ap mask %kab other %zx : tensor<64x32x!tile.ptr<f16>>
      %y = tile.load %bp mask %kbb other %zy : tensor<32x64x!tile.ptr<f16>>
      %d = tile.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %apn = tile.addptr %ap, %ainc : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
      %bpn = tile.addptr %bp, %binc : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
      scf.yield %d, %apn, %bpn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
    }
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %ldcs = tile.splat %ldc : tensor<64x1xi32>
    %coff = arith.muli %imc, %ldcs : tensor<64x1xi32>
    %cb = tile.splat %c : tensor<64x1x!tile.ptr<f16>>
    %crow = tile.addptr %cb, %coff : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
    %crowb = tile.broadcast %crow : tensor<64x1x!tile.ptr<f16>> -> tensor<64x64x!tile.ptr<f16>>
    %inrb = tile.broadcast %inr : tensor<1x64xi32> -> tensor<64x64xi32>
    %cp = tile.addptr %crowb, %inrb : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %mmc = tile.broadcast %mmask : tensor<64x1xi1> -> tensor<64x64xi1>
    %nmc = tile.broadcast %nmask : tensor<1x64xi1> -> tensor<64x64xi1>
    %mc = arith.andi %mmc, %nmc : tensor<64x64xi1>
    tile.store %cp, %h mask %mc : tensor<64x64x!tile.ptr<f16>>
  return
}
