// A block of sums larger than the chip's shared memory (262,144 of 232,448 bytes) is stored by the threads, one half as large by
// the copy engine.
//
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu -D N=256 | FileCheck %s --check-prefix=LARGE
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu -D N=128 | FileCheck %s --check-prefix=FITS
// LARGE: tile_gpu.wgmma
// LARGE-NOT: tile_gpu.tma_store
// LARGE: tile.store
// FITS: tile_gpu.tma_store
// tile.param N = 256
func.func @product(%a: !tile.desc<256x64xf16>, %b: !tile.desc<64x${N}xf16>, %c: !tile.desc<256x${N}xf32>) attributes {tile.kernel} {
  %0 = arith.constant 0 : i32
  %sum = arith.constant dense<0.0> : tensor<256x${N}xf32>
  %x = tile.desc_load %a[%0, %0] : !tile.desc<256x64xf16> -> tensor<256x64xf16>
  %y = tile.desc_load %b[%0, %0] : !tile.desc<64x${N}xf16> -> tensor<64x${N}xf16>
  %d = tile.dot %x, %y, %sum : tensor<256x64xf16> * tensor<64x${N}xf16> -> tensor<256x${N}xf32>
  tile.desc_store %c[%0, %0], %d : !tile.desc<256x${N}xf32>, tensor<256x${N}xf32>
  return
}
