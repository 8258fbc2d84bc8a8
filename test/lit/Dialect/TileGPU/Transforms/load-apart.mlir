// Blocks of rows that start at any element: a map for each of the rows that start alike, and a read that moves what they bring; others
// stay.
// RUN: tile-opt %s --tile-gpu-load-apart --canonicalize --cse | FileCheck %s

// Rows 0, 8, ..., 56 lie together, then 1, 9, ...; each of 64 elements has 8 more.
// CHECK: #[[S:.*]] = #tile_gpu.shared<2, offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [32, 0], [1, 0], [2, 0], [4, 0], [0, 64]]{{.*}}pad = [64, 8]
// CHECK-LABEL: func.func @apart
// CHECK-SAME: tile_gpu.tensor_maps = [{apart = 8 : i32, base = 0 : i32, box = array<i32: 72, 8>,
// CHECK-SAME: row = 7 : i32
// CHECK: %[[SHIFT:.*]] = arith.andi %arg4, %c7_i32
// CHECK: %[[M:.*]] = tile_gpu.tma_alloc 0[%{{.*}}, %{{.*}}] apart 8 : !tile_gpu.memdesc<64x128xf16, #[[S]]>
// CHECK: tile_gpu.shifted_load %[[M]] by %[[SHIFT]] apart 8 {tile_gpu.layout = {{.*}}} : !tile_gpu.memdesc<64x128xf16, #[[S]]> -> tensor<64x128xf16>
// CHECK-LABEL: func.func @rows
// CHECK: tile.desc_load
module attributes {tile_gpu.num_ctas = 1 : i32, tile_gpu.num_stages = 3 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {
  func.func @apart(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i32, %k: i32) attributes {tile.kernel} {
    %one = arith.constant 1 : i64
    %s = arith.extsi %ld : i32 to i64
    %d = tile.make_desc %a shape[%m, %n] strides[%s, %one] {tile_gpu.apart = 8 : i32, tile_gpu.checked, tile_gpu.formed = "loaded"} : !tile.desc<64x128xf16>
    %x = tile.desc_load %d[%i, %k] : !tile.desc<64x128xf16> -> tensor<64x128xf16>
    %ps = tile.splat %o : tensor<64x128x!tile.ptr<f16>>
    tile.store %ps, %x : tensor<64x128x!tile.ptr<f16>>
    return
  }

  func.func @rows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i32, %k: i32) attributes {tile.kernel} {
    %one = arith.constant 1 : i64
    %s = arith.extsi %ld : i32 to i64
    %d = tile.make_desc %a shape[%m, %n] strides[%s, %one] {tile_gpu.formed = "loaded"} : !tile.desc<64x128xf16>
    %x = tile.desc_load %d[%i, %k] : !tile.desc<64x128xf16> -> tensor<64x128xf16>
    %ps = tile.splat %o : tensor<64x128x!tile.ptr<f16>>
    tile.store %ps, %x : tensor<64x128x!tile.ptr<f16>>
    return
  }
}
