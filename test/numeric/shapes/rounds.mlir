// Sources of lookups that shared memory does not hold whole: they go through it in parts.
//
// for N in 300
// run: --kernel=turned --arg=f32[{150*N}]=iota --arg=f32[{150*N}]=zeros
// for N in 512
// run: --kernel=along0 --arg=f32[{128*N}]=randn:1 --arg=i32[{32*N}]=rand:2:0:128 --arg=f32[{32*N}]=zeros
// run: --kernel=along1 --arg=f32[{128*N}]=randn:1 --arg=i32[{128*64}]=rand:2:0:{N} --arg=f32[{128*64}]=zeros

// The order of a matrix's elements, and back.
func.func @turned(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 45000 : tensor<45000xi32>
  %xs = tile.splat %x : tensor<45000x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<45000x!tile.ptr<f32>>, tensor<45000xi32>
  %v = tile.load %px : tensor<45000x!tile.ptr<f32>>
  %r = tile.reshape %v : tensor<45000xf32> -> tensor<150x300xf32>
  %t = tile.trans %r order = [1, 0] : tensor<150x300xf32> -> tensor<300x150xf32>
  %z = tile.reshape %t : tensor<300x150xf32> -> tensor<45000xf32>
  %ys = tile.splat %y : tensor<45000x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<45000x!tile.ptr<f32>>, tensor<45000xi32>
  tile.store %py, %z : tensor<45000x!tile.ptr<f32>>
  return
}

func.func private @matrix(%x: !tile.ptr<f32>) -> tensor<128x512xf32> {
  %i = tile.make_range 0 to 65536 : tensor<65536xi32>
  %at = tile.reshape %i : tensor<65536xi32> -> tensor<128x512xi32>
  %xs = tile.splat %x : tensor<128x512x!tile.ptr<f32>>
  %px = tile.addptr %xs, %at : tensor<128x512x!tile.ptr<f32>>, tensor<128x512xi32>
  %v = tile.load %px : tensor<128x512x!tile.ptr<f32>>
  return %v : tensor<128x512xf32>
}

func.func @along0(%x: !tile.ptr<f32>, %index: !tile.ptr<i32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = func.call @matrix(%x) : (!tile.ptr<f32>) -> tensor<128x512xf32>
  %i = tile.make_range 0 to 16384 : tensor<16384xi32>
  %at = tile.reshape %i : tensor<16384xi32> -> tensor<32x512xi32>
  %is = tile.splat %index : tensor<32x512x!tile.ptr<i32>>
  %pi = tile.addptr %is, %at : tensor<32x512x!tile.ptr<i32>>, tensor<32x512xi32>
  %k = tile.load %pi : tensor<32x512x!tile.ptr<i32>>
  %g = tile.gather %v, %k axis = 0 : tensor<128x512xf32>, tensor<32x512xi32> -> tensor<32x512xf32>
  %ys = tile.splat %y : tensor<32x512x!tile.ptr<f32>>
  %py = tile.addptr %ys, %at : tensor<32x512x!tile.ptr<f32>>, tensor<32x512xi32>
  tile.store %py, %g : tensor<32x512x!tile.ptr<f32>>
  return
}

func.func @along1(%x: !tile.ptr<f32>, %index: !tile.ptr<i32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = func.call @matrix(%x) : (!tile.ptr<f32>) -> tensor<128x512xf32>
  %i = tile.make_range 0 to 8192 : tensor<8192xi32>
  %at = tile.reshape %i : tensor<8192xi32> -> tensor<128x64xi32>
  %is = tile.splat %index : tensor<128x64x!tile.ptr<i32>>
  %pi = tile.addptr %is, %at : tensor<128x64x!tile.ptr<i32>>, tensor<128x64xi32>
  %k = tile.load %pi : tensor<128x64x!tile.ptr<i32>>
  %g = tile.gather %v, %k axis = 1 : tensor<128x512xf32>, tensor<128x64xi32> -> tensor<128x64xf32>
  %ys = tile.splat %y : tensor<128x64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %at : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
  tile.store %py, %g : tensor<128x64x!tile.ptr<f32>>
  return
}
