func.func @transpose(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32})
    attributes {tile.kernel} {
  %r = tile.make_range 0 to 262144 : tensor<262144xi32>
  %xs = tile.splat %x : tensor<262144x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<262144x!tile.ptr<f32>>, tensor<262144xi32>
  %v = tile.load %p : tensor<262144x!tile.ptr<f32>>
  %m = tile.reshape %v : tensor<262144xf32> -> tensor<512x512xf32>
  %t = tile.trans %m order = [1, 0] : tensor<512x512xf32> -> tensor<512x512xf32>
  %s = tile.reshape %t : tensor<512x512xf32> -> tensor<262144xf32>
  %os = tile.splat %o : tensor<262144x!tile.ptr<f32>>
  %q = tile.addptr %os, %r : tensor<262144x!tile.ptr<f32>>, tensor<262144xi32>
  tile.store %q, %s : tensor<262144x!tile.ptr<f32>>
  return
}
