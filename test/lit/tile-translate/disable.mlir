// A feature that is switched off is not used: 8-bit floats are then converted without the chip's instructions.
// RUN: tile-translate %s --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=ON
// RUN: tile-translate %s --target=sm_90a --emit=ptx --disable=fp8-convert | FileCheck %s --check-prefix=OFF
// ON: cvt.rn.f16x2.e4m3x2
// OFF-NOT: e4m3x2
func.func @widen(%p: !tile.ptr<f8E4M3FN>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 256 : tensor<256xi32>
  %ps = tile.splat %p : tensor<256x!tile.ptr<f8E4M3FN>>
  %pp = tile.addptr %ps, %range : tensor<256x!tile.ptr<f8E4M3FN>>, tensor<256xi32>
  %qs = tile.splat %q : tensor<256x!tile.ptr<f32>>
  %qq = tile.addptr %qs, %range : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %x = tile.load %pp : tensor<256x!tile.ptr<f8E4M3FN>>
  %y = arith.extf %x : tensor<256xf8E4M3FN> to tensor<256xf32>
  tile.store %qq, %y : tensor<256x!tile.ptr<f32>>
  return
}
