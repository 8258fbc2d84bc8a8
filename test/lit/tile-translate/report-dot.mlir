// The report's part on products.
// RUN: tile-translate --target=sm_80 --emit=report %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=report %s | FileCheck %s --check-prefix=RDNA
// RUN: tile-translate --target=sm_90a --disable=wgmma --emit=report %s | FileCheck %s --check-prefix=HOPPER

// CHECK: products:
// CHECK-NEXT: {{.*}}report-dot.mlir:[[#@LINE+22]]:8: 64x64x32, f16 times f16 into f32
// CHECK-NEXT: instruction: mma_sync 16x8x16, 16 a warp, warps 2x2
// CHECK-NEXT: first factor: through 4096 bytes of shared memory, read by ldmatrix, no bank conflicts
// CHECK-NEXT: second factor: through 4096 bytes of shared memory, read by ldmatrix.trans, no bank conflicts
// CHECK-NEXT: {{.*}}: 64x64x32, f32 times f32 into f32
// CHECK-NEXT: multiply-adds, both factors in shared memory
// CHECK-NEXT: no matrix instruction: the chip's matrix instructions read f32 with fewer bits than precision = ieee asks
// RDNA: instruction: wmma11 16x16x16, 8 a warp, warps 2x2
// RDNA: second factor: from 1 buffer in shared memory, {{[0-9]+}} reads of a thread, no bank conflicts
// RDNA: no matrix instruction: the chip's matrix instructions read f32 with fewer bits than precision = ieee asks
// HOPPER: instruction: mma_sync 16x8x16
func.func @products(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %ia = tile.reshape %n : tensor<2048xi32> -> tensor<64x32xi32>
  %ib = tile.reshape %n : tensor<2048xi32> -> tensor<32x64xi32>
  %sa = tile.splat %pa : tensor<64x32x!tile.ptr<f16>>
  %sb = tile.splat %pa : tensor<32x64x!tile.ptr<f16>>
  %qa = tile.addptr %sa, %ia : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %qb = tile.addptr %sb, %ib : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %a = tile.load %qa : tensor<64x32x!tile.ptr<f16>>
  %b = tile.load %qb : tensor<32x64x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %af = arith.extf %a : tensor<64x32xf16> to tensor<64x32xf32>
  %bf = arith.extf %b : tensor<32x64xf16> to tensor<32x64xf32>
  %e = tile.dot %af, %bf, %d : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  %m = tile.make_range 0 to 4096 : tensor<4096xi32>
  %ic = tile.reshape %m : tensor<4096xi32> -> tensor<64x64xi32>
  %sc = tile.splat %pc : tensor<64x64x!tile.ptr<f32>>
  %qc = tile.addptr %sc, %ic : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %qc, %e : tensor<64x64x!tile.ptr<f32>>
  return
}
