// RUN: tile-opt %s | tile-opt | FileCheck %s
// Block pointers and tensor descriptors.

tt.func @block_pointers(%x: !tt.ptr<f16>, %n: i64, %i: i32) {
  // CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %p = tt.make_tensor_ptr %x, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  // CHECK: tt.advance %{{.*}}, [%{{.*}}, %{{.*}}] : <tensor<64x32xf16>>
  %q = tt.advance %p, [%i, %i] : <tensor<64x32xf16>>
  // CHECK: tt.load %{{.*}} cacheModifier = ca {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<64x32xf16>>
  %v = tt.load %q cacheModifier = ca {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<64x32xf16>>
  // CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<64x32xf16>>
  tt.store %p, %v {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<64x32xf16>>
  // The spelling of the type with its dialect is read too.
  // CHECK: tt.advance %{{.*}}, [%{{.*}}, %{{.*}}] : <tensor<64x32xf16>>
  %r = tt.advance %p, [%i, %i] : !tt.ptr<tensor<64x32xf16>>
  tt.return
}

tt.func @descriptors(%x: !tt.ptr<i32>, %m: i32, %s: i64, %rows: tensor<32xi32>) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <i32>, <16x32xsi32>
  %d = tt.make_tensor_descriptor %x, [%m, %m], [%s, %s] : <i32>, <16x32xsi32>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {padding = 2 : i32} : <i32>, <1x32xi32>
  %e = tt.make_tensor_descriptor %x, [%m, %m], [%s, %s] {padding = 2 : i32} : <i32>, <tensor<1x32xi32>>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
  %v = tt.descriptor_load %d[%m, %m] : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = cg evictionPolicy = evict_last : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
  %w = tt.descriptor_load %d[%m, %m] cacheModifier = cg evictionPolicy = evict_last : !tt.tensordesc<tensor<16x32xsi32>> -> tensor<16x32xi32>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
  tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
  // CHECK: tt.descriptor_reduce min, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
  tt.descriptor_reduce min, %d[%m, %m], %v : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x32xi32>, tensor<32xi32>, i32) -> tensor<32x32xi32>
  %g = tt.descriptor_gather %e[%rows, %m] : (!tt.tensordesc<1x32xi32>, tensor<32xi32>, i32) -> tensor<32x32xi32>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x32xi32>, tensor<32xi32>, i32, tensor<32x32xi32>
  tt.descriptor_scatter %e[%rows, %m], %g : !tt.tensordesc<1x32xi32>, tensor<32xi32>, i32, tensor<32x32xi32>
  tt.return
}

tt.func @experimental(%raw: !tt.ptr<i8, 0> {tt.nv_tma_desc = 1 : i32}, %x: !tt.ptr<i8>, %p: !tt.ptr<f16>, %i: i32, %s: i64, %rows: tensor<32xi32>) {
  // CHECK: tt.experimental_descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.ptr<i8, 0> -> tensor<64x32xf16>
  %0 = tt.experimental_descriptor_load %raw[%i, %i] : !tt.ptr<i8, 0> -> tensor<64x32xf16>
  // CHECK: tt.reinterpret_tensor_descriptor %{{.*}} : !tt.ptr<i8, 0> to !tt.tensordesc<64x32xf16>
  %1 = tt.reinterpret_tensor_descriptor %raw : !tt.ptr<i8, 0> to !tt.tensordesc<tensor<64x32xf16>>
  // CHECK: tt.experimental_descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  %2 = tt.experimental_descriptor_load %1[%i, %i] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // CHECK: tt.experimental_descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.ptr<i8>, tensor<64x32xf16>
  tt.experimental_descriptor_store %x[%i, %i], %0 : !tt.ptr<i8>, tensor<64x32xf16>
  %3 = tt.reinterpret_tensor_descriptor %x : !tt.ptr<i8> to !tt.tensordesc<tensor<1x32xf16>>
  // CHECK: tt.experimental_descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x32xf16>, tensor<32xi32>, i32) -> tensor<32x32xf16>
  %4 = tt.experimental_descriptor_gather %3[%rows, %i] : (!tt.tensordesc<tensor<1x32xf16>>, tensor<32xi32>, i32) -> tensor<32x32xf16>
  // CHECK: tt.experimental_descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x32xf16>, tensor<32xi32>, i32, tensor<32x32xf16>
  tt.experimental_descriptor_scatter %3[%rows, %i], %4 : !tt.tensordesc<tensor<1x32xf16>>, tensor<32xi32>, i32, tensor<32x32xf16>
  // CHECK: tt.experimental_tensormap_create %{{.*}}, %{{.*}}, [%{{.*}}], [%{{.*}}], [%{{.*}}], [%{{.*}}] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i64, i32) -> ()
  tt.experimental_tensormap_create %x, %p, [%i], [%i], [%s], [%i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i64, i32) -> ()
  // CHECK: tt.experimental_tensormap_fenceproxy_acquire %{{.*}} : !tt.ptr<i8>
  tt.experimental_tensormap_fenceproxy_acquire %x : !tt.ptr<i8>
  tt.return
}
