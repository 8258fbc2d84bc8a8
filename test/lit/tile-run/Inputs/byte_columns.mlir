// c = x w and d = w^T x^T, for x [64, k] and w [k, 64] of bytes (W), widened to T: the bytes lie across K in both products.
func.func @byte_columns(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<${W}> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %d: !tile.ptr<f32> {tile.divisibility = 16 : i32},
    %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 32 : i32
  %acc = arith.constant dense<0.0> : tensor<64x64xf32>
  %n64 = tile.make_range 0 to 64 : tensor<64xi32>
  %n32 = tile.make_range 0 to 32 : tensor<32xi32>
  %row = tile.expand_dims %n64 axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tile.splat %k : tensor<64x1xi32>
  %row_at = arith.muli %row, %ks : tensor<64x1xi32>
  %xs = tile.splat %x : tensor<64x1x!tile.ptr<${T}>>
  %xr = tile.addptr %xs, %row_at : tensor<64x1x!tile.ptr<${T}>>, tensor<64x1xi32>
  %xb = tile.broadcast %xr : tensor<64x1x!tile.ptr<${T}>> -> tensor<64x32x!tile.ptr<${T}>>
  %kk = tile.expand_dims %n32 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kb = tile.broadcast %kk : tensor<1x32xi32> -> tensor<64x32xi32>
  %px = tile.addptr %xb, %kb : tensor<64x32x!tile.ptr<${T}>>, tensor<64x32xi32>
  %kr = tile.expand_dims %n32 axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c64 = arith.constant dense<64> : tensor<32x1xi32>
  %kat = arith.muli %kr, %c64 : tensor<32x1xi32>
  %ws = tile.splat %w : tensor<32x1x!tile.ptr<${W}>>
  %wr = tile.addptr %ws, %kat : tensor<32x1x!tile.ptr<${W}>>, tensor<32x1xi32>
  %wb = tile.broadcast %wr : tensor<32x1x!tile.ptr<${W}>> -> tensor<32x64x!tile.ptr<${W}>>
  %col = tile.expand_dims %n64 axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<32x64xi32>
  %pw = tile.addptr %wb, %colb : tensor<32x64x!tile.ptr<${W}>>, tensor<32x64xi32>
  %stepx = arith.constant dense<32> : tensor<64x32xi32>
  %stepw = arith.constant dense<2048> : tensor<32x64xi32>
  %nonex = arith.constant dense<0.0> : tensor<64x32x${T}>
  %nonew = arith.constant dense<${NONE}> : tensor<32x64x${W}>
  %r:3 = scf.for %j = %zero to %k step %bk iter_args(%a = %acc, %qx = %px, %qw = %pw)
      -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<${T}>>, tensor<32x64x!tile.ptr<${W}>>) : i32 {
    %v = tile.load %qx : tensor<64x32x!tile.ptr<${T}>>
    %u = tile.load %qw : tensor<32x64x!tile.ptr<${W}>>
    %f = ${WIDEN} %u : tensor<32x64x${W}> ${TO} tensor<32x64x${T}>
    %s = tile.dot %v, %f, %a : tensor<64x32x${T}> * tensor<32x64x${T}> -> tensor<64x64xf32>
    %nx = tile.addptr %qx, %stepx : tensor<64x32x!tile.ptr<${T}>>, tensor<64x32xi32>
    %nw = tile.addptr %qw, %stepw : tensor<32x64x!tile.ptr<${W}>>, tensor<32x64xi32>
    scf.yield %s, %nx, %nw : tensor<64x64xf32>, tensor<64x32x!tile.ptr<${T}>>, tensor<32x64x!tile.ptr<${W}>>
  }
  %r2:3 = scf.for %j = %zero to %k step %bk iter_args(%a = %acc, %qx = %px, %qw = %pw)
      -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<${T}>>, tensor<32x64x!tile.ptr<${W}>>) : i32 {
    %v = tile.load %qx : tensor<64x32x!tile.ptr<${T}>>
    %u = tile.load %qw : tensor<32x64x!tile.ptr<${W}>>
    %f = ${WIDEN} %u : tensor<32x64x${W}> ${TO} tensor<32x64x${T}>
    %vt = tile.trans %v order = [1, 0] : tensor<64x32x${T}> -> tensor<32x64x${T}>
    %ft = tile.trans %f order = [1, 0] : tensor<32x64x${T}> -> tensor<64x32x${T}>
    %s = tile.dot %ft, %vt, %a : tensor<64x32x${T}> * tensor<32x64x${T}> -> tensor<64x64xf32>
    %nx = tile.addptr %qx, %stepx : tensor<64x32x!tile.ptr<${T}>>, tensor<64x32xi32>
    %nw = tile.addptr %qw, %stepw : tensor<32x64x!tile.ptr<${W}>>, tensor<32x64xi32>
    scf.yield %s, %nx, %nw : tensor<64x64xf32>, tensor<64x32x!tile.ptr<${T}>>, tensor<32x64x!tile.ptr<${W}>>
  }
  %rs = tile.expand_dims %n64 axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c64s = arith.constant dense<64> : tensor<64x1xi32>
  %out_at = arith.muli %rs, %c64s : tensor<64x1xi32>
  %oa = tile.broadcast %out_at : tensor<64x1xi32> -> tensor<64x64xi32>
  %ob = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %oa, %ob : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %r#0 : tensor<64x64x!tile.ptr<f32>>
  %ds = tile.splat %d : tensor<64x64x!tile.ptr<f32>>
  %pd = tile.addptr %ds, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pd, %r2#0 : tensor<64x64x!tile.ptr<f32>>
  return
}
