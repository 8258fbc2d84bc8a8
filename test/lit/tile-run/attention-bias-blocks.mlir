// Attention with biases of its own for each head, a matrix through a descriptor: the copy engine brings blocks of it as it does keys and values,
// threads read them from shared memory behind the first product. Nothing is spilled.
//
// RUN: tile-run %s --device=sim --against=cpu --target=sm_90a --num-warps=8 --num-stages=2 --grid=3 -D D=64 -D BM=128 -D BN=64 -D CAUSAL=0 "--arg=desc(f16[380,64],box=128x64)=randn:1" "--arg=desc(f16[380,64],box=64x64)=randn:2" "--arg=desc(f16[380,64],box=64x64)=randn:3" "--arg=desc(f16[380,64],box=128x64)=fill:nan" --arg=f32=0.125 --arg=i32=190 --arg=i32=2 "--arg=desc(f16[2,190,192],box=1x128x64)=randn:7" --atol=2e-3
// RUN: tile-run %s --device=sim --against=cpu --target=sm_90a --num-warps=12 --num-stages=2 --grid=2 -D D=64 -D BM=192 -D BN=128 -D CAUSAL=1 "--arg=desc(f16[600,64],box=192x64)=randn:1" "--arg=desc(f16[600,64],box=128x64)=randn:2" "--arg=desc(f16[600,64],box=128x64)=randn:3" "--arg=desc(f16[600,64],box=192x64)=fill:nan" --arg=f32=0.125 --arg=i32=300 --arg=i32=2 "--arg=desc(f16[2,300,304],box=1x192x128)=randn:7" --atol=2e-3
// A block that a branch reads first, and then what follows it.
// RUN: tile-run %s --device=sim --against=cpu --target=sm_90a --num-warps=8 --num-stages=2 --grid=3 -D D=64 -D BM=128 -D BN=64 -D CAUSAL=0 -D TWICE=1 "--arg=desc(f16[380,64],box=128x64)=randn:1" "--arg=desc(f16[380,64],box=64x64)=randn:2" "--arg=desc(f16[380,64],box=64x64)=randn:3" "--arg=desc(f16[380,64],box=128x64)=fill:nan" --arg=f32=0.125 --arg=i32=190 --arg=i32=2 "--arg=desc(f16[2,190,192],box=1x128x64)=randn:7" --atol=2e-3
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=2 --emit=tile_gpu -D D=64 -D BM=128 -D BN=64 -D CAUSAL=0 | FileCheck %s
// CHECK: tile_gpu.producer {
// CHECK: scf.for
// CHECK: scf.for
// CHECK-DAG: tile_gpu.tma_copy 1[
// CHECK-DAG: tile_gpu.tma_copy 2[
// CHECK-DAG: tile_gpu.tma_copy 3[
// CHECK: } {tile_gpu.moves_registers, tile_gpu.turns}
// CHECK: tile_gpu.wgmma_wait 1(
// CHECK: tile_gpu.local_load
// CHECK-NEXT: tile.barrier {tile_gpu.groups = 8 : i32, tile_gpu.shared_only}
// CHECK: arith.addf
// CHECK: tile_gpu.wgmma_wait 0(
//
// With 128 columns of queries there is room for one buffer of biases beside two of keys and two of values.
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --num-stages=2 --emit=tile_gpu -D D=128 -D BM=128 -D BN=128 -D CAUSAL=0 | FileCheck %s --check-prefix=ROOM
// ROOM: tile_gpu.alloc {{.*}}memdesc<1x128x128xf16
// ROOM: tile_gpu.alloc {{.*}}memdesc<2x128x128xf16
// ROOM: tile_gpu.alloc {{.*}}memdesc<1x128x128xf16
// ROOM: tile_gpu.alloc {{.*}}memdesc<2x128x128xf16
// tile.param T = f16 of f16, bf16
// tile.param D = 64 of 64, 128
// tile.param BM = 128 in 64, 128, 192, 256
// tile.param BN = 64 in 64, 128
// tile.param CAUSAL = 0 of 0, 1
// tile.param TWICE = 0 of 0, 1
func.func @attention(%q: !tile.desc<${BM}x${D}x${T}>, %k: !tile.desc<${BN}x${D}x${T}>, %v: !tile.desc<${BN}x${D}x${T}>, %o: !tile.desc<${BM}x${D}x${T}>,
    %scale: f32, %n: i32, %heads: i32, %bias: !tile.desc<1x${BM}x${BN}x${T}>) attributes {tile.kernel} {
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
    %m0 = arith.minsi %m00, %last : i32
    %base = arith.muli %bh, %n : i32
    %qrow = arith.addi %base, %m0 : i32
    %qt = tile.desc_load %q[%qrow, %zero] : !tile.desc<${BM}x${D}x${T}> -> tensor<${BM}x${D}x${T}>
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
      %krow = arith.addi %base, %kk : i32
      %kt = tile.desc_load %k[%krow, %zero] : !tile.desc<${BN}x${D}x${T}> -> tensor<${BN}x${D}x${T}>
      %ktt = tile.trans %kt order = [1, 0] : tensor<${BN}x${D}x${T}> -> tensor<${D}x${BN}x${T}>
      %qk0 = tile.dot %qt, %ktt, %z : tensor<${BM}x${D}x${T}> * tensor<${D}x${BN}x${T}> -> tensor<${BM}x${BN}xf32>
      %bt1 = tile.desc_load %bias[%bh, %m0, %kk] : !tile.desc<1x${BM}x${BN}x${T}> -> tensor<1x${BM}x${BN}x${T}>
      %bt = tile.reshape %bt1 : tensor<1x${BM}x${BN}x${T}> -> tensor<${BM}x${BN}x${T}>
      %end = arith.addi %kk, %bn : i32
      %twice = arith.constant ${TWICE} : i1
      %beyond = arith.cmpi sgt, %end, %free : i32
      %again = arith.andi %beyond, %twice : i1
      %qkb = scf.if %again -> tensor<${BM}x${BN}xf32> {
        %btf0 = arith.extf %bt : tensor<${BM}x${BN}x${T}> to tensor<${BM}x${BN}xf32>
        %w = arith.addf %qk0, %btf0 : tensor<${BM}x${BN}xf32>
        scf.yield %w : tensor<${BM}x${BN}xf32>
      } else {
        scf.yield %qk0 : tensor<${BM}x${BN}xf32>
      }
      %btf = arith.extf %bt : tensor<${BM}x${BN}x${T}> to tensor<${BM}x${BN}xf32>
      %qk1 = arith.addf %qkb, %btf : tensor<${BM}x${BN}xf32>
      %need = arith.cmpi sgt, %end, %free : i32
      %qk = scf.if %need -> tensor<${BM}x${BN}xf32> {
        %ns = tile.splat %kk : tensor<${BN}xi32>
        %cols = arith.addi %ns, %rn : tensor<${BN}xi32>
        %cols2 = tile.expand_dims %cols axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
        %colsb = tile.broadcast %cols2 : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
        %in = arith.cmpi sge, %mostb, %colsb : tensor<${BM}x${BN}xi32>
        %w = arith.select %in, %qk1, %mneg : tensor<${BM}x${BN}xi1>, tensor<${BM}x${BN}xf32>
        scf.yield %w : tensor<${BM}x${BN}xf32>
      } else {
        scf.yield %qk1 : tensor<${BM}x${BN}xf32>
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
      %vt = tile.desc_load %v[%krow, %zero] : !tile.desc<${BN}x${D}x${T}> -> tensor<${BN}x${D}x${T}>
      %on = tile.dot %ph, %vt, %accs : tensor<${BM}x${BN}x${T}> * tensor<${BN}x${D}x${T}> -> tensor<${BM}x${D}xf32>
      scf.yield %mn, %ln, %on : tensor<${BM}xf32>, tensor<${BM}xf32>, tensor<${BM}x${D}xf32>
    } {tile.warp_specialize}
    %lg = tile.expand_dims %f#1 axis = 1 : tensor<${BM}xf32> -> tensor<${BM}x1xf32>
    %lb = tile.broadcast %lg : tensor<${BM}x1xf32> -> tensor<${BM}x${D}xf32>
    %on = arith.divf %f#2, %lb : tensor<${BM}x${D}xf32>
    %h = arith.truncf %on : tensor<${BM}x${D}xf32> to tensor<${BM}x${D}x${T}>
    tile.desc_store %o[%qrow, %zero], %h : !tile.desc<${BM}x${D}x${T}>, tensor<${BM}x${D}x${T}>
  }
  return
}
