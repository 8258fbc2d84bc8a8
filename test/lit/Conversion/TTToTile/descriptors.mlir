// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s

// CHECK-LABEL: func.func @descriptors
tt.func public @descriptors(%x: !tt.ptr<i32>, %m: i32, %s: i64, %given: !tt.tensordesc<16x32xsi32>, %i: i32) {
  %rows = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  // CHECK: %[[D:.*]] = tile.make_desc %{{.*}} shape[%{{.*}}, %{{.*}}] strides[%{{.*}}, %{{.*}}] : !tile.desc<16x32xi32>
  %d = tt.make_tensor_descriptor %x, [%m, %m], [%s, %s] : <i32>, <16x32xsi32>
  // CHECK: tile.make_desc {{.*}} padding = nan : !tile.desc<1x32xf32>
  %p = tt.bitcast %x : !tt.ptr<i32> -> !tt.ptr<f32>
  %e = tt.make_tensor_descriptor %p, [%m, %m], [%s, %s] {padding = 2 : i32} : <f32>, <tensor<1x32xf32>>
  // CHECK: %[[V:.*]] = tile.desc_load %[[D]][%{{.*}}, %{{.*}}] : !tile.desc<16x32xi32> -> tensor<16x32xi32>
  %v = tt.descriptor_load %d[%m, %m] : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
  // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] cache = cg evict = last : !tile.desc<16x32xi32> -> tensor<16x32xi32>
  %w = tt.descriptor_load %given[%m, %m] cacheModifier = cg evictionPolicy = evict_last : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
  // CHECK: tile.desc_store %[[D]][%{{.*}}, %{{.*}}], %[[V]] : !tile.desc<16x32xi32>, tensor<16x32xi32>
  tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
  // CHECK: tile.desc_reduce min %[[D]][%{{.*}}, %{{.*}}], %[[V]] : !tile.desc<16x32xi32>, tensor<16x32xi32>
  tt.descriptor_reduce min, %d[%m, %m], %v : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
  // CHECK: tile.desc_gather %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<1x32xf32>, tensor<32xi32> -> tensor<32x32xf32>
  %g = tt.descriptor_gather %e[%rows, %m] : (!tt.tensordesc<1x32xf32>, tensor<32xi32>, i32) -> tensor<32x32xf32>
  // CHECK: tile.desc_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.desc<1x32xf32>, tensor<32xi32>, tensor<32x32xf32>
  tt.descriptor_scatter %e[%rows, %m], %g : !tt.tensordesc<1x32xf32>, tensor<32xi32>, i32, tensor<32x32xf32>
  tt.return
}

// Arguments that only serve as tensor maps become descriptors.
// CHECK: func.func @tensor_maps(%[[A:.*]]: !tile.desc<64x32xf16>, %[[B:.*]]: !tile.desc<64x32xf16>, %{{.*}}: i32) attributes {tile.kernel} {
tt.func public @tensor_maps(%a: !tt.ptr<i8, 0> {tt.nv_tma_desc = 1 : i32}, %b: !tt.ptr<i8, 0> {tt.nv_tma_desc = 1 : i32}, %i: i32) {
  // CHECK: %[[V:.*]] = tile.desc_load %[[A]][%{{.*}}, %{{.*}}] : !tile.desc<64x32xf16> -> tensor<64x32xf16>
  %0 = tt.experimental_descriptor_load %a[%i, %i] : !tt.ptr<i8, 0> -> tensor<64x32xf16>
  %1 = tt.reinterpret_tensor_descriptor %b : !tt.ptr<i8, 0> to !tt.tensordesc<tensor<64x32xf16>>
  // CHECK: tile.desc_store %[[B]][%{{.*}}, %{{.*}}], %[[V]] : !tile.desc<64x32xf16>, tensor<64x32xf16>
  tt.experimental_descriptor_store %1[%i, %i], %0 : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
  tt.return
}

// CHECK-LABEL: func.func @experimental_gather
tt.func public @experimental_gather(%d: !tt.tensordesc<tensor<1x32xf16>>, %i: i32) {
  %rows = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  // CHECK: tile.desc_gather
  %0 = tt.experimental_descriptor_gather %d[%rows, %i] : (!tt.tensordesc<tensor<1x32xf16>>, tensor<32xi32>, i32) -> tensor<32x32xf16>
  // CHECK: tile.desc_scatter
  tt.experimental_descriptor_scatter %d[%rows, %i], %0 : !tt.tensordesc<tensor<1x32xf16>>, tensor<32xi32>, i32, tensor<32x32xf16>
  tt.return
}
