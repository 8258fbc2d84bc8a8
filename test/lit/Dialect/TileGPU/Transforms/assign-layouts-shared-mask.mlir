// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts --canonicalize | FileCheck %s

// One mask for a load along columns and a store along rows: both keep the layout they want, the mask is made in both.
// CHECK-DAG: #[[COLUMNS:.*]] = #tile_gpu.layout<2, register = {{\[\[}}1, 0], [2, 0], [4, 0]
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<2, register = {{\[\[}}0, 1], [0, 2], [0, 4]
// CHECK-LABEL: @transpose
// CHECK: tile.load {{.*}} mask %{{.*}} : tensor<64x64x!tile.ptr<f16>, #[[COLUMNS]]>
// CHECK-COUNT-1: tile_gpu.convert_layout
// CHECK-NOT: convert_layout
// CHECK: tile.store {{.*}} mask %{{.*}} : tensor<64x64x!tile.ptr<f16>, #[[ROWS]]>
func.func @transpose(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c64 = arith.constant dense<64> : tensor<64x64xi32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col = tile.expand_dims %r axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %i = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %j = tile.broadcast %col : tensor<64x1xi32> -> tensor<64x64xi32>
  %ns = tile.splat %n : tensor<1x64xi32>
  %m1 = arith.cmpi slt, %row, %ns : tensor<1x64xi32>
  %m = tile.broadcast %m1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %i64 = arith.muli %i, %c64 : tensor<64x64xi32>
  %a = arith.addi %i64, %j : tensor<64x64xi32>
  %xs = tile.splat %x : tensor<64x64x!tile.ptr<f16>>
  %p = tile.addptr %xs, %a : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %v = tile.load %p mask %m : tensor<64x64x!tile.ptr<f16>>
  %j64 = arith.muli %j, %c64 : tensor<64x64xi32>
  %b = arith.addi %j64, %i : tensor<64x64xi32>
  %ys = tile.splat %y : tensor<64x64x!tile.ptr<f16>>
  %q = tile.addptr %ys, %b : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %q, %v mask %m : tensor<64x64x!tile.ptr<f16>>
  return
}
