// Attention whose scores get a number from a table by the distance of key and query: one is loaded for each score, as the scores lie. It neither
// goes through shared memory, where blocks of keys are, nor waits in registers.
//
// RUN: tile-run %s --device=sim --against=cpu --target=sm_90a --num-warps=16 --num-stages=2 --grid=1 "--arg=desc(f16[520,64],box=256x64)=randn:1" "--arg=desc(f16[520,64],box=64x64)=randn:2" "--arg=desc(f16[520,64],box=64x64)=randn:3" "--arg=desc(f16[520,64],box=256x64)=fill:nan" --arg=f32=0.125 --arg=i32=260 --arg=i32=2 "--arg=f32[128]=randn:7" --atol=2e-3
// RUN: tile-translate %s --target=sm_90a --num-warps=16 --num-stages=2 --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.producer
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile_gpu.wgmma_wait 1(
// CHECK-NOT: convert_layout
// CHECK: tile.load %{{.*}} : tensor<256x64x!tile.ptr<f32>, #layout{{[0-9]*}}>
// CHECK-NOT: convert_layout
// CHECK: math.exp2
// CHECK-NOT: local_load
func.func @attention(%q: !tile.desc<256x64xf16>, %k: !tile.desc<64x64xf16>, %v: !tile.desc<64x64xf16>, %o: !tile.desc<256x64xf16>,
    %scale: f32, %n: i32, %heads: i32, %table: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %bm = arith.constant 256 : i32
  %bn = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minf = arith.constant dense<0xFF800000> : tensor<256xf32>
  %mneg = arith.constant dense<0xFF800000> : tensor<256x64xf32>
  %l0 = arith.constant dense<0.0> : tensor<256xf32>
  %o0 = arith.constant dense<0.0> : tensor<256x64xf32>
  %z = arith.constant dense<0.0> : tensor<256x64xf32>
  %log2e = arith.constant 1.44269502 : f32
  %sc = arith.mulf %scale, %log2e : f32
  %ss = tile.splat %sc : tensor<256x64xf32>
  %scm = tile.splat %sc : tensor<256xf32>
  %causal = arith.constant 0 : i1
  %pid = tile.program_id x
  %np = tile.num_programs x
  %n1 = arith.addi %n, %bm : i32
  %n2 = arith.subi %n1, %one : i32
  %nq = arith.divui %n2, %bm : i32
  %last = arith.subi %n, %bm : i32
  %both = arith.constant 0 : i32
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
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
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
    %m0 = arith.minsi %m00, %last : i32
    %base = arith.muli %bh, %n : i32
    %qrow = arith.addi %base, %m0 : i32
    %qt = tile.desc_load %q[%qrow, %zero] : !tile.desc<256x64xf16> -> tensor<256x64xf16>
    %ms = tile.splat %m0 : tensor<256xi32>
    %rows0 = arith.addi %ms, %r : tensor<256xi32>
    %nl = arith.subi %n, %one : i32
    %nls = tile.splat %nl : tensor<256xi32>
    %most = arith.select %causal, %rows0, %nls : tensor<256xi32>
    %most2 = tile.expand_dims %most axis = 1 : tensor<256xi32> -> tensor<256x1xi32>
    %mostb = tile.broadcast %most2 : tensor<256x1xi32> -> tensor<256x64xi32>
    %after = arith.addi %m0, %bm : i32
    %hi = arith.select %causal, %after, %n : i32
    %free0 = arith.addi %m0, %one : i32
    %free = arith.select %causal, %free0, %n : i32
    %f:3 = scf.for %kk = %zero to %hi step %bn iter_args(%m = %minf, %l = %l0, %acc = %o0) -> (tensor<256xf32>, tensor<256xf32>, tensor<256x64xf32>) : i32 {
      %krow = arith.addi %base, %kk : i32
      %kt = tile.desc_load %k[%krow, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %ktt = tile.trans %kt order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %qk0 = tile.dot %qt, %ktt, %z : tensor<256x64xf16> * tensor<64x64xf16> -> tensor<256x64xf32>
      %x_n = tile.splat %kk : tensor<64xi32>
      %x_cols = arith.addi %x_n, %rn : tensor<64xi32>
      %x_c2 = tile.expand_dims %x_cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
      %x_cb = tile.broadcast %x_c2 : tensor<1x64xi32> -> tensor<256x64xi32>
      %x_r2 = tile.expand_dims %rows0 axis = 1 : tensor<256xi32> -> tensor<256x1xi32>
      %x_rb = tile.broadcast %x_r2 : tensor<256x1xi32> -> tensor<256x64xi32>
      %x_ns = tile.splat %n : tensor<256x64xi32>
      %x_d = arith.subi %x_cb, %x_rb : tensor<256x64xi32>
      %x_lo = arith.constant dense<-64> : tensor<256x64xi32>
      %x_hi = arith.constant dense<63> : tensor<256x64xi32>
      %x_d1 = arith.maxsi %x_d, %x_lo : tensor<256x64xi32>
      %x_d2 = arith.minsi %x_d1, %x_hi : tensor<256x64xi32>
      %x_d3 = arith.subi %x_d2, %x_lo : tensor<256x64xi32>
      %x_p = tile.splat %table : tensor<256x64x!tile.ptr<f32>>
      %x_q = tile.addptr %x_p, %x_d3 : tensor<256x64x!tile.ptr<f32>>, tensor<256x64xi32>
      %x_v = tile.load %x_q : tensor<256x64x!tile.ptr<f32>>
      %qk1 = arith.addf %qk0, %x_v : tensor<256x64xf32>
      %end = arith.addi %kk, %bn : i32
      %need = arith.cmpi sgt, %end, %free : i32
      %qk = scf.if %need -> tensor<256x64xf32> {
        %ns = tile.splat %kk : tensor<64xi32>
        %cols = arith.addi %ns, %rn : tensor<64xi32>
        %cols2 = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
        %colsb = tile.broadcast %cols2 : tensor<1x64xi32> -> tensor<256x64xi32>
        %in = arith.cmpi sge, %mostb, %colsb : tensor<256x64xi32>
        %w = arith.select %in, %qk1, %mneg : tensor<256x64xi1>, tensor<256x64xf32>
        scf.yield %w : tensor<256x64xf32>
      } else {
        scf.yield %qk1 : tensor<256x64xf32>
      }
      %mx = tile.reduce %qk axis = 1 : tensor<256x64xf32> -> tensor<256xf32> {
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tile.yield %c : f32
      }
      %mxs = arith.mulf %mx, %scm : tensor<256xf32>
      %mn = arith.maxnumf %m, %mxs : tensor<256xf32>
      %mn2 = tile.expand_dims %mn axis = 1 : tensor<256xf32> -> tensor<256x1xf32>
      %mnb = tile.broadcast %mn2 : tensor<256x1xf32> -> tensor<256x64xf32>
      %neg = arith.negf %mnb : tensor<256x64xf32>
      %sh = math.fma %qk, %ss, %neg : tensor<256x64xf32>
      %p = math.exp2 %sh : tensor<256x64xf32>
      %da = arith.subf %m, %mn : tensor<256xf32>
      %al = math.exp2 %da : tensor<256xf32>
      %ps = tile.reduce %p axis = 1 : tensor<256x64xf32> -> tensor<256xf32> {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tile.yield %c : f32
      }
      %ln = math.fma %l, %al, %ps : tensor<256xf32>
      %al2 = tile.expand_dims %al axis = 1 : tensor<256xf32> -> tensor<256x1xf32>
      %alb = tile.broadcast %al2 : tensor<256x1xf32> -> tensor<256x64xf32>
      %accs = arith.mulf %acc, %alb : tensor<256x64xf32>
      %ph = arith.truncf %p : tensor<256x64xf32> to tensor<256x64xf16>
      %vt = tile.desc_load %v[%krow, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %on = tile.dot %ph, %vt, %accs : tensor<256x64xf16> * tensor<64x64xf16> -> tensor<256x64xf32>
      scf.yield %mn, %ln, %on : tensor<256xf32>, tensor<256xf32>, tensor<256x64xf32>
    } {tile.warp_specialize}
    %lg = tile.expand_dims %f#1 axis = 1 : tensor<256xf32> -> tensor<256x1xf32>
    %lb = tile.broadcast %lg : tensor<256x1xf32> -> tensor<256x64xf32>
    %on = arith.divf %f#2, %lb : tensor<256x64xf32>
    %h = arith.truncf %on : tensor<256x64xf32> to tensor<256x64xf16>
    tile.desc_store %o[%qrow, %zero], %h : !tile.desc<256x64xf16>, tensor<256x64xf16>
  }
  return
}
