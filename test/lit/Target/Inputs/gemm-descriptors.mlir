// c = a b^T through descriptors of 128 x 64: blocks that reach beyond the matrices, and any K.
func.func @matmul(%a: !tile.desc<128x64xf16>, %b: !tile.desc<128x64xf16>, %c: !tile.desc<128x128xf16>, %k: i32) attributes {tile.kernel} {
  %bk = arith.constant 64 : i32
  %bm = arith.constant 128 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x128xf32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bm : i32
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x128xf32>) : i32 {
    %x = tile.desc_load %a[%m0, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %y = tile.desc_load %b[%n0, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %yt = tile.trans %y order = [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %yt, %acc : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %c[%m0, %n0], %h : !tile.desc<128x128xf16>, tensor<128x128xf16>
  return
}
