// Products of matrices whose rows start at any element, [N, K]: the copy engine brings rows that start alike, which are moved to their
// places on their way through registers (tile-gpu-load-apart). With all checks, compared with the cpu device.
// tile.param T = f16
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --check=race,oob,uninit,nan --against=cpu --atol=0.02 --rtol=0.01

// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.tma_copy 2[%{{.*}}, %{{.*}}] apart 8, {{.*}} : !tile_gpu.memdesc<64x64xf16, #[[S:shared[0-9]*]]>
// CHECK: tile_gpu.tma_copy 10[%{{.*}}, %{{.*}}] apart 8,
// CHECK: scf.for
// CHECK: tile_gpu.shifted_load %{{.*}} by %{{.*}} apart 8
// CHECK: tile_gpu.shifted_load %{{.*}} by %{{.*}} apart 8
// All threads have read the copies when the product starts, and the next ones start beside it.
// CHECK: tile_gpu.fence_async
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile_gpu.wgmma %
// CHECK: tile_gpu.tma_copy 2[{{.*}}] apart 8,
// CHECK: tile_gpu.wgmma_wait
// CHECK: } else {
// What has fewer rows than there are maps runs the last version.
// CHECK: tile.load
// The maps: the first rows of each, 16 bytes more than the block has columns.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=manifest | FileCheck %s --check-prefix=MAPS
// MAPS: "schema": 2
// MAPS: "box": [
// MAPS: 72,
// MAPS-NEXT: 8
// MAPS: "swizzle": 0,
// MAPS: "apart": 8,
// MAPS-NEXT: "row": 0
// MAPS: "apart": 8,
// MAPS: "row": 7
// RUN: %{run} --num-warps=4 --grid=4 --arg=f16[67,203]=randn:1 --arg=f16[71,203]=randn:2 --arg=f16[67,71]=fill:7 --arg=i32=67 --arg=i32=71 --arg=i32=203 --arg=i32=203 --arg=i32=203 --arg=i32=71
// RUN: %{run} --num-warps=4 --grid=6 --arg=f16[130,129]=randn:1 --arg=f16[65,129]=randn:2 --arg=f16[130,65]=fill:7 --arg=i32=130 --arg=i32=65 --arg=i32=129 --arg=i32=129 --arg=i32=129 --arg=i32=65
// RUN: %{run} --num-warps=4 --grid=1 --arg=f16[64,67]=randn:1 --arg=f16[64,69]=randn:2 --arg=f16[64,64]=fill:7 --arg=i32=64 --arg=i32=64 --arg=i32=64 --arg=i32=67 --arg=i32=69 --arg=i32=64
// RUN: %{run} --num-warps=4 --grid=1 --arg=f16[9,73]=randn:1 --arg=f16[8,73]=randn:2 --arg=f16[9,8]=fill:7 --arg=i32=9 --arg=i32=8 --arg=i32=73 --arg=i32=73 --arg=i32=73 --arg=i32=8
// RUN: %{run} --num-warps=4 --grid=4 --arg=f16[70,134]=randn:1 --arg=f16[66,132]=randn:2 --arg=f16[70,66]=fill:7 --arg=i32=70 --arg=i32=66 --arg=i32=132 --arg=i32=134 --arg=i32=132 --arg=i32=66
// RUN: %{run} --num-warps=4 --grid=4 --arg=f16[70,133]=randn:1 --arg=f16[66,132]=randn:2 --arg=f16[70,66]=fill:7 --arg=i32=70 --arg=i32=66 --arg=i32=132 --arg=i32=133 --arg=i32=132 --arg=i32=66
// Trips of none, one and two, and as many stages as there may be.
// RUN: %{run} --num-warps=4 --grid=4 --arg=f16[65,63]=randn:1 --arg=f16[65,63]=randn:2 --arg=f16[65,65]=fill:7 --arg=i32=65 --arg=i32=65 --arg=i32=63 --arg=i32=63 --arg=i32=63 --arg=i32=65
// RUN: %{run} --num-warps=4 --grid=4 --num-stages=2 --arg=f16[65,65]=randn:1 --arg=f16[65,65]=randn:2 --arg=f16[65,65]=fill:7 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65
// RUN: %{run} --num-warps=4 --grid=4 --num-stages=5 --arg=f16[65,65]=randn:1 --arg=f16[65,65]=randn:2 --arg=f16[65,65]=fill:7 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65
// RUN: %{run} --num-warps=4 --grid=4 --num-stages=1 --arg=f16[65,331]=randn:1 --arg=f16[67,331]=randn:2 --arg=f16[65,67]=fill:7 --arg=i32=65 --arg=i32=67 --arg=i32=331 --arg=i32=331 --arg=i32=331 --arg=i32=67
// Fewer rows than maps, and a matrix of none.
// RUN: %{run} --num-warps=4 --grid=2 --arg=f16[7,65]=randn:1 --arg=f16[65,65]=randn:2 --arg=f16[7,65]=fill:7 --arg=i32=7 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=65
// RUN: %{run} --num-warps=4 --grid=2 --arg=f16[65,65]=randn:1 --arg=f16[7,65]=randn:2 --arg=f16[65,7]=fill:7 --arg=i32=65 --arg=i32=7 --arg=i32=65 --arg=i32=65 --arg=i32=65 --arg=i32=7
// RUN: %{run} --num-warps=4 --grid=4 --arg=f16[65,5]=randn:1 --arg=f16[65,5]=randn:2 --arg=f16[65,65]=fill:7 --arg=i32=65 --arg=i32=65 --arg=i32=5 --arg=i32=5 --arg=i32=5 --arg=i32=65
// Other types, more warps.
// RUN: %{run} --num-warps=4 --grid=4 -D T=bf16 --arg=bf16[67,203]=randn:1 --arg=bf16[71,203]=randn:2 --arg=bf16[67,71]=fill:7 --arg=i32=67 --arg=i32=71 --arg=i32=203 --arg=i32=203 --arg=i32=203 --arg=i32=71
// RUN: %{run} --num-warps=8 --grid=4 --arg=f16[67,203]=randn:1 --arg=f16[71,203]=randn:2 --arg=f16[67,71]=fill:7 --arg=i32=67 --arg=i32=71 --arg=i32=203 --arg=i32=203 --arg=i32=203 --arg=i32=71

