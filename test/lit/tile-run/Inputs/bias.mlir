// y = x + b, b for each column.
func.func @bias(%x: !tile.desc<4x16xf32>, %y: !tile.desc<4x16xf32>, %b: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %v = tile.desc_load %x[%c0, %c0] : !tile.desc<4x16xf32> -> tensor<4x16xf32>
  %i = tile.make_range 0 to 16 : tensor<16xi32>
  %bs = tile.splat %b : tensor<16x!tile.ptr<f32>>
  %p = tile.addptr %bs, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %w = tile.load %p : tensor<16x!tile.ptr<f32>>
  %e = tile.expand_dims %w axis = 0 : tensor<16xf32> -> tensor<1x16xf32>
  %f = tile.broadcast %e : tensor<1x16xf32> -> tensor<4x16xf32>
  %s = arith.addf %v, %f : tensor<4x16xf32>
  tile.desc_store %y[%c0, %c0], %s : !tile.desc<4x16xf32>, tensor<4x16xf32>
  return
}
