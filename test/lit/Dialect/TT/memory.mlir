// RUN: tile-opt %s | tile-opt | FileCheck %s
// Pointer arithmetic, loads, stores, atomics.

tt.func @access(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf32>, %i: tensor<8xi32>, %q: !tt.ptr<i64>, %n: i64, %b: i1) {
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %0 = tt.addptr %p, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<i64>, i64
  %1 = tt.addptr %q, %n : !tt.ptr<i64>, i64
  // CHECK: tt.load %{{.*}} : tensor<8x!tt.ptr<f32>>
  %2 = tt.load %0 : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}} evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  %3 = tt.load %p, %m evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  %4 = tt.load %p, %m, %o evictionPolicy = evict_last cacheModifier = cg {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>} : tensor<8x!tt.ptr<f32>>
  %5 = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}} : !tt.ptr<i64>
  %6 = tt.load %1, %b : !tt.ptr<i64>
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i64>
  tt.store %q, %6 : !tt.ptr<i64>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wt evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  tt.store %p, %o, %m cacheModifier = wt evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = wb, eviction_policy = evict_last>} : tensor<8x!tt.ptr<f32>>
  tt.store %p, %o {cachePolicy = #tt.cache_policy<cache_modifier = wb, eviction_policy = evict_last>} : tensor<8x!tt.ptr<f32>>
  tt.return
}

tt.func @atomics(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %m: tensor<8xi1>, %q: !tt.ptr<i32>, %n: i32, %b: i1, %ns: i64) {
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: tt.atomic_rmw exch, release, sys, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %1 = tt.atomic_rmw exch, release, sys, %q, %n : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tt.atomic_cas acquire, cta, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32, i32) -> i32
  %2 = tt.atomic_cas acquire, cta, %q, %n, %n : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tt.atomic_load acquire, cta, %{{.*}}, %{{.*}} : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %3 = tt.atomic_load acquire, cta, %p, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: tt.atomic_store release, sys, %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<i32>
  tt.atomic_store release, sys, %q, %n, %b : !tt.ptr<i32>
  // CHECK: tt.atomic_poll acquire, gpu, %{{.*}}, %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %4 = tt.atomic_poll acquire, gpu, %q, %n : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll relaxed, sys, %{{.*}}, %{{.*}} timeout %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %5 = tt.atomic_poll relaxed, sys, %q, %n timeout %ns : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK: tt.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  // CHECK: gpu.barrier
  gpu.barrier
  // CHECK: ttg.barrier all
  ttg.barrier all
  // CHECK: ttg.barrier local|global_write
  ttg.barrier local|global_write
  tt.return
}
