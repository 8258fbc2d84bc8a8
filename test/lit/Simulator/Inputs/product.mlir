// What Dialect/TileNV/gemm.mlir computes, for the cpu device.
func.func @gemm(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %ra = tile.make_range 0 to 65536 : tensor<65536xi32>
  %ia = tile.reshape %ra : tensor<65536xi32> -> tensor<256x256xi32>
  %rb = tile.make_range 0 to 32768 : tensor<32768xi32>
  %ib = tile.reshape %rb : tensor<32768xi32> -> tensor<128x256xi32>
  %ic = tile.reshape %rb : tensor<32768xi32> -> tensor<256x128xi32>
  %as = tile.splat %a : tensor<256x256x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ia : tensor<256x256x!tile.ptr<f16>>, tensor<256x256xi32>
  %x = tile.load %pa : tensor<256x256x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<128x256x!tile.ptr<f16>>
  %pb = tile.addptr %bs, %ib : tensor<128x256x!tile.ptr<f16>>, tensor<128x256xi32>
  %y = tile.load %pb : tensor<128x256x!tile.ptr<f16>>
  %yt = tile.trans %y order = [1, 0] : tensor<128x256xf16> -> tensor<256x128xf16>
  %s = tile.dot %x, %yt, %zero : tensor<256x256xf16> * tensor<256x128xf16> -> tensor<256x128xf32>
  %r = arith.truncf %s : tensor<256x128xf32> to tensor<256x128xf16>
  %cs = tile.splat %c : tensor<256x128x!tile.ptr<f16>>
  %pc = tile.addptr %cs, %ic : tensor<256x128x!tile.ptr<f16>>, tensor<256x128xi32>
  tile.store %pc, %r : tensor<256x128x!tile.ptr<f16>>
  return
}
