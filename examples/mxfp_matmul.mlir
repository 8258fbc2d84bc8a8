// c = a b^T for a [M, K] of mxfp8 and b [N, K] of mxfp4, c [M, N] of bf16 (OCP Microscaling Formats, version 1.0): elements of
// f8E4M3FN and of e2m1 (two in a byte, the first in the lower half), and for each 32 of them along K the exponent of a power of
// two, in a byte. K is a multiple of 32.
//
//   tile-run examples/mxfp_matmul.mlir --device=cpu --grid=2,2 -D BM=32 -D BN=32 --arg=i8[40,160]=rand:1:0:120 \
//     --arg=i8[50,80]=rand:2 --arg=i8[40,5]=rand:3:120:127 --arg=i8[50,5]=rand:4:120:127 --arg=bf16[40,50]=zeros --arg=i32=40 \
//     --arg=i32=50 --arg=i32=160
//
// KH is half of BK, KG a 32nd.
//
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128
// tile.param BK = 64 in 64, 128
// tile.param KH = 32 of 32, 64
// tile.param KG = 2 of 2, 4
func.func @mxfp_matmul(%a: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32},
    %scale_a: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %scale_b: !tile.ptr<i8> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
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
  %kg = arith.constant ${KG} : i32
  %kh = arith.constant ${KH} : i32
  %c32 = arith.constant 32 : i32
  %c2 = arith.constant 2 : i32
  %kkg = tile.make_range 0 to ${KG} : tensor<${KG}xi32>
  %kkh = tile.make_range 0 to ${KH} : tensor<${KH}xi32>
  %none_a = arith.constant dense<0> : tensor<${BM}x${BK}xi8>
  %none_b = arith.constant dense<0> : tensor<${BN}x${KH}xi8>
  %none_sa = arith.constant dense<0> : tensor<${BM}x${KG}xi8>
  %none_sb = arith.constant dense<0> : tensor<${BN}x${KG}xi8>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %half = arith.divsi %k, %c2 : i32
  %groups = arith.divsi %k, %c32 : i32
  %a0_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %a0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %a0_rs = tile.splat %k : tensor<${BM}x1xi32>
  %a0_ro = arith.muli %a0_r, %a0_rs : tensor<${BM}x1xi32>
  %a0_rb = tile.broadcast %a0_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %a0_cb = tile.broadcast %a0_c : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %a0_at = arith.addi %a0_rb, %a0_cb : tensor<${BM}x${BK}xi32>
  %a0_s = tile.splat %a : tensor<${BM}x${BK}x!tile.ptr<i8>>
  %a0 = tile.addptr %a0_s, %a0_at : tensor<${BM}x${BK}x!tile.ptr<i8>>, tensor<${BM}x${BK}xi32>
  %b0_r = tile.expand_dims %column axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %b0_c = tile.expand_dims %kkh axis = 0 : tensor<${KH}xi32> -> tensor<1x${KH}xi32>
  %b0_rs = tile.splat %half : tensor<${BN}x1xi32>
  %b0_ro = arith.muli %b0_r, %b0_rs : tensor<${BN}x1xi32>
  %b0_rb = tile.broadcast %b0_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${KH}xi32>
  %b0_cb = tile.broadcast %b0_c : tensor<1x${KH}xi32> -> tensor<${BN}x${KH}xi32>
  %b0_at = arith.addi %b0_rb, %b0_cb : tensor<${BN}x${KH}xi32>
  %b0_s = tile.splat %b : tensor<${BN}x${KH}x!tile.ptr<i8>>
  %b0 = tile.addptr %b0_s, %b0_at : tensor<${BN}x${KH}x!tile.ptr<i8>>, tensor<${BN}x${KH}xi32>
  %sa0_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %sa0_c = tile.expand_dims %kkg axis = 0 : tensor<${KG}xi32> -> tensor<1x${KG}xi32>
  %sa0_rs = tile.splat %groups : tensor<${BM}x1xi32>
  %sa0_ro = arith.muli %sa0_r, %sa0_rs : tensor<${BM}x1xi32>
  %sa0_rb = tile.broadcast %sa0_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${KG}xi32>
  %sa0_cb = tile.broadcast %sa0_c : tensor<1x${KG}xi32> -> tensor<${BM}x${KG}xi32>
  %sa0_at = arith.addi %sa0_rb, %sa0_cb : tensor<${BM}x${KG}xi32>
  %sa0_s = tile.splat %scale_a : tensor<${BM}x${KG}x!tile.ptr<i8>>
  %sa0 = tile.addptr %sa0_s, %sa0_at : tensor<${BM}x${KG}x!tile.ptr<i8>>, tensor<${BM}x${KG}xi32>
  %sb0_r = tile.expand_dims %column axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %sb0_c = tile.expand_dims %kkg axis = 0 : tensor<${KG}xi32> -> tensor<1x${KG}xi32>
  %sb0_rs = tile.splat %groups : tensor<${BN}x1xi32>
  %sb0_ro = arith.muli %sb0_r, %sb0_rs : tensor<${BN}x1xi32>
  %sb0_rb = tile.broadcast %sb0_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${KG}xi32>
  %sb0_cb = tile.broadcast %sb0_c : tensor<1x${KG}xi32> -> tensor<${BN}x${KG}xi32>
  %sb0_at = arith.addi %sb0_rb, %sb0_cb : tensor<${BN}x${KG}xi32>
  %sb0_s = tile.splat %scale_b : tensor<${BN}x${KG}x!tile.ptr<i8>>
  %sb0 = tile.addptr %sb0_s, %sb0_at : tensor<${BN}x${KG}x!tile.ptr<i8>>, tensor<${BN}x${KG}xi32>

  %c_sum = scf.for %j = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<${BM}x${BN}xf32>) : i32 {
    %rest = arith.subi %k, %j : i32
    %rest_h = arith.divsi %rest, %c2 : i32
    %rest_g = arith.divsi %rest, %c32 : i32
    %jh = arith.divsi %j, %c2 : i32
    %jg = arith.divsi %j, %c32 : i32
    %k_in_b = tile.splat %rest : tensor<${BK}xi32>
    %k_in = arith.cmpi slt, %kk, %k_in_b : tensor<${BK}xi32>
    %h_in_b = tile.splat %rest_h : tensor<${KH}xi32>
    %h_in = arith.cmpi slt, %kkh, %h_in_b : tensor<${KH}xi32>
    %g_in_b = tile.splat %rest_g : tensor<${KG}xi32>
    %g_in = arith.cmpi slt, %kkg, %g_in_b : tensor<${KG}xi32>
    %mask_a_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %mask_a_rb = tile.broadcast %mask_a_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a_c = tile.expand_dims %k_in axis = 0 : tensor<${BK}xi1> -> tensor<1x${BK}xi1>
    %mask_a_cb = tile.broadcast %mask_a_c : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a = arith.andi %mask_a_rb, %mask_a_cb : tensor<${BM}x${BK}xi1>
    %mask_b_r = tile.expand_dims %column_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
    %mask_b_rb = tile.broadcast %mask_b_r : tensor<${BN}x1xi1> -> tensor<${BN}x${KH}xi1>
    %mask_b_c = tile.expand_dims %h_in axis = 0 : tensor<${KH}xi1> -> tensor<1x${KH}xi1>
    %mask_b_cb = tile.broadcast %mask_b_c : tensor<1x${KH}xi1> -> tensor<${BN}x${KH}xi1>
    %mask_b = arith.andi %mask_b_rb, %mask_b_cb : tensor<${BN}x${KH}xi1>
    %mask_sa_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %mask_sa_rb = tile.broadcast %mask_sa_r : tensor<${BM}x1xi1> -> tensor<${BM}x${KG}xi1>
    %mask_sa_c = tile.expand_dims %g_in axis = 0 : tensor<${KG}xi1> -> tensor<1x${KG}xi1>
    %mask_sa_cb = tile.broadcast %mask_sa_c : tensor<1x${KG}xi1> -> tensor<${BM}x${KG}xi1>
    %mask_sa = arith.andi %mask_sa_rb, %mask_sa_cb : tensor<${BM}x${KG}xi1>
    %mask_sb_r = tile.expand_dims %column_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
    %mask_sb_rb = tile.broadcast %mask_sb_r : tensor<${BN}x1xi1> -> tensor<${BN}x${KG}xi1>
    %mask_sb_c = tile.expand_dims %g_in axis = 0 : tensor<${KG}xi1> -> tensor<1x${KG}xi1>
    %mask_sb_cb = tile.broadcast %mask_sb_c : tensor<1x${KG}xi1> -> tensor<${BN}x${KG}xi1>
    %mask_sb = arith.andi %mask_sb_rb, %mask_sb_cb : tensor<${BN}x${KG}xi1>
    %at_a = tile.splat %j : tensor<${BM}x${BK}xi32>
    %pa = tile.addptr %a0, %at_a : tensor<${BM}x${BK}x!tile.ptr<i8>>, tensor<${BM}x${BK}xi32>
    %xa = tile.load %pa mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<i8>>
    %at_b = tile.splat %jh : tensor<${BN}x${KH}xi32>
    %pb = tile.addptr %b0, %at_b : tensor<${BN}x${KH}x!tile.ptr<i8>>, tensor<${BN}x${KH}xi32>
    %xb = tile.load %pb mask %mask_b other %none_b : tensor<${BN}x${KH}x!tile.ptr<i8>>
    %at_sa = tile.splat %jg : tensor<${BM}x${KG}xi32>
    %psa = tile.addptr %sa0, %at_sa : tensor<${BM}x${KG}x!tile.ptr<i8>>, tensor<${BM}x${KG}xi32>
    %xsa = tile.load %psa mask %mask_sa other %none_sa : tensor<${BM}x${KG}x!tile.ptr<i8>>
    %at_sb = tile.splat %jg : tensor<${BN}x${KG}xi32>
    %psb = tile.addptr %sb0, %at_sb : tensor<${BN}x${KG}x!tile.ptr<i8>>, tensor<${BN}x${KG}xi32>
    %xsb = tile.load %psb mask %mask_sb other %none_sb : tensor<${BN}x${KG}x!tile.ptr<i8>>
    %bT = tile.trans %xb order = [1, 0] : tensor<${BN}x${KH}xi8> -> tensor<${KH}x${BN}xi8>
    %d = tile.dot_scaled %xa scale %xsa, %bT scale %xsb, %acc a_type = e4m3 b_type = e2m1
      : tensor<${BM}x${BK}xi8>, tensor<${BM}x${KG}xi8> * tensor<${KH}x${BN}xi8>, tensor<${BN}x${KG}xi8> -> tensor<${BM}x${BN}xf32>
    scf.yield %d : tensor<${BM}x${BN}xf32>
  }
  %h = arith.truncf %c_sum : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xbf16>

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
