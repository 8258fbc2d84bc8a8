// The pipeliner's work: asynchronous copies with exact waits where the chip has them, else loads staged through registers.
// RUN: tile-opt %s --tile-to-nvvm="chip=sm_80 num-warps=4 num-stages=3" --mlir-print-ir-after=tile-gpu-insert-barriers -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --tile-to-rocdl="chip=gfx942 num-warps=4 num-stages=3" --mlir-print-ir-after=tile-gpu-insert-barriers -o /dev/null 2>&1 | FileCheck %s --check-prefix=AMD

// Three buffers; two steps in front, whose copies of iterations that do not exist are masked.
// CHECK-LABEL: @sum
// CHECK: %[[M:.*]] = tile_gpu.alloc {tile_gpu.offset = 0 : i32} : () -> !tile_gpu.memdesc<3x1024xf32
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %{{.*}}, %c0_i32
// CHECK: tile.splat %[[ANY]]
// CHECK: tile_gpu.async_copy
// CHECK: tile_gpu.async_commit
// CHECK: arith.cmpi ugt, %{{.*}}, %c1_i32
// CHECK: tile_gpu.async_copy
// CHECK: tile_gpu.async_commit
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %{{.*}}, %[[P:[a-z0-9]+]] = %{{.*}}, %[[I:[a-z0-9]+]] = %c0_i32)
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %[[K]]
// CHECK: arith.cmpi ugt, %[[REST]], %c2_i32
// CHECK: tile_gpu.async_wait 1
// CHECK-NEXT: tile.barrier
// CHECK: %[[NEW:.*]] = tile_gpu.index %[[M]][%[[I]]] rotate = 2
// CHECK: tile_gpu.async_copy %[[P]], %[[NEW]] mask
// CHECK: tile_gpu.async_commit
// CHECK-NOT: tile.barrier
// CHECK: %[[OLD:.*]] = tile_gpu.index %[[M]][%[[I]]] :
// CHECK: tile_gpu.local_load %[[OLD]]
// CHECK: tile_gpu.advance %[[I]] of 3
// CHECK: scf.yield
// Nothing takes the memory again: what is still on its way there is not waited for.
// CHECK-NOT: tile_gpu.async_wait
// CHECK: return

// What no other thread wants stays in registers. The pointers are carried as a distance, which stops at the last iteration, so
// that the loop's load needs no mask.
// AMD-LABEL: @sum
// AMD-NOT: tile_gpu.alloc
// AMD: %[[FIRST:.*]] = tile.load {{.*}} mask
// AMD: scf.for {{.*}} = %[[FIRST]])
// AMD: tile.load %{{[0-9a-z]+}} {tile_gpu.not_buffer = "nothing says that 32 bits reach all elements (tile.pointer_range)"} :
// AMD: arith.select
// AMD-NOT: tile.barrier
func.func @sum(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %z = arith.constant dense<0.0> : tensor<1024xf32>
  %step = arith.constant dense<1024> : tensor<1024xi32>
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %p0, %acc = %z) -> (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) : i32 {
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<1024xf32>
    %q = tile.addptr %p, %step : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    scf.yield %q, %next : tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>
  } {tile.num_stages = 3 : i32}
  %os = tile.splat %o : tensor<1024x!tile.ptr<f32>>
  %po = tile.addptr %os, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %po, %sum#1 : tensor<1024x!tile.ptr<f32>>
  return
}

// No product and nobody asked: the loop stays.
// CHECK-LABEL: @plain
// CHECK-NOT: async_copy
// CHECK: scf.for
// AMD-LABEL: @plain
// AMD: scf.for
// AMD-NEXT: tile.load
func.func @plain(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %z = arith.constant dense<0.0> : tensor<1024xf32>
  %step = arith.constant dense<1024> : tensor<1024xi32>
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %p0, %acc = %z) -> (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) : i32 {
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<1024xf32>
    %q = tile.addptr %p, %step : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    scf.yield %q, %next : tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>
  }
  %os = tile.splat %o : tensor<1024x!tile.ptr<f32>>
  %po = tile.addptr %os, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %po, %sum#1 : tensor<1024x!tile.ptr<f32>>
  return
}
