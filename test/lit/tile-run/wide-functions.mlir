// Functions of f64 on the lowered code of either vendor, against the C library's.
// RUN: tile-run %s --grid=1 --device=sim --target=sm_90a --against=cpu --rtol=1e-14 --atol=1e-300 --arg=f64[256]=rand:3 --arg=f64[2560]=zeros
// RUN: tile-run %s --grid=1 --device=sim --target=gfx942 --num-warps=1 --against=cpu --rtol=1e-14 --atol=1e-300 --arg=f64[256]=rand:4 --arg=f64[2560]=zeros

func.func @wide(%x: !tile.ptr<f64>, %out: !tile.ptr<f64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %s = tile.splat %x : tensor<256x!tile.ptr<f64>>
  %p = tile.addptr %s, %r : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<f64>>
  %six = arith.constant dense<6.0> : tensor<256xf64>
  %w = arith.mulf %v, %six : tensor<256xf64>
  %0 = math.asin %v : tensor<256xf64>
  %1 = math.atan2 %w, %v : tensor<256xf64>
  %2 = math.sinh %w : tensor<256xf64>
  %3 = math.asinh %w : tensor<256xf64>
  %4 = math.cbrt %w : tensor<256xf64>
  %5 = math.erfc %w : tensor<256xf64>
  %6 = tile.extern_elementwise "__nv_lgamma"(%w) pure : (tensor<256xf64>) -> tensor<256xf64>
  %7 = tile.extern_elementwise "__nv_normcdfinv"(%v) pure : (tensor<256xf64>) -> tensor<256xf64>
  %8 = tile.extern_elementwise "__nv_cyl_bessel_i0"(%w) pure : (tensor<256xf64>) -> tensor<256xf64>
  %9 = tile.extern_elementwise "__nv_hypot"(%v, %w) pure : (tensor<256xf64>, tensor<256xf64>) -> tensor<256xf64>
  %so = tile.splat %out : tensor<256x!tile.ptr<f64>>
  %q0 = tile.addptr %so, %r : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %step = arith.constant dense<256> : tensor<256xi32>
  tile.store %q0, %0 : tensor<256x!tile.ptr<f64>>
  %q1 = tile.addptr %q0, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q1, %1 : tensor<256x!tile.ptr<f64>>
  %q2 = tile.addptr %q1, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q2, %2 : tensor<256x!tile.ptr<f64>>
  %q3 = tile.addptr %q2, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q3, %3 : tensor<256x!tile.ptr<f64>>
  %q4 = tile.addptr %q3, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q4, %4 : tensor<256x!tile.ptr<f64>>
  %q5 = tile.addptr %q4, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q5, %5 : tensor<256x!tile.ptr<f64>>
  %q6 = tile.addptr %q5, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q6, %6 : tensor<256x!tile.ptr<f64>>
  %q7 = tile.addptr %q6, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q7, %7 : tensor<256x!tile.ptr<f64>>
  %q8 = tile.addptr %q7, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q8, %8 : tensor<256x!tile.ptr<f64>>
  %q9 = tile.addptr %q8, %step : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  tile.store %q9, %9 : tensor<256x!tile.ptr<f64>>
  return
}
