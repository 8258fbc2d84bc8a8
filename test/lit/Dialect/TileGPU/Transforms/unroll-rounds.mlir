// Rounds of a loop that carries two blocks of 64 registers a thread are written out; with four times the threads they are not many, and the loop stays.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-translate %s --target=sm_90 --num-warps=16 --emit=tile_gpu | FileCheck %s --check-prefix=FEW
// RUN: tile-run %s --device=sim --target=sm_90 --grid=1 --arg=i32[8192]=zeros --arg=i32=5 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --device=sim --target=gfx942 --grid=1 --arg=i32[8192]=zeros --arg=i32=5 --against=cpu --atol=0 --rtol=0
//
// Bounds as far apart as 64 bits are, and steps: counted without overflow. Unsigned ones stay.
// RUN: tile-opt %S/Inputs/unroll-rounds-far.mlir --tile-gpu-unroll-rounds | FileCheck %S/Inputs/unroll-rounds-far.mlir
//
// CHECK-NOT: scf.for
// CHECK-COUNT-3: tile.mulhiui
// CHECK-NOT: tile.mulhiui
// FEW: scf.for
// FEW: tile.mulhiui
// FEW-NOT: tile.mulhiui
func.func @rounds(%y: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %seed: i32) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %i = tile.make_range 0 to 8192 : tensor<8192xi32>
  %factor = arith.constant dense<0xD2511F53> : tensor<8192xi32>
  %zeros = arith.constant dense<0> : tensor<8192xi32>
  %r:3 = scf.for %round = %c1 to %c6 step %c2 iter_args(%a = %i, %b = %zeros, %k = %seed) -> (tensor<8192xi32>, tensor<8192xi32>, i32) : i32 {
    %high = tile.mulhiui %factor, %a : tensor<8192xi32>
    %low = arith.muli %factor, %a : tensor<8192xi32>
    %n = arith.addi %k, %round : i32
    %ks = tile.splat %n : tensor<8192xi32>
    %t = arith.xori %high, %b : tensor<8192xi32>
    %next = arith.xori %t, %ks : tensor<8192xi32>
    scf.yield %next, %low, %n : tensor<8192xi32>, tensor<8192xi32>, i32
  }
  %sum = arith.addi %r#0, %r#1 : tensor<8192xi32>
  %ys = tile.splat %y : tensor<8192x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<8192x!tile.ptr<i32>>, tensor<8192xi32>
  tile.store %py, %sum : tensor<8192x!tile.ptr<i32>>
  return
}
