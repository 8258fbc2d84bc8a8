// c = a b for a [M, K], b [K, N] and c [M, N] of any size, through descriptors: each program goes from block to block of c,
// GROUP rows of blocks at a time, so that neighbours find their factors in the cache.
//
//   tile-run examples/matmul_kn.mlir --device=cpu --grid=2 -D BM=64 -D BN=64 -D BK=64 \
//     '--arg=desc(f16[100,72],box=64x64)=randn:1' '--arg=desc(f16[72,96],box=64x64)=randn:2' \
//     '--arg=desc(f16[100,96],box=64x64)=zeros' --arg=i32=100 --arg=i32=96 --arg=i32=72
//
// On an H100 or H200 the factors come by the tensor copy engine, started by a warp of its own; warp groups multiply from
// shared memory; blocks of c leave by the copy engine too. With SPLIT > 1, K is shared out among the blocks of a cluster,
// which sum up before they store (docs/hopper.md); with STREAM > 1 up to STREAM programs share each
// block that is left over when all programs have had equally many. --auto chooses all values below for the sizes at hand (docs/auto.md):
//
//   tile-run examples/matmul_kn.mlir --device=cuda --auto --bench '--arg=desc(f16[4096,4096])=randn:1' \
//     '--arg=desc(f16[4096,4096])=randn:2' '--arg=desc(f16[4096,4096])=zeros' --arg=i32=4096 --arg=i32=4096 --arg=i32=4096
//
// A program is SPLIT blocks, or BLOCKS along the rows of c times COLUMNS along its columns, each of BM x BN, which copy their factors for each
// other. Blocks with rows that are no multiple of 64 are computed transposed: their columns are 64 or 128. Four warps are for 64 rows, or columns.
// Where the chip's power is the limit, blocks are to be large: less is moved for each product. What storing a block of 128 x 256 takes shows
// where each program has one (2048 cubed: 3 % slower than two of 128 x 128). STREAM is for eight warps. Where K is shared out in clusters rows and columns are
// powers of two: products of pieces would be waited for in each iteration. C is the type of c.
// With 8-bit floats HOW says whether sums may lose bits in the matrix unit: warp groups do (BK = 128).
//
// tile.param T = f16 of f16, bf16, f8E4M3FN, f8E5M2
// tile.param C = f16 of f16, bf16
// tile.param HOW = imprecise_acc = 0 of imprecise_acc = 1048576
// tile.param BM = 128 in 128, 64, 16, 32, 48, 80, 96, 112, 144, 160, 176, 208, 224
// tile.param BN = 256 in 256, 224, 208, 192, 176, 160, 144, 128, 96, 80, 64, 48, 32, 16
// tile.param BK = 64
// tile.param GROUP = 8
// tile.param SPLIT = 1 in 1, 2, 4, 8
// tile.param BLOCKS = 1 in 1, 2, 4
// tile.param COLUMNS = 1 in 1, 2, 4
// tile.param STREAM = 1 in 1, 4
// tile.param NUM_WARPS = 8 in 4, 8
// tile.param NUM_STAGES = 3 in 14
// tile.require (BM % 64) * (BN % 64) <= 0
// tile.require (BM % 64) * max(BN - 128, 0) <= 0
// tile.require (BM % 64) * max(BN - 64, 0) * max(48 - BM, 0) <= 0
// tile.require max(BM - 64, 0) * max(64 - BN, 0) <= 0
// tile.require max(m * n - 16000000, 0) * max(24576 - BM * BN, 0) * (BM / 80) <= 0
// tile.require (SPLIT - 1) * (256 % BN + max(BM * BN - 16384, 0) + BM % 64 * (64 % BM + max(BN - 64, 0))) <= 0
// tile.require (SPLIT - 1) * max(ceildiv(m, BM) * ceildiv(n, BN) * SPLIT - 2 * processors, 0) <= 0
// tile.require max(32 - BN, 0) * max(2 - SPLIT, 0) <= 0
// tile.require BLOCKS * COLUMNS <= 8
// tile.require (SPLIT - 1) * (BLOCKS * COLUMNS - 1) <= 0
// tile.require (BM % 64) * max(BLOCKS - 2, 0) * max(2 - COLUMNS, 0) <= 0
// tile.require (BM * BN / 32768) * max(k - 1024, 0) * max(processors + 1 - ceildiv(m, BM * BLOCKS) * ceildiv(n, BN * COLUMNS) * BLOCKS * COLUMNS, 0) <= 0
// tile.require (STREAM - 1) * (SPLIT - 1 + max(BLOCKS * COLUMNS - 4, 0) + max(BM * BN - 28672, 0) + BM % 64 * max(80 - BM, 0)) <= 0
// tile.require max(8 - NUM_WARPS, 0) * (STREAM - 1) <= 0
// tile.require max(8 - NUM_WARPS, 0) * max(1 - BM % 64, 0) * max(BM - 64, 0) <= 0
// tile.require (BM % 64) * max(BN * (8 - NUM_WARPS) - 256, NUM_WARPS * (128 - BN) - 256) <= 0
// tile.row a = k, m
// tile.row b = n, k
// tile.grid = min(ceildiv(m, BM * BLOCKS) * ceildiv(n, BN * COLUMNS) * STREAM, (processors - processors / 11 * min(SPLIT * BLOCKS * COLUMNS / 4, 1)) / SPLIT / BLOCKS / COLUMNS)
func.func @matmul_kn(%a: !tile.desc<${BM * BLOCKS}x${BK}x${T}>, %b: !tile.desc<${BK}x${BN * COLUMNS}x${T}>, %c: !tile.desc<${BM * BLOCKS}x${BN * COLUMNS}x${C}>,
    %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant ${BM * BLOCKS} : i32
  %bn = arith.constant ${BN * COLUMNS} : i32
  %bk = arith.constant ${BK} : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.constant ${GROUP} : i32
  %acc0 = arith.constant dense<0.0> : tensor<${BM * BLOCKS}x${BN * COLUMNS}xf32>
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
    %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<${BM * BLOCKS}x${BN * COLUMNS}xf32>) : i32 {
      %x = tile.desc_load %a[%m0, %kk] : !tile.desc<${BM * BLOCKS}x${BK}x${T}> -> tensor<${BM * BLOCKS}x${BK}x${T}>
      %y = tile.desc_load %b[%kk, %n0] : !tile.desc<${BK}x${BN * COLUMNS}x${T}> -> tensor<${BK}x${BN * COLUMNS}x${T}>
      %d = tile.dot %x, %y, %acc ${HOW} : tensor<${BM * BLOCKS}x${BK}x${T}> * tensor<${BK}x${BN * COLUMNS}x${T}> -> tensor<${BM * BLOCKS}x${BN * COLUMNS}xf32>
      scf.yield %d : tensor<${BM * BLOCKS}x${BN * COLUMNS}xf32>
    } {tile.warp_specialize, tile.split = ${SPLIT} : i32, tile.blocks = ${BLOCKS} : i32, tile.column_blocks = ${COLUMNS} : i32}
    %h = arith.truncf %s : tensor<${BM * BLOCKS}x${BN * COLUMNS}xf32> to tensor<${BM * BLOCKS}x${BN * COLUMNS}x${C}>
    tile.desc_store %c[%m0, %n0], %h : !tile.desc<${BM * BLOCKS}x${BN * COLUMNS}x${C}>, tensor<${BM * BLOCKS}x${BN * COLUMNS}x${C}>
  } {tile.stream = ${STREAM} : i32}
  return
}
