// A factor without its diagonal. It is masked in the layout of the product, what is compared has that of the load: a warp's own numbers
// of the one say nothing of its own of the other.
// DEFINE: %{run} = --grid=1 --arg=f16[8192]=rand:1 --arg=f32[1024]=zeros --arg=i32=4 --against=cpu --atol=1e-2
// RUN: tile-run %s --device=sim --target=gfx942 --num-warps=8 %{run}
// RUN: tile-run %s --device=sim --target=gfx1100 --num-warps=4 %{run}
// RUN: tile-run %s --device=sim --target=sm_80 --num-warps=4 %{run}
func.func @masked(%b: !tile.ptr<f16>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = arith.constant 2048 : i32
  %width = arith.constant dense<32> : tensor<64x1xi32>
  %a = arith.constant dense<1.0> : tensor<32x64xf16>
  %none = arith.constant dense<0.0> : tensor<64x32xf16>
  %start = arith.constant dense<0.0> : tensor<32x32xf32>
  %line = tile.make_range 0 to 64 : tensor<64xi32>
  %rows = tile.expand_dims %line axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %short = tile.make_range 0 to 32 : tensor<32xi32>
  %columns = tile.expand_dims %short axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %far = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x32xi32>
  %near = tile.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
  %starts = arith.muli %rows, %width : tensor<64x1xi32>
  %lines = tile.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %lines, %near : tensor<64x32xi32>
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %start) -> (tensor<32x32xf32>) : i32 {
    %at = arith.muli %k, %block : i32
    %p = tile.addptr %b, %at : !tile.ptr<f16>, i32
    %base = tile.splat %p : tensor<64x32x!tile.ptr<f16>>
    %ps = tile.addptr %base, %offsets : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %x = tile.load %ps : tensor<64x32x!tile.ptr<f16>>
    %other = arith.cmpi ne, %far, %near : tensor<64x32xi32>
    %y = arith.select %other, %x, %none : tensor<64x32xi1>, tensor<64x32xf16>
    %d = tile.dot %a, %y, %acc : tensor<32x64xf16> * tensor<64x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  %wide = arith.constant dense<32> : tensor<32x1xi32>
  %up = tile.expand_dims %short axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ups = arith.muli %up, %wide : tensor<32x1xi32>
  %to = tile.broadcast %ups : tensor<32x1xi32> -> tensor<32x32xi32>
  %across = tile.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %places = arith.addi %to, %across : tensor<32x32xi32>
  %outs = tile.splat %out : tensor<32x32x!tile.ptr<f32>>
  %q = tile.addptr %outs, %places : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %q, %sum : tensor<32x32x!tile.ptr<f32>>
  return
}
