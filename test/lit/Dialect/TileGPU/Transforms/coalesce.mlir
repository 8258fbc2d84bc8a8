// Preferred layouts of accesses: order, elements of a thread, agreement between accesses.
// RUN: tile-opt %s --tile-gpu-coalesce -split-input-file | FileCheck %s

// CHECK-DAG: [[EIGHT:#layout[0-9]*]] = #tile_gpu.layout<1, register = {{\[\[1\], \[2\], \[4\]\]}}, lane = {{\[\[8\], \[16\], \[32\], \[64\], \[128\]\]}}, warp = {{\[\[256\], \[512\]\]}}, block = []>
// CHECK-DAG: [[FOUR:#layout[0-9]*]] = #tile_gpu.layout<1, register = {{\[\[1\], \[2\], \[512\]\]}}, lane = {{\[\[4\], }}
// CHECK-DAG: [[ONE:#layout[0-9]*]] = #tile_gpu.layout<1, register = {{\[\[128\], \[256\], \[512\]\]}}, lane = {{\[\[1\], }}
// CHECK-DAG: [[FEW:#layout[0-9]*]] = #tile_gpu.layout<1, register = [], lane = {{\[\[1\], \[2\], \[4\], \[8\], \[16\]\]}}, warp = {{\[\[32\], \[0\]\]}}
// CHECK-DAG: [[COLUMNS:#layout[0-9]*]] = #tile_gpu.layout<2, register = {{\[\[1, 0\], \[2, 0\], \[4, 0\], \[0, 16\]\]}}, lane = {{\[\[8, 0\], \[16, 0\], \[32, 0\], \[0, 1\], \[0, 2\]\]}}
// CHECK-DAG: [[ROWS:#layout[0-9]*]] = #tile_gpu.layout<2, register = {{\[\[0, 1\], \[0, 2\], \[0, 4\], \[32, 0\]\]}}, lane = {{\[\[0, 8\], \[0, 16\], \[1, 0\], \[2, 0\], \[4, 0\]\]}}

