// c = a (b * scale)^T, a of f16, b [N, K] of bytes, a scale for each row and each BK columns of b.
func.func private @widen_i8(%w: tensor<${BN}x${BK}xi8>) -> tensor<${BN}x${BK}xf16> {
  %r = arith.sitofp %w : tensor<${BN}x${BK}xi8> to tensor<${BN}x${BK}xf16>
  return %r : tensor<${BN}x${BK}xf16>
}
func.func private @widen_f8E4M3FN(%w: tensor<${BN}x${BK}xf8E4M3FN>) -> tensor<${BN}x${BK}xf16> {
  %r = tile.fp_to_fp %w : tensor<${BN}x${BK}xf8E4M3FN> -> tensor<${BN}x${BK}xf16>
  return %r : tensor<${BN}x${BK}xf16>
}
func.func @matmul(%a: !tile.desc<${BM}x${BK}xf16>, %b: !tile.desc<${BN}x${BK}x${W}>, %c: !tile.desc<${BM}x${BN}xf16>,
    %bias: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32 {tile.divisibility = 16 : i32}, %k: i32) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.constant 8 : i32
  %rbn = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
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
    %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<${BM}x${BN}xf32>) : i32 {
      %x = tile.desc_load %a[%m0, %kk] : !tile.desc<${BM}x${BK}xf16> -> tensor<${BM}x${BK}xf16>
      %y = tile.desc_load %b[%n0, %kk] : !tile.desc<${BN}x${BK}x${W}> -> tensor<${BN}x${BK}x${W}>
      %yw = func.call @widen_${W}(%y) : (tensor<${BN}x${BK}x${W}>) -> tensor<${BN}x${BK}xf16>
      %gi = arith.divui %kk, %bk : i32
      %go = arith.muli %gi, %n : i32
      %gp = tile.addptr %bias, %go : !tile.ptr<f16>, i32
      %scs = tile.splat %n0 : tensor<${BN}xi32>
      %sci = arith.addi %scs, %rbn : tensor<${BN}xi32>
      %scp = tile.splat %gp : tensor<${BN}x!tile.ptr<f16>>
      %scq = tile.addptr %scp, %sci : tensor<${BN}x!tile.ptr<f16>>, tensor<${BN}xi32>
      %scns = tile.splat %n : tensor<${BN}xi32>
      %scin = arith.cmpi slt, %sci, %scns : tensor<${BN}xi32>
      %scno = arith.constant dense<0.0> : tensor<${BN}xf16>
      %scv = tile.load %scq mask %scin other %scno : tensor<${BN}x!tile.ptr<f16>>
      %sce = tile.expand_dims %scv axis = 1 : tensor<${BN}xf16> -> tensor<${BN}x1xf16>
      %scb = tile.broadcast %sce : tensor<${BN}x1xf16> -> tensor<${BN}x${BK}xf16>
      %yx = arith.mulf %yw, %scb : tensor<${BN}x${BK}xf16>
      %yt = tile.trans %yx order = [1, 0] : tensor<${BN}x${BK}xf16> -> tensor<${BK}x${BN}xf16>
      %d = tile.dot %x, %yt, %acc : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
      scf.yield %d : tensor<${BM}x${BN}xf32>
    } {tile.warp_specialize, tile.split = 1 : i32}
    %h = arith.truncf %s : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
    tile.desc_store %c[%m0, %n0], %h : !tile.desc<${BM}x${BN}xf16>, tensor<${BM}x${BN}xf16>
  }
  return
}
