// Weights of four bits, two a byte along K: warps share what is unpacked, as they do bytes, and no warp unpacks another's. Eight rows of bytes are
// sixteen rows of K: they are read a slice ahead, and repeated in front of its product.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-run %s --kernel=packed --device=sim --target=sm_90 --grid=1 --arg=f16[64,192]=randn:1 --arg=i8[64,96]=rand:2 --arg=f32[64,64]=zeros --against=cpu --atol=1e-2 --rtol=1e-3
// CHECK: scf.for
// CHECK: tile_gpu.local_load {{.*}} -> tensor<8x64xi8
// CHECK: tile.reshape {{.*}} -> tensor<16x64xi8
// CHECK: tile_gpu.mma {{.*}} warps = [1, 4]>
func.func @packed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %end = arith.constant 192 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %column = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c192 = arith.constant dense<192> : tensor<64x1xi32>
  %c96 = arith.constant dense<96> : tensor<1x64xi32>
  %two = arith.constant dense<2> : tensor<64x1xi32>
  %four = arith.constant dense<4> : tensor<64x1xi32>
  %low = arith.constant dense<15> : tensor<64x64xi32>
  %middle = arith.constant dense<8> : tensor<64x64xi32>
  %r192 = arith.muli %row, %c192 : tensor<64x1xi32>
  %n96 = arith.muli %column, %c96 : tensor<1x64xi32>
  %n96b = tile.broadcast %n96 : tensor<1x64xi32> -> tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<i8>>
  %r = scf.for %j = %zero to %end step %size iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %ks = arith.addi %js, %range : tensor<64xi32>
    %kr = tile.expand_dims %ks axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %kc = tile.expand_dims %ks axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %krb = tile.broadcast %kr : tensor<1x64xi32> -> tensor<64x64xi32>
    %r192b = tile.broadcast %r192 : tensor<64x1xi32> -> tensor<64x64xi32>
    %at = arith.addi %r192b, %krb : tensor<64x64xi32>
    %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %half = arith.divsi %kc, %two : tensor<64x1xi32>
    %halfb = tile.broadcast %half : tensor<64x1xi32> -> tensor<64x64xi32>
    %bt = arith.addi %n96b, %halfb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
    %w = tile.load %pb : tensor<64x64x!tile.ptr<i8>>
    %odd = arith.remsi %kc, %two : tensor<64x1xi32>
    %by = arith.muli %odd, %four : tensor<64x1xi32>
    %byb = tile.broadcast %by : tensor<64x1xi32> -> tensor<64x64xi32>
    %wide = arith.extsi %w : tensor<64x64xi8> to tensor<64x64xi32>
    %moved = arith.shrsi %wide, %byb : tensor<64x64xi32>
    %bits = arith.andi %moved, %low : tensor<64x64xi32>
    %number = arith.subi %bits, %middle : tensor<64x64xi32>
    %y = arith.sitofp %number : tensor<64x64xi32> to tensor<64x64xf16>
    %next = tile.dot %x, %y, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %r64b = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %to = arith.addi %r64b, %columns : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %to : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %r : tensor<64x64x!tile.ptr<f32>>
  return
}
