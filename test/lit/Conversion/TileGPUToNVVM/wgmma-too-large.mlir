// Factors that do not fit the chip's shared memory together, whole (262,144 of 232,448 bytes), are left to mma.sync, which takes
// them in parts; half of them along K are for wgmma.
//
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu -D K=512 | FileCheck %s --check-prefix=LARGE
// RUN: tile-translate %s --target=sm_90a --num-warps=8 --emit=tile_gpu -D K=256 | FileCheck %s --check-prefix=FITS
// LARGE-NOT: tile_gpu.wgmma
// LARGE: tile_gpu.mma {{.*}} instr = <mma_sync
// LARGE-NOT: tile_gpu.wgmma
// FITS: tile_gpu.wgmma
// tile.param K = 512
func.func @product(%a: !tile.desc<128x${K}xf16>, %b: !tile.desc<${K}x128xf16>, %c: !tile.desc<128x128xf32>) attributes {tile.kernel} {
  %0 = arith.constant 0 : i32
  %sum = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = tile.desc_load %a[%0, %0] : !tile.desc<128x${K}xf16> -> tensor<128x${K}xf16>
  %y = tile.desc_load %b[%0, %0] : !tile.desc<${K}x128xf16> -> tensor<${K}x128xf16>
  %d = tile.dot %x, %y, %sum : tensor<128x${K}xf16> * tensor<${K}x128xf16> -> tensor<128x128xf32>
  tile.desc_store %c[%0, %0], %d : !tile.desc<128x128xf32>, tensor<128x128xf32>
  return
}
