// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK: tile_gpu.mma %{{.*}}, %{{.*}}, %{{.*}} instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]> : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
func.func @plain(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) {
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]>
     : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  return
}

// CHECK: instr = <mfma, 16, 16, 8, k_width = 4, warps = [1, 4, 1] shortened = true transposed = true>
func.func @batched(%a: tensor<2x64x32xf32>, %b: tensor<2x32x64xf32>, %c: tensor<2x64x64xf32>) {
  %d = tile_gpu.mma %a, %b, %c instr = <mfma, 16, 16, 8, k_width = 4, warps = [1, 4, 1] shortened = true transposed = true>
     : tensor<2x64x32xf32> * tensor<2x32x64xf32> -> tensor<2x64x64xf32>
  return
}
