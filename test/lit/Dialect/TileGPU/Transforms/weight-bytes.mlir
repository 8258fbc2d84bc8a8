// A weight of bytes whose rows do not run along K: widened before it changes threads, so that ldmatrix transposes it, not after, byte by
// byte. Where the rows run along K, bytes move, and threads hold four of them.
// RUN: tile-translate --target=sm_80 --emit=tile_gpu %s | FileCheck %s

// CHECK-LABEL: func.func @across
// CHECK: %[[W:.*]] = tile.load {{.*}}x!tile.ptr<i8>
// CHECK: %[[F:.*]] = arith.sitofp %[[W]]
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[F]]
// CHECK: tile_gpu.mma %{{.*}}, %[[C]], %{{.*}} k_width = 2
func.func @across(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %i = tile.reshape %n : tensor<4096xi32> -> tensor<64x64xi32>
  %sa = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %sa, %i : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %sw = tile.splat %w : tensor<64x64x!tile.ptr<i8>>
  %pw = tile.addptr %sw, %i : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %sc = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %sc, %i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %y = tile.load %pw : tensor<64x64x!tile.ptr<i8>>
  %f = arith.sitofp %y : tensor<64x64xi8> to tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %f, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %pc, %d : tensor<64x64x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @along
// CHECK: %[[W:.*]] = tile.load {{.*}}x!tile.ptr<i8>
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[W]]
// CHECK: %[[F:.*]] = arith.sitofp
// CHECK: tile_gpu.mma {{.*}} k_width = 4
func.func @along(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %i = tile.reshape %n : tensor<4096xi32> -> tensor<64x64xi32>
  %sa = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %sa, %i : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %sw = tile.splat %w : tensor<64x64x!tile.ptr<i8>>
  %pw = tile.addptr %sw, %i : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %sc = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %sc, %i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %y = tile.load %pw : tensor<64x64x!tile.ptr<i8>>
  %t = tile.trans %y order = [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
  %f = arith.sitofp %t : tensor<64x64xi8> to tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %f, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %pc, %d : tensor<64x64x!tile.ptr<f32>>
  return
}
