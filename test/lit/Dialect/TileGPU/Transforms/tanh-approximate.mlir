// tanh that may be an approximation is NVIDIA's instruction, of f32; what says less, or asks for precision, and AMD, has the whole function.
//
// RUN: tile-translate %s --target=sm_90a --emit=ptx | FileCheck %s
// RUN: tile-translate %s --target=sm_80 --emit=ptx | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --math=precise --emit=ptx | FileCheck %s --check-prefix=WHOLE
// RUN: tile-translate %s --target=gfx942 --emit=amdgcn | FileCheck %s --check-prefix=WHOLE
// RUN: tile-run %s --kernel=allowed --device=sim --target=sm_90a --grid=1 --arg=f32[256]=randn:1 --arg=f32[256]=zeros --against=cpu --rtol=1e-3
// RUN: tile-run %s --kernel=allowed --device=sim --target=gfx942 --grid=1 --arg=f32[256]=randn:1 --arg=f32[256]=zeros --against=cpu --rtol=1e-6
// CHECK-LABEL: .entry allowed
// CHECK: tanh.approx.f32
// CHECK-LABEL: .entry all
// CHECK: tanh.approx.f32
// CHECK-LABEL: .entry other
// CHECK-NOT: tanh.approx
// WHOLE-NOT: tanh.approx
func.func @allowed(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %px : tensor<256x!tile.ptr<f32>>
  %t = math.tanh %v fastmath<nnan,afn> : tensor<256xf32>
  %ys = tile.splat %y : tensor<256x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %py, %t : tensor<256x!tile.ptr<f32>>
  return
}

func.func @all(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %px : tensor<256x!tile.ptr<f32>>
  %t = math.tanh %v fastmath<fast> : tensor<256xf32>
  %ys = tile.splat %y : tensor<256x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %py, %t : tensor<256x!tile.ptr<f32>>
  return
}

func.func @other(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %px : tensor<256x!tile.ptr<f32>>
  %t = math.tanh %v fastmath<nnan,contract> : tensor<256xf32>
  %ys = tile.splat %y : tensor<256x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %py, %t : tensor<256x!tile.ptr<f32>>
  return
}
