// c = a b for a [M, K], b [K, N] or its transpose [N, K] and c [M, N], through pointers: rows are lda, ldb and ldc elements apart, any
// number of them. A program takes a block of c; GROUP rows of blocks go together, so that neighbours find their factors in the cache.
//
//   tile-run examples/matmul_pointers.mlir --device=cpu -D BM=64 -D BN=64 --arg=f16[100,73]=randn:1 --arg=f16[90,73]=randn:2 \
//     --arg=f16[100,91]=zeros --arg=i32=100 --arg=i32=90 --arg=i32=73 --arg=i32=73 --arg=i32=73 --arg=i32=91
//
// b is [N, K]; with -D ALONG_K=%ldb -D ALONG_N=%one it is [K, N]. On an H100 or H200 the factors come by the tensor copy engine: where
// rows are whole 16 bytes apart as they lie, else by a map for each kind of rows that start alike, moved to their places on the way
// through registers (docs/hopper.md). --auto knows from lda and ldb which it is, and chooses for the sizes at hand (docs/auto.md):
//
//   tile-run examples/matmul_pointers.mlir --device=cuda --auto --bench --arg=f16[4095,4111]=randn:1 --arg=f16[4097,4111]=randn:2 \
//     --arg=f16[4095,4097]=zeros --arg=i32=4095 --arg=i32=4097 --arg=i32=4111 --arg=i32=4111 --arg=i32=4111 --arg=i32=4097
//
// tile.param T = f16 of f16, bf16
// tile.param ALONG_K = %one of %one, %ldb
// tile.param ALONG_N = %ldb of %ldb, %one
// tile.param BM = 128 in 128, 64, 256
// tile.param BN = 128 in 128, 256, 64
// tile.param BK = 64
// tile.param GROUP = 8
// tile.param NUM_WARPS = 8 in 4, 8
// tile.param NUM_STAGES = 3 in 3, 2
// tile.require BM * BN <= 32768
// tile.grid = ceildiv(m, BM) * ceildiv(n, BN)
func.func @matmul_pointers(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %b: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %lda: i32, %ldb: i32, %ldc: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %group = arith.constant ${GROUP} : i32
  %none_a = arith.constant dense<0.0> : tensor<${BM}x${BK}x${T}>
  %none_b = arith.constant dense<0.0> : tensor<${BK}x${BN}x${T}>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>

  // Which block.
  %pid = tile.program_id x
  %tm = arith.ceildivsi %m, %bm : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %per = arith.muli %tn, %group : i32
  %gid = arith.divsi %pid, %per : i32
  %first = arith.muli %gid, %group : i32
  %left = arith.subi %tm, %first : i32
  %size = arith.minsi %left, %group : i32
  %in_group = arith.remsi %pid, %per : i32
  %in_column = arith.remsi %in_group, %size : i32
  %pm = arith.addi %first, %in_column : i32
  %pn = arith.divsi %in_group, %size : i32

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
  %ldas = tile.splat %lda : tensor<${BM}x1xi32>
  %sbks = tile.splat ${ALONG_K} : tensor<${BK}x1xi32>
  %sbns = tile.splat ${ALONG_N} : tensor<1x${BN}xi32>
  %am = arith.muli %row, %ldas : tensor<${BM}x1xi32>
  %bks = arith.muli %k_column, %sbks : tensor<${BK}x1xi32>
  %bns = arith.muli %column, %sbns : tensor<1x${BN}xi32>
  %amb = tile.broadcast %am : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %akb = tile.broadcast %k_row : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %bkb = tile.broadcast %bks : tensor<${BK}x1xi32> -> tensor<${BK}x${BN}xi32>
  %bnb = tile.broadcast %bns : tensor<1x${BN}xi32> -> tensor<${BK}x${BN}xi32>
  %a_at = arith.addi %amb, %akb : tensor<${BM}x${BK}xi32>
  %b_at = arith.addi %bkb, %bnb : tensor<${BK}x${BN}xi32>
  %as = tile.splat %a : tensor<${BM}x${BK}x!tile.ptr<${T}>>
  %bs = tile.splat %b : tensor<${BK}x${BN}x!tile.ptr<${T}>>
  %a0 = tile.addptr %as, %a_at : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BM}x${BK}xi32>
  %b0 = tile.addptr %bs, %b_at : tensor<${BK}x${BN}x!tile.ptr<${T}>>, tensor<${BK}x${BN}xi32>
  %in_mb = tile.broadcast %in_m : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
  %in_nb = tile.broadcast %in_n : tensor<1x${BN}xi1> -> tensor<${BK}x${BN}xi1>
  %step_b = arith.muli ${ALONG_K}, %bk : i32
  %step_as = tile.splat %bk : tensor<${BM}x${BK}xi32>
  %step_bs = tile.splat %step_b : tensor<${BK}x${BN}xi32>

  %r:3 = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0, %pa = %a0, %pb = %b0)
      -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BK}x${BN}x!tile.ptr<${T}>>) : i32 {
    %rest = arith.subi %k, %kk : i32
    %rest_a = tile.splat %rest : tensor<1x${BK}xi32>
    %rest_b = tile.splat %rest : tensor<${BK}x1xi32>
    %ka = arith.cmpi slt, %k_row, %rest_a : tensor<1x${BK}xi32>
    %kb = arith.cmpi slt, %k_column, %rest_b : tensor<${BK}x1xi32>
    %kab = tile.broadcast %ka : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %kbb = tile.broadcast %kb : tensor<${BK}x1xi1> -> tensor<${BK}x${BN}xi1>
    %mask_a = arith.andi %in_mb, %kab : tensor<${BM}x${BK}xi1>
    %mask_b = arith.andi %in_nb, %kbb : tensor<${BK}x${BN}xi1>
    %x = tile.load %pa mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<${T}>>
    %y = tile.load %pb mask %mask_b other %none_b : tensor<${BK}x${BN}x!tile.ptr<${T}>>
    %d = tile.dot %x, %y, %acc : tensor<${BM}x${BK}x${T}> * tensor<${BK}x${BN}x${T}> -> tensor<${BM}x${BN}xf32>
    %qa = tile.addptr %pa, %step_as : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BM}x${BK}xi32>
    %qb = tile.addptr %pb, %step_bs : tensor<${BK}x${BN}x!tile.ptr<${T}>>, tensor<${BK}x${BN}xi32>
    scf.yield %d, %qa, %qb : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BK}x${BN}x!tile.ptr<${T}>>
  }

  %h = arith.truncf %r#0 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}x${T}>
  %ldcs = tile.splat %ldc : tensor<${BM}x1xi32>
  %cm = arith.muli %row, %ldcs : tensor<${BM}x1xi32>
  %cmb = tile.broadcast %cm : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %cnb = tile.broadcast %column : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %c_at = arith.addi %cmb, %cnb : tensor<${BM}x${BN}xi32>
  %cs = tile.splat %c : tensor<${BM}x${BN}x!tile.ptr<${T}>>
  %pc = tile.addptr %cs, %c_at : tensor<${BM}x${BN}x!tile.ptr<${T}>>, tensor<${BM}x${BN}xi32>
  %cin_m = tile.broadcast %in_m : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %cin_n = tile.broadcast %in_n : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c = arith.andi %cin_m, %cin_n : tensor<${BM}x${BN}xi1>
  tile.store %pc, %h mask %mask_c : tensor<${BM}x${BN}x!tile.ptr<${T}>>
  return
}
