// Attention through plain pointers on Hopper: heads apart by strides, rows masked, one program after the other. Queries, keys and values
// come by the copy engine, started by a warp of its own, and the output leaves by it; where it cannot take them the kernel's second
// version runs. With all checks, compared with the cpu device.
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --grid=2 --check=race,oob,uninit,nan --against=cpu --atol=2e-3 --rtol=2e-3
// DEFINE: %{some} = --arg=f16[17408]=randn:1 --arg=f16[17408]=randn:2 --arg=f16[17408]=randn:3 --arg=f16[17408]=zeros --arg=f32=0.125
// DEFINE: %{sizes} = --arg=i32=136 --arg=i32=2 --arg=i32=8704 --arg=i32=64

// RUN: tile-translate %s --target=sm_90a --emit=report 2>&1 | FileCheck %s
// CHECK: copy engine, for factors and sums:
// CHECK-COUNT-3: load by tensor map
// CHECK: store by tensor map
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=PRODUCER
// PRODUCER: tile_gpu.producer

// Two heads of 136 rows, three blocks each, the last one odd.
// RUN: %{run} %{some} %{sizes} --arg=i32=8704 --arg=i32=64 --arg=i32=8704 --arg=i32=64 --arg=i32=8704 --arg=i32=64
// RUN: %{run} %{some} %{sizes} --arg=i32=8704 --arg=i32=64 --arg=i32=8704 --arg=i32=64 --arg=i32=8704 --arg=i32=64 -D CAUSAL=1
// The second version: all keys of a head are the same, stride 0.
// RUN: %{run} %{some} %{sizes} --arg=i32=8704 --arg=i32=0 --arg=i32=8704 --arg=i32=64 --arg=i32=8704 --arg=i32=64 -D CAUSAL=1

