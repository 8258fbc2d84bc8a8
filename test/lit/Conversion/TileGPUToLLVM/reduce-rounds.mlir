// Results of two warps each, more of them than shared memory has room for: some registers at a time go through it.
// RUN: %S/Inputs/agree %s "8 4" --arg=f32[65536]=randn:3 --arg=f32[32768]=zeros --arg=i32[32768]=zeros

// Of 512 KiB a quarter: the largest power of two that a block can have.
// RUN: tile-translate --target=sm_90a --num-warps=8 --emit=tile_gpu %s | FileCheck %s
// CHECK: tile_gpu.shared = 131072 : i32
// CHECK: tile.reduce
// CHECK: tile_gpu.scratch =
func.func @maxima(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %oi: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 65536 : tensor<65536xi32>
  %xs = tile.splat %x : tensor<65536x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  %v = tile.load %p : tensor<65536x!tile.ptr<f32>>
  %v3 = tile.reshape %v : tensor<65536xf32> -> tensor<64x2x512xf32>
  %i3 = tile.reshape %r : tensor<65536xi32> -> tensor<64x2x512xi32>
  %m, %at = tile.reduce %v3, %i3 axis = 1 : tensor<64x2x512xf32>, tensor<64x2x512xi32> -> tensor<64x512xf32>, tensor<64x512xi32> {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %less = arith.cmpf olt, %a, %b : f32
    %t = arith.select %less, %b, %a : f32
    %ti = arith.select %less, %bi, %ai : i32
    tile.yield %t, %ti : f32, i32
  }
  %mf = tile.reshape %m : tensor<64x512xf32> -> tensor<32768xf32>
  %if = tile.reshape %at : tensor<64x512xi32> -> tensor<32768xi32>
  %w = tile.make_range 0 to 32768 : tensor<32768xi32>
  %os = tile.splat %o : tensor<32768x!tile.ptr<f32>>
  %q = tile.addptr %os, %w : tensor<32768x!tile.ptr<f32>>, tensor<32768xi32>
  tile.store %q, %mf : tensor<32768x!tile.ptr<f32>>
  %ois = tile.splat %oi : tensor<32768x!tile.ptr<i32>>
  %qi = tile.addptr %ois, %w : tensor<32768x!tile.ptr<i32>>, tensor<32768xi32>
  tile.store %qi, %if : tensor<32768x!tile.ptr<i32>>
  return
}
