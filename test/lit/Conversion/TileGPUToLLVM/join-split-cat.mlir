// Pairs put together and taken apart, tensors one after another.
// RUN: %S/Inputs/agree %s "1 4" --kernel=pairs --arg=f16[512]=randn:1 --arg=f16[512]=randn:2
// RUN: %S/Inputs/agree %s "1 4" --kernel=far --arg=i32[512]=rand:3 --arg=i32[1024]=zeros

// Complex numbers times i: the halves stay where they are.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts | FileCheck %s
// CHECK-LABEL: @pairs
// CHECK: tile.split
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.join
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store
func.func @pairs(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %r : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  %v = tile.load %xp : tensor<512x!tile.ptr<f16>>
  %z = tile.reshape %v : tensor<512xf16> -> tensor<256x2xf16>
  %re, %im = tile.split %z : tensor<256x2xf16> -> tensor<256xf16>
  %minus = arith.negf %im : tensor<256xf16>
  %j = tile.join %minus, %re : tensor<256xf16> -> tensor<256x2xf16>
  %w = tile.reshape %j : tensor<256x2xf16> -> tensor<512xf16>
  %ys = tile.splat %y : tensor<512x!tile.ptr<f16>>
  %yp = tile.addptr %ys, %r : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  tile.store %yp, %w : tensor<512x!tile.ptr<f16>>
  return
}

// The halves to split are far apart, the joined ones stored far apart; one operand of the join is a constant.
func.func @far(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %v = tile.load %xp : tensor<512x!tile.ptr<i32>>
  %m = tile.reshape %v : tensor<512xi32> -> tensor<2x256xi32>
  %t = tile.trans %m order = [1, 0] : tensor<2x256xi32> -> tensor<256x2xi32>
  %a, %b = tile.split %t : tensor<256x2xi32> -> tensor<256xi32>
  %d = arith.subi %a, %b : tensor<256xi32>
  %d2 = tile.reshape %d : tensor<256xi32> -> tensor<8x32xi32>
  %b2 = tile.reshape %b : tensor<256xi32> -> tensor<8x32xi32>
  %c = tile.cat %d2, %b2 : tensor<8x32xi32>, tensor<8x32xi32> -> tensor<16x32xi32>
  %seven = arith.constant dense<7> : tensor<16x32xi32>
  %j = tile.join %seven, %c : tensor<16x32xi32> -> tensor<16x32x2xi32>
  %u = tile.trans %j order = [2, 0, 1] : tensor<16x32x2xi32> -> tensor<2x16x32xi32>
  %f = tile.reshape %u : tensor<2x16x32xi32> -> tensor<1024xi32>
  %o = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %yp, %f : tensor<1024x!tile.ptr<i32>>
  return
}
