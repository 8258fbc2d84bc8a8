// C = A B and D = A E, two sums over one first factor; rows of all factors run along memory, sizes that are multiples of the block's.
// tile.param BM = 128
// tile.param BN = 128
// tile.param BK = 64
func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}, %e: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %d2: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %cbk = arith.constant ${BK} : i32
  %cbm = arith.constant ${BM} : i32
  %cbn = arith.constant ${BN} : i32
  %m0 = arith.muli %pm, %cbm : i32
  %n0 = arith.muli %pn, %cbn : i32
  %rm = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %rn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %rk = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %m0s = tile.splat %m0 : tensor<${BM}xi32>
  %n0s = tile.splat %n0 : tensor<${BN}xi32>
  %im = arith.addi %rm, %m0s : tensor<${BM}xi32>
  %in = arith.addi %rn, %n0s : tensor<${BN}xi32>
  %ae = tile.expand_dims %im axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %ast = tile.splat %lda : tensor<${BM}x1xi32>
  %am = arith.muli %ae, %ast : tensor<${BM}x1xi32>
  %af = tile.expand_dims %rk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %ab0 = tile.broadcast %am : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %ab1 = tile.broadcast %af : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %ao = arith.addi %ab0, %ab1 : tensor<${BM}x${BK}xi32>
  %be = tile.expand_dims %rk axis = 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %bst = tile.splat %ldb : tensor<${BK}x1xi32>
  %bm = arith.muli %be, %bst : tensor<${BK}x1xi32>
  %bf = tile.expand_dims %in axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %bb0 = tile.broadcast %bm : tensor<${BK}x1xi32> -> tensor<${BK}x${BN}xi32>
  %bb1 = tile.broadcast %bf : tensor<1x${BN}xi32> -> tensor<${BK}x${BN}xi32>
  %bo = arith.addi %bb0, %bb1 : tensor<${BK}x${BN}xi32>
  %ce = tile.expand_dims %im axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %cst = tile.splat %ldc : tensor<${BM}x1xi32>
  %cm = arith.muli %ce, %cst : tensor<${BM}x1xi32>
  %cf = tile.expand_dims %in axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %cb0 = tile.broadcast %cm : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %cb1 = tile.broadcast %cf : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %co = arith.addi %cb0, %cb1 : tensor<${BM}x${BN}xi32>
  %pas = tile.splat %a : tensor<${BM}x${BK}x!tile.ptr<f16>>
  %pa0 = tile.addptr %pas, %ao : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
  %pbs = tile.splat %b : tensor<${BK}x${BN}x!tile.ptr<f16>>
  %pb0 = tile.addptr %pbs, %bo : tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BK}x${BN}xi32>
  %pes = tile.splat %e : tensor<${BK}x${BN}x!tile.ptr<f16>>
  %pe0 = tile.addptr %pes, %bo : tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BK}x${BN}xi32>
  %pds = tile.splat %d2 : tensor<${BM}x${BN}x!tile.ptr<f16>>
  %pd0 = tile.addptr %pds, %co : tensor<${BM}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xi32>
  %pcs = tile.splat %c : tensor<${BM}x${BN}x!tile.ptr<f16>>
  %pc0 = tile.addptr %pcs, %co : tensor<${BM}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xi32>
  %stepa = arith.constant dense<${BK}> : tensor<${BM}x${BK}xi32>
  %sbk = arith.muli %ldb, %cbk : i32
  %stepb = tile.splat %sbk : tensor<${BK}x${BN}xi32>
  %zero = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %r:5 = scf.for %i = %c0 to %k step %cbk iter_args(%acc = %zero, %pa = %pa0, %pb = %pb0, %sum = %zero, %pe = %pe0) -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xf32>, tensor<${BK}x${BN}x!tile.ptr<f16>>) : i32 {
    %x = tile.load %pa : tensor<${BM}x${BK}x!tile.ptr<f16>>
    %y0 = tile.load %pb : tensor<${BK}x${BN}x!tile.ptr<f16>>
    %d = tile.dot %x, %y0, %acc : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %z0 = tile.load %pe : tensor<${BK}x${BN}x!tile.ptr<f16>>
    %s = tile.dot %x, %z0, %sum : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %qe = tile.addptr %pe, %stepb : tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BK}x${BN}xi32>
    %qa = tile.addptr %pa, %stepa : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
    %qb = tile.addptr %pb, %stepb : tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BK}x${BN}xi32>
    scf.yield %d, %qa, %qb, %s, %qe : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xf32>, tensor<${BK}x${BN}x!tile.ptr<f16>>
  }
  %h = arith.truncf %r#0 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
  tile.store %pc0, %h : tensor<${BM}x${BN}x!tile.ptr<f16>>
  %g = arith.truncf %r#3 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
  tile.store %pd0, %g : tensor<${BM}x${BN}x!tile.ptr<f16>>
  return
}
