// RUN: tile-opt %s --tile-gpu-order-memory | FileCheck %s

#own = #tile_gpu.layout<1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []>
#copies = #tile_gpu.layout<1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]], block = []>
#other = #tile_gpu.layout<1, register = [], lane = [[1], [2], [4], [8], [64]], warp = [[32], [16]], block = []>
#lanes = #tile_gpu.layout<1, register = [], lane = [[1], [2], [4], [8], [0]], warp = [[16], [32]], block = []>
module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a", tile_gpu.threads_per_warp = 32 : i32} {

// Every thread loads the scalar that the first one stores.
// CHECK-LABEL: func.func @scalars
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
func.func @scalars(%p: !tile.ptr<i32>) -> (i32, i32) {
  %v = tile.load %p : !tile.ptr<i32>
  tile.store %p, %v : !tile.ptr<i32>
  tile.store %p, %v : !tile.ptr<i32>
  %w = tile.load %p : !tile.ptr<i32>
  return %v, %w : i32, i32
}

// The same threads load and store.
// CHECK-LABEL: func.func @same
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @same(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %v: f32) {
  %p = tile.splat %x : tensor<128x!tile.ptr<f32>, #own>
  %a = tile.load %p : tensor<128x!tile.ptr<f32>, #own>
  tile.store %p, %a : tensor<128x!tile.ptr<f32>, #own>
  tile.store %y, %v : !tile.ptr<f32>
  %b = tile.load %p : tensor<128x!tile.ptr<f32>, #own>
  tile.store %p, %b : tensor<128x!tile.ptr<f32>, #own>
  return
}

// Other threads, or several.
// CHECK-LABEL: func.func @differ
// CHECK: tile.load
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-LABEL: func.func @copied
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-LABEL: func.func @copied_in_warp
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @differ(%x: !tile.ptr<f32>) {
  %p = tile.splat %x : tensor<128x!tile.ptr<f32>, #own>
  %q = tile.splat %x : tensor<128x!tile.ptr<f32>, #other>
  %a = tile.load %p : tensor<128x!tile.ptr<f32>, #own>
  %b = tile_gpu.convert_layout %a : tensor<128xf32, #own> -> tensor<128xf32, #other>
  tile.store %q, %b : tensor<128x!tile.ptr<f32>, #other>
  return
}

func.func @copied(%x: !tile.ptr<f32>) {
  %p = tile.splat %x : tensor<32x!tile.ptr<f32>, #copies>
  %a = tile.load %p : tensor<32x!tile.ptr<f32>, #copies>
  tile.store %p, %a : tensor<32x!tile.ptr<f32>, #copies>
  return
}

func.func @copied_in_warp(%x: !tile.ptr<f32>) {
  %p = tile.splat %x : tensor<64x!tile.ptr<f32>, #lanes>
  %a = tile.load %p : tensor<64x!tile.ptr<f32>, #lanes>
  tile.store %p, %a : tensor<64x!tile.ptr<f32>, #lanes>
  return
}

// The store of one iteration and the load of the next; a branch hands on what either arm has under way.
// CHECK-LABEL: func.func @flow
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK: scf.if
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK: return
func.func @flow(%p: !tile.ptr<i32>, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (!tile.ptr<i32>) : i32 {
    %v = tile.load %q : !tile.ptr<i32>
    scf.if %c {
      tile.store %q, %v : !tile.ptr<i32>
    }
    %r = tile.addptr %q, %c1 : !tile.ptr<i32>, i32
    scf.yield %r : !tile.ptr<i32>
  }
  return
}

// A pointer of unknown origin may point anywhere.
// CHECK-LABEL: func.func @unknown
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
func.func @unknown(%p: !tile.ptr<i32>, %a: i64) {
  %v = tile.load %p : !tile.ptr<i32>
  %q = tile.int_to_ptr %a : i64 -> !tile.ptr<i32>
  tile.store %q, %v : !tile.ptr<i32>
  return
}

// A loop that exchanges two pointers: what one iteration stores through the first, the next one loads through the second.
// CHECK-LABEL: func.func @exchanged
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @exchanged(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!tile.ptr<i32>, !tile.ptr<i32>) : i32 {
    %v = tile.load %q : !tile.ptr<i32>
    tile.store %p, %v : !tile.ptr<i32>
    scf.yield %q, %p : !tile.ptr<i32>, !tile.ptr<i32>
  }
  return
}

// Pointers that loops in loops only move keep their origin, around the loops and behind them.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @nested(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!tile.ptr<i32>, !tile.ptr<i32>) : i32 {
    %inner:2 = scf.for %j = %c0 to %n step %c1 iter_args(%r = %p, %s = %q) -> (!tile.ptr<i32>, !tile.ptr<i32>) : i32 {
      %v = tile.load %s : !tile.ptr<i32>
      tile.store %r, %v : !tile.ptr<i32>
      %t = tile.addptr %r, %c1 : !tile.ptr<i32>, i32
      scf.yield %t, %s : !tile.ptr<i32>, !tile.ptr<i32>
    }
    scf.yield %inner#0, %inner#1 : !tile.ptr<i32>, !tile.ptr<i32>
  }
  %w = tile.load %end#1 : !tile.ptr<i32>
  tile.store %end#0, %w : !tile.ptr<i32>
  return
}
}
