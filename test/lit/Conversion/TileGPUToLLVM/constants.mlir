// Constants with elements that differ: chosen by comparisons, known where a thread holds them all, or read from an array.
// RUN: %S/Inputs/agree %s "1 4" --kernel=few --arg=f32[4]=zeros
// RUN: %S/Inputs/agree %s "1 4" --kernel=table --arg=bf16[16]=zeros --arg=i1[16]=zeros
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --convert-tile-gpu-to-rocdl | FileCheck %s --check-prefix=AMD

// CHECK-LABEL: llvm.func @few
// CHECK-COUNT-3: llvm.select
// CHECK-NOT: llvm.load
// CHECK: llvm.return
func.func @few(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c = arith.constant dense<[1.5, -2.0, 0.25, 8.0]> : tensor<4xf32>
  %r = tile.make_range 0 to 4 : tensor<4xi32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %xp, %c : tensor<4x!tile.ptr<f32>>
  return
}

// CHECK: llvm.mlir.global internal constant @table.constant0("{{.*}}") {addr_space = 1 : i32, alignment = 16 : i64}
// CHECK: llvm.mlir.global internal constant @table.constant1("{{.*}}") {addr_space = 1 : i32, alignment = 16 : i64}
// CHECK-LABEL: llvm.func @table
// AMD: llvm.mlir.global internal constant @table.constant0("{{.*}}") {addr_space = 4 : i32, alignment = 16 : i64}
func.func @table(%x: !tile.ptr<bf16>, %y: !tile.ptr<i1>) attributes {tile.kernel} {
  %c = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], [-1.0, -2.0, -3.0, -4.0], [8.0, 16.0, 32.0, 64.0]]> : tensor<4x4xbf16>
  %d = arith.constant dense<[true, false, true, true, false, false, false, true, true, false, true, false, false, true, true, false]> : tensor<16xi1>
  %t = tile.trans %c order = [1, 0] : tensor<4x4xbf16> -> tensor<4x4xbf16>
  %f = tile.reshape %t : tensor<4x4xbf16> -> tensor<16xbf16>
  %r = tile.make_range 0 to 16 : tensor<16xi32>
  %xs = tile.splat %x : tensor<16x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %r : tensor<16x!tile.ptr<bf16>>, tensor<16xi32>
  %ys = tile.splat %y : tensor<16x!tile.ptr<i1>>
  %yp = tile.addptr %ys, %r : tensor<16x!tile.ptr<i1>>, tensor<16xi32>
  tile.store %xp, %f : tensor<16x!tile.ptr<bf16>>
  tile.store %yp, %d : tensor<16x!tile.ptr<i1>>
  return
}
