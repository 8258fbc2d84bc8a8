// o = softmax(score(scale * q k^T)) v for q and o [heads, n, D], k and v [heads / group, nk, D], all lengths: a program takes BM
// queries of a head, goes over the keys BN at a time, and keeps the running maximum and sum of each row (M. Milakov, N.
// Gimelshein, "Online normalizer calculation for softmax", 2018; T. Dao et al., "FlashAttention", 2022). `group` heads of queries
// share one of keys. With CAUSAL = 1 query i sees keys up to i + nk - n; with WINDOW = w > 0 only the last w of them.
//
//   tile-run examples/attention.mlir --device=cpu --grid=2,4 -D D=64 -D BM=64 -D BN=32 '--arg=f16[25600]=randn:1' \
//     '--arg=f16[12800]=randn:2' '--arg=f16[12800]=randn:3' '--arg=f16[25600]=zeros' '--arg=f32[400]=zeros' --arg=i32=100 \
//     --arg=i32=100 --arg=i32=2 --arg=f32=0.125 --arg=f32=20
//
// lse [heads, n] gets log2 of the sum of each row's powers of two, which attention_backward.mlir takes. SCORE names one of the
// functions below: plain; softcap, extra * tanh(score / extra); alibi, which takes 2^(-extra * (head + 1)) for each key between
// key and query from the score (O. Press et al., "Train Short, Test Long", 2021; extra = 8 / heads).
//
// tile.param SCORE = plain of plain, softcap, alibi
// tile.param D = 64 of 16, 32, 64, 128
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 64 in 32, 64
// tile.param CAUSAL = 0 of 0, 1
// tile.param WINDOW = 0
//
// Score functions get products of queries and keys, the scale, the distance of a key from the last one that its row would see if
// it were causal, the head and `extra`, and give exponents of two.
func.func private @plain(%s: tensor<${BM}x${BN}xf32>, %scale: f32, %distance: tensor<${BM}x${BN}xi32>, %head: i32,
    %x: f32) -> tensor<${BM}x${BN}xf32> {
  %log2e = arith.constant 1.44269504 : f32
  %factor = arith.mulf %scale, %log2e : f32
  %factors = tile.splat %factor : tensor<${BM}x${BN}xf32>
  %r = arith.mulf %s, %factors : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

func.func private @softcap(%s: tensor<${BM}x${BN}xf32>, %scale: f32, %distance: tensor<${BM}x${BN}xi32>, %head: i32,
    %x: f32) -> tensor<${BM}x${BN}xf32> {
  %log2e = arith.constant 1.44269504 : f32
  %down = arith.divf %scale, %x : f32
  %up = arith.mulf %x, %log2e : f32
  %downs = tile.splat %down : tensor<${BM}x${BN}xf32>
  %ups = tile.splat %up : tensor<${BM}x${BN}xf32>
  %u = arith.mulf %s, %downs : tensor<${BM}x${BN}xf32>
  %v = math.tanh %u : tensor<${BM}x${BN}xf32>
  %r = arith.mulf %v, %ups : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

func.func private @alibi(%s: tensor<${BM}x${BN}xf32>, %scale: f32, %distance: tensor<${BM}x${BN}xi32>, %head: i32,
    %x: f32) -> tensor<${BM}x${BN}xf32> {
  %log2e = arith.constant 1.44269504 : f32
  %one = arith.constant 1 : i32
  %factor = arith.mulf %scale, %log2e : f32
  %factors = tile.splat %factor : tensor<${BM}x${BN}xf32>
  %number = arith.addi %head, %one : i32
  %numberf = arith.sitofp %number : i32 to f32
  %power = arith.mulf %numberf, %x : f32
  %down = arith.negf %power : f32
  %slope = math.exp2 %down : f32
  %slope2 = arith.mulf %slope, %log2e : f32
  %slopes = tile.splat %slope2 : tensor<${BM}x${BN}xf32>
  %distances = arith.sitofp %distance : tensor<${BM}x${BN}xi32> to tensor<${BM}x${BN}xf32>
  %t = arith.mulf %s, %factors : tensor<${BM}x${BN}xf32>
  %bias = arith.mulf %distances, %slopes : tensor<${BM}x${BN}xf32>
  %r = arith.addf %t, %bias : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

func.func @attention(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %lse: !tile.ptr<f32>,
    %n: i32, %nk: i32, %group: i32, %scale: f32, %extra: f32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = arith.constant ${D} : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %causal = arith.constant ${CAUSAL} : i32
  %window = arith.constant ${WINDOW} : i32
  %low = arith.constant dense<-1.0e30> : tensor<${BM}x${BN}xf32>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${D}xf32>
  %max0 = arith.constant dense<-1.0e30> : tensor<${BM}xf32>
  %sum0 = arith.constant dense<0.0> : tensor<${BM}xf32>
  %none = arith.constant dense<0.0> : tensor<${BN}x${D}xf16>
  %noq = arith.constant dense<0.0> : tensor<${BM}x${D}xf16>
  %pm = tile.program_id x
  %head = tile.program_id y
  %shared = arith.divsi %head, %group : i32

  // Rows of this program, and where they lie.
  %m0 = arith.muli %pm, %bm : i32
  %rm = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %m0s = tile.splat %m0 : tensor<${BM}xi32>
  %row = arith.addi %m0s, %rm : tensor<${BM}xi32>
  %ns = tile.splat %n : tensor<${BM}xi32>
  %row_in = arith.cmpi slt, %row, %ns : tensor<${BM}xi32>
  %row_in1 = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %qmask = tile.broadcast %row_in1 : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %rd1 = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %row1 = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %ds = tile.splat %d : tensor<${BM}x1xi32>
  %rowd = arith.muli %row1, %ds : tensor<${BM}x1xi32>
  %rowdb = tile.broadcast %rowd : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %rdb = tile.broadcast %rd1 : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %qoff = arith.addi %rowdb, %rdb : tensor<${BM}x${D}xi32>
  %nd = arith.muli %n, %d : i32
  %qstart = arith.muli %head, %nd : i32
  %qhead = tile.addptr %q, %qstart : !tile.ptr<f16>, i32
  %qs = tile.splat %qhead : tensor<${BM}x${D}x!tile.ptr<f16>>
  %qp = tile.addptr %qs, %qoff : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  %qt = tile.load %qp mask %qmask other %noq : tensor<${BM}x${D}x!tile.ptr<f16>>

  // The first block of keys, and of those that any row of a window sees.
  %ahead = arith.subi %nk, %n : i32
  %is_window = arith.cmpi sgt, %window, %zero : i32
  %m_last = arith.addi %m0, %ahead : i32
  %m_less = arith.subi %m_last, %window : i32
  %m_first = arith.addi %m_less, %one : i32
  %m_some = arith.maxsi %m_first, %zero : i32
  %m_block = arith.divsi %m_some, %bn : i32
  %m_start = arith.muli %m_block, %bn : i32
  %first = arith.select %is_window, %m_start, %zero : i32
  %rn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %rn1 = tile.expand_dims %rn axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %dk = tile.splat %d : tensor<${BN}x1xi32>
  %rnd = arith.muli %rn1, %dk : tensor<${BN}x1xi32>
  %rndb = tile.broadcast %rnd : tensor<${BN}x1xi32> -> tensor<${BN}x${D}xi32>
  %rdk = tile.broadcast %rd1 : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
  %koff = arith.addi %rndb, %rdk : tensor<${BN}x${D}xi32>
  %nkd = arith.muli %nk, %d : i32
  %kstart = arith.muli %shared, %nkd : i32
  %firstd = arith.muli %first, %d : i32
  %kfirst = arith.addi %kstart, %firstd : i32
  %khead = tile.addptr %k, %kfirst : !tile.ptr<f16>, i32
  %vhead = tile.addptr %v, %kfirst : !tile.ptr<f16>, i32
  %ks = tile.splat %khead : tensor<${BN}x${D}x!tile.ptr<f16>>
  %vs = tile.splat %vhead : tensor<${BN}x${D}x!tile.ptr<f16>>
  %kp0 = tile.addptr %ks, %koff : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
  %vp0 = tile.addptr %vs, %koff : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
  %stepd = arith.muli %bn, %d : i32
  %step = tile.splat %stepd : tensor<${BN}x${D}xi32>

  // The last key that a row sees, and that any row does.
  %aheads = tile.splat %ahead : tensor<${BM}xi32>
  %last = arith.addi %row, %aheads : tensor<${BM}xi32>
  %last1 = tile.expand_dims %last axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %lastb = tile.broadcast %last1 : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %end = arith.addi %m0, %bm : i32
  %seen = arith.addi %end, %ahead : i32
  %less = arith.minsi %seen, %nk : i32
  %is_causal = arith.cmpi eq, %causal, %one : i32
  %keys = arith.select %is_causal, %less, %nk : i32
  %every = arith.cmpi eq, %causal, %zero : i32
  %everys = tile.splat %every : tensor<${BM}x${BN}xi1>

  %windows = tile.splat %window : tensor<${BM}x${BN}xi32>
  %endless = arith.cmpi eq, %window, %zero : i32
  %endlesses = tile.splat %endless : tensor<${BM}x${BN}xi1>
  %r:5 = scf.for %j = %first to %keys step %bn iter_args(%acc = %acc0, %max = %max0, %sum = %sum0, %kp = %kp0, %vp = %vp0)
      -> (tensor<${BM}x${D}xf32>, tensor<${BM}xf32>, tensor<${BM}xf32>, tensor<${BN}x${D}x!tile.ptr<f16>>,
          tensor<${BN}x${D}x!tile.ptr<f16>>) : i32 {
    %left = arith.subi %nk, %j : i32
    %lefts = tile.splat %left : tensor<${BN}xi32>
    %key_in = arith.cmpi slt, %rn, %lefts : tensor<${BN}xi32>
    %key_in1 = tile.expand_dims %key_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
    %kmask = tile.broadcast %key_in1 : tensor<${BN}x1xi1> -> tensor<${BN}x${D}xi1>
    %kt = tile.load %kp mask %kmask other %none : tensor<${BN}x${D}x!tile.ptr<f16>>
    %vt = tile.load %vp mask %kmask other %none : tensor<${BN}x${D}x!tile.ptr<f16>>
    %kT = tile.trans %kt order = [1, 0] : tensor<${BN}x${D}xf16> -> tensor<${D}x${BN}xf16>
    %zeros = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
    %s = tile.dot %qt, %kT, %zeros : tensor<${BM}x${D}xf16> * tensor<${D}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %js = tile.splat %j : tensor<${BN}xi32>
    %col = arith.addi %js, %rn : tensor<${BN}xi32>
    %col1 = tile.expand_dims %col axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
    %colb = tile.broadcast %col1 : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
    %distance = arith.subi %colb, %lastb : tensor<${BM}x${BN}xi32>
    %t = func.call @${SCORE}(%s, %scale, %distance, %head, %extra)
      : (tensor<${BM}x${BN}xf32>, f32, tensor<${BM}x${BN}xi32>, i32, f32) -> tensor<${BM}x${BN}xf32>

    // Keys beyond the end, or of the future, or in front of the window weigh nothing.
    %past = arith.cmpi sle, %colb, %lastb : tensor<${BM}x${BN}xi32>
    %start = arith.subi %lastb, %windows : tensor<${BM}x${BN}xi32>
    %recent = arith.cmpi sgt, %colb, %start : tensor<${BM}x${BN}xi32>
    %past_any = arith.ori %past, %everys : tensor<${BM}x${BN}xi1>
    %recent_any = arith.ori %recent, %endlesses : tensor<${BM}x${BN}xi1>
    %allowed = arith.andi %past_any, %recent_any : tensor<${BM}x${BN}xi1>
    %in1 = tile.expand_dims %key_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
    %inb = tile.broadcast %in1 : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
    %counts = arith.andi %allowed, %inb : tensor<${BM}x${BN}xi1>
    %u = arith.select %counts, %t, %low : tensor<${BM}x${BN}xi1>, tensor<${BM}x${BN}xf32>

    %top = tile.reduce %u axis = 1 : tensor<${BM}x${BN}xf32> -> tensor<${BM}xf32> {
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      tile.yield %z : f32
    }
    %new = arith.maxnumf %max, %top : tensor<${BM}xf32>
    %new1 = tile.expand_dims %new axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
    %newb = tile.broadcast %new1 : tensor<${BM}x1xf32> -> tensor<${BM}x${BN}xf32>
    %below = arith.subf %u, %newb : tensor<${BM}x${BN}xf32>
    %p = math.exp2 %below : tensor<${BM}x${BN}xf32>
    %added = tile.reduce %p axis = 1 : tensor<${BM}x${BN}xf32> -> tensor<${BM}xf32> {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tile.yield %z : f32
    }
    %shift = arith.subf %max, %new : tensor<${BM}xf32>
    %shrink = math.exp2 %shift : tensor<${BM}xf32>
    %kept = arith.mulf %sum, %shrink : tensor<${BM}xf32>
    %total = arith.addf %kept, %added : tensor<${BM}xf32>
    %shrink1 = tile.expand_dims %shrink axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
    %shrinkb = tile.broadcast %shrink1 : tensor<${BM}x1xf32> -> tensor<${BM}x${D}xf32>
    %scaled = arith.mulf %acc, %shrinkb : tensor<${BM}x${D}xf32>
    %ph = arith.truncf %p : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
    %next = tile.dot %ph, %vt, %scaled : tensor<${BM}x${BN}xf16> * tensor<${BN}x${D}xf16> -> tensor<${BM}x${D}xf32>
    %kq = tile.addptr %kp, %step : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
    %vq = tile.addptr %vp, %step : tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}xi32>
    scf.yield %next, %new, %total, %kq, %vq : tensor<${BM}x${D}xf32>, tensor<${BM}xf32>, tensor<${BM}xf32>,
      tensor<${BN}x${D}x!tile.ptr<f16>>, tensor<${BN}x${D}x!tile.ptr<f16>>
  }
  %sum1 = tile.expand_dims %r#2 axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
  %sumb = tile.broadcast %sum1 : tensor<${BM}x1xf32> -> tensor<${BM}x${D}xf32>
  %quotient = arith.divf %r#0, %sumb : tensor<${BM}x${D}xf32>
  %result = arith.truncf %quotient : tensor<${BM}x${D}xf32> to tensor<${BM}x${D}xf16>
  %ohead = tile.addptr %o, %qstart : !tile.ptr<f16>, i32
  %os = tile.splat %ohead : tensor<${BM}x${D}x!tile.ptr<f16>>
  %op = tile.addptr %os, %qoff : tensor<${BM}x${D}x!tile.ptr<f16>>, tensor<${BM}x${D}xi32>
  tile.store %op, %result mask %qmask : tensor<${BM}x${D}x!tile.ptr<f16>>

  %log = math.log2 %r#2 : tensor<${BM}xf32>
  %lse_row = arith.addf %r#1, %log : tensor<${BM}xf32>
  %lstart = arith.muli %head, %n : i32
  %lhead = tile.addptr %lse, %lstart : !tile.ptr<f32>, i32
  %ls = tile.splat %lhead : tensor<${BM}x!tile.ptr<f32>>
  %lp = tile.addptr %ls, %row : tensor<${BM}x!tile.ptr<f32>>, tensor<${BM}xi32>
  tile.store %lp, %lse_row mask %row_in : tensor<${BM}x!tile.ptr<f32>>
  return
}
