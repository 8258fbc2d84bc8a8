// y[r] = x[r] w[g]^T for the rows r of group g: x [T, K] sorted by group, group g from offsets[g] to offsets[g + 1] (also none),
// w [groups, N, K]: the experts of a mixture. The grid has any number of programs; they go through the blocks of all groups in
// turn.
//
//   tile-run examples/grouped_matmul.mlir --device=cpu --grid=3 -D BM=32 -D BN=32 -D BK=32 --arg=f16[50,72]=randn:1 \
//     --arg=f16[4,40,72]=randn:2 --arg=f16[50,40]=zeros --arg=i32[5]=iota --arg=i32=4 --arg=i32=40 --arg=i32=72
//
// (Here each group has one row, and the other rows of y stay as they are.)
//
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128
// tile.param BK = 64 in 32, 64, 128
func.func @grouped_matmul(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %offsets: !tile.ptr<i32>, %groups: i32, %n: i32,
    %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %none_a = arith.constant dense<0.0> : tensor<${BM}x${BK}xf16>
  %none_b = arith.constant dense<0.0> : tensor<${BN}x${BK}xf16>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %less = arith.subi %num, %one : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %nk = arith.muli %n, %k : i32
  %nk64 = arith.extsi %nk : i32 to i64
  %kk = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %range_m = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %range_n = tile.make_range 0 to ${BN} : tensor<${BN}xi32>

  // Blocks are numbered through all groups; `next` is this program's next one, `base` the group's first.
  %end:2 = scf.for %g = %zero to %groups step %one iter_args(%base = %zero, %next = %pid) -> (i32, i32) : i32 {
    %g1 = arith.addi %g, %one : i32
    %p_start = tile.addptr %offsets, %g : !tile.ptr<i32>, i32
    %p_end = tile.addptr %offsets, %g1 : !tile.ptr<i32>, i32
    %start = tile.load %p_start : !tile.ptr<i32>
    %stop = tile.load %p_end : !tile.ptr<i32>
    %rows = arith.subi %stop, %start : i32
    %tm = arith.ceildivsi %rows, %bm : i32
    %blocks = arith.muli %tm, %tn : i32
    %behind = arith.addi %base, %blocks : i32
    %g64 = arith.extsi %g : i32 to i64
    %w_at = arith.muli %g64, %nk64 : i64
    %wg = tile.addptr %w, %w_at : !tile.ptr<f16>, i64
    scf.for %tile = %next to %behind step %num : i32 {
      %t = arith.subi %tile, %base : i32
      %pm = arith.remsi %t, %tm : i32
      %pn = arith.divsi %t, %tm : i32
      %m_in = arith.muli %pm, %bm : i32
      %m0 = arith.addi %start, %m_in : i32
      %n0 = arith.muli %pn, %bn : i32
      %m0s = tile.splat %m0 : tensor<${BM}xi32>
      %row = arith.addi %m0s, %range_m : tensor<${BM}xi32>
      %n0s = tile.splat %n0 : tensor<${BN}xi32>
      %column = arith.addi %n0s, %range_n : tensor<${BN}xi32>
      %row_in_b = tile.splat %stop : tensor<${BM}xi32>
      %row_in = arith.cmpi slt, %row, %row_in_b : tensor<${BM}xi32>
      %column_in_b = tile.splat %n : tensor<${BN}xi32>
      %column_in = arith.cmpi slt, %column, %column_in_b : tensor<${BN}xi32>
      %a0_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
      %a0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
      %a0_rs = tile.splat %k : tensor<${BM}x1xi32>
      %a0_ro = arith.muli %a0_r, %a0_rs : tensor<${BM}x1xi32>
      %a0_rb = tile.broadcast %a0_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
      %a0_cb = tile.broadcast %a0_c : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
      %a0_at = arith.addi %a0_rb, %a0_cb : tensor<${BM}x${BK}xi32>
      %a0_s = tile.splat %x : tensor<${BM}x${BK}x!tile.ptr<f16>>
      %a0 = tile.addptr %a0_s, %a0_at : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
      %b0_r = tile.expand_dims %column axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
      %b0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
      %b0_rs = tile.splat %k : tensor<${BN}x1xi32>
      %b0_ro = arith.muli %b0_r, %b0_rs : tensor<${BN}x1xi32>
      %b0_rb = tile.broadcast %b0_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${BK}xi32>
      %b0_cb = tile.broadcast %b0_c : tensor<1x${BK}xi32> -> tensor<${BN}x${BK}xi32>
      %b0_at = arith.addi %b0_rb, %b0_cb : tensor<${BN}x${BK}xi32>
      %b0_s = tile.splat %wg : tensor<${BN}x${BK}x!tile.ptr<f16>>
      %b0 = tile.addptr %b0_s, %b0_at : tensor<${BN}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}xi32>
      %step_a = tile.splat %bk : tensor<${BM}x${BK}xi32>
      %step_b = tile.splat %bk : tensor<${BN}x${BK}xi32>
      %r:3 = scf.for %j = %zero to %k step %bk iter_args(%acc = %acc0, %pa = %a0, %pb = %b0)
          -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}x!tile.ptr<f16>>) : i32 {
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
        %xt = tile.load %pa mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<f16>>
        %wt = tile.load %pb mask %mask_b other %none_b : tensor<${BN}x${BK}x!tile.ptr<f16>>
        %wT = tile.trans %wt order = [1, 0] : tensor<${BN}x${BK}xf16> -> tensor<${BK}x${BN}xf16>
        %d = tile.dot %xt, %wT, %acc : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
        %qa = tile.addptr %pa, %step_a : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
        %qb = tile.addptr %pb, %step_b : tensor<${BN}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}xi32>
        scf.yield %d, %qa, %qb : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}x!tile.ptr<f16>>
      }
      %h = arith.truncf %r#0 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
      %y_p_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
      %y_p_c = tile.expand_dims %column axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
      %y_p_rs = tile.splat %n : tensor<${BM}x1xi32>
      %y_p_ro = arith.muli %y_p_r, %y_p_rs : tensor<${BM}x1xi32>
      %y_p_rb = tile.broadcast %y_p_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
      %y_p_cb = tile.broadcast %y_p_c : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
      %y_p_at = arith.addi %y_p_rb, %y_p_cb : tensor<${BM}x${BN}xi32>
      %y_p_s = tile.splat %y : tensor<${BM}x${BN}x!tile.ptr<f16>>
      %y_p = tile.addptr %y_p_s, %y_p_at : tensor<${BM}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xi32>
      %mask_c_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
      %mask_c_rb = tile.broadcast %mask_c_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
      %mask_c_c = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
      %mask_c_cb = tile.broadcast %mask_c_c : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
      %mask_c = arith.andi %mask_c_rb, %mask_c_cb : tensor<${BM}x${BN}xi1>
      tile.store %y_p, %h mask %mask_c : tensor<${BM}x${BN}x!tile.ptr<f16>>
    }
    %left = arith.subi %behind, %next : i32
    %some = arith.maxsi %left, %zero : i32
    %up = arith.addi %some, %less : i32
    %mine = arith.divsi %up, %num : i32
    %skip = arith.muli %mine, %num : i32
    %after = arith.addi %next, %skip : i32
    scf.yield %behind, %after : i32, i32
  }
  return
}
