// c = a b^T for a [M, K], b [N, K] and c [M, N] of any size, through descriptors: each program goes from block to block of c,
// GROUP rows of blocks at a time, so that neighbours find their factors in the cache.
//
//   tile-run examples/matmul.mlir --device=cpu --grid=2 -D BM=64 -D BN=64 -D BK=64 \
//     '--arg=desc(f16[100,72],box=64x64)=randn:1' '--arg=desc(f16[90,72],box=64x64)=randn:2' \
//     '--arg=desc(f16[100,96],box=64x64)=zeros' --arg=i32=100 --arg=i32=90 --arg=i32=72
//
// On an H100 or H200, with --num-warps=8 and a grid of as many programs as there are multiprocessors, the factors come by
// the tensor copy engine, started by a warp of its own; warp groups multiply from shared memory; blocks of c leave by the
// copy engine too. docs/hopper.md tells how and how fast.
//
// tile.param BM = 128 in 64, 128, 256
// tile.param BN = 256 in 64, 128, 256
// tile.param BK = 64 in 32, 64
// tile.param GROUP = 8
func.func @matmul(%a: !tile.desc<${BM}x${BK}xf16>, %b: !tile.desc<${BN}x${BK}xf16>, %c: !tile.desc<${BM}x${BN}xf16>,
    %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.constant ${GROUP} : i32
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %tm = arith.ceildivsi %m, %bm : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %tiles = arith.muli %tm, %tn : i32
  %per = arith.muli %tn, %group : i32
  scf.for %t = %pid to %tiles step %num : i32 {
    %gid = arith.divsi %t, %per : i32
    %fm = arith.muli %gid, %group : i32
    %left = arith.subi %tm, %fm : i32
    %gs = arith.minsi %left, %group : i32
    %gt = arith.muli %gid, %per : i32
    %r = arith.subi %t, %gt : i32
    %q = arith.divsi %r, %gs : i32
    %qg = arith.muli %q, %gs : i32
    %rm = arith.subi %r, %qg : i32
    %pm = arith.addi %fm, %rm : i32
    %m0 = arith.muli %pm, %bm : i32
    %n0 = arith.muli %q, %bn : i32
    %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<${BM}x${BN}xf32>) : i32 {
      %x = tile.desc_load %a[%m0, %kk] : !tile.desc<${BM}x${BK}xf16> -> tensor<${BM}x${BK}xf16>
      %y = tile.desc_load %b[%n0, %kk] : !tile.desc<${BN}x${BK}xf16> -> tensor<${BN}x${BK}xf16>
      %yt = tile.trans %y order = [1, 0] : tensor<${BN}x${BK}xf16> -> tensor<${BK}x${BN}xf16>
      %d = tile.dot %x, %yt, %acc : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
      scf.yield %d : tensor<${BM}x${BN}xf32>
    } {tile.warp_specialize}
    %h = arith.truncf %s : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
    tile.desc_store %c[%m0, %n0], %h : !tile.desc<${BM}x${BN}xf16>, tensor<${BM}x${BN}xf16>
  }
  return
}