// tile.param T = f16 of f16, bf16
// tile.param D = 64
// tile.param BM = 64
// tile.param BN = 64
// tile.param NUM_WARPS = 4
// tile.param NUM_STAGES = 2
// tile.param CAUSAL = 0 of 0, 1
func.func @attention(%q: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %k: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %v: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %o: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
    %scale: f32, %n: i32, %heads: i32, %sqh: i32 {tile.divisibility = 16 : i32}, %sqm: i32 {tile.divisibility = 16 : i32}, %skh: i32 {tile.divisibility = 16 : i32}, %skm: i32 {tile.divisibility = 16 : i32}, %svh: i32 {tile.divisibility = 16 : i32}, %svm: i32 {tile.divisibility = 16 : i32}, %soh: i32 {tile.divisibility = 16 : i32}, %som: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minf = arith.constant dense<0xFF800000> : tensor<${BM}xf32>
  %mneg = arith.constant dense<0xFF800000> : tensor<${BM}x${BN}xf32>
  %l0 = arith.constant dense<0.0> : tensor<${BM}xf32>
  %o0 = arith.constant dense<0.0> : tensor<${BM}x${D}xf32>
  %z = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %log2e = arith.constant 1.44269502 : f32
  %sc = arith.mulf %scale, %log2e : f32
  %ss = tile.splat %sc : tensor<${BM}x${BN}xf32>
  %scm = tile.splat %sc : tensor<${BM}xf32>
  %causal = arith.constant ${CAUSAL} : i1
  %pid = tile.program_id x
  %np = tile.num_programs x
  // Blocks of rows. The last one of a head may have rows of the one before it: they come out the same.
  %n1 = arith.addi %n, %bm : i32
  %n2 = arith.subi %n1, %one : i32
  %nq = arith.divui %n2, %bm : i32
  %last = arith.subi %n, %bm : i32
  // An item of work is a block of rows; with CAUSAL = 1 two of them, one from the end and one from the start of a head, so that all
  // items take the same time (an odd block in the middle is done twice).
  %both = arith.constant ${CAUSAL} : i32
  %tiles = arith.addi %both, %one : i32
  %nq0 = arith.addi %nq, %both : i32
  %items = arith.divui %nq0, %tiles : i32
  %all = arith.muli %items, %heads : i32
  %all0 = arith.subi %all, %pid : i32
  %all1 = arith.addi %all0, %np : i32
  %all2 = arith.subi %all1, %one : i32
  %mine = arith.divui %all2, %np : i32
  %rounds = arith.muli %mine, %tiles : i32
  %nq1 = arith.subi %nq, %one : i32
  %r = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %rn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  scf.for %round = %zero to %rounds step %one : i32 {
    %number = arith.divui %round, %tiles : i32
    %second = arith.remui %round, %tiles : i32
    %before = arith.muli %number, %np : i32
    %item = arith.addi %before, %pid : i32
    %bh = arith.divui %item, %items : i32
    %place = arith.remui %item, %items : i32
    %back = arith.subi %nq1, %place : i32
    %isSecond = arith.cmpi eq, %second, %both : i32
    %qb = arith.select %isSecond, %place, %back : i32
    %m00 = arith.muli %qb, %bm : i32
    %m0 = arith.maxsi %m00, %zero : i32
    %qoff = arith.muli %bh, %sqh : i32
    %qbase = tile.addptr %q, %qoff : !tile.ptr<${T}>, i32
    %koff = arith.muli %bh, %skh : i32
    %kbase = tile.addptr %k, %koff : !tile.ptr<${T}>, i32
    %voff = arith.muli %bh, %svh : i32
    %vbase = tile.addptr %v, %voff : !tile.ptr<${T}>, i32
    %ooff = arith.muli %bh, %soh : i32
    %obase = tile.addptr %o, %ooff : !tile.ptr<${T}>, i32
    %qrr = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
    %qrs = tile.splat %m0 : tensor<${BM}xi32>
    %qri = arith.addi %qrs, %qrr : tensor<${BM}xi32>
    %qrc = tile.expand_dims %qri axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
    %qst = tile.splat %sqm : tensor<${BM}x1xi32>
    %qro = arith.muli %qrc, %qst : tensor<${BM}x1xi32>
    %qps = tile.splat %qbase : tensor<${BM}x1x!tile.ptr<${T}>>
    %qpr = tile.addptr %qps, %qro : tensor<${BM}x1x!tile.ptr<${T}>>, tensor<${BM}x1xi32>
    %qpb = tile.broadcast %qpr : tensor<${BM}x1x!tile.ptr<${T}>> -> tensor<${BM}x${D}x!tile.ptr<${T}>>
    %qcr = tile.make_range 0 to ${D} : tensor<${D}xi32>
    %qcc = tile.expand_dims %qcr axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
    %qcb = tile.broadcast %qcc : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
    %qpp = tile.addptr %qpb, %qcb : tensor<${BM}x${D}x!tile.ptr<${T}>>, tensor<${BM}x${D}xi32>
    %qnn = tile.splat %n : tensor<${BM}xi32>
    %qmi = arith.cmpi slt, %qri, %qnn : tensor<${BM}xi32>
    %qmc = tile.expand_dims %qmi axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %qmb = tile.broadcast %qmc : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
    %qzz = arith.constant dense<0.0> : tensor<${BM}x${D}x${T}>
    %qt = tile.load %qpp mask %qmb other %qzz : tensor<${BM}x${D}x!tile.ptr<${T}>>
    %ms = tile.splat %m0 : tensor<${BM}xi32>
    %rows0 = arith.addi %ms, %r : tensor<${BM}xi32>
    %nl = arith.subi %n, %one : i32
    %nls = tile.splat %nl : tensor<${BM}xi32>
    %most = arith.select %causal, %rows0, %nls : tensor<${BM}xi32>
    %most2 = tile.expand_dims %most axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
    %mostb = tile.broadcast %most2 : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
    // Rows see columns up to `most`; blocks that end at `free` or before need no mask.
    %after = arith.addi %m0, %bm : i32
    %hi = arith.select %causal, %after, %n : i32
    %free0 = arith.addi %m0, %one : i32
    %free = arith.select %causal, %free0, %n : i32
    %f:3 = scf.for %kk = %zero to %hi step %bn iter_args(%m = %minf, %l = %l0, %acc = %o0) -> (tensor<${BM}xf32>, tensor<${BM}xf32>, tensor<${BM}x${D}xf32>) : i32 {
      %krr = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
      %krs = tile.splat %kk : tensor<${BN}xi32>
      %kri = arith.addi %krs, %krr : tensor<${BN}xi32>
      %krc = tile.expand_dims %kri axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
      %kst = tile.splat %skm : tensor<${BN}x1xi32>
      %kro = arith.muli %krc, %kst : tensor<${BN}x1xi32>
      %kps = tile.splat %kbase : tensor<${BN}x1x!tile.ptr<${T}>>
      %kpr = tile.addptr %kps, %kro : tensor<${BN}x1x!tile.ptr<${T}>>, tensor<${BN}x1xi32>
      %kpb = tile.broadcast %kpr : tensor<${BN}x1x!tile.ptr<${T}>> -> tensor<${BN}x${D}x!tile.ptr<${T}>>
      %kcr = tile.make_range 0 to ${D} : tensor<${D}xi32>
      %kcc = tile.expand_dims %kcr axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
      %kcb = tile.broadcast %kcc : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
      %kpp = tile.addptr %kpb, %kcb : tensor<${BN}x${D}x!tile.ptr<${T}>>, tensor<${BN}x${D}xi32>
      %knn = tile.splat %n : tensor<${BN}xi32>
      %kmi = arith.cmpi slt, %kri, %knn : tensor<${BN}xi32>
      %kmc = tile.expand_dims %kmi axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
      %kmb = tile.broadcast %kmc : tensor<${BN}x1xi1> -> tensor<${BN}x${D}xi1>
      %kzz = arith.constant dense<0.0> : tensor<${BN}x${D}x${T}>
      %kt = tile.load %kpp mask %kmb other %kzz : tensor<${BN}x${D}x!tile.ptr<${T}>>
      %ktt = tile.trans %kt order = [1, 0] : tensor<${BN}x${D}x${T}> -> tensor<${D}x${BN}x${T}>
      %qk0 = tile.dot %qt, %ktt, %z : tensor<${BM}x${D}x${T}> * tensor<${D}x${BN}x${T}> -> tensor<${BM}x${BN}xf32>
      %end = arith.addi %kk, %bn : i32
      %need = arith.cmpi sgt, %end, %free : i32
      %qk = scf.if %need -> tensor<${BM}x${BN}xf32> {
        %ns = tile.splat %kk : tensor<${BN}xi32>
        %cols = arith.addi %ns, %rn : tensor<${BN}xi32>
        %cols2 = tile.expand_dims %cols axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
        %colsb = tile.broadcast %cols2 : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
        %in = arith.cmpi sge, %mostb, %colsb : tensor<${BM}x${BN}xi32>
        %w = arith.select %in, %qk0, %mneg : tensor<${BM}x${BN}xi1>, tensor<${BM}x${BN}xf32>
        scf.yield %w : tensor<${BM}x${BN}xf32>
      } else {
        scf.yield %qk0 : tensor<${BM}x${BN}xf32>
      }
      %mx = tile.reduce %qk axis = 1 : tensor<${BM}x${BN}xf32> -> tensor<${BM}xf32> {
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tile.yield %c : f32
      }
      %mxs = arith.mulf %mx, %scm : tensor<${BM}xf32>
      %mn = arith.maxnumf %m, %mxs : tensor<${BM}xf32>
      %mn2 = tile.expand_dims %mn axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
      %mnb = tile.broadcast %mn2 : tensor<${BM}x1xf32> -> tensor<${BM}x${BN}xf32>
      %neg = arith.negf %mnb : tensor<${BM}x${BN}xf32>
      %sh = math.fma %qk, %ss, %neg : tensor<${BM}x${BN}xf32>
      %p = math.exp2 %sh : tensor<${BM}x${BN}xf32>
      %da = arith.subf %m, %mn : tensor<${BM}xf32>
      %al = math.exp2 %da : tensor<${BM}xf32>
      %ps = tile.reduce %p axis = 1 : tensor<${BM}x${BN}xf32> -> tensor<${BM}xf32> {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tile.yield %c : f32
      }
      %ln = math.fma %l, %al, %ps : tensor<${BM}xf32>
      %al2 = tile.expand_dims %al axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
      %alb = tile.broadcast %al2 : tensor<${BM}x1xf32> -> tensor<${BM}x${D}xf32>
      %accs = arith.mulf %acc, %alb : tensor<${BM}x${D}xf32>
      %ph = arith.truncf %p : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}x${T}>
      %vrr = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
      %vrs = tile.splat %kk : tensor<${BN}xi32>
      %vri = arith.addi %vrs, %vrr : tensor<${BN}xi32>
      %vrc = tile.expand_dims %vri axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
      %vst = tile.splat %svm : tensor<${BN}x1xi32>
      %vro = arith.muli %vrc, %vst : tensor<${BN}x1xi32>
      %vps = tile.splat %vbase : tensor<${BN}x1x!tile.ptr<${T}>>
      %vpr = tile.addptr %vps, %vro : tensor<${BN}x1x!tile.ptr<${T}>>, tensor<${BN}x1xi32>
      %vpb = tile.broadcast %vpr : tensor<${BN}x1x!tile.ptr<${T}>> -> tensor<${BN}x${D}x!tile.ptr<${T}>>
      %vcr = tile.make_range 0 to ${D} : tensor<${D}xi32>
      %vcc = tile.expand_dims %vcr axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
      %vcb = tile.broadcast %vcc : tensor<1x${D}xi32> -> tensor<${BN}x${D}xi32>
      %vpp = tile.addptr %vpb, %vcb : tensor<${BN}x${D}x!tile.ptr<${T}>>, tensor<${BN}x${D}xi32>
      %vnn = tile.splat %n : tensor<${BN}xi32>
      %vmi = arith.cmpi slt, %vri, %vnn : tensor<${BN}xi32>
      %vmc = tile.expand_dims %vmi axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
      %vmb = tile.broadcast %vmc : tensor<${BN}x1xi1> -> tensor<${BN}x${D}xi1>
      %vzz = arith.constant dense<0.0> : tensor<${BN}x${D}x${T}>
      %vt = tile.load %vpp mask %vmb other %vzz : tensor<${BN}x${D}x!tile.ptr<${T}>>
      %on = tile.dot %ph, %vt, %accs : tensor<${BM}x${BN}x${T}> * tensor<${BN}x${D}x${T}> -> tensor<${BM}x${D}xf32>
      scf.yield %mn, %ln, %on : tensor<${BM}xf32>, tensor<${BM}xf32>, tensor<${BM}x${D}xf32>
    } {tile.warp_specialize}
    %lg = tile.expand_dims %f#1 axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
    %lb = tile.broadcast %lg : tensor<${BM}x1xf32> -> tensor<${BM}x${D}xf32>
    %on = arith.divf %f#2, %lb : tensor<${BM}x${D}xf32>
    %h = arith.truncf %on : tensor<${BM}x${D}xf32> to tensor<${BM}x${D}x${T}>
    %orr = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
    %ors = tile.splat %m0 : tensor<${BM}xi32>
    %ori = arith.addi %ors, %orr : tensor<${BM}xi32>
    %orc = tile.expand_dims %ori axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
    %ost = tile.splat %som : tensor<${BM}x1xi32>
    %oro = arith.muli %orc, %ost : tensor<${BM}x1xi32>
    %ops = tile.splat %obase : tensor<${BM}x1x!tile.ptr<${T}>>
    %opr = tile.addptr %ops, %oro : tensor<${BM}x1x!tile.ptr<${T}>>, tensor<${BM}x1xi32>
    %opb = tile.broadcast %opr : tensor<${BM}x1x!tile.ptr<${T}>> -> tensor<${BM}x${D}x!tile.ptr<${T}>>
    %ocr = tile.make_range 0 to ${D} : tensor<${D}xi32>
    %occ = tile.expand_dims %ocr axis = 0 : tensor<${D}xi32> -> tensor<1x${D}xi32>
    %ocb = tile.broadcast %occ : tensor<1x${D}xi32> -> tensor<${BM}x${D}xi32>
    %opp = tile.addptr %opb, %ocb : tensor<${BM}x${D}x!tile.ptr<${T}>>, tensor<${BM}x${D}xi32>
    %onn = tile.splat %n : tensor<${BM}xi32>
    %omi = arith.cmpi slt, %ori, %onn : tensor<${BM}xi32>
    %omc = tile.expand_dims %omi axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %omb = tile.broadcast %omc : tensor<${BM}x1xi1> -> tensor<${BM}x${D}xi1>
    tile.store %opp, %h mask %omb : tensor<${BM}x${D}x!tile.ptr<${T}>>
  }
  return
}