func.func @mm(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %b: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %c: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %lda: i32, %ldb: i32, %ldc: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bm = arith.constant 64 : i32
  %bn = arith.constant 64 : i32
  %bk = arith.constant 64 : i32
  %bm1 = arith.constant 63 : i32
  %bn1 = arith.constant 63 : i32
  %g = arith.constant 2 : i32
  %pid = tile.program_id x
  %mp = arith.addi %m, %bm1 : i32
  %tm = arith.divsi %mp, %bm : i32
  %np = arith.addi %n, %bn1 : i32
  %tn = arith.divsi %np, %bn : i32
  %per = arith.muli %g, %tn : i32
  %gid = arith.divsi %pid, %per : i32
  %first = arith.muli %gid, %g : i32
  %left = arith.subi %tm, %first : i32
  %gs = arith.minsi %left, %g : i32
  %in = arith.remsi %pid, %per : i32
  %inm = arith.remsi %in, %gs : i32
  %pm = arith.addi %first, %inm : i32
  %pn = arith.divsi %in, %gs : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %rm = tile.make_range 0 to 64 : tensor<64xi32>
  %rn = tile.make_range 0 to 64 : tensor<64xi32>
  %rk = tile.make_range 0 to 64 : tensor<64xi32>
  %m0s = tile.splat %m0 : tensor<64xi32>
  %n0s = tile.splat %n0 : tensor<64xi32>
  %im = arith.addi %m0s, %rm : tensor<64xi32>
  %jn = arith.addi %n0s, %rn : tensor<64xi32>
  %ms = tile.splat %m : tensor<64xi32>
  %ns = tile.splat %n : tensor<64xi32>
  %imw = arith.remsi %im, %ms : tensor<64xi32>
  %jnw = arith.remsi %jn, %ns : tensor<64xi32>
  %row = tile.expand_dims %imw axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldas = tile.splat %lda : tensor<64x1xi32>
  %ro = arith.muli %row, %ldas : tensor<64x1xi32>
  %kr = tile.expand_dims %rk axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rob = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
  %krb = tile.broadcast %kr : tensor<1x64xi32> -> tensor<64x64xi32>
  %ao = arith.addi %rob, %krb : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<${T}>>
  %pa0 = tile.addptr %as, %ao : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %stepa = arith.constant dense<64> : tensor<64x64xi32>
  %brow = tile.expand_dims %jnw axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldbs = tile.splat %ldb : tensor<64x1xi32>
  %bro = arith.muli %brow, %ldbs : tensor<64x1xi32>
  %brb = tile.broadcast %bro : tensor<64x1xi32> -> tensor<64x64xi32>
  %bkb = tile.broadcast %kr : tensor<1x64xi32> -> tensor<64x64xi32>
  %stepb = arith.constant dense<64> : tensor<64x64xi32>
  %bo = arith.addi %brb, %bkb : tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<${T}>>
  %pb0 = tile.addptr %bs, %bo : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %za = arith.constant dense<0.0> : tensor<64x64x${T}>
  %zb = arith.constant dense<0.0> : tensor<64x64x${T}>
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %km = arith.addi %k, %bk : i32
  %km1 = arith.subi %km, %one : i32
  %trips = arith.divsi %km1, %bk : i32
  %r:3 = scf.for %i = %zero to %trips step %one iter_args(%acc = %acc0, %pa = %pa0, %pb = %pb0) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<${T}>>, tensor<64x64x!tile.ptr<${T}>>) : i32 {
    %kk = arith.muli %i, %bk : i32
    %rest = arith.subi %k, %kk : i32
    %rs = tile.splat %rest : tensor<64xi32>
    %ink = arith.cmpi slt, %rk, %rs : tensor<64xi32>
    %inr = tile.expand_dims %ink axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
    %ma = tile.broadcast %inr : tensor<1x64xi1> -> tensor<64x64xi1>
    %x = tile.load %pa mask %ma other %za : tensor<64x64x!tile.ptr<${T}>>
    %mb = tile.broadcast %inr : tensor<1x64xi1> -> tensor<64x64xi1>
    %yt = tile.load %pb mask %mb other %zb : tensor<64x64x!tile.ptr<${T}>>
    %y = tile.trans %yt order = [1, 0] : tensor<64x64x${T}> -> tensor<64x64x${T}>
    %d = tile.dot %x, %y, %acc : tensor<64x64x${T}> * tensor<64x64x${T}> -> tensor<64x64xf32>
    %qa = tile.addptr %pa, %stepa : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
    %qb = tile.addptr %pb, %stepb : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
    scf.yield %d, %qa, %qb : tensor<64x64xf32>, tensor<64x64x!tile.ptr<${T}>>, tensor<64x64x!tile.ptr<${T}>>
  }
  %h = arith.truncf %r#0 : tensor<64x64xf32> to tensor<64x64x${T}>
  %crow = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldcs = tile.splat %ldc : tensor<64x1xi32>
  %cro = arith.muli %crow, %ldcs : tensor<64x1xi32>
  %ccol = tile.expand_dims %jn axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %crb = tile.broadcast %cro : tensor<64x1xi32> -> tensor<64x64xi32>
  %ccb = tile.broadcast %ccol : tensor<1x64xi32> -> tensor<64x64xi32>
  %co = arith.addi %crb, %ccb : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<${T}>>
  %pc = tile.addptr %cs, %co : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %inm1 = arith.cmpi slt, %im, %ms : tensor<64xi32>
  %inn1 = arith.cmpi slt, %jn, %ns : tensor<64xi32>
  %inm2 = tile.expand_dims %inm1 axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
  %inn2 = tile.expand_dims %inn1 axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
  %inm3 = tile.broadcast %inm2 : tensor<64x1xi1> -> tensor<64x64xi1>
  %inn3 = tile.broadcast %inn2 : tensor<1x64xi1> -> tensor<64x64xi1>
  %mc = arith.andi %inm3, %inn3 : tensor<64x64xi1>
  tile.store %pc, %h mask %mc : tensor<64x64x!tile.ptr<${T}>>
  return
}
