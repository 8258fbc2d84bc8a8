// y = x (w * scale) for x [M, K] of f16 or bf16 and weights w [K, N] of int8 or f8, a scale for each column and each GROUP rows
// of w: the weights stay a byte each until they are in registers.
//
//   tile-run examples/byte_weights.mlir --device=cpu --grid=2,2 -D BM=32 -D BN=32 -D BK=32 --arg=f16[40,96]=randn:1 \
//     --arg=i8[96,50]=rand:2 --arg=f16[3,50]=rand:3:0.001:0.01 --arg=f16[40,50]=zeros --arg=i32=40 --arg=i32=50 --arg=i32=96
//
// GROUP is a multiple of BK. For f8 weights also -D NONE=0.0.
//
// tile.param T = f16 of f16, bf16
// tile.param W = i8 of i8, f8E4M3FN
// tile.param NONE = 0 of 0, 0.0
// tile.param GROUP = 32 of 32, 64, 128
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128
// tile.param BK = 32 in 32, 64, 128
func.func private @widen_i8(%w: tensor<${BK}x${BN}xi8>) -> tensor<${BK}x${BN}x${T}> {
  %r = arith.sitofp %w : tensor<${BK}x${BN}xi8> to tensor<${BK}x${BN}x${T}>
  return %r : tensor<${BK}x${BN}x${T}>
}

func.func private @widen_f8E4M3FN(%w: tensor<${BK}x${BN}xf8E4M3FN>) -> tensor<${BK}x${BN}x${T}> {
  %r = tile.fp_to_fp %w : tensor<${BK}x${BN}xf8E4M3FN> -> tensor<${BK}x${BN}x${T}>
  return %r : tensor<${BK}x${BN}x${T}>
}

