// Bessel functions of f64, by pieces and waves, on the lowered code of either vendor, against the C library's.
// RUN: tile-run %s --grid=1 --device=sim --target=sm_90a --against=cpu --rtol=1e-13 --atol=1e-14 --arg=f64[256]=rand:3 --arg=f64[1024]=zeros
// RUN: tile-run %s --grid=1 --device=sim --target=gfx942 --num-warps=1 --against=cpu --rtol=1e-13 --atol=1e-14 --arg=f64[256]=rand:4 --arg=f64[1024]=zeros

func.func @bessel(%x: !tile.ptr<f64>, %out: !tile.ptr<f64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %s = tile.splat %x : tensor<256x!tile.ptr<f64>>
  %p = tile.addptr %s, %r : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<f64>>
  %most = arith.constant dense<20.0> : tensor<256xf64>
  %w = arith.mulf %v, %most : tensor<256xf64>
  %so = tile.splat %out : tensor<256x!tile.ptr<f64>>
  %q0 = tile.addptr %so, %r : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %step = arith.constant dense<256> : tensor<256xi32>
  %0 = tile.extern_elementwise "__nv_j0"(%w) pure : (tensor<256xf64>) -> tensor<256xf64>
  tile.store %q0, %0 : tensor<256x!tile.ptr<f64>>
  %1 = tile.extern_elementwise "__nv_j1"(%w) pure : (tensor<256xf64>) -> tensor<256xf64>
  %q1 = tile.addptr %q0, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q1, %1 : tensor<256x!tile.ptr<f64>>
  %2 = tile.extern_elementwise "__nv_y0"(%w) pure : (tensor<256xf64>) -> tensor<256xf64>
  %q2 = tile.addptr %q1, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q2, %2 : tensor<256x!tile.ptr<f64>>
  %3 = tile.extern_elementwise "__nv_y1"(%w) pure : (tensor<256xf64>) -> tensor<256xf64>
  %q3 = tile.addptr %q2, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q3, %3 : tensor<256x!tile.ptr<f64>>
  return
}
