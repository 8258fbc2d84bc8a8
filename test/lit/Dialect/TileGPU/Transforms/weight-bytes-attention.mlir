// A second factor that is widened from bytes changes places with the first one, unless the sums become another product's factor: those would
// leave their registers.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-accelerate-wgmma | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} : !tile_gpu.memdesc<128x64xf16{{.*}} -> tensor<128x64xf32>
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x64xf16> * {{.*}} -> tensor<128x64xf32>
// CHECK-LABEL: func.func @alone
// CHECK: tile_gpu.wgmma %{{.*}} : tensor<64x64xf16> * {{.*}} -> tensor<64x128xf32>
func.func @chain(%qs: tensor<128x64x!tile.ptr<f16>>, %ks: tensor<64x64x!tile.ptr<f8E4M3FN>>, %vs: tensor<64x64x!tile.ptr<f16>>, %os: tensor<128x64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %q = tile.load %qs : tensor<128x64x!tile.ptr<f16>>
  %b = tile.load %ks : tensor<64x64x!tile.ptr<f8E4M3FN>>
  %k = tile.fp_to_fp %b : tensor<64x64xf8E4M3FN> -> tensor<64x64xf16>
  %v = tile.load %vs : tensor<64x64x!tile.ptr<f16>>
  %s = tile.dot %q, %k, %zero : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  %e = math.exp2 %s : tensor<128x64xf32>
  %p = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
  %o = tile.dot %p, %v, %zero : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  tile.store %os, %o : tensor<128x64x!tile.ptr<f32>>
  return
}
func.func @alone(%qs: tensor<128x64x!tile.ptr<f16>>, %ks: tensor<64x64x!tile.ptr<f8E4M3FN>>, %os: tensor<128x64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %q = tile.load %qs : tensor<128x64x!tile.ptr<f16>>
  %b = tile.load %ks : tensor<64x64x!tile.ptr<f8E4M3FN>>
  %k = tile.fp_to_fp %b : tensor<64x64xf8E4M3FN> -> tensor<64x64xf16>
  %s = tile.dot %q, %k, %zero : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  tile.store %os, %s : tensor<128x64x!tile.ptr<f32>>
  return
}
