// Products without matrix units: several steps along K an iteration, for which the first factor's elements are read together.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=llvm-dialect | FileCheck %s
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK: ^bb2(%[[K:[0-9]+]]: i32,
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-128: llvm.intr.fma
// CHECK: llvm.add %[[K]], %[[FOUR]] : i32
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=4 --grid=1 --arg=f32[1024]=randn:1 --arg=f32[1024]=randn:2 --arg=f32[4096]=zeros --against=cpu --atol=1e-5
func.func @dot(%pa: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %nc = tile.make_range 0 to 4096 : tensor<4096xi32>
  %ia = tile.reshape %n : tensor<1024xi32> -> tensor<64x16xi32>
  %ib = tile.reshape %n : tensor<1024xi32> -> tensor<16x64xi32>
  %ic = tile.reshape %nc : tensor<4096xi32> -> tensor<64x64xi32>
  %sa = tile.splat %pa : tensor<64x16x!tile.ptr<f32>>
  %sb = tile.splat %pb : tensor<16x64x!tile.ptr<f32>>
  %sc = tile.splat %pc : tensor<64x64x!tile.ptr<f32>>
  %qa = tile.addptr %sa, %ia : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %qb = tile.addptr %sb, %ib : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  %qc = tile.addptr %sc, %ic : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %a = tile.load %qa : tensor<64x16x!tile.ptr<f32>>
  %b = tile.load %qb : tensor<16x64x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero precision = ieee : tensor<64x16xf32> * tensor<16x64xf32> -> tensor<64x64xf32>
  tile.store %qc, %d : tensor<64x64x!tile.ptr<f32>>
  return
}
