// Instructions, warps, widths along K, parts.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-accelerate-dot | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4" --tile-gpu-accelerate-dot | FileCheck %s --check-prefix=MFMA
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx1201 num-warps=4" --tile-gpu-accelerate-dot | FileCheck %s --check-prefix=WMMA
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4 disable=mma-sync" --tile-gpu-accelerate-dot | FileCheck %s --check-prefix=OFF
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-accelerate-dot | FileCheck %s --check-prefix=HOPPER

// CHECK-LABEL: func.func @half
// CHECK: tile_gpu.mma {{.*}} instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]> : tensor<64x32xf16> * tensor<32x64xf16>
// MFMA-LABEL: func.func @half
// MFMA: tile_gpu.mma {{.*}} instr = <mfma, 16, 16, 16, k_width = 8, warps = [2, 2] transposed = true>
// WMMA-LABEL: func.func @half
// WMMA: tile_gpu.mma {{.*}} instr = <wmma12, 16, 16, 16, k_width = 8, warps = [2, 2] transposed = true>
// OFF-LABEL: func.func @half
// OFF: tile.dot {{.*}} {tile_gpu.refused = "the chip has no matrix instruction for these types"}
// HOPPER-LABEL: func.func @half
// HOPPER: tile_gpu.mma {{.*}} <mma_sync, {{.*}} {tile_gpu.refused = "asynchronous matrix instructions are not chosen here"}
func.func @half(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tile.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// More warps where the larger side is; a batch takes warps first.
// CHECK-LABEL: func.func @wide
// CHECK: warps = [1, 4]
// CHECK: warps = [2, 1, 2]
func.func @wide(%a: tensor<16x32xbf16>, %b: tensor<32x256xbf16>, %c: tensor<16x256xf32>, %x: tensor<2x16x32xbf16>,
                %y: tensor<2x32x64xbf16>, %z: tensor<2x16x64xf32>) -> (tensor<16x256xf32>, tensor<2x16x64xf32>) {
  %d = tile.dot %a, %b, %c : tensor<16x32xbf16> * tensor<32x256xbf16> -> tensor<16x256xf32>
  %e = tile.dot %x, %y, %z : tensor<2x16x32xbf16> * tensor<2x32x64xbf16> -> tensor<2x16x64xf32>
  return %d, %e : tensor<16x256xf32>, tensor<2x16x64xf32>
}

// Exact f32 products are none of NVIDIA's; CDNA has them.
// CHECK-LABEL: func.func @ieee
// CHECK: tile.dot {{.*}} {tile_gpu.refused = "the chip's matrix instructions read f32 with fewer bits than precision = ieee asks"}
// MFMA-LABEL: func.func @ieee
// MFMA: instr = <mfma, 16, 16, 4, k_width = 4, warps = [2, 2] transposed = true>
func.func @ieee(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tile.dot %a, %b, %c : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// One instruction; three products of a part and what it leaves over, the smallest first.
// CHECK-LABEL: func.func @parts
// CHECK: tile_gpu.mma %arg0, %arg1, %arg2 instr = <mma_sync, 16, 8, 8, k_width = 1, warps = [2, 2] shortened = true>
// CHECK: %[[MASK:.*]] = arith.constant dense<-8192> : tensor<64x32xi32>
// CHECK: %[[BITS:.*]] = arith.andi %{{.*}}, %[[MASK]]
// CHECK: %[[BIG:.*]] = arith.bitcast %[[BITS]]
// CHECK: %[[REST:.*]] = arith.subf %arg0, %[[BIG]]
// CHECK: %[[SMALL:.*]] = arith.select %{{.*}}, %[[REST]]
// CHECK: %[[P:.*]] = tile_gpu.mma %[[SMALL]], %[[BIGB:.*]], %arg2 instr
// CHECK: %[[Q:.*]] = tile_gpu.mma %[[BIG]], %{{.*}}, %[[P]] instr
// CHECK: tile_gpu.mma %[[BIG]], %[[BIGB]], %[[Q]] instr
// CHECK-COUNT-6: tile_gpu.mma {{.*}} instr = <mma_sync, 16, 8, 16, {{.*}} tensor<64x32xbf16>
// CHECK: return
// WMMA-LABEL: func.func @parts
// WMMA-NOT: tile.dot
// WMMA: arith.constant dense<-8192>
// WMMA-COUNT-4: tile_gpu.mma
// WMMA-COUNT-6: tile_gpu.mma
// WMMA-COUNT-6: tile_gpu.mma
func.func @parts(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %d = tile.dot %a, %b, %c precision = tf32 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  %e = tile.dot %a, %b, %c precision = tf32x3 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  %f = tile.dot %a, %b, %c precision = bf16x6 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  return %d, %e, %f : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// 8-bit floats: as f16 where the chip has no product of theirs.
// CHECK-LABEL: func.func @float8
// CHECK-COUNT-2: tile.fp_to_fp {{.*}} -> tensor<{{.*}}xf16>
// CHECK: tile_gpu.mma {{.*}} <mma_sync, 16, 8, 16, {{.*}} tensor<64x32xf16>
// MFMA-LABEL: func.func @float8
// MFMA: tile_gpu.mma {{.*}} <mfma, 16, 16, 16, {{.*}} tensor<64x32xf16>
// WMMA-LABEL: func.func @float8
// WMMA: tile_gpu.mma %arg0, %arg1, {{.*}} <wmma12, 16, 16, 16, {{.*}} tensor<64x32xf8E4M3FN>
func.func @float8(%a: tensor<64x32xf8E4M3FN>, %b: tensor<32x64xf8E5M2>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN> * tensor<32x64xf8E5M2> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// One product feeds the other element by element: all warps along M, and widths that fit the accumulator.
// CHECK-LABEL: func.func @chain
// CHECK: tile_gpu.mma {{.*}} k_width = 2, warps = [4, 1]
// CHECK: tile_gpu.mma {{.*}} k_width = 2, warps = [4, 1]
// MFMA-LABEL: func.func @chain
// MFMA: tile_gpu.mma {{.*}} k_width = 8, warps = [4, 1]
// MFMA: tile_gpu.mma {{.*}} k_width = 4, warps = [4, 1]
func.func @chain(%q: tensor<64x64xf16>, %k: tensor<64x128xf16>, %v: tensor<128x64xf16>, %c: tensor<64x128xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = tile.dot %q, %k, %c : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
  %e = math.exp2 %s : tensor<64x128xf32>
  %p = arith.truncf %e : tensor<64x128xf32> to tensor<64x128xf16>
  %r = tile.dot %p, %v, %o : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// Ada sums 8-bit floats with fewer bits: only where that is allowed, and apart from the accumulator unless nothing is said against it.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_89 num-warps=4" --tile-gpu-accelerate-dot | FileCheck %s --check-prefix=ADA
// ADA-LABEL: func.func @imprecise
// ADA: tile_gpu.mma {{.*}} <mma_sync, 16, 8, 16, {{.*}} {tile_gpu.refused = "the chip's products of 8-bit floats keep fewer bits of a sum than imprecise_acc allows"} : tensor<64x32xf16>
// ADA: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// ADA: %[[SUM:.*]] = tile_gpu.mma %arg0, %arg1, %[[ZERO]] instr = <mma_sync, 16, 8, 32,
// ADA: arith.addf %{{.*}}, %[[SUM]]
// ADA: tile_gpu.mma %arg0, %arg1, %{{.*}} instr = <mma_sync, 16, 8, 32,
// ADA-NEXT: return
func.func @imprecise(%a: tensor<64x32xf8E4M3FN>, %b: tensor<32x64xf8E5M2>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN> * tensor<32x64xf8E5M2> -> tensor<64x64xf32>
  %e = tile.dot %a, %b, %d imprecise_acc = 32 : tensor<64x32xf8E4M3FN> * tensor<32x64xf8E5M2> -> tensor<64x64xf32>
  %f = tile.dot %a, %b, %e imprecise_acc = 1073741824 : tensor<64x32xf8E4M3FN> * tensor<32x64xf8E5M2> -> tensor<64x64xf32>
  return %f : tensor<64x64xf32>
}
