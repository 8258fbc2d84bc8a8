// The gradients of attention.mlir with SCORE = plain: given o, its gradient do and lse of the forward pass, dq [heads, n, D] and
// dk, dv [heads / group, nk, D] (T. Dao et al., "FlashAttention", 2022). Three kernels, in this order:
//
//   attention_delta  delta[i] = sum of do[i, :] o[i, :]                            grid: n / BM, heads
//   attention_dkdv   a program takes BN keys and goes over the queries             grid: nk / BN, heads / group
//   attention_dq     a program takes BM queries and goes over the keys             grid: n / BM, heads
//
// p is formed again from lse; no program writes what another one does, so that the sums have one order.
//
//   tile-run examples/attention_backward.mlir --kernel=attention_delta --device=cpu --grid=2,2 -D D=64 -D BM=32 \
//     '--arg=f16[6400]=randn:1' '--arg=f16[6400]=randn:2' '--arg=f32[100]=zeros' --arg=i32=50 --out=2:delta.npy
//   tile-run examples/attention_backward.mlir --kernel=attention_dkdv --device=cpu --grid=2,1 -D D=64 -D BM=32 -D BN=32 \
//     '--arg=f16[6400]=randn:3' '--arg=f16[3200]=randn:4' '--arg=f16[3200]=randn:5' '--arg=f16[6400]=randn:2' \
//     '--arg=f32[100]=fill:9' \
//     '--arg=f32[]=file:delta.npy' '--arg=f16[3200]=zeros' '--arg=f16[3200]=zeros' --arg=i32=50 --arg=i32=50 --arg=i32=2 \
//     --arg=f32=0.125
//   tile-run examples/attention_backward.mlir --kernel=attention_dq --device=cpu --grid=2,2 -D D=64 -D BM=32 -D BN=32 \
//     '--arg=f16[6400]=randn:3' '--arg=f16[3200]=randn:4' '--arg=f16[3200]=randn:5' '--arg=f16[6400]=randn:2' \
//     '--arg=f32[100]=fill:9' \
//     '--arg=f32[]=file:delta.npy' '--arg=f16[6400]=zeros' --arg=i32=50 --arg=i32=50 --arg=i32=2 --arg=f32=0.125
//
// tile.param D = 64 of 16, 32, 64, 128
// tile.param BM = 64 in 32, 64, 128
// tile.param BN = 64 in 32, 64, 128
// tile.param CAUSAL = 0 of 0, 1
func.func @attention_delta(%o: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %do: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %delta: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %d = arith.constant ${D} : i32
  %none = arith.constant dense<0.0> : tensor<${BM}x${D}xf16>
  %pm = tile.program_id x
  %head = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %first = arith.muli %head, %n : i32
  %start = arith.muli %first, %d : i32
  %row_0 = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %row_s = tile.splat %m0 : tensor<${BM}xi32>
  %row = arith.addi %row_s, %row_0 : tensor<${BM}xi32>
  %row_in_b = tile.splat %n : tensor<${BM}xi32>
  %row_in = arith.cmpi slt, %row, %row_in_b : tensor<${BM}xi32>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %ohead = tile.addptr %o, %start : !tile.ptr<f16>, i32
  %dohead = tile.addptr %do, %start : !tile.ptr<f16>, i32
  %op_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %op_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %op_rs = tile.splat %d : tensor<${BM}x1xi32>
  %op_ro = arith.muli %op_r, %op_rs : tensor<${BM}x1xi32>
  %op_rb = tile.broadcast %op_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %op_cb = tile.broadcast %op_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %op_at = arith.addi %op_rb, %op_cb : tensor<${BM}x${D}xi32>
  %op_s = tile.splat %ohead : tensor<${BM}x${D}x!tile.ptr<f16>>
  %op = tile.addptr %op_s, %op_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  %dop_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %dop_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %dop_rs = tile.splat %d : tensor<${BM}x1xi32>
  %dop_ro = arith.muli %dop_r, %dop_rs : tensor<${BM}x1xi32>
  %dop_rb = tile.broadcast %dop_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %dop_cb = tile.broadcast %dop_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %dop_at = arith.addi %dop_rb, %dop_cb : tensor<${BM}x${D}xi32>
  %dop_s = tile.splat %dohead : tensor<${BM}x${D}x!tile.ptr<f16>>
  %dop = tile.addptr %dop_s, %dop_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  %mask_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %mask = tile.broadcast %mask_r : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
  %ot = tile.load %op mask %mask other %none : tensor<${BM}x${D}x!tile.ptr<f16>>
  %dot = tile.load %dop mask %mask other %none : tensor<${BM}x${D}x!tile.ptr<f16>>
  %of = arith.extf %ot : tensor<${BM}x${D}xf16> to tensor<${BM}x${D}xf32>
  %dof = arith.extf %dot : tensor<${BM}x${D}xf16> to tensor<${BM}x${D}xf32>
  %products = arith.mulf %of, %dof : tensor<${BM}x${D}xf32>
  %sum = tile.reduce %products axis = 1 : tensor<${BM}x${D}xf32> -> tensor<${BM}xf32> {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  }
  %dhead = tile.addptr %delta, %first : !tile.ptr<f32>, i32
  %ds = tile.splat %dhead : tensor<${BM}x!tile.ptr<f32>>
  %dp = tile.addptr %ds, %row : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
  tile.store %dp, %sum mask %row_in : tensor<${BM}x!tile.ptr<f32>>
  return
}

