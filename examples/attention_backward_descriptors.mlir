// The gradients of attention_descriptors.mlir: q, k, v, o, do, dk, dv [heads * n, D] in T, n a multiple of 16, lse of the forward
// pass (natural logarithms) and delta [heads * n]; sums of dq in f32, [heads, blocks, BM * D] for
// blocks of BM queries, in an order of their elements that keeps what a thread adds together, then dq [heads * n, D] in T (T. Dao,
// "FlashAttention-2", 2023). Three kernels, in this order:
//
//   attention_delta     delta[i] = sum of do[i, :] o[i, :], -lse in base 2, sums, turns = 0      grid: heads * blocks * BM / ROWS
//   attention_backward  a program takes BN keys and goes over the queries                  grid: G, n / BN, heads / G
//   attention_dq        dq in T, scaled                                                    grid: blocks, heads
//
// Programs that run at a time should be of few heads, whose blocks and sums then stay in the cache, but with CAUSAL = 1 start with the
// long ones: G = 1, or with CAUSAL = 1 up to 16.
// Programs add their parts of dq in any order. With ORDERED = 1 they add to a block in turns, so that every launch gives the same bits:
// `turns`, i32 [heads * blocks], says whose turn it is. Programs wait for ones with lower numbers, which have to start no later, as they do
// on NVIDIA's GPUs. Without ORDERED, turns is not read. (attention_backward.mlir has one order without waiting, at 1.4
// times the work.)
//
//   tile-run examples/attention_backward_descriptors.mlir --kernel=attention_backward --device=cpu --grid=2,2 -D D=64 \
//     '--arg=desc(f16[416,64],box=64x64)=randn:1' '--arg=desc(f16[416,64],box=128x64)=randn:2' \
//     '--arg=desc(f16[416,64],box=128x64)=randn:3' '--arg=desc(f16[416,64],box=64x64)=randn:4' '--arg=desc(f32[416],box=64)=fill:-4' \
//     '--arg=desc(f32[416],box=64)=randn:5' '--arg=f32[32768]=zeros' '--arg=f16[26624]=zeros' '--arg=f16[26624]=zeros' \
//     --arg=f32=0.125 --arg=i32=208 '--arg=i32[8]=zeros'
//
// Gradients of scores are rounded to T before the last products: one that another order of sums rounds to T's next number
// changes a row of `sums` by that much, above the default tolerance of f32 (--atol=0.002 admits it).
//
// On an H100 or H200 five products a block of queries run in warp groups, the first two and the last three beside each other; blocks
// come by the copy engine (docs/hopper.md).
//
// tile.param T = f16 of f16, bf16
// tile.param D = 128 of 64, 128
// tile.param BM = 64 in 64, 128
// tile.param BN = 128 in 64, 128
// tile.param NUM_WARPS = 8
// tile.param NUM_STAGES = 2
// tile.param ROWS = 16
// tile.param CAUSAL = 0 of 0, 1
// tile.param ORDERED = 0 of 0, 1
func.func @attention_delta(%o: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %do: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
    %lse: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %lse2: !tile.ptr<f32> {tile.divisibility = 16 : i32},
    %delta: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %sums: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %count: i32,
    %all: i32, %turns: !tile.ptr<i32>) attributes {tile.kernel} {
  %ordered = arith.constant ${ORDERED} : i1
  scf.if %ordered {
    %none_yet = arith.constant 0 : i32
    %block_rows = arith.constant ${BM} : i32
    %number = tile.program_id x
    %blocks = arith.divui %all, %block_rows : i32
    %has = arith.cmpi slt, %number, %blocks : i32
    %turn = tile.addptr %turns, %number : !tile.ptr<i32>, i32
    tile.store %turn, %none_yet mask %has : !tile.ptr<i32>
  }
  %rows_ = arith.constant ${ROWS} : i32
  %d = arith.constant ${D} : i64
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %rows_ : i32
  %m64 = arith.extsi %m0 : i32 to i64
  %from = arith.muli %m64, %d : i64
  %r = tile.make_range 0 to ${ROWS} : tensor<${ROWS}xi32>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %left = arith.subi %count, %m0 : i32
  %lefts = tile.splat %left : tensor<${ROWS}xi32>
  %in = arith.cmpi slt, %r, %lefts : tensor<${ROWS}xi32>
  %in2 = tile.expand_dims %in axis = 1 : tensor<${ROWS}xi1> -> tensor<${ROWS}x1xi1>
  %inb = tile.broadcast %in2 : tensor<${ROWS}x1xi1> -> tensor<${ROWS}x${D}xi1>
  %r2 = tile.expand_dims %r axis = 1 : tensor<${ROWS}xi32> -> tensor<${ROWS}x1xi32>
  %ds = arith.constant dense<${D}> : tensor<${ROWS}x1xi32>
  %rds = arith.muli %r2, %ds : tensor<${ROWS}x1xi32>
  %rb = tile.broadcast %rds : tensor<${ROWS}x1xi32> -> tensor<${ROWS}x${D}xi32>
  %c2 = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %cb = tile.broadcast %c2 : tensor<1x${D}xi32> -> tensor<${ROWS}x${D}xi32>
  %at = arith.addi %rb, %cb : tensor<${ROWS}x${D}xi32>
  %none = arith.constant dense<0.0> : tensor<${ROWS}x${D}x${T}>
  %zero = arith.constant dense<0.0> : tensor<${ROWS}x${D}xf32>
  %zr = arith.constant dense<0.0> : tensor<${ROWS}xf32>
  %ob_0 = tile.addptr %o, %from : !tile.ptr<${T}>, i64
  %ob_1 = tile.splat %ob_0 : tensor<${ROWS}x${D}x!tile.ptr<${T}>>
  %ob_p = tile.addptr %ob_1, %at : tensor<${ROWS}x${D}x!tile.ptr<${T}>>, tensor<${ROWS}x${D}xi32>
  %dob_0 = tile.addptr %do, %from : !tile.ptr<${T}>, i64
  %dob_1 = tile.splat %dob_0 : tensor<${ROWS}x${D}x!tile.ptr<${T}>>
  %dob_p = tile.addptr %dob_1, %at : tensor<${ROWS}x${D}x!tile.ptr<${T}>>, tensor<${ROWS}x${D}xi32>
  %dqb_0 = tile.addptr %sums, %from : !tile.ptr<f32>, i64
  %dqb_1 = tile.splat %dqb_0 : tensor<${ROWS}x${D}x!tile.ptr<f32>>
  %dqb_p = tile.addptr %dqb_1, %at : tensor<${ROWS}x${D}x!tile.ptr<f32>>, tensor<${ROWS}x${D}xi32>
  %l_0 = tile.addptr %lse, %m0 : !tile.ptr<f32>, i32
  %l_1 = tile.splat %l_0 : tensor<${ROWS}x!tile.ptr<f32>>
  %l_p = tile.addptr %l_1, %r : tensor<${ROWS}x!tile.ptr<f32>>, tensor<${ROWS}xi32>
  %l2_0 = tile.addptr %lse2, %m0 : !tile.ptr<f32>, i32
  %l2_1 = tile.splat %l2_0 : tensor<${ROWS}x!tile.ptr<f32>>
  %l2_p = tile.addptr %l2_1, %r : tensor<${ROWS}x!tile.ptr<f32>>, tensor<${ROWS}xi32>
  %de_0 = tile.addptr %delta, %m0 : !tile.ptr<f32>, i32
  %de_1 = tile.splat %de_0 : tensor<${ROWS}x!tile.ptr<f32>>
  %de_p = tile.addptr %de_1, %r : tensor<${ROWS}x!tile.ptr<f32>>, tensor<${ROWS}xi32>
  %x = tile.load %ob_p mask %inb other %none : tensor<${ROWS}x${D}x!tile.ptr<${T}>>
  %y = tile.load %dob_p mask %inb other %none : tensor<${ROWS}x${D}x!tile.ptr<${T}>>
  %x32 = arith.extf %x : tensor<${ROWS}x${D}x${T}> to tensor<${ROWS}x${D}xf32>
  %y32 = arith.extf %y : tensor<${ROWS}x${D}x${T}> to tensor<${ROWS}x${D}xf32>
  %xy = arith.mulf %x32, %y32 : tensor<${ROWS}x${D}xf32>
  %sum = tile.reduce %xy axis = 1 : tensor<${ROWS}x${D}xf32> -> tensor<${ROWS}xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %de_p, %sum mask %in : tensor<${ROWS}x!tile.ptr<f32>>
  %ln = tile.load %l_p mask %in other %zr : tensor<${ROWS}x!tile.ptr<f32>>
  %log2e = arith.constant dense<-1.44269502> : tensor<${ROWS}xf32>
  %l2_ = arith.mulf %ln, %log2e : tensor<${ROWS}xf32>
  tile.store %l2_p, %l2_ mask %in : tensor<${ROWS}x!tile.ptr<f32>>
  %left_all = arith.subi %all, %m0 : i32
  %lefts_all = tile.splat %left_all : tensor<${ROWS}xi32>
  %in_all = arith.cmpi slt, %r, %lefts_all : tensor<${ROWS}xi32>
  %in_all2 = tile.expand_dims %in_all axis = 1 : tensor<${ROWS}xi1> -> tensor<${ROWS}x1xi1>
  %in_allb = tile.broadcast %in_all2 : tensor<${ROWS}x1xi1> -> tensor<${ROWS}x${D}xi1>
  tile.store %dqb_p, %zero mask %in_allb : tensor<${ROWS}x${D}x!tile.ptr<f32>>
  return
}
func.func @attention_backward(%q: !tile.desc<${BM}x${D}x${T}>, %k: !tile.desc<${BN}x${D}x${T}>, %v: !tile.desc<${BN}x${D}x${T}>,
    %do: !tile.desc<${BM}x${D}x${T}>, %lse: !tile.desc<${BM}xf32>, %delta: !tile.desc<${BM}xf32>,
    %sums: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %dk: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %dv: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
    %scale: f32, %n: i32 {tile.divisibility = 16 : i32}, %turns: !tile.ptr<i32>) attributes {tile.kernel} {
  %ordered = arith.constant ${ORDERED} : i1
  %early = arith.constant ${ORDERED * CAUSAL} : i1
  %late = arith.constant ${ORDERED * (1 - CAUSAL)} : i1
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %zero = arith.constant 0 : i32
  %causal = arith.constant ${CAUSAL} : i1
  %z = arith.constant dense<0.0> : tensor<${BN}x${BM}xf32>
  %never = arith.constant dense<0xFF800000> : tensor<${BN}x${BM}xf32>
  %zd = arith.constant dense<0.0> : tensor<${BN}x${D}xf32>
  %zq = arith.constant dense<0.0> : tensor<${BM}x${D}xf32>
  %log2e = arith.constant 1.44269502 : f32
  %sc = arith.mulf %scale, %log2e : f32
  %ss = tile.splat %sc : tensor<${BN}x${BM}xf32>
  %hx = tile.program_id x
  %pid0 = tile.program_id y
  // In turns, with CAUSAL = 1 from the last keys to the first: whoever has later keys is done with a block earlier.
  %pid = scf.if %ordered -> i32 {
    %programs = tile.num_programs y
    %one = arith.constant 1 : i32
    %most = arith.subi %programs, %one : i32
    %back = arith.subi %most, %pid0 : i32
    %number = arith.select %causal, %back, %pid0 : i32
    scf.yield %number : i32
  } else {
    scf.yield %pid0 : i32
  }
  %hz = tile.program_id z
  %group = tile.num_programs x
  %before = arith.muli %hz, %group : i32
  %bh = arith.addi %before, %hx : i32
  %base = arith.muli %bh, %n : i32
  %n0 = arith.muli %pid, %bn : i32
  %krow = arith.addi %base, %n0 : i32
  %kt = tile.desc_load %k[%krow, %zero] : !tile.desc<${BN}x${D}x${T}> -> tensor<${BN}x${D}x${T}>
  %vt = tile.desc_load %v[%krow, %zero] : !tile.desc<${BN}x${D}x${T}> -> tensor<${BN}x${D}x${T}>
  %rm = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %rn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %ns = tile.splat %n0 : tensor<${BN}xi32>
  %keys = arith.addi %ns, %rn : tensor<${BN}xi32>
  %keys2 = tile.expand_dims %keys axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %keysb = tile.broadcast %keys2 : tensor<${BN}x1xi32> -> tensor<${BN}x${BM}xi32>
  %nl = arith.constant 1 : i32
  %n1 = arith.subi %n, %nl : i32
  %n1s = tile.splat %n1 : tensor<${BM}xi32>
  %nos = tile.splat %n : tensor<${BM}xi32>
  %none = arith.constant dense<-1> : tensor<${BM}xi32>
  %lo = arith.select %causal, %n0, %zero : i32
  // Blocks of rows from `after` up to `whole` need no mask.
  %end = arith.addi %n0, %bn : i32
  %isTail = arith.cmpi sgt, %end, %n : i32
  %after0 = arith.select %causal, %end, %zero : i32
  %after = arith.select %isTail, %n, %after0 : i32
  %whole = arith.subi %n, %bm : i32
  // Sums of a block: columns by 8, then rows by 16, then what one thread of a warp group has of both.
  %size = arith.constant ${BM * D} : i64
  %less = arith.constant ${BM - 1} : i32
  %nb0 = arith.addi %n, %less : i32
  %nb = arith.divui %nb0, %bm : i32
  %firstBlock = arith.muli %bh, %nb : i32
  %place = tile.make_range 0 to ${BM * D} : tensor<${BM * D}xi32>
  %g:2 = scf.for %m0 = %lo to %n step %bm iter_args(%dka = %zd, %dva = %zd) -> (tensor<${BN}x${D}xf32>, tensor<${BN}x${D}xf32>) : i32 {
    %qrow = arith.addi %base, %m0 : i32
    %ms = tile.splat %m0 : tensor<${BM}xi32>
    %rows = arith.addi %ms, %rm : tensor<${BM}xi32>
    %qt = tile.desc_load %q[%qrow, %zero] : !tile.desc<${BM}x${D}x${T}> -> tensor<${BM}x${D}x${T}>
    %qtt = tile.trans %qt order = [1, 0] : tensor<${BM}x${D}x${T}> -> tensor<${D}x${BM}x${T}>
    %lset = tile.desc_load %lse[%qrow] : !tile.desc<${BM}xf32> -> tensor<${BM}xf32>
    %s0 = tile.dot %kt, %qtt, %z : tensor<${BN}x${D}x${T}> * tensor<${D}x${BM}x${T}> -> tensor<${BN}x${BM}xf32>
    %dot = tile.desc_load %do[%qrow, %zero] : !tile.desc<${BM}x${D}x${T}> -> tensor<${BM}x${D}x${T}>
    %deltat = tile.desc_load %delta[%qrow] : !tile.desc<${BM}xf32> -> tensor<${BM}xf32>
    %dott = tile.trans %dot order = [1, 0] : tensor<${BM}x${D}x${T}> -> tensor<${D}x${BM}x${T}>
    %dp = tile.dot %vt, %dott, %z : tensor<${BN}x${D}x${T}> * tensor<${D}x${BM}x${T}> -> tensor<${BN}x${BM}xf32>
    %mb = arith.divui %m0, %bm : i32
    %block = arith.addi %firstBlock, %mb : i32
    %turn = tile.addptr %turns, %block : !tile.ptr<i32>, i32
    // Waiting for this program's turn, and handing on the last one, take their time beside products: with CAUSAL = 1, where programs of one
    // head come to a block one after the other anyway, as early as can be; else as late, so that the next program waits for less.
    scf.if %early {
      %later = arith.divui %m0, %bn : i32
      %number = arith.subi %later, %pid : i32
      %seen = tile.atomic_poll %turn, %number sem = acquire launch : !tile.ptr<i32>
    }
    %need0 = arith.cmpi slt, %m0, %after : i32
    %need1 = arith.cmpi sgt, %m0, %whole : i32
    %need = arith.ori %need0, %need1 : i1
    %s1 = scf.if %need -> (tensor<${BN}x${BM}xf32>) {
      // Rows see keys up to `most`.
      %inside = arith.cmpi slt, %rows, %nos : tensor<${BM}xi32>
      %most0 = arith.select %causal, %rows, %n1s : tensor<${BM}xi32>
      %most = arith.select %inside, %most0, %none : tensor<${BM}xi1>, tensor<${BM}xi32>
      %rows2 = tile.expand_dims %most axis = 0 : tensor<${BM}xi32> -> tensor<1x${BM}xi32>
      %rowsb = tile.broadcast %rows2 : tensor<1x${BM}xi32> -> tensor<${BN}x${BM}xi32>
      %in = arith.cmpi sge, %rowsb, %keysb : tensor<${BN}x${BM}xi32>
      %w = arith.select %in, %s0, %never : tensor<${BN}x${BM}xi1>, tensor<${BN}x${BM}xf32>
      scf.yield %w : tensor<${BN}x${BM}xf32>
    } else {
      scf.yield %s0 : tensor<${BN}x${BM}xf32>
    }
    %lse2 = tile.expand_dims %lset axis = 0 : tensor<${BM}xf32> -> tensor<1x${BM}xf32>
    %lseb = tile.broadcast %lse2 : tensor<1x${BM}xf32> -> tensor<${BN}x${BM}xf32>
    %sh = math.fma %s1, %ss, %lseb : tensor<${BN}x${BM}xf32>
    %p = math.exp2 %sh : tensor<${BN}x${BM}xf32>
    %delta2 = tile.expand_dims %deltat axis = 0 : tensor<${BM}xf32> -> tensor<1x${BM}xf32>
    %deltab = tile.broadcast %delta2 : tensor<1x${BM}xf32> -> tensor<${BN}x${BM}xf32>
    %dd = arith.subf %dp, %deltab : tensor<${BN}x${BM}xf32>
    %ds = arith.mulf %p, %dd : tensor<${BN}x${BM}xf32>
    %p16 = arith.truncf %p : tensor<${BN}x${BM}xf32> to tensor<${BN}x${BM}x${T}>
    %ds16 = arith.truncf %ds : tensor<${BN}x${BM}xf32> to tensor<${BN}x${BM}x${T}>
    %dvn = tile.dot %p16, %dot, %dva : tensor<${BN}x${BM}x${T}> * tensor<${BM}x${D}x${T}> -> tensor<${BN}x${D}xf32>
    scf.if %late {
      tile.barrier
    }
    %dst = tile.trans %ds16 order = [1, 0] : tensor<${BN}x${BM}x${T}> -> tensor<${BM}x${BN}x${T}>
    %dqt = tile.dot %dst, %kt, %zq : tensor<${BM}x${BN}x${T}> * tensor<${BN}x${D}x${T}> -> tensor<${BM}x${D}xf32>
    %dkn = tile.dot %ds16, %qt, %dka : tensor<${BN}x${BM}x${T}> * tensor<${BM}x${D}x${T}> -> tensor<${BN}x${D}xf32>
    // Since the last barrier of the program, the block before has what its threads add to it: the next program may.
    scf.if %ordered {
      %back = arith.constant -1 : i32
      %last_turn = tile.addptr %turn, %back : !tile.ptr<i32>, i32
      %added = arith.cmpi sgt, %m0, %lo : i32
      %one = arith.constant 1 : i32
      %was = tile.atomic_rmw add %last_turn, %one mask %added sem = release : !tile.ptr<i32>
    }
    scf.if %late {
      %seen = tile.atomic_poll %turn, %pid sem = acquire launch : !tile.ptr<i32>
    }
    %dq4 = tile.reshape %dqt : tensor<${BM}x${D}xf32> -> tensor<${BM}x${D / 64}x8x8xf32>
    %dq4t = tile.trans %dq4 order = [2, 1, 0, 3] : tensor<${BM}x${D / 64}x8x8xf32> -> tensor<8x${D / 64}x${BM}x8xf32>
    %dq6 = tile.reshape %dq4t : tensor<8x${D / 64}x${BM}x8xf32> -> tensor<${D / 8}x${BM / 16}x2x8x4x2xf32>
    %dq6t = tile.trans %dq6 order = [0, 1, 3, 4, 2, 5] : tensor<${D / 8}x${BM / 16}x2x8x4x2xf32> -> tensor<${D / 8}x${BM / 16}x8x4x2x2xf32>
    %dq1 = tile.reshape %dq6t : tensor<${D / 8}x${BM / 16}x8x4x2x2xf32> -> tensor<${BM * D}xf32>
    %block64 = arith.extsi %block : i32 to i64
    %blockAt = arith.muli %block64, %size : i64
    %sumsb = tile.addptr %sums, %blockAt : !tile.ptr<f32>, i64
    %sumss = tile.splat %sumsb : tensor<${BM * D}x!tile.ptr<f32>>
    %sumsp = tile.addptr %sumss, %place : tensor<${BM * D}x!tile.ptr<f32>>, tensor<${BM * D}xi32>
    %unused = tile.atomic_rmw fadd %sumsp, %dq1 : tensor<${BM * D}x!tile.ptr<f32>>
    scf.yield %dkn, %dvn : tensor<${BN}x${D}xf32>, tensor<${BN}x${D}xf32>
  } {tile.warp_specialize}
  scf.if %ordered {
    tile.barrier
    %end_block0 = arith.addi %firstBlock, %nb : i32
    %one = arith.constant 1 : i32
    %end_block = arith.subi %end_block0, %one : i32
    %turn = tile.addptr %turns, %end_block : !tile.ptr<i32>, i32
    %was = tile.atomic_rmw add %turn, %one sem = release : !tile.ptr<i32>
  }
  %scales = tile.splat %scale : tensor<${BN}x${D}xf32>
  %dks = arith.mulf %g#0, %scales : tensor<${BN}x${D}xf32>
  %dkh = arith.truncf %dks : tensor<${BN}x${D}xf32> to tensor<${BN}x${D}x${T}>
  %dvh = arith.truncf %g#1 : tensor<${BN}x${D}xf32> to tensor<${BN}x${D}x${T}>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %rd2 = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %rdb = tile.broadcast %rd2 : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
  %ds_ = arith.constant dense<${D}> : tensor<${BN}x1xi32>
  %keysd = arith.muli %keys2, %ds_ : tensor<${BN}x1xi32>
  %keysdb = tile.broadcast %keysd : tensor<${BN}x1xi32> -> tensor<${BN}x${D}xi32>
  %at = arith.addi %keysdb, %rdb : tensor<${BN}x${D}xi32>
  %nk = tile.splat %n : tensor<${BN}x1xi32>
  %stored = arith.cmpi slt, %keys2, %nk : tensor<${BN}x1xi32>
  %storedb = tile.broadcast %stored : tensor<${BN}x1xi1> -> tensor<${BN}x${D}xi1>
  %d = arith.constant ${D} : i64
  %base64 = arith.extsi %base : i32 to i64
  %from = arith.muli %base64, %d : i64
  %dvh_ = tile.addptr %dv, %from : !tile.ptr<${T}>, i64
  %dvs = tile.splat %dvh_ : tensor<${BN}x${D}x!tile.ptr<${T}>>
  %dvp = tile.addptr %dvs, %at : tensor<${BN}x${D}x!tile.ptr<${T}>>, tensor<${BN}x${D}xi32>
  tile.store %dvp, %dvh mask %storedb : tensor<${BN}x${D}x!tile.ptr<${T}>>
  %dkh_ = tile.addptr %dk, %from : !tile.ptr<${T}>, i64
  %dks_ = tile.splat %dkh_ : tensor<${BN}x${D}x!tile.ptr<${T}>>
  %dkp = tile.addptr %dks_, %at : tensor<${BN}x${D}x!tile.ptr<${T}>>, tensor<${BN}x${D}xi32>
  tile.store %dkp, %dkh mask %storedb : tensor<${BN}x${D}x!tile.ptr<${T}>>
  return
}
func.func @attention_dq(%sums: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %dq: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %scale: f32,
    %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %size = arith.constant ${BM * D} : i64
  %d = arith.constant ${D} : i64
  %pid = tile.program_id x
  %bh = tile.program_id y
  %nb = tile.num_programs x
  %firstBlock = arith.muli %bh, %nb : i32
  %block = arith.addi %firstBlock, %pid : i32
  %block64 = arith.extsi %block : i32 to i64
  %blockAt = arith.muli %block64, %size : i64
  %place = tile.make_range 0 to ${BM * D} : tensor<${BM * D}xi32>
  %sumsb = tile.addptr %sums, %blockAt : !tile.ptr<f32>, i64
  %sumss = tile.splat %sumsb : tensor<${BM * D}x!tile.ptr<f32>>
  %sumsp = tile.addptr %sumss, %place : tensor<${BM * D}x!tile.ptr<f32>>, tensor<${BM * D}xi32>
  %x = tile.load %sumsp : tensor<${BM * D}x!tile.ptr<f32>>
  %x6t = tile.reshape %x : tensor<${BM * D}xf32> -> tensor<${D / 8}x${BM / 16}x8x4x2x2xf32>
  %x6 = tile.trans %x6t order = [0, 1, 4, 2, 3, 5] : tensor<${D / 8}x${BM / 16}x8x4x2x2xf32> -> tensor<${D / 8}x${BM / 16}x2x8x4x2xf32>
  %x4t = tile.reshape %x6 : tensor<${D / 8}x${BM / 16}x2x8x4x2xf32> -> tensor<8x${D / 64}x${BM}x8xf32>
  %x4 = tile.trans %x4t order = [2, 1, 0, 3] : tensor<8x${D / 64}x${BM}x8xf32> -> tensor<${BM}x${D / 64}x8x8xf32>
  %x2 = tile.reshape %x4 : tensor<${BM}x${D / 64}x8x8xf32> -> tensor<${BM}x${D}xf32>
  %ss = tile.splat %scale : tensor<${BM}x${D}xf32>
  %y = arith.mulf %x2, %ss : tensor<${BM}x${D}xf32>
  %h = arith.truncf %y : tensor<${BM}x${D}xf32> to tensor<${BM}x${D}x${T}>
  %r = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %rd = tile.make_range 0 to ${D} : tensor<${D}xi32>
  %m0 = arith.muli %pid, %bm : i32
  %left = arith.subi %n, %m0 : i32
  %lefts = tile.splat %left : tensor<${BM}xi32>
  %in = arith.cmpi slt, %r, %lefts : tensor<${BM}xi32>
  %in2 = tile.expand_dims %in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %inb = tile.broadcast %in2 : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
  %r2 = tile.expand_dims %r axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %ds = arith.constant dense<${D}> : tensor<${BM}x1xi32>
  %rds = arith.muli %r2, %ds : tensor<${BM}x1xi32>
  %rb = tile.broadcast %rds : tensor<${BM}x1xi32> -> tensor<${BM}x${D}xi32>
  %c2 = tile.expand_dims %rd axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
  %cb = tile.broadcast %c2 : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
  %at = arith.addi %rb, %cb : tensor<${BM}x${D}xi32>
  %headRow = arith.muli %bh, %n : i32
  %row = arith.addi %headRow, %m0 : i32
  %row64 = arith.extsi %row : i32 to i64
  %from = arith.muli %row64, %d : i64
  %q_0 = tile.addptr %dq, %from : !tile.ptr<${T}>, i64
  %q_1 = tile.splat %q_0 : tensor<${BM}x${D}x!tile.ptr<${T}>>
  %q_p = tile.addptr %q_1, %at : tensor<${BM}x${D}x!tile.ptr<${T}>>, tensor<${BM}x${D}xi32>
  tile.store %q_p, %h mask %inb : tensor<${BM}x${D}x!tile.ptr<${T}>>
  return
}
