// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s -verify-roundtrip | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// Operations that compute addresses or access memory, every attribute of each.

// CHECK-LABEL: func @pointers
func.func @pointers(%p: tensor<256x!tile.ptr<f32>>, %i: tensor<256xi32>, %m: tensor<256xi1>, %z: tensor<256xf32>,
                    %s: !tile.ptr<i32>, %o: i64, %c: i1, %k: i32) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %0 = tile.addptr %p, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<i32>, i64
  %1 = tile.addptr %s, %o : !tile.ptr<i32>, i64
  // CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<f32>>
  %2 = tile.load %0 : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<256x!tile.ptr<f32>>
  %3 = tile.load %0 mask %m : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} cache = cg evict = first : tensor<256x!tile.ptr<f32>>
  %4 = tile.load %0 mask %m other %z cache = cg evict = first : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} cache = cv evict = last volatile : !tile.ptr<i32>
  %5 = tile.load %1 mask %c other %k cache = cv evict = last volatile : !tile.ptr<i32>
  // CHECK: tile.load %{{.*}} cache = ca : !tile.ptr<i32>
  %6 = tile.load %1 cache = ca evict = normal : !tile.ptr<i32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : tensor<256x!tile.ptr<f32>>
  tile.store %0, %2 : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} cache = wt evict = last : tensor<256x!tile.ptr<f32>>
  tile.store %0, %2 mask %m cache = wt evict = last : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} cache = cs : !tile.ptr<i32>
  tile.store %1, %5 cache = cs : !tile.ptr<i32>
  // CHECK: tile.store %{{.*}}, %{{.*}} cache = wb : !tile.ptr<i32>
  tile.store %1, %5 cache = wb : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func @atomics
func.func @atomics(%p: tensor<256x!tile.ptr<f32>>, %v: tensor<256xf32>, %m: tensor<256xi1>, %q: !tile.ptr<i32>, %i: i32,
                   %t: i64) {
  // CHECK: tile.atomic_rmw fadd %{{.*}}, %{{.*}} mask %{{.*}} : tensor<256x!tile.ptr<f32>>
  %0 = tile.atomic_rmw fadd %p, %v mask %m : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw exch %{{.*}}, %{{.*}} : tensor<256x!tile.ptr<f32>>
  %1 = tile.atomic_rmw exch %p, %v sem = relaxed scope = gpu : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}} sem = acq_rel scope = sys : !tile.ptr<i32>
  %2 = tile.atomic_rmw add %q, %i sem = acq_rel scope = sys : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw and %{{.*}}, %{{.*}} sem = release : !tile.ptr<i32>
  %3 = tile.atomic_rmw and %q, %i sem = release : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw or %{{.*}}, %{{.*}} scope = cta : !tile.ptr<i32>
  %4 = tile.atomic_rmw or %q, %i scope = cta : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xor
  %5 = tile.atomic_rmw xor %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw max
  %6 = tile.atomic_rmw max %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw min
  %7 = tile.atomic_rmw min %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umax
  %8 = tile.atomic_rmw umax %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umin
  %9 = tile.atomic_rmw umin %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %10 = tile.atomic_cas %q, %i, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} sem = acquire scope = cta : tensor<256x!tile.ptr<f32>>
  %11 = tile.atomic_cas %p, %v, %v sem = acquire scope = cta : tensor<256x!tile.ptr<f32>>
  // CHECK: tile.atomic_poll %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %12 = tile.atomic_poll %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_poll %{{.*}}, %{{.*}} timeout %{{.*}} sem = acquire scope = sys : !tile.ptr<i32>
  // CHECK: tile.atomic_poll %{{.*}}, %{{.*}} sem = acquire launch : !tile.ptr<i32>
  %13 = tile.atomic_poll %q, %i timeout %t sem = acquire scope = sys : !tile.ptr<i32>
  %seen = tile.atomic_poll %q, %i sem = acquire launch : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func @descriptors
func.func @descriptors(%base: !tile.ptr<f16>, %m: i32, %k: i32, %ld: i64, %c1: i64, %i: i32, %j: i32,
                       %rows: tensor<32xi32>, %r: !tile.desc<1x64xf16>) {
  // CHECK: tile.make_desc %{{.*}} shape[%{{.*}}, %{{.*}}] strides[%{{.*}}, %{{.*}}] : !tile.desc<128x64xf16>
  %0 = tile.make_desc %base shape [%m, %k] strides [%ld, %c1] : !tile.desc<128x64xf16>
  // CHECK: tile.make_desc {{.*}} padding = nan : !tile.desc<1x128x64xf16>
  %1 = tile.make_desc %base shape [%m, %m, %k] strides [%ld, %ld, %c1] padding = nan : !tile.desc<1x128x64xf16>
  // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
  %2 = tile.desc_load %0[%i, %j] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
  // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] cache = cg evict = last : !tile.desc<1x128x64xf16> -> tensor<128x64xf16>
  %3 = tile.desc_load %1[%i, %i, %j] cache = cg evict = last : !tile.desc<1x128x64xf16> -> tensor<128x64xf16>
  // CHECK: tile.desc_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.desc<128x64xf16>, tensor<128x64xf16>
  tile.desc_store %0[%i, %j], %2 : !tile.desc<128x64xf16>, tensor<128x64xf16>
  // CHECK: tile.desc_reduce add %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.desc<128x64xf16>, tensor<128x64xf16>
  tile.desc_reduce add %0[%i, %j], %2 : !tile.desc<128x64xf16>, tensor<128x64xf16>
  // CHECK: tile.desc_reduce min
  tile.desc_reduce min %0[%i, %j], %2 : !tile.desc<128x64xf16>, tensor<128x64xf16>
  // CHECK: tile.desc_reduce max
  tile.desc_reduce max %0[%i, %j], %2 : !tile.desc<128x64xf16>, tensor<128x64xf16>
  // CHECK: tile.desc_gather %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<1x64xf16>, tensor<32xi32> -> tensor<32x64xf16>
  %4 = tile.desc_gather %r[%rows, %j] : !tile.desc<1x64xf16>, tensor<32xi32> -> tensor<32x64xf16>
  // CHECK: tile.desc_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.desc<1x64xf16>, tensor<32xi32>, tensor<32x64xf16>
  tile.desc_scatter %r[%rows, %j], %4 : !tile.desc<1x64xf16>, tensor<32xi32>, tensor<32x64xf16>
  return
}

// CHECK-LABEL: func @integer_descriptor
func.func @integer_descriptor(%d: !tile.desc<64xi32>, %i: i32, %v: tensor<64xi32>) {
  // CHECK: tile.desc_reduce inc
  tile.desc_reduce inc %d[%i], %v : !tile.desc<64xi32>, tensor<64xi32>
  // CHECK: tile.desc_reduce dec
  tile.desc_reduce dec %d[%i], %v : !tile.desc<64xi32>, tensor<64xi32>
  // CHECK: tile.desc_reduce and
  tile.desc_reduce and %d[%i], %v : !tile.desc<64xi32>, tensor<64xi32>
  // CHECK: tile.desc_reduce or
  tile.desc_reduce or %d[%i], %v : !tile.desc<64xi32>, tensor<64xi32>
  // CHECK: tile.desc_reduce xor
  tile.desc_reduce xor %d[%i], %v : !tile.desc<64xi32>, tensor<64xi32>
  return
}
