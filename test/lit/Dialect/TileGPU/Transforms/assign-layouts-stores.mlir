// Sums of 16 bits leave half sectors of eight rows an access if threads store them as `wgmma` leaves them: they are stored in rows.
// Sums of 32 bits fill sectors as they lie.
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s

// CHECK-LABEL: func.func @halves
// CHECK: tile_gpu.wgmma
// CHECK: %[[N:.*]] = arith.truncf
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[N]]
// CHECK: tile.store %{{.*}}, %[[C]]
func.func @halves(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %rr = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %rr : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %d = tile.dot %x, %x, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  %os = tile.splat %o : tensor<64x64x!tile.ptr<f16>>
  %po = tile.addptr %os, %rr : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %po, %h : tensor<64x64x!tile.ptr<f16>>
  return
}

// CHECK-LABEL: func.func @whole
// CHECK: tile_gpu.wgmma
// CHECK: %[[D:.*]] = tile_gpu.wgmma_wait
// CHECK-NOT: convert_layout
// CHECK: tile.store %{{.*}}, %[[D]]
func.func @whole(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %rr = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %rr : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %d = tile.dot %x, %x, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %os = tile.splat %o : tensor<64x64x!tile.ptr<f32>>
  %po = tile.addptr %os, %rr : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %po, %d : tensor<64x64x!tile.ptr<f32>>
  return
}
