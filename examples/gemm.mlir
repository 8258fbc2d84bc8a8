// c[z] = a[z] b[z] for every z of the grid's y axis, a[z] [M, K], b[z] [K, N], c[z] [M, N] of any size and any strides, in
// elements: a transposed factor is one with its strides exchanged, one that all batches share has the batch stride 0. A program
// takes a block of c; GROUP rows of blocks go together, so that neighbours find their factors in the cache.
//
//   tile-run examples/gemm.mlir --device=cpu --grid=4,3 -D A=f16 -D ACC=f32 -D BM=32 -D BN=32 -D BK=32 --arg=f16[3,40,70]=randn:1 \
//     --arg=f16[3,50,70]=randn:2 --arg=f32[3,40,50]=zeros --arg=i32=40 --arg=i32=50 --arg=i32=70 \
//     --arg=i64=2800 --arg=i32=70 --arg=i32=1 --arg=i64=3500 --arg=i32=1 --arg=i32=70 --arg=i64=2000 --arg=i32=50 --arg=i32=1
//
// A is the factors' type, ACC that of sums and result: f32 for floats, i32 for i8 (with -D ZERO=0), f64 for f64. Factors of f32
// are rounded to tf32 unless tile.dot gets another precision. Where a stride of 1 is known when compiling, loads are wide:
// examples/linear.mlir.
//
// tile.param A = f16 of f16, bf16, f32, f64, i8, f8E4M3FN, f8E5M2
// tile.param ACC = f32 of f32, f64, i32
// tile.param ZERO = 0.0 of 0.0, 0
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128
// tile.param BK = 32 in 32, 64
// tile.param GROUP = 8
func.func @gemm(%a: !tile.ptr<${A}> {tile.divisibility = 16 : i32}, %b: !tile.ptr<${A}> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<${ACC}> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %saz: i64, %sam: i32, %sak: i32, %sbz: i64,
    %sbk: i32, %sbn: i32, %scz: i64, %scm: i32, %scn: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %group = arith.constant ${GROUP} : i32
  %none_a = arith.constant dense<${ZERO}> : tensor<${BM}x${BK}x${A}>
  %none_b = arith.constant dense<${ZERO}> : tensor<${BK}x${BN}x${A}>
  %acc0 = arith.constant dense<${ZERO}> : tensor<${BM}x${BN}x${ACC}>

  // Which block, and of which batch.
  %pid = tile.program_id x
  %z = tile.program_id y
  %tm = arith.ceildivsi %m, %bm : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %per = arith.muli %tn, %group : i32
  %gid = arith.divsi %pid, %per : i32
  %fm = arith.muli %gid, %group : i32
  %left = arith.subi %tm, %fm : i32
  %size = arith.minsi %left, %group : i32
  %in_group = arith.remsi %pid, %per : i32
  %rm = arith.remsi %in_group, %size : i32
  %pm = arith.addi %fm, %rm : i32
  %pn = arith.divsi %in_group, %size : i32
  %z64 = arith.extsi %z : i32 to i64
  %za = arith.muli %z64, %saz : i64
  %zb = arith.muli %z64, %sbz : i64
  %zc = arith.muli %z64, %scz : i64
  %az = tile.addptr %a, %za : !tile.ptr<${A}>, i64
  %bz = tile.addptr %b, %zb : !tile.ptr<${A}>, i64
  %cz = tile.addptr %c, %zc : !tile.ptr<${ACC}>, i64

  // Its rows and columns, and where the factors' first blocks lie.
  %range_m = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %range_n = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %range_k = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %m0s = tile.splat %m0 : tensor<${BM}xi32>
  %n0s = tile.splat %n0 : tensor<${BN}xi32>
  %rows = arith.addi %m0s, %range_m : tensor<${BM}xi32>
  %columns = arith.addi %n0s, %range_n : tensor<${BN}xi32>
  %ms = tile.splat %m : tensor<${BM}xi32>
  %ns = tile.splat %n : tensor<${BN}xi32>
  %row_in = arith.cmpi slt, %rows, %ms : tensor<${BM}xi32>
  %column_in = arith.cmpi slt, %columns, %ns : tensor<${BN}xi32>
  %row = tile.expand_dims %rows axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %column = tile.expand_dims %columns axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %in_m = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %in_n = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
  %k_row = tile.expand_dims %range_k axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %k_column = tile.expand_dims %range_k axis = 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %sams = tile.splat %sam : tensor<${BM}x1xi32>
  %saks = tile.splat %sak : tensor<1x${BK}xi32>
  %sbks = tile.splat %sbk : tensor<${BK}x1xi32>
  %sbns = tile.splat %sbn : tensor<1x${BN}xi32>
  %am = arith.muli %row, %sams : tensor<${BM}x1xi32>
  %ak = arith.muli %k_row, %saks : tensor<1x${BK}xi32>
  %bks = arith.muli %k_column, %sbks : tensor<${BK}x1xi32>
  %bns = arith.muli %column, %sbns : tensor<1x${BN}xi32>
  %amb = tile.broadcast %am : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %akb = tile.broadcast %ak : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %bkb = tile.broadcast %bks : tensor<${BK}x1xi32> -> tensor<${BK}x${BN}xi32>
  %bnb = tile.broadcast %bns : tensor<1x${BN}xi32> -> tensor<${BK}x${BN}xi32>
  %a_at = arith.addi %amb, %akb : tensor<${BM}x${BK}xi32>
  %b_at = arith.addi %bkb, %bnb : tensor<${BK}x${BN}xi32>
  %as = tile.splat %az : tensor<${BM}x${BK}x!tile.ptr<${A}>>
  %bs = tile.splat %bz : tensor<${BK}x${BN}x!tile.ptr<${A}>>
  %a0 = tile.addptr %as, %a_at : tensor<${BM}x${BK}x!tile.ptr<${A}>>, tensor<${BM}x${BK}xi32>
  %b0 = tile.addptr %bs, %b_at : tensor<${BK}x${BN}x!tile.ptr<${A}>>, tensor<${BK}x${BN}xi32>
  %in_mb = tile.broadcast %in_m : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
  %in_nb = tile.broadcast %in_n : tensor<1x${BN}xi1> -> tensor<${BK}x${BN}xi1>
  %step_a = arith.muli %sak, %bk : i32
  %step_b = arith.muli %sbk, %bk : i32
  %step_as = tile.splat %step_a : tensor<${BM}x${BK}xi32>
  %step_bs = tile.splat %step_b : tensor<${BK}x${BN}xi32>

  %r:3 = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0, %pa = %a0, %pb = %b0)
      -> (tensor<${BM}x${BN}x${ACC}>, tensor<${BM}x${BK}x!tile.ptr<${A}>>, tensor<${BK}x${BN}x!tile.ptr<${A}>>) : i32 {
    %rest = arith.subi %k, %kk : i32
    %rest_a = tile.splat %rest : tensor<1x${BK}xi32>
    %rest_b = tile.splat %rest : tensor<${BK}x1xi32>
    %ka = arith.cmpi slt, %k_row, %rest_a : tensor<1x${BK}xi32>
    %kb = arith.cmpi slt, %k_column, %rest_b : tensor<${BK}x1xi32>
    %kab = tile.broadcast %ka : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %kbb = tile.broadcast %kb : tensor<${BK}x1xi1> -> tensor<${BK}x${BN}xi1>
    %mask_a = arith.andi %in_mb, %kab : tensor<${BM}x${BK}xi1>
    %mask_b = arith.andi %in_nb, %kbb : tensor<${BK}x${BN}xi1>
    %x = tile.load %pa mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<${A}>>
    %y = tile.load %pb mask %mask_b other %none_b : tensor<${BK}x${BN}x!tile.ptr<${A}>>
    %d = tile.dot %x, %y, %acc
      : tensor<${BM}x${BK}x${A}> * tensor<${BK}x${BN}x${A}> -> tensor<${BM}x${BN}x${ACC}>
    %qa = tile.addptr %pa, %step_as : tensor<${BM}x${BK}x!tile.ptr<${A}>>, tensor<${BM}x${BK}xi32>
    %qb = tile.addptr %pb, %step_bs : tensor<${BK}x${BN}x!tile.ptr<${A}>>, tensor<${BK}x${BN}xi32>
    scf.yield %d, %qa, %qb : tensor<${BM}x${BN}x${ACC}>, tensor<${BM}x${BK}x!tile.ptr<${A}>>, tensor<${BK}x${BN}x!tile.ptr<${A}>>
  }

  %scms = tile.splat %scm : tensor<${BM}x1xi32>
  %scns = tile.splat %scn : tensor<1x${BN}xi32>
  %cm = arith.muli %row, %scms : tensor<${BM}x1xi32>
  %cn = arith.muli %column, %scns : tensor<1x${BN}xi32>
  %cmb = tile.broadcast %cm : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %cnb = tile.broadcast %cn : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %c_at = arith.addi %cmb, %cnb : tensor<${BM}x${BN}xi32>
  %cs = tile.splat %cz : tensor<${BM}x${BN}x!tile.ptr<${ACC}>>
  %pc = tile.addptr %cs, %c_at : tensor<${BM}x${BN}x!tile.ptr<${ACC}>>, tensor<${BM}x${BN}xi32>
  %cin_m = tile.broadcast %in_m : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %cin_n = tile.broadcast %in_n : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c = arith.andi %cin_m, %cin_n : tensor<${BM}x${BN}xi1>
  tile.store %pc, %r#0 mask %mask_c : tensor<${BM}x${BN}x!tile.ptr<${ACC}>>
  return
}
