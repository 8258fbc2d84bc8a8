// RUN: tile-run %s --device=sim --target=sm_90 --against=cpu --grid=1 --arg=f32[1024]=rand:1:-5:5 --arg=f32[1024]=zeros --arg=f32[1024]=zeros --atol=3e-7 --rtol=0
// RUN: tile-run %s --device=sim --target=gfx942 --against=cpu --grid=1 --arg=f32[1024]=rand:2:-200:200 --arg=f32[1024]=zeros --arg=f32[1024]=zeros --atol=3e-7 --rtol=0
// erf and tanh that are only added to 1: an absolute error of two units of 1 at most, from 0 to where they are 1.
func.func @run(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %yp = tile.addptr %ys, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %zp = tile.addptr %zs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %e = math.erf %v : tensor<1024xf32>
  %a = arith.addf %e, %one : tensor<1024xf32>
  tile.store %yp, %a : tensor<1024x!tile.ptr<f32>>
  %t = math.tanh %v : tensor<1024xf32>
  %b = arith.subf %one, %t : tensor<1024xf32>
  tile.store %zp, %b : tensor<1024x!tile.ptr<f32>>
  return
}
