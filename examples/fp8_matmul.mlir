// c = a b^T for a [M, K] and b [N, K] of f8E4M3FN and c [M, N] of bf16, with a scale for each row and 128 columns of a and for
// each 128 x 128 of b. Products of one group are summed by the matrix unit, those sums scaled and added in f32.
//
//   tile-run examples/fp8_matmul.mlir --device=cpu --grid=2,2 -D BM=32 -D BN=32 -D BK=64 --arg=f8E4M3FN[40,160]=randn:1 \
//     --arg=f8E4M3FN[50,160]=randn:2 --arg=f32[40,2]=rand:3:0.5:2 --arg=f32[1,2]=rand:4:0.5:2 --arg=bf16[40,50]=zeros \
//     --arg=i32=40 --arg=i32=50 --arg=i32=160
//
// BN and BK divide 128.
//
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128
// tile.param BK = 128 in 32, 64, 128
func.func @fp8_matmul(%a: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32},
    %b: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %scale_a: !tile.ptr<f32> {tile.divisibility = 16 : i32},
    %scale_b: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32,
    %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %row_0 = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %row_s = tile.splat %m0 : tensor<${BM}xi32>
  %row = arith.addi %row_s, %row_0 : tensor<${BM}xi32>
  %row_in_b = tile.splat %m : tensor<${BM}xi32>
  %row_in = arith.cmpi slt, %row, %row_in_b : tensor<${BM}xi32>
  %column_0 = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %column_s = tile.splat %n0 : tensor<${BN}xi32>
  %column = arith.addi %column_s, %column_0 : tensor<${BN}xi32>
  %column_in_b = tile.splat %n : tensor<${BN}xi32>
  %column_in = arith.cmpi slt, %column, %column_in_b : tensor<${BN}xi32>
  %kk = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %group = arith.constant 128 : i32
  %none_a = arith.constant dense<0.0> : tensor<${BM}x${BK}xf8E4M3FN>
  %none_b = arith.constant dense<0.0> : tensor<${BN}x${BK}xf8E4M3FN>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %none_s = arith.constant dense<0.0> : tensor<${BM}xf32>
  %a0_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %a0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %a0_rs = tile.splat %k : tensor<${BM}x1xi32>
  %a0_ro = arith.muli %a0_r, %a0_rs : tensor<${BM}x1xi32>
  %a0_rb = tile.broadcast %a0_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %a0_cb = tile.broadcast %a0_c : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %a0_at = arith.addi %a0_rb, %a0_cb : tensor<${BM}x${BK}xi32>
  %a0_s = tile.splat %a : tensor<${BM}x${BK}x!tile.ptr<f8E4M3FN>>
  %a0 = tile.addptr %a0_s, %a0_at : tensor<${BM}x${BK}x!tile.ptr<f8E4M3FN>>, tensor<${BM}x${BK}xi32>
  %b0_r = tile.expand_dims %column axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %b0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %b0_rs = tile.splat %k : tensor<${BN}x1xi32>
  %b0_ro = arith.muli %b0_r, %b0_rs : tensor<${BN}x1xi32>
  %b0_rb = tile.broadcast %b0_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${BK}xi32>
  %b0_cb = tile.broadcast %b0_c : tensor<1x${BK}xi32> -> tensor<${BN}x${BK}xi32>
  %b0_at = arith.addi %b0_rb, %b0_cb : tensor<${BN}x${BK}xi32>
  %b0_s = tile.splat %b : tensor<${BN}x${BK}x!tile.ptr<f8E4M3FN>>
  %b0 = tile.addptr %b0_s, %b0_at : tensor<${BN}x${BK}x!tile.ptr<f8E4M3FN>>, tensor<${BN}x${BK}xi32>
  %step_a = tile.splat %bk : tensor<${BM}x${BK}xi32>
  %step_b = tile.splat %bk : tensor<${BN}x${BK}xi32>
  %groups = arith.ceildivsi %k, %group : i32
  %groups_m = tile.splat %groups : tensor<${BM}xi32>
  %sa_row = arith.muli %row, %groups_m : tensor<${BM}xi32>
  %nb = arith.divsi %n0, %group : i32
  %sb_row = arith.muli %nb, %groups : i32

  %r:3 = scf.for %j = %zero to %k step %bk iter_args(%acc = %acc0, %pa = %a0, %pb = %b0)
      -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f8E4M3FN>>, tensor<${BN}x${BK}x!tile.ptr<f8E4M3FN>>) : i32 {
    %rest = arith.subi %k, %j : i32
    %k_in_b = tile.splat %rest : tensor<${BK}xi32>
    %k_in = arith.cmpi slt, %kk, %k_in_b : tensor<${BK}xi32>
    %mask_a_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %mask_a_rb = tile.broadcast %mask_a_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a_c = tile.expand_dims %k_in axis = 0 : tensor<${BK}xi1> -> tensor<1x${BK}xi1>
    %mask_a_cb = tile.broadcast %mask_a_c : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a = arith.andi %mask_a_rb, %mask_a_cb : tensor<${BM}x${BK}xi1>
    %mask_b_r = tile.expand_dims %column_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
    %mask_b_rb = tile.broadcast %mask_b_r : tensor<${BN}x1xi1> -> tensor<${BN}x${BK}xi1>
    %mask_b_c = tile.expand_dims %k_in axis = 0 : tensor<${BK}xi1> -> tensor<1x${BK}xi1>
    %mask_b_cb = tile.broadcast %mask_b_c : tensor<1x${BK}xi1> -> tensor<${BN}x${BK}xi1>
    %mask_b = arith.andi %mask_b_rb, %mask_b_cb : tensor<${BN}x${BK}xi1>
    %x = tile.load %pa mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<f8E4M3FN>>
    %y = tile.load %pb mask %mask_b other %none_b : tensor<${BN}x${BK}x!tile.ptr<f8E4M3FN>>
    %yT = tile.trans %y order = [1, 0] : tensor<${BN}x${BK}xf8E4M3FN> -> tensor<${BK}x${BN}xf8E4M3FN>
    %part = tile.dot %x, %yT, %acc0 : tensor<${BM}x${BK}xf8E4M3FN> * tensor<${BK}x${BN}xf8E4M3FN> -> tensor<${BM}x${BN}xf32>

    // The scales of this part of K: one for each row of a, one for the block of b.
    %g = arith.divsi %j, %group : i32
    %gs = tile.splat %g : tensor<${BM}xi32>
    %sa_at = arith.addi %sa_row, %gs : tensor<${BM}xi32>
    %sa_s = tile.splat %scale_a : tensor<${BM}x!tile.ptr<f32>>
    %sa_p = tile.addptr %sa_s, %sa_at : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
    %sa = tile.load %sa_p mask %row_in other %none_s : tensor<${BM}x!tile.ptr<f32>>
    %sb_at = arith.addi %sb_row, %g : i32
    %sb_p = tile.addptr %scale_b, %sb_at : !tile.ptr<f32>, i32
    %sb = tile.load %sb_p : !tile.ptr<f32>
    %sbs = tile.splat %sb : tensor<${BM}xf32>
    %s = arith.mulf %sa, %sbs : tensor<${BM}xf32>
    %ss_1 = tile.expand_dims %s axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
    %ss = tile.broadcast %ss_1 : tensor<${BM}x1xf32> -> tensor<${BM}x${BN}xf32>
    %scaled = arith.mulf %part, %ss : tensor<${BM}x${BN}xf32>
    %d = arith.addf %acc, %scaled : tensor<${BM}x${BN}xf32>
    %qa = tile.addptr %pa, %step_a : tensor<${BM}x${BK}x!tile.ptr<f8E4M3FN>>, tensor<${BM}x${BK}xi32>
    %qb = tile.addptr %pb, %step_b : tensor<${BN}x${BK}x!tile.ptr<f8E4M3FN>>, tensor<${BN}x${BK}xi32>
    scf.yield %d, %qa, %qb
      : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f8E4M3FN>>, tensor<${BN}x${BK}x!tile.ptr<f8E4M3FN>>
  }
  %h = arith.truncf %r#0 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xbf16>

  %c_p_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %c_p_c = tile.expand_dims %column axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %c_p_rs = tile.splat %n : tensor<${BM}x1xi32>
  %c_p_ro = arith.muli %c_p_r, %c_p_rs : tensor<${BM}x1xi32>
  %c_p_rb = tile.broadcast %c_p_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %c_p_cb = tile.broadcast %c_p_c : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %c_p_at = arith.addi %c_p_rb, %c_p_cb : tensor<${BM}x${BN}xi32>
  %c_p_s = tile.splat %c : tensor<${BM}x${BN}x!tile.ptr<bf16>>
  %c_p = tile.addptr %c_p_s, %c_p_at : tensor<${BM}x${BN}x!tile.ptr<bf16>>, tensor<${BM}x${BN}xi32>
  %mask_c_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %mask_c_rb = tile.broadcast %mask_c_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c_c = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
  %mask_c_cb = tile.broadcast %mask_c_c : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c = arith.andi %mask_c_rb, %mask_c_cb : tensor<${BM}x${BN}xi1>
  tile.store %c_p, %h mask %mask_c : tensor<${BM}x${BN}x!tile.ptr<bf16>>
  return
}
