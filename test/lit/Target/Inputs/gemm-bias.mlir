// C = GELU(A B + bias), the bias of each column loaded in front of the loop; rows of A and columns of B run along memory, sizes that are multiples of the block's.
// tile.param BM = 128
// tile.param BN = 128
// tile.param BK = 64
func.func @matmul(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}, %lda: i32 {tile.divisibility = 16 : i32}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}, %s: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
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
  %Ar = tile.expand_dims %im axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %Ac = tile.expand_dims %rk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %Ald = tile.splat %lda : tensor<${BM}x1xi32>
  %Am = arith.muli %Ar, %Ald : tensor<${BM}x1xi32>
  %Ab0 = tile.broadcast %Am : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %Ab1 = tile.broadcast %Ac : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %Ao = arith.addi %Ab0, %Ab1 : tensor<${BM}x${BK}xi32>
  %Br = tile.expand_dims %rk axis = 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %Bc = tile.expand_dims %in axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %Bld = tile.splat %ldb : tensor<1x${BN}xi32>
  %Bm = arith.muli %Bc, %Bld : tensor<1x${BN}xi32>
  %Bb0 = tile.broadcast %Br : tensor<${BK}x1xi32> -> tensor<${BK}x${BN}xi32>
  %Bb1 = tile.broadcast %Bm : tensor<1x${BN}xi32> -> tensor<${BK}x${BN}xi32>
  %Bo = arith.addi %Bb0, %Bb1 : tensor<${BK}x${BN}xi32>
  %Cr = tile.expand_dims %im axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %Cc = tile.expand_dims %in axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %Cld = tile.splat %ldc : tensor<${BM}x1xi32>
  %Cm = arith.muli %Cr, %Cld : tensor<${BM}x1xi32>
  %Cb0 = tile.broadcast %Cm : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %Cb1 = tile.broadcast %Cc : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %Co = arith.addi %Cb0, %Cb1 : tensor<${BM}x${BN}xi32>
  %pas = tile.splat %a : tensor<${BM}x${BK}x!tile.ptr<f16>>
  %pa0 = tile.addptr %pas, %Ao : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
  %pb_s = tile.splat %b : tensor<${BK}x${BN}x!tile.ptr<f16>>
  %pb_0 = tile.addptr %pb_s, %Bo : tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BK}x${BN}xi32>
  %pc_s = tile.splat %c : tensor<${BM}x${BN}x!tile.ptr<f16>>
  %pc_0 = tile.addptr %pc_s, %Co : tensor<${BM}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xi32>
  %stepa = arith.constant dense<${BK}> : tensor<${BM}x${BK}xi32>
  %stepb = arith.constant dense<${BK}> : tensor<${BK}x${BN}xi32>
  %zero = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %scp = tile.splat %s : tensor<${BN}x!tile.ptr<f16>>
  %scq = tile.addptr %scp, %in : tensor<${BN}x!tile.ptr<f16>>, tensor<${BN}xi32>
  %scv = tile.load %scq : tensor<${BN}x!tile.ptr<f16>>
  %sce = tile.expand_dims %scv axis = 0 : tensor<${BN}xf16> -> tensor<1x${BN}xf16>
  %r:3 = scf.for %i = %c0 to %k step %cbk iter_args(%acc = %zero, %pav = %pa0, %pbv0 = %pb_0) -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BK}x${BN}x!tile.ptr<f16>>) : i32 {
    %x = tile.load %pav : tensor<${BM}x${BK}x!tile.ptr<f16>>
    %y0 = tile.load %pbv0 : tensor<${BK}x${BN}x!tile.ptr<f16>>
    %d0 = tile.dot %x, %y0, %acc  : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %qa = tile.addptr %pav, %stepa : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
    %qb0 = tile.addptr %pbv0, %stepb : tensor<${BK}x${BN}x!tile.ptr<f16>>, tensor<${BK}x${BN}xi32>
    scf.yield %d0, %qa, %qb0 : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BK}x${BN}x!tile.ptr<f16>>
  }
  %eb = tile.broadcast %sce : tensor<1x${BN}xf16> -> tensor<${BM}x${BN}xf16>
  %ee = arith.extf %eb : tensor<${BM}x${BN}xf16> to tensor<${BM}x${BN}xf32>
  %e1 = arith.addf %r#0, %ee : tensor<${BM}x${BN}xf32>
  %eh = arith.constant dense<0.5> : tensor<${BM}x${BN}xf32>
  %er2 = arith.constant dense<0.70710678> : tensor<${BM}x${BN}xf32>
  %eone = arith.constant dense<1.0> : tensor<${BM}x${BN}xf32>
  %e2 = arith.mulf %e1, %er2 : tensor<${BM}x${BN}xf32>
  %e3 = math.erf %e2 : tensor<${BM}x${BN}xf32>
  %e4 = arith.addf %e3, %eone : tensor<${BM}x${BN}xf32>
  %e5 = arith.mulf %e1, %e4 : tensor<${BM}x${BN}xf32>
  %e6 = arith.mulf %e5, %eh : tensor<${BM}x${BN}xf32>
  %h0 = arith.truncf %e6 : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
  tile.store %pc_0, %h0 : tensor<${BM}x${BN}x!tile.ptr<f16>>
  return
}
