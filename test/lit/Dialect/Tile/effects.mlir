// RUN: tile-opt %s -cse | FileCheck %s
// RUN: tile-opt %s -canonicalize | FileCheck %s --check-prefix=DCE
// RUN: tile-opt %s -inline | FileCheck %s --check-prefix=INLINE
// What may be removed, merged and inlined.

// CHECK-LABEL: func @loads
// DCE-LABEL: func @loads
func.func @loads(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) -> (f32, f32, f32, f32) {
  // CHECK-NEXT: %[[A:.*]] = tile.load %{{.*}} : !tile.ptr<f32>
  // CHECK-NEXT: tile.load %{{.*}} volatile
  // CHECK-NEXT: tile.load %{{.*}} volatile
  %0 = tile.load %p : !tile.ptr<f32>
  %1 = tile.load %p : !tile.ptr<f32>
  %2 = tile.load %p volatile : !tile.ptr<f32>
  %3 = tile.load %p volatile : !tile.ptr<f32>
  // DCE-COUNT-4: tile.load
  // DCE-NOT: tile.load
  %dead = tile.load %q : !tile.ptr<f32>
  // DCE: return
  // CHECK: return %[[A]], %[[A]]
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// A store between two loads keeps both.
// CHECK-LABEL: func @store_between
func.func @store_between(%p: !tile.ptr<f32>, %v: f32) -> (f32, f32) {
  // CHECK-NEXT: tile.load
  %0 = tile.load %p : !tile.ptr<f32>
  // CHECK-NEXT: tile.store
  tile.store %p, %v : !tile.ptr<f32>
  // CHECK-NEXT: tile.load
  %1 = tile.load %p : !tile.ptr<f32>
  return %0, %1 : f32, f32
}

// DCE-LABEL: func @unused
func.func @unused(%p: !tile.ptr<i32>, %x: tensor<8xf32>, %c: i1, %i: i32, %d: !tile.desc<8xf32>) {
  // DCE-NEXT: tile.atomic_rmw
  // DCE-NEXT: tile.atomic_cas
  // DCE-NEXT: tile.extern_elementwise "g"
  // DCE-NEXT: tile.inline_asm "b"
  // DCE-NEXT: tile.print
  // DCE-NEXT: tile.assert
  // DCE-NEXT: tile.assume
  // DCE-NEXT: return
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  %1 = tile.extern_elementwise "f"(%x) pure : (tensor<8xf32>) -> tensor<8xf32>
  %2 = tile.inline_asm "a" constraints "=f,f"(%x) pure : (tensor<8xf32>) -> tensor<8xf32>
  %3 = tile.desc_load %d[%i] : !tile.desc<8xf32> -> tensor<8xf32>
  %4 = tile.atomic_rmw add %p, %i : !tile.ptr<i32>
  %5 = tile.atomic_cas %p, %i, %i : !tile.ptr<i32>
  %6 = tile.extern_elementwise "g"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %7 = tile.inline_asm "b" constraints "=f,f"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  tile.print "x" %x : tensor<8xf32>
  tile.assert %c, "c" : i1
  tile.assume %c
  return
}

func.func private @sum(%x: tensor<8xf32>) -> f32 {
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  return %0 : f32
}

// INLINE-LABEL: func @caller
func.func @caller(%p: tensor<8x!tile.ptr<f32>>, %q: !tile.ptr<f32>) {
  // INLINE: tile.load
  %x = tile.load %p : tensor<8x!tile.ptr<f32>>
  // INLINE-NEXT: tile.reduce
  // INLINE-NOT: call
  %s = func.call @sum(%x) : (tensor<8xf32>) -> f32
  // INLINE: tile.store
  tile.store %q, %s : !tile.ptr<f32>
  return
}