// An f16 store of 8 elements: the f32 load that feeds it follows.
// CHECK-LABEL: func.func @agree
// CHECK: tile.load {{.*}}tile_gpu.layout = [[EIGHT]]}
// CHECK: tile.store {{.*}}tile_gpu.layout = [[EIGHT]]}
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 32 : i32, tile_gpu.num_ctas = 1 : i32} {
  func.func @agree(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
    %i = tile.make_range 0 to 1024 : tensor<1024xi32>
    %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %h = arith.truncf %v : tensor<1024xf32> to tensor<1024xf16>
    %ys = tile.splat %y : tensor<1024x!tile.ptr<f16>>
    %q = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
    tile.store %q, %h : tensor<1024x!tile.ptr<f16>>
    return
  }

// The f32 store keeps to its own 4 elements, though an f16 load takes 8.
// CHECK-LABEL: func.func @own
// CHECK: tile.load {{.*}}tile_gpu.layout = [[EIGHT]]}
// CHECK: tile.store {{.*}}tile_gpu.layout = [[FOUR]]}
  func.func @own(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
    %i = tile.make_range 0 to 1024 : tensor<1024xi32>
    %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f16>>
    %h = arith.extf %v : tensor<1024xf16> to tensor<1024xf32>
    %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
    %q = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    tile.store %q, %h : tensor<1024x!tile.ptr<f32>>
    return
  }

// Without a known alignment, and with a mask that may change anywhere: one element of a thread. (A mask that compares the
// index with a bound does not stand in the way: the lowering writes such an access twice.)
// CHECK-LABEL: func.func @one
// CHECK: tile.load {{.*}}tile_gpu.layout = [[ONE]]}
// CHECK: tile.load {{.*}}tile_gpu.layout = [[ONE]]}
  func.func @one(%x: !tile.ptr<f32>, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
    %i = tile.make_range 0 to 1024 : tensor<1024xi32>
    %end = tile.splat %n : tensor<1024xi32>
    %in = arith.cmpi ne, %i, %end : tensor<1024xi32>
    %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
    %q = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %w = tile.load %q mask %in : tensor<1024x!tile.ptr<f32>>
    return
  }

// Fewer elements than threads: none stays idle for width, the surplus lanes hold copies.
// CHECK-LABEL: func.func @few
// CHECK: tile.load {{.*}}tile_gpu.layout = [[FEW]]}
  func.func @few(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
    %i = tile.make_range 0 to 64 : tensor<64xi32>
    %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %p : tensor<64x!tile.ptr<f32>>
    return
  }

// A tile whose columns run in memory, and one whose rows do.
// CHECK-LABEL: func.func @columns
// CHECK: tile.load {{.*}}tile_gpu.layout = [[COLUMNS]]}
// CHECK: tile.load {{.*}}tile_gpu.layout = [[ROWS]]}
  func.func @columns(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ld: i32 {tile.divisibility = 16 : i32}) {
    %i = tile.make_range 0 to 64 : tensor<64xi32>
    %i2 = tile.expand_dims %i axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %j = tile.make_range 0 to 32 : tensor<32xi32>
    %j2 = tile.expand_dims %j axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %is = tile.broadcast %i2 : tensor<64x1xi32> -> tensor<64x32xi32>
    %js = tile.broadcast %j2 : tensor<1x32xi32> -> tensor<64x32xi32>
    %lds = tile.splat %ld : tensor<64x32xi32>
    %far = arith.muli %js, %lds : tensor<64x32xi32>
    %o = arith.addi %is, %far : tensor<64x32xi32>
    %xs = tile.splat %x : tensor<64x32x!tile.ptr<f16>>
    %p = tile.addptr %xs, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %v = tile.load %p : tensor<64x32x!tile.ptr<f16>>
    %far2 = arith.muli %is, %lds : tensor<64x32xi32>
    %o2 = arith.addi %far2, %js : tensor<64x32xi32>
    %q = tile.addptr %xs, %o2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %w = tile.load %q : tensor<64x32x!tile.ptr<f16>>
    return
  }

// Atomics go out one by one, except sums of pairs.
// CHECK-LABEL: func.func @atomics
// CHECK: tile.atomic_rmw add {{.*}}tile_gpu.layout = [[ONE]]}
// CHECK: tile.atomic_rmw fadd {{.*}}tile_gpu.layout = [[EIGHT]]}
  func.func @atomics(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %one: tensor<1024xi32>, %half: tensor<1024xf16>) {
    %i = tile.make_range 0 to 1024 : tensor<1024xi32>
    %xs = tile.splat %x : tensor<1024x!tile.ptr<i32>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
    %a = tile.atomic_rmw add %p, %one : tensor<1024x!tile.ptr<i32>>
    %ys = tile.splat %y : tensor<1024x!tile.ptr<f16>>
    %q = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
    %b = tile.atomic_rmw fadd %q, %half : tensor<1024x!tile.ptr<f16>>
    return
  }
}

// -----

// Two blocks of a cluster share the rows; a wave of 64.
// CHECK: [[SPLIT:#layout]] = #tile_gpu.layout<2, register = {{\[\[0, 1\], \[0, 2\], \[0, 4\], \[16, 0\]\]}}, lane = {{\[\[0, 8\], \[0, 16\], \[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\]\]}}, warp = [], block = {{\[\[32, 0\]\]}}
// CHECK-LABEL: func.func @cluster
// CHECK: tile.load {{.*}}tile_gpu.layout = [[SPLIT]]}
module attributes {tile_gpu.target = "gfx942", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 64 : i32, tile_gpu.num_ctas = 2 : i32} {
  func.func @cluster(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
    %i = tile.make_range 0 to 2048 : tensor<2048xi32>
    %o = tile.reshape %i : tensor<2048xi32> -> tensor<64x32xi32>
    %xs = tile.splat %x : tensor<64x32x!tile.ptr<f16>>
    %p = tile.addptr %xs, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %v = tile.load %p : tensor<64x32x!tile.ptr<f16>>
    return
  }
}
