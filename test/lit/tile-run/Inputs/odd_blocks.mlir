// c = max(a b^T + bias, 0), or without the bias: blocks of any size, 192 columns among them.
// tile.param BM = 128 of 128
// tile.param BN = 192 of 192
func.func @odd_blocks(%a: !tile.desc<${BM}x64xf16>, %b: !tile.desc<${BN}x64xf16>, %c: !tile.desc<${BM}x${BN}xf16>, %bias: !tile.ptr<f32>,
    %n: i32, %k: i32, %has: i32) attributes {tile.kernel} {
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %none = arith.constant dense<0.0> : tensor<${BN}xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %m0 = arith.muli %x, %bm : i32
  %n0 = arith.muli %y, %bn : i32
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<${BM}x${BN}xf32>) : i32 {
    %p = tile.desc_load %a[%m0, %kk] : !tile.desc<${BM}x64xf16> -> tensor<${BM}x64xf16>
    %q = tile.desc_load %b[%n0, %kk] : !tile.desc<${BN}x64xf16> -> tensor<${BN}x64xf16>
    %qt = tile.trans %q order = [1, 0] : tensor<${BN}x64xf16> -> tensor<64x${BN}xf16>
    %d = tile.dot %p, %qt, %acc : tensor<${BM}x64xf16> * tensor<64x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    scf.yield %d : tensor<${BM}x${BN}xf32>
  }
  %is = arith.cmpi ne, %has, %zero : i32
  %z = scf.if %is -> (tensor<${BM}x${BN}xf32>) {
    %r = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
    %n0s = tile.splat %n0 : tensor<${BN}xi32>
    %at = arith.addi %n0s, %r : tensor<${BN}xi32>
    %ns = tile.splat %n : tensor<${BN}xi32>
    %in = arith.cmpi slt, %at, %ns : tensor<${BN}xi32>
    %base = tile.splat %bias : tensor<${BN}x!tile.ptr<f32>>
    %ptr = tile.addptr %base, %at : tensor<${BN}x!tile.ptr<f32>>, tensor<${BN}xi32>
    %v = tile.load %ptr mask %in other %none : tensor<${BN}x!tile.ptr<f32>>
    %row = tile.expand_dims %v axis = 0 : tensor<${BN}xf32> -> tensor<1x${BN}xf32>
    %all = tile.broadcast %row : tensor<1x${BN}xf32> -> tensor<${BM}x${BN}xf32>
    %sum = arith.addf %s, %all : tensor<${BM}x${BN}xf32>
    scf.yield %sum : tensor<${BM}x${BN}xf32>
  } else {
    scf.yield %s : tensor<${BM}x${BN}xf32>
  }
  %t = arith.maximumf %z, %acc0 : tensor<${BM}x${BN}xf32>
  %h = arith.truncf %t : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
  tile.desc_store %c[%m0, %n0], %h : !tile.desc<${BM}x${BN}xf16>, tensor<${BM}x${BN}xf16>
  return
}
