// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s

// CHECK-LABEL: func.func private @access
tt.func @access(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf32>, %i: tensor<8xi32>, %q: !tt.ptr<i64>, %n: i64) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} {tile.contiguity = array<i32: 8>, tile.divisibility = array<i32: 16>} : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %0 = tt.addptr %p, %i {tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>} : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  // CHECK: tile.load %{{.*}} : tensor<8x!tile.ptr<f32>>
  %1 = tt.load %0 : tensor<8x!tt.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} evict = first : tensor<8x!tile.ptr<f32>>
  %2 = tt.load %p, %m evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} cache = cg evict = last volatile : tensor<8x!tile.ptr<f32>>
  %3 = tt.load %p, %m, %o cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  // CHECK: tile.load %{{.*}} cache = cv evict = first : tensor<8x!tile.ptr<f32>>
  %4 = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cv, eviction_policy = evict_first>} : tensor<8x!tt.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<i64>
  tt.store %q, %n : !tt.ptr<i64>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} cache = wt evict = first : tensor<8x!tile.ptr<f32>>
  tt.store %p, %o, %m cacheModifier = wt evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} cache = cs : tensor<8x!tile.ptr<f32>>
  tt.store %p, %o {cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = evict_normal>} : tensor<8x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: func.func private @atomics
tt.func @atomics(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %m: tensor<8xi1>, %q: !tt.ptr<i32>, %n: i32, %b: i1, %ns: i64) {
  // CHECK: tile.atomic_rmw fadd %{{.*}}, %{{.*}} mask %{{.*}} sem = acq_rel : tensor<8x!tile.ptr<f32>>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: tile.atomic_rmw umin %{{.*}}, %{{.*}} sem = release scope = sys : !tile.ptr<i32>
  %1 = tt.atomic_rmw umin, release, sys, %q, %n : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} sem = acquire scope = cta : !tile.ptr<i32>
  %2 = tt.atomic_cas acquire, cta, %q, %n, %n : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<8xi32>
  // CHECK: %[[I:.*]] = tile.bitcast %{{.*}} : tensor<8x!tile.ptr<f32>> -> tensor<8x!tile.ptr<i32>>
  // CHECK: %[[OLD:.*]] = tile.atomic_rmw or %[[I]], %[[ZERO]] mask %{{.*}} sem = acquire scope = cta : tensor<8x!tile.ptr<i32>>
  // CHECK: tile.bitcast %[[OLD]] : tensor<8xi32> -> tensor<8xf32>
  %3 = tt.atomic_load acquire, cta, %p, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: tile.atomic_rmw or %{{.*}}, %[[ZERO]] : !tile.ptr<i32>
  %4 = tt.atomic_load relaxed, gpu, %q : (!tt.ptr<i32>) -> i32
  // CHECK: tile.atomic_rmw exch %{{.*}}, %{{.*}} mask %{{.*}} sem = release scope = sys : !tile.ptr<i32>
  tt.atomic_store release, sys, %q, %n, %b : !tt.ptr<i32>
  // CHECK: tile.atomic_poll %{{.*}}, %{{.*}} timeout %{{.*}} sem = acquire : !tile.ptr<i32>
  %5 = tt.atomic_poll acquire, gpu, %q, %n timeout %ns : !tt.ptr<i32>, i32 -> i1
  tt.return
}