func.func @attention_dkdv(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %do: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %lse: !tile.ptr<f32>,
    %delta: !tile.ptr<f32>, %dk: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %dv: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %n: i32, %nk: i32, %group: i32, %scale: f32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = arith.constant ${D} : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %causal = arith.constant ${CAUSAL} : i32
  %log2e = arith.constant 1.44269504 : f32
  %none_q = arith.constant dense<0.0> : tensor<${BM}x${D}xf16>
  %none_k = arith.constant dense<0.0> : tensor<${BN}x${D}xf16>
  %none_r = arith.constant dense<0.0> : tensor<${BM}xf32>
  %acc0 = arith.constant dense<0.0> : tensor<${BN}x${D}xf32>
  %zeros = arith.constant dense<0.0> : tensor<${BN}x${BM}xf32>
  %pn = tile.program_id x
  %kv_head = tile.program_id y
  %n0 = arith.muli %pn, %bn : i32
  %first_k = arith.muli %kv_head, %nk : i32
  %start_k = arith.muli %first_k, %d : i32
  %first_head = arith.muli %kv_head, %group : i32
  %key_0 = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %key_s = tile.splat %n0 : tensor<${BN}xi32>
  %key = arith.addi %key_s, %key_0 : tensor<${BN}xi32>
  %key_in_b = tile.splat %nk : tensor<${BN}xi32>
  %key_in = arith.cmpi slt, %key, %key_in_b : tensor<${BN}xi32>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %rm = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %khead = tile.addptr %k, %start_k : !tile.ptr<f16>, i32
  %vhead = tile.addptr %v, %start_k : !tile.ptr<f16>, i32
  %kp_r = tile.expand_dims %key axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %kp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %kp_rs = tile.splat %d : tensor<${BN}x1xi32>
  %kp_ro = arith.muli %kp_r, %kp_rs : tensor<${BN}x1xi32>
  %kp_rb = tile.broadcast %kp_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${D}xi32>
  %kp_cb = tile.broadcast %kp_c : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
  %kp_at = arith.addi %kp_rb, %kp_cb : tensor<${BN}x${D}xi32>
  %kp_s = tile.splat %khead : tensor<${BN}x${D}x!tile.ptr<f16>>
  %kp = tile.addptr %kp_s, %kp_at : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
  %vp_r = tile.expand_dims %key axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %vp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %vp_rs = tile.splat %d : tensor<${BN}x1xi32>
  %vp_ro = arith.muli %vp_r, %vp_rs : tensor<${BN}x1xi32>
  %vp_rb = tile.broadcast %vp_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${D}xi32>
  %vp_cb = tile.broadcast %vp_c : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
  %vp_at = arith.addi %vp_rb, %vp_cb : tensor<${BN}x${D}xi32>
  %vp_s = tile.splat %vhead : tensor<${BN}x${D}x!tile.ptr<f16>>
  %vp = tile.addptr %vp_s, %vp_at : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
  %mask_k_r = tile.expand_dims %key_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
  %mask_k = tile.broadcast %mask_k_r : tensor<${BN}x1xi1> -> tensor<${BN}x${D}xi1>
  %kt = tile.load %kp mask %mask_k other %none_k : tensor<${BN}x${D}x!tile.ptr<f16>>
  %vt = tile.load %vp mask %mask_k other %none_k : tensor<${BN}x${D}x!tile.ptr<f16>>

  // Queries from the first that sees one of these keys; heads of the group one after the other, in one loop.
  %ahead = arith.subi %nk, %n : i32
  %from = arith.subi %n0, %ahead : i32
  %from_some = arith.maxsi %from, %zero : i32
  %from_block = arith.divsi %from_some, %bm : i32
  %from_at = arith.muli %from_block, %bm : i32
  %is_causal = arith.cmpi eq, %causal, %one : i32
  %every = arith.cmpi eq, %causal, %zero : i32
  %everys = tile.splat %every : tensor<${BN}x${BM}xi1>
  %low = arith.select %is_causal, %from_at, %zero : i32
  %rows = arith.subi %n, %low : i32
  %rows_some = arith.maxsi %rows, %zero : i32
  %blocks = arith.ceildivsi %rows_some, %bm : i32
  %steps = arith.muli %blocks, %group : i32
  %per_head = arith.maxsi %blocks, %one : i32
  %factor = arith.mulf %scale, %log2e : f32
  %factors = tile.splat %factor : tensor<${BN}x${BM}xf32>
  %aheads = tile.splat %ahead : tensor<${BN}xi32>
  %seen = arith.subi %key, %aheads : tensor<${BN}xi32>
  %first_row_1 = tile.expand_dims %seen axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %first_row = tile.broadcast %first_row_1 : tensor<${BN}x1xi32> -> tensor<${BN}x${BM}xi32>
  %key_ins_1 = tile.expand_dims %key_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
  %key_ins = tile.broadcast %key_ins_1 : tensor<${BN}x1xi1> -> tensor<${BN}x${BM}xi1>

  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%dk_acc = %acc0, %dv_acc = %acc0)
      -> (tensor<${BN}x${D}xf32>, tensor<${BN}x${D}xf32>) : i32 {
    %h = arith.divsi %i, %per_head : i32
    %b = arith.remsi %i, %per_head : i32
    %head = arith.addi %first_head, %h : i32
    %b_at = arith.muli %b, %bm : i32
    %m0 = arith.addi %low, %b_at : i32
    %first = arith.muli %head, %n : i32
    %start = arith.muli %first, %d : i32
    %qhead = tile.addptr %q, %start : !tile.ptr<f16>, i32
    %dohead = tile.addptr %do, %start : !tile.ptr<f16>, i32
    %lhead = tile.addptr %lse, %first : !tile.ptr<f32>, i32
    %dhead = tile.addptr %delta, %first : !tile.ptr<f32>, i32
    %m0s = tile.splat %m0 : tensor<${BM}xi32>
    %row = arith.addi %m0s, %rm : tensor<${BM}xi32>
    %row_in_b = tile.splat %n : tensor<${BM}xi32>
    %row_in = arith.cmpi slt, %row, %row_in_b : tensor<${BM}xi32>
    %qp_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
    %qp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
    %qp_rs = tile.splat %d : tensor<${BM}x1xi32>
    %qp_ro = arith.muli %qp_r, %qp_rs : tensor<${BM}x1xi32>
    %qp_rb = tile.broadcast %qp_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
    %qp_cb = tile.broadcast %qp_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
    %qp_at = arith.addi %qp_rb, %qp_cb : tensor<${BM}x${D}xi32>
    %qp_s = tile.splat %qhead : tensor<${BM}x${D}x!tile.ptr<f16>>
    %qp = tile.addptr %qp_s, %qp_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
    %dop_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
    %dop_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
    %dop_rs = tile.splat %d : tensor<${BM}x1xi32>
    %dop_ro = arith.muli %dop_r, %dop_rs : tensor<${BM}x1xi32>
    %dop_rb = tile.broadcast %dop_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
    %dop_cb = tile.broadcast %dop_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
    %dop_at = arith.addi %dop_rb, %dop_cb : tensor<${BM}x${D}xi32>
    %dop_s = tile.splat %dohead : tensor<${BM}x${D}x!tile.ptr<f16>>
    %dop = tile.addptr %dop_s, %dop_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
    %mask_q_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %mask_q = tile.broadcast %mask_q_r : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
    %qt = tile.load %qp mask %mask_q other %none_q : tensor<${BM}x${D}x!tile.ptr<f16>>
    %dot = tile.load %dop mask %mask_q other %none_q : tensor<${BM}x${D}x!tile.ptr<f16>>
    %l_s = tile.splat %lhead : tensor<${BM}x!tile.ptr<f32>>
    %l_p = tile.addptr %l_s, %row : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
    %l = tile.load %l_p mask %row_in other %none_r : tensor<${BM}x!tile.ptr<f32>>
    %de_s = tile.splat %dhead : tensor<${BM}x!tile.ptr<f32>>
    %de_p = tile.addptr %de_s, %row : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
    %de = tile.load %de_p mask %row_in other %none_r : tensor<${BM}x!tile.ptr<f32>>
    %qT = tile.trans %qt order = [1, 0] : tensor<${BM}x${D}xf16> -> tensor<${D}x${BM}xf16>
    %s = tile.dot %kt, %qT, %zeros : tensor<${BN}x${D}xf16> * tensor<${D}x${BM}xf16> -> tensor<${BN}x${BM}xf32>
    %ls_1 = tile.expand_dims %l axis = 0 : tensor<${BM}xf32> -> tensor<1x${BM}xf32>
    %ls = tile.broadcast %ls_1 : tensor<1x${BM}xf32> -> tensor<${BN}x${BM}xf32>
    %des_1 = tile.expand_dims %de axis = 0 : tensor<${BM}xf32> -> tensor<1x${BM}xf32>
    %des = tile.broadcast %des_1 : tensor<1x${BM}xf32> -> tensor<${BN}x${BM}xf32>
    %row_b_1 = tile.expand_dims %row axis = 0 : tensor<${BM}xi32> -> tensor<1x${BM}xi32>
    %row_b = tile.broadcast %row_b_1 : tensor<1x${BM}xi32> -> tensor<${BN}x${BM}xi32>
    %row_ins_1 = tile.expand_dims %row_in axis = 0 : tensor<${BM}xi1> -> tensor<1x${BM}xi1>
    %row_ins = tile.broadcast %row_ins_1 : tensor<1x${BM}xi1> -> tensor<${BN}x${BM}xi1>
    %scaled = arith.mulf %s, %factors : tensor<${BN}x${BM}xf32>
    %u = arith.subf %scaled, %ls : tensor<${BN}x${BM}xf32>
    %e = math.exp2 %u : tensor<${BN}x${BM}xf32>
    %past = arith.cmpi sge, %row_b, %first_row : tensor<${BN}x${BM}xi32>
    %allowed = arith.ori %past, %everys : tensor<${BN}x${BM}xi1>
    %in = arith.andi %key_ins, %row_ins : tensor<${BN}x${BM}xi1>
    %counts = arith.andi %allowed, %in : tensor<${BN}x${BM}xi1>
    %p = arith.select %counts, %e, %zeros : tensor<${BN}x${BM}xi1>, tensor<${BN}x${BM}xf32>
    %ph = arith.truncf %p : tensor<${BN}x${BM}xf32> to tensor<${BN}x${BM}xf16>
    %dv_next = tile.dot %ph, %dot, %dv_acc : tensor<${BN}x${BM}xf16> * tensor<${BM}x${D}xf16> -> tensor<${BN}x${D}xf32>
    %doT = tile.trans %dot order = [1, 0] : tensor<${BM}x${D}xf16> -> tensor<${D}x${BM}xf16>
    %dp = tile.dot %vt, %doT, %zeros : tensor<${BN}x${D}xf16> * tensor<${D}x${BM}xf16> -> tensor<${BN}x${BM}xf32>
    %dpd = arith.subf %dp, %des : tensor<${BN}x${BM}xf32>
    %ds = arith.mulf %p, %dpd : tensor<${BN}x${BM}xf32>
    %dsh = arith.truncf %ds : tensor<${BN}x${BM}xf32> to tensor<${BN}x${BM}xf16>
    %dk_next = tile.dot %dsh, %qt, %dk_acc : tensor<${BN}x${BM}xf16> * tensor<${BM}x${D}xf16> -> tensor<${BN}x${D}xf32>
    scf.yield %dk_next, %dv_next : tensor<${BN}x${D}xf32>, tensor<${BN}x${D}xf32>
  }
  %scales = tile.splat %scale : tensor<${BN}x${D}xf32>
  %dk_scaled = arith.mulf %r#0, %scales : tensor<${BN}x${D}xf32>
  %dkh = arith.truncf %dk_scaled : tensor<${BN}x${D}xf32> to tensor<${BN}x${D}xf16>
  %dvh = arith.truncf %r#1 : tensor<${BN}x${D}xf32> to tensor<${BN}x${D}xf16>
  %dk_head = tile.addptr %dk, %start_k : !tile.ptr<f16>, i32
  %dv_head = tile.addptr %dv, %start_k : !tile.ptr<f16>, i32
  %dk_s = tile.splat %dk_head : tensor<${BN}x${D}x!tile.ptr<f16>>
  %dk_p = tile.addptr %dk_s, %kp_at : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
  tile.store %dk_p, %dkh mask %mask_k : tensor<${BN}x${D}x!tile.ptr<f16>>
  %dv_s = tile.splat %dv_head : tensor<${BN}x${D}x!tile.ptr<f16>>
  %dv_p = tile.addptr %dv_s, %kp_at : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
  tile.store %dv_p, %dvh mask %mask_k : tensor<${BN}x${D}x!tile.ptr<f16>>
  return
}

