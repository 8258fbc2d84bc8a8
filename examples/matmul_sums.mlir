// c = a b^T as in matmul.mlir, where c has the type of the sums: products of f32 as tf32, or of bytes with sums of i32.
//
//   tile-run examples/matmul_sums.mlir --device=cpu --grid=2 -D BM=64 -D BN=64 -D T=i8 -D C=i32 -D ZERO=0 -D HOW= -D BK=128 \
//     '--arg=desc(i8[100,144],box=64x128)=rand:1' '--arg=desc(i8[90,144],box=64x128)=rand:2' \
//     '--arg=desc(i32[100,96],box=64x64)=zeros' --arg=i32=100 --arg=i32=90 --arg=i32=144
//
// Sums of 32 bits leave in parts where a block of them would leave too little shared memory to factors (docs/hopper.md). HOW, ZERO
// and BK belong to the types: precision = tf32, 0.0 and 32 for f32, nothing, 0 and 128 for i8.
//
// tile.param T = f32 of f32, i8
// tile.param C = f32 of f32, i32
// tile.param ZERO = 0.0 of 0.0, 0
// tile.param HOW = precision = tf32 of imprecise_acc = 0
// tile.param BM = 128 in 128, 64, 256
// tile.param BN = 256 in 256, 128, 64
// tile.param BK = 32
// tile.param GROUP = 8
// tile.param SPLIT = 1 in 1, 2
// tile.param BLOCKS = 1 of 1, 2
// tile.param PER = 1 in 1, 2
// tile.param NUM_WARPS = 8 in 4, 8
// tile.param NUM_STAGES = 3 in 3, 4, 6, 8
// tile.require SPLIT * PER <= max(SPLIT, PER)
// tile.require max(8 - NUM_WARPS, 0) * max(BM - 64, 0) * (BN - 64) <= 0
// tile.require max(m, BN) >= 128
// tile.require max(m * n - 4000000, 0) * max(24576 - BM * BN, 0) * (BM / 128) <= 0
// tile.grid = min(ceildiv(m, BM * BLOCKS) * ceildiv(n, BN), processors * PER / SPLIT / BLOCKS)
func.func @matmul_sums(%a: !tile.desc<${BM * BLOCKS}x${BK}x${T}>, %b: !tile.desc<${BN}x${BK}x${T}>, %c: !tile.desc<${BM * BLOCKS}x${BN}x${C}>,
    %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant ${BM * BLOCKS} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.constant ${GROUP} : i32
  %acc0 = arith.constant dense<${ZERO}> : tensor<${BM * BLOCKS}x${BN}x${C}>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %tm = arith.ceildivsi %m, %bm : i32
  %tn = arith.ceildivsi %n, %bn : i32
  %tiles = arith.muli %tm, %tn : i32
  %per = arith.muli %tn, %group : i32
  %groups = arith.divsi %tm, %group : i32
  %whole = arith.muli %groups, %group : i32
  %inwhole = arith.muli %whole, %tn : i32
  %rest = arith.subi %tm, %whole : i32
  scf.for %t = %pid to %tiles step %num : i32 {
    // Blocks of whole groups go by group, column and row, those of the rows that are left by column and row: one division by a
    // number that is not known, one by a constant.
    %isrest = arith.cmpi sge, %t, %inwhole : i32
    %behind = arith.subi %t, %inwhole : i32
    %n1 = arith.select %isrest, %behind, %t : i32
    %d1 = arith.select %isrest, %rest, %per : i32
    %x1 = arith.divui %n1, %d1 : i32
    %x1d = arith.muli %x1, %d1 : i32
    %r1 = arith.subi %n1, %x1d : i32
    %column = arith.divui %r1, %group : i32
    %row = arith.remui %r1, %group : i32
    %first = arith.muli %x1, %group : i32
    %ingroup = arith.addi %first, %row : i32
    %inrest = arith.addi %whole, %r1 : i32
    %pm = arith.select %isrest, %inrest, %ingroup : i32
    %q = arith.select %isrest, %x1, %column : i32
    %m0 = arith.muli %pm, %bm : i32
    %n0 = arith.muli %q, %bn : i32
    %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<${BM * BLOCKS}x${BN}x${C}>) : i32 {
      %x = tile.desc_load %a[%m0, %kk] : !tile.desc<${BM * BLOCKS}x${BK}x${T}> -> tensor<${BM * BLOCKS}x${BK}x${T}>
      %y = tile.desc_load %b[%n0, %kk] : !tile.desc<${BN}x${BK}x${T}> -> tensor<${BN}x${BK}x${T}>
      %yt = tile.trans %y order = [1, 0] : tensor<${BN}x${BK}x${T}> -> tensor<${BK}x${BN}x${T}>
      %d = tile.dot %x, %yt, %acc ${HOW} : tensor<${BM * BLOCKS}x${BK}x${T}> * tensor<${BK}x${BN}x${T}> -> tensor<${BM * BLOCKS}x${BN}x${C}>
      scf.yield %d : tensor<${BM * BLOCKS}x${BN}x${C}>
    } {tile.warp_specialize, tile.split = ${SPLIT} : i32, tile.blocks = ${BLOCKS} : i32}
    tile.desc_store %c[%m0, %n0], %s : !tile.desc<${BM * BLOCKS}x${BN}x${C}>, tensor<${BM * BLOCKS}x${BN}x${C}>
  }
  return
}
