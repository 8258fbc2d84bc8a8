// Functions by the names that Triton's AMD back end writes.
// RUN: tile-run %s --grid=1 --device=sim --target=gfx942 --against=cpu --arg=f32[256]=randn:1 --arg=f32[1792]=zeros --arg=i32[1280]=zeros --arg=i64[256]=zeros
// RUN: tile-run %s --grid=1 --device=sim --target=sm_80 --against=cpu --arg=f32[256]=randn:2 --arg=f32[1792]=zeros --arg=i32[1280]=zeros --arg=i64[256]=zeros

func.func @names(%x: !tile.ptr<f32>, %f: !tile.ptr<f32>, %i: !tile.ptr<i32>, %l: !tile.ptr<i64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %step = arith.constant dense<256> : tensor<256xi32>
  %seven = arith.constant dense<7> : tensor<256xi32>
  %three = arith.constant dense<3> : tensor<256xi32>
  %s = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %s, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<f32>>
  %rest = arith.remui %r, %seven : tensor<256xi32>
  %n = arith.subi %rest, %three : tensor<256xi32>
  %0 = tile.extern_elementwise "__ocml_isnan_f32"(%v) pure : (tensor<256xf32>) -> tensor<256xi32>
  %1 = tile.extern_elementwise "__ocml_isinf_f32"(%v) pure : (tensor<256xf32>) -> tensor<256xi32>
  %2 = tile.extern_elementwise "__ocml_signbit_f32"(%v) pure : (tensor<256xf32>) -> tensor<256xi32>
  %3 = tile.extern_elementwise "__ocml_ilogb_f32"(%v) pure : (tensor<256xf32>) -> tensor<256xi32>
  %4 = tile.extern_elementwise "__ocml_i0_f32"(%v) pure : (tensor<256xf32>) -> tensor<256xf32>
  %5 = tile.extern_elementwise "__triton_hip_fabs"(%v) pure : (tensor<256xf32>) -> tensor<256xf32>
  %6 = tile.extern_elementwise "__triton_hip_fast_expf"(%v) pure : (tensor<256xf32>) -> tensor<256xf32>
  %7 = tile.extern_elementwise "__triton_hip_fast_tanhf"(%v) pure : (tensor<256xf32>) -> tensor<256xf32>
  %8 = tile.extern_elementwise "__triton_hip_llrint"(%v) pure : (tensor<256xf32>) -> tensor<256xi64>
  %9 = tile.extern_elementwise "__ocml_ldexp_f32"(%v, %n) pure : (tensor<256xf32>, tensor<256xi32>) -> tensor<256xf32>
  %10 = tile.extern_elementwise "__ocml_pown_f32"(%v, %n) pure : (tensor<256xf32>, tensor<256xi32>) -> tensor<256xf32>
  %11 = tile.extern_elementwise "__triton_hip_iabs"(%n) pure : (tensor<256xi32>) -> tensor<256xi32>
  %12 = tile.extern_elementwise "__triton_hip_fast_fdividef"(%v, %v) pure : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %sf = tile.splat %f : tensor<256x!tile.ptr<f32>>
  %f0 = tile.addptr %sf, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %si = tile.splat %i : tensor<256x!tile.ptr<i32>>
  %i0 = tile.addptr %si, %r : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %sl = tile.splat %l : tensor<256x!tile.ptr<i64>>
  %l0 = tile.addptr %sl, %r : tensor<256x!tile.ptr<i64>>, tensor<256xi32>
  tile.store %i0, %0 : tensor<256x!tile.ptr<i32>>
  %i1 = tile.addptr %i0, %step : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %i1, %1 : tensor<256x!tile.ptr<i32>>
  %i2 = tile.addptr %i1, %step : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %i2, %2 : tensor<256x!tile.ptr<i32>>
  %i3 = tile.addptr %i2, %step : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %i3, %3 : tensor<256x!tile.ptr<i32>>
  tile.store %f0, %4 : tensor<256x!tile.ptr<f32>>
  %f1 = tile.addptr %f0, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %f1, %5 : tensor<256x!tile.ptr<f32>>
  %f2 = tile.addptr %f1, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %f2, %6 : tensor<256x!tile.ptr<f32>>
  %f3 = tile.addptr %f2, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %f3, %7 : tensor<256x!tile.ptr<f32>>
  tile.store %l0, %8 : tensor<256x!tile.ptr<i64>>
  %f4 = tile.addptr %f3, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %f4, %9 : tensor<256x!tile.ptr<f32>>
  %f5 = tile.addptr %f4, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %f5, %10 : tensor<256x!tile.ptr<f32>>
  %i4 = tile.addptr %i3, %step : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %i4, %11 : tensor<256x!tile.ptr<i32>>
  %f6 = tile.addptr %f5, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %f6, %12 : tensor<256x!tile.ptr<f32>>
  return
}