func.func @attention_dq(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %do: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %lse: !tile.ptr<f32>,
    %delta: !tile.ptr<f32>, %dq: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %nk: i32, %group: i32,
    %scale: f32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = arith.constant ${D} : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %causal = arith.constant ${CAUSAL} : i32
  %log2e = arith.constant 1.44269504 : f32
  %none_q = arith.constant dense<0.0> : tensor<${BM}x${D}xf16>
  %none_k = arith.constant dense<0.0> : tensor<${BN}x${D}xf16>
  %none_r = arith.constant dense<0.0> : tensor<${BM}xf32>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${D}xf32>
  %zeros = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %pm = tile.program_id x
  %head = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %kv_head = arith.divsi %head, %group : i32
  %first = arith.muli %head, %n : i32
  %start = arith.muli %first, %d : i32
  %first_k = arith.muli %kv_head, %nk : i32
  %start_k = arith.muli %first_k, %d : i32
  %row_0 = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %row_s = tile.splat %m0 : tensor<${BM}xi32>
  %row = arith.addi %row_s, %row_0 : tensor<${BM}xi32>
  %row_in_b = tile.splat %n : tensor<${BM}xi32>
  %row_in = arith.cmpi slt, %row, %row_in_b : tensor<${BM}xi32>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %rn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %q_head = tile.addptr %q, %start : !tile.ptr<f16>, i32
  %do_head = tile.addptr %do, %start : !tile.ptr<f16>, i32
  %dq_head = tile.addptr %dq, %start : !tile.ptr<f16>, i32
  %qp_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %qp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %qp_rs = tile.splat %d : tensor<${BM}x1xi32>
  %qp_ro = arith.muli %qp_r, %qp_rs : tensor<${BM}x1xi32>
  %qp_rb = tile.broadcast %qp_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %qp_cb = tile.broadcast %qp_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %qp_at = arith.addi %qp_rb, %qp_cb : tensor<${BM}x${D}xi32>
  %qp_s = tile.splat %q_head : tensor<${BM}x${D}x!tile.ptr<f16>>
  %qp = tile.addptr %qp_s, %qp_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  %dop_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %dop_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %dop_rs = tile.splat %d : tensor<${BM}x1xi32>
  %dop_ro = arith.muli %dop_r, %dop_rs : tensor<${BM}x1xi32>
  %dop_rb = tile.broadcast %dop_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %dop_cb = tile.broadcast %dop_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %dop_at = arith.addi %dop_rb, %dop_cb : tensor<${BM}x${D}xi32>
  %dop_s = tile.splat %do_head : tensor<${BM}x${D}x!tile.ptr<f16>>
  %dop = tile.addptr %dop_s, %dop_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  %dqp_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %dqp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %dqp_rs = tile.splat %d : tensor<${BM}x1xi32>
  %dqp_ro = arith.muli %dqp_r, %dqp_rs : tensor<${BM}x1xi32>
  %dqp_rb = tile.broadcast %dqp_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %dqp_cb = tile.broadcast %dqp_c : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %dqp_at = arith.addi %dqp_rb, %dqp_cb : tensor<${BM}x${D}xi32>
  %dqp_s = tile.splat %dq_head : tensor<${BM}x${D}x!tile.ptr<f16>>
  %dqp = tile.addptr %dqp_s, %dqp_at : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  %mask_q_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %mask_q = tile.broadcast %mask_q_r : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
  %qt = tile.load %qp mask %mask_q other %none_q : tensor<${BM}x${D}x!tile.ptr<f16>>
  %dot = tile.load %dop mask %mask_q other %none_q : tensor<${BM}x${D}x!tile.ptr<f16>>
  %lhead = tile.addptr %lse, %first : !tile.ptr<f32>, i32
  %dhead = tile.addptr %delta, %first : !tile.ptr<f32>, i32
  %l_s = tile.splat %lhead : tensor<${BM}x!tile.ptr<f32>>
  %l_p = tile.addptr %l_s, %row : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
  %l = tile.load %l_p mask %row_in other %none_r : tensor<${BM}x!tile.ptr<f32>>
  %de_s = tile.splat %dhead : tensor<${BM}x!tile.ptr<f32>>
  %de_p = tile.addptr %de_s, %row : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
  %de = tile.load %de_p mask %row_in other %none_r : tensor<${BM}x!tile.ptr<f32>>
  %ls_1 = tile.expand_dims %l axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
  %ls = tile.broadcast %ls_1 : tensor<${BM}x1xf32> -> tensor<${BM}x${BN}xf32>
  %des_1 = tile.expand_dims %de axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
  %des = tile.broadcast %des_1 : tensor<${BM}x1xf32> -> tensor<${BM}x${BN}xf32>
  %khead = tile.addptr %k, %start_k : !tile.ptr<f16>, i32
  %vhead = tile.addptr %v, %start_k : !tile.ptr<f16>, i32

  // Keys up to the last that any row sees.
  %ahead = arith.subi %nk, %n : i32
  %aheads = tile.splat %ahead : tensor<${BM}xi32>
  %last = arith.addi %row, %aheads : tensor<${BM}xi32>
  %lasts_1 = tile.expand_dims %last axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %lasts = tile.broadcast %lasts_1 : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %end = arith.addi %m0, %bm : i32
  %seen = arith.addi %end, %ahead : i32
  %less = arith.minsi %seen, %nk : i32
  %is_causal = arith.cmpi eq, %causal, %one : i32
  %keys = arith.select %is_causal, %less, %nk : i32
  %every = arith.cmpi eq, %causal, %zero : i32
  %everys = tile.splat %every : tensor<${BM}x${BN}xi1>
  %factor = arith.mulf %scale, %log2e : f32
  %factors = tile.splat %factor : tensor<${BM}x${BN}xf32>

  %r = scf.for %j = %zero to %keys step %bn iter_args(%dq_acc = %acc0) -> (tensor<${BM}x${D}xf32>) : i32 {
    %js = tile.splat %j : tensor<${BN}xi32>
    %key = arith.addi %js, %rn : tensor<${BN}xi32>
    %key_in_b = tile.splat %nk : tensor<${BN}xi32>
    %key_in = arith.cmpi slt, %key, %key_in_b : tensor<${BN}xi32>
    %kp_r = tile.expand_dims %key axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
    %kp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
    %kp_rs = tile.splat %d : tensor<${BN}x1xi32>
    %kp_ro = arith.muli %kp_r, %kp_rs : tensor<${BN}x1xi32>
    %kp_rb = tile.broadcast %kp_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${D}xi32>
    %kp_cb = tile.broadcast %kp_c : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
    %kp_at = arith.addi %kp_rb, %kp_cb : tensor<${BN}x${D}xi32>
    %kp_s = tile.splat %khead : tensor<${BN}x${D}x!tile.ptr<f16>>
    %kp = tile.addptr %kp_s, %kp_at : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
    %vp_r = tile.expand_dims %key axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
    %vp_c = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
    %vp_rs = tile.splat %d : tensor<${BN}x1xi32>
    %vp_ro = arith.muli %vp_r, %vp_rs : tensor<${BN}x1xi32>
    %vp_rb = tile.broadcast %vp_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${D}xi32>
    %vp_cb = tile.broadcast %vp_c : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
    %vp_at = arith.addi %vp_rb, %vp_cb : tensor<${BN}x${D}xi32>
    %vp_s = tile.splat %vhead : tensor<${BN}x${D}x!tile.ptr<f16>>
    %vp = tile.addptr %vp_s, %vp_at : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
    %mask_k_r = tile.expand_dims %key_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
    %mask_k = tile.broadcast %mask_k_r : tensor<${BN}x1xi1> -> tensor<${BN}x${D}xi1>
    %kt = tile.load %kp mask %mask_k other %none_k : tensor<${BN}x${D}x!tile.ptr<f16>>
    %vt = tile.load %vp mask %mask_k other %none_k : tensor<${BN}x${D}x!tile.ptr<f16>>
    %kT = tile.trans %kt order = [1, 0] : tensor<${BN}x${D}xf16> -> tensor<${D}x${BN}xf16>
    %vT = tile.trans %vt order = [1, 0] : tensor<${BN}x${D}xf16> -> tensor<${D}x${BN}xf16>
    %s = tile.dot %qt, %kT, %zeros : tensor<${BM}x${D}xf16> * tensor<${D}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %dp = tile.dot %dot, %vT, %zeros : tensor<${BM}x${D}xf16> * tensor<${D}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %scaled = arith.mulf %s, %factors : tensor<${BM}x${BN}xf32>
    %u = arith.subf %scaled, %ls : tensor<${BM}x${BN}xf32>
    %e = math.exp2 %u : tensor<${BM}x${BN}xf32>
    %key_b_1 = tile.expand_dims %key axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
    %key_b = tile.broadcast %key_b_1 : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
    %key_ins_1 = tile.expand_dims %key_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
    %key_ins = tile.broadcast %key_ins_1 : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
    %past = arith.cmpi sle, %key_b, %lasts : tensor<${BM}x${BN}xi32>
    %allowed = arith.ori %past, %everys : tensor<${BM}x${BN}xi1>
    %counts = arith.andi %allowed, %key_ins : tensor<${BM}x${BN}xi1>
    %p = arith.select %counts, %e, %zeros : tensor<${BM}x${BN}xi1>, tensor<${BM}x${BN}xf32>
    %dpd = arith.subf %dp, %des : tensor<${BM}x${BN}xf32>
    %ds = arith.mulf %p, %dpd : tensor<${BM}x${BN}xf32>
    %dsh = arith.truncf %ds : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
    %dq_next = tile.dot %dsh, %kt, %dq_acc : tensor<${BM}x${BN}xf16> * tensor<${BN}x${D}xf16> -> tensor<${BM}x${D}xf32>
    scf.yield %dq_next : tensor<${BM}x${D}xf32>
  }
  %scales = tile.splat %scale : tensor<${BM}x${D}xf32>
  %dq_scaled = arith.mulf %r, %scales : tensor<${BM}x${D}xf32>
  %dqh = arith.truncf %dq_scaled : tensor<${BM}x${D}xf32> to tensor<${BM}x${D}xf16>
  tile.store %dqp, %dqh mask %mask_q : tensor<${BM}x${D}x!tile.ptr<f16>>
  return
}