func.func @byte_weights(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<${W}> {tile.divisibility = 16 : i32},
    %scale: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %m: i32, %n: i32,
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
  %group = arith.constant ${GROUP} : i32
  %none_a = arith.constant dense<0.0> : tensor<${BM}x${BK}x${T}>
  %none_b = arith.constant dense<${NONE}> : tensor<${BK}x${BN}x${W}>
  %none_s = arith.constant dense<0.0> : tensor<${BN}x${T}>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %a0_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %a0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %a0_rs = tile.splat %k : tensor<${BM}x1xi32>
  %a0_ro = arith.muli %a0_r, %a0_rs : tensor<${BM}x1xi32>
  %a0_rb = tile.broadcast %a0_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %a0_cb = tile.broadcast %a0_c : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %a0_at = arith.addi %a0_rb, %a0_cb : tensor<${BM}x${BK}xi32>
  %a0_s = tile.splat %x : tensor<${BM}x${BK}x!tile.ptr<${T}>>
  %a0 = tile.addptr %a0_s, %a0_at : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BM}x${BK}xi32>
  %b0_r = tile.expand_dims %kk axis = 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %b0_c = tile.expand_dims %column axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %b0_rs = tile.splat %n : tensor<${BK}x1xi32>
  %b0_ro = arith.muli %b0_r, %b0_rs : tensor<${BK}x1xi32>
  %b0_rb = tile.broadcast %b0_ro : tensor<${BK}x1xi32> -> tensor<${BK}x${BN}xi32>
  %b0_cb = tile.broadcast %b0_c : tensor<1x${BN}xi32> -> tensor<${BK}x${BN}xi32>
  %b0_at = arith.addi %b0_rb, %b0_cb : tensor<${BK}x${BN}xi32>
  %b0_s = tile.splat %w : tensor<${BK}x${BN}x!tile.ptr<${W}>>
  %b0 = tile.addptr %b0_s, %b0_at : tensor<${BK}x${BN}x!tile.ptr<${W}>>, tensor<${BK}x${BN}xi32>
  %step_a = tile.splat %bk : tensor<${BM}x${BK}xi32>
  %down = arith.muli %n, %bk : i32
  %step_b = tile.splat %down : tensor<${BK}x${BN}xi32>

  %r:3 = scf.for %j = %zero to %k step %bk iter_args(%acc = %acc0, %pa = %a0, %pb = %b0)
      -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BK}x${BN}x!tile.ptr<${W}>>) : i32 {
    %rest = arith.subi %k, %j : i32
    %k_in_b = tile.splat %rest : tensor<${BK}xi32>
    %k_in = arith.cmpi slt, %kk, %k_in_b : tensor<${BK}xi32>
    %mask_a_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %mask_a_rb = tile.broadcast %mask_a_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a_c = tile.expand_dims %k_in axis = 0 : tensor<${BK}xi1> -> tensor<1x${BK}xi1>
    %mask_a_cb = tile.broadcast %mask_a_c : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a = arith.andi %mask_a_rb, %mask_a_cb : tensor<${BM}x${BK}xi1>
    %mask_b_r = tile.expand_dims %k_in axis = 1 : tensor<${BK}xi1> -> tensor<${BK}x1xi1>
    %mask_b_rb = tile.broadcast %mask_b_r : tensor<${BK}x1xi1> -> tensor<${BK}x${BN}xi1>
    %mask_b_c = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
    %mask_b_cb = tile.broadcast %mask_b_c : tensor<1x${BN}xi1> -> tensor<${BK}x${BN}xi1>
    %mask_b = arith.andi %mask_b_rb, %mask_b_cb : tensor<${BK}x${BN}xi1>
    %xt = tile.load %pa mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<${T}>>
    %wt = tile.load %pb mask %mask_b other %none_b : tensor<${BK}x${BN}x!tile.ptr<${W}>>
    %g = arith.divsi %j, %group : i32
    %g_row = arith.muli %g, %n : i32
    %g_at = tile.splat %g_row : tensor<${BN}xi32>
    %s_at = arith.addi %g_at, %column : tensor<${BN}xi32>
    %s_s = tile.splat %scale : tensor<${BN}x!tile.ptr<${T}>>
    %s_p = tile.addptr %s_s, %s_at : tensor<${BN}x!tile.ptr<${T}>>, tensor<${BN}xi32>
    %s = tile.load %s_p mask %column_in other %none_s : tensor<${BN}x!tile.ptr<${T}>>
    %ss_1 = tile.expand_dims %s axis = 0 : tensor<${BN}x${T}> -> tensor<1x${BN}x${T}>
    %ss = tile.broadcast %ss_1 : tensor<1x${BN}x${T}> -> tensor<${BK}x${BN}x${T}>
    %wide = func.call @widen_${W}(%wt) : (tensor<${BK}x${BN}x${W}>) -> tensor<${BK}x${BN}x${T}>
    %ws = arith.mulf %wide, %ss : tensor<${BK}x${BN}x${T}>
    %d = tile.dot %xt, %ws, %acc : tensor<${BM}x${BK}x${T}> * tensor<${BK}x${BN}x${T}> -> tensor<${BM}x${BN}xf32>
    %qa = tile.addptr %pa, %step_a : tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BM}x${BK}xi32>
    %qb = tile.addptr %pb, %step_b : tensor<${BK}x${BN}x!tile.ptr<${W}>>, tensor<${BK}x${BN}xi32>
    scf.yield %d, %qa, %qb : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<${T}>>, tensor<${BK}x${BN}x!tile.ptr<${W}>>
  }
  %h = arith.truncf %r#0 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}x${T}>

  %y_p_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %y_p_c = tile.expand_dims %column axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %y_p_rs = tile.splat %n : tensor<${BM}x1xi32>
  %y_p_ro = arith.muli %y_p_r, %y_p_rs : tensor<${BM}x1xi32>
  %y_p_rb = tile.broadcast %y_p_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %y_p_cb = tile.broadcast %y_p_c : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %y_p_at = arith.addi %y_p_rb, %y_p_cb : tensor<${BM}x${BN}xi32>
  %y_p_s = tile.splat %y : tensor<${BM}x${BN}x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_p_s, %y_p_at : tensor<${BM}x${BN}x!tile.ptr<${T}>>, tensor<${BM}x${BN}xi32>
  %mask_c_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %mask_c_rb = tile.broadcast %mask_c_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c_c = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
  %mask_c_cb = tile.broadcast %mask_c_c : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c = arith.andi %mask_c_rb, %mask_c_cb : tensor<${BM}x${BN}xi1>
  tile.store %y_p, %h mask %mask_c : tensor<${BM}x${BN}x!tile.ptr<${T}>>
  return
}
