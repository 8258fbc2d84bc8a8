// The result of a kernel with products, whose rows may start anywhere: a store through a buffer resource where its offsets fit, the old one where not.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4" --tile-gpu-split-stores | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-split-stores | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4 disable=unaligned-access" --tile-gpu-split-stores | FileCheck %s --check-prefix=NONE
// NONE-COUNT-1: scf.if
// NONE-NOT: scf.if
//
// CHECK-LABEL: @rows
// CHECK: %[[LOW:.*]] = arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[SPAN:.*]] = arith.subi %{{.*}} : i64
// CHECK: arith.cmpi sle, %[[SPAN]], %{{.*}} : i64
// CHECK: %[[FITS:.*]] = arith.andi
// CHECK: scf.if %[[FITS]] {
// CHECK: tile.addptr %{{.*}} {tile_gpu.bounded}
// CHECK: tile.store %{{.*}}, %[[X:.*]] mask %[[M:.*]] {tile_gpu.buffer}
// CHECK: } else {
// CHECK: tile.store %{{.*}}, %[[X]] mask %[[M]] {tile_gpu.any_layout}
// CHECK: }
func.func @rows(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: !tile.ptr<f32>, %m: i32, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %column = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ns = tile.splat %n : tensor<64x1xi32>
  %start = arith.muli %row, %ns : tensor<64x1xi32>
  %starts = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %starts, %columns : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %ends = tile.splat %n : tensor<64x64xi32>
  %in = arith.cmpi slt, %columns, %ends : tensor<64x64xi32>
  tile.store %p, %x mask %in : tensor<64x64x!tile.ptr<f32>>
  return
}

// Rows that are aligned, a parameter whose range is known, a store in a branch: as they are.
// CHECK-LABEL: @others
// CHECK: tile.store %{{.*}}, %{{.*}} :
// CHECK: tile.store %{{.*}}, %{{.*}} :
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: tile.store %{{.*}}, %{{.*}} :
// CHECK-NEXT: }
// CHECK-NOT: scf.if
func.func @others(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
    %d: !tile.ptr<f32> {tile.pointer_range = 32 : i32}, %n: i32 {tile.divisibility = 16 : i32}, %k: i32, %some: i1) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %column = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %ns = tile.splat %n : tensor<64x1xi32>
  %start = arith.muli %row, %ns : tensor<64x1xi32>
  %starts = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %at = arith.addi %starts, %columns : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %p, %x : tensor<64x64x!tile.ptr<f32>>
  %ks = tile.splat %k : tensor<64x1xi32>
  %start2 = arith.muli %row, %ks : tensor<64x1xi32>
  %starts2 = tile.broadcast %start2 : tensor<64x1xi32> -> tensor<64x64xi32>
  %at2 = arith.addi %starts2, %columns : tensor<64x64xi32>
  %ds = tile.splat %d : tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %ds, %at2 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %x : tensor<64x64x!tile.ptr<f32>>
  %o = tile.addptr %cs, %at2 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  scf.if %some {
    tile.store %o, %x : tensor<64x64x!tile.ptr<f32>>
  }
  return
}

// Offsets of what has no bounds or one operand: numbers of a table, zero extension.
// CHECK-LABEL: @unbounded
// CHECK-COUNT-2: tile.store
// CHECK-NOT: tile_gpu.buffer
func.func @unbounded(%a: tensor<64x32xf16>, %b: tensor<32x4xf16>, %c: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x4xf32>
  %x = tile.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x4xf16> -> tensor<64x4xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ns = tile.splat %n : tensor<64x1xi32>
  %start = arith.muli %row, %ns : tensor<64x1xi32>
  %starts = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x4xi32>
  %table = arith.constant dense<[[2, 3, 4, 5]]> : tensor<1x4xi32>
  %columns = tile.broadcast %table : tensor<1x4xi32> -> tensor<64x4xi32>
  %at = arith.addi %starts, %columns : tensor<64x4xi32>
  %cs = tile.splat %c : tensor<64x4x!tile.ptr<f32>>
  %p = tile.addptr %cs, %at : tensor<64x4x!tile.ptr<f32>>, tensor<64x4xi32>
  tile.store %p, %x : tensor<64x4x!tile.ptr<f32>>
  %r4 = tile.make_range 0 to 4 : tensor<4xi32>
  %column = tile.expand_dims %r4 axis = 0 : tensor<4xi32> -> tensor<1x4xi32>
  %columns2 = tile.broadcast %column : tensor<1x4xi32> -> tensor<64x4xi32>
  %at2 = arith.addi %starts, %columns2 : tensor<64x4xi32>
  %wide = arith.extui %at2 : tensor<64x4xi32> to tensor<64x4xi64>
  %q = tile.addptr %cs, %wide : tensor<64x4x!tile.ptr<f32>>, tensor<64x4xi64>
  tile.store %q, %x : tensor<64x4x!tile.ptr<f32>>
  return
}
