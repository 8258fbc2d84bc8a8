// Weights of four bits, two a byte along K, rows of bytes along N. mma.sync reads bytes from their buffer two rows at a time, by ldmatrix: they stay
// as they are loaded, each row twice. Warp groups take a buffer of what is unpacked, for which each byte is loaded once. Bits that are wanted of a
// byte become f16 where they lie in the word that was read. What each row is shifted by is computed for each slice of K: the next one is read
// ahead.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=ONCE
// RUN: tile-translate %s --target=sm_90 --num-stages=1 --emit=tile_gpu | FileCheck %s --check-prefix=ONCE
// RUN: tile-translate %s --target=sm_90 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --device=sim --target=sm_90 --grid=1 --arg=f16[64,192]=randn:1 --arg=i8[96,64]=rand:2 --arg=f32[64,64]=zeros --against=cpu --atol=1e-2 --rtol=1e-3
// RUN: tile-run %s --device=sim --target=sm_90a --grid=1 --arg=f16[64,192]=randn:1 --arg=i8[96,64]=rand:2 --arg=f32[64,64]=zeros --against=cpu --atol=1e-2 --rtol=1e-3
// CHECK: scf.for
// CHECK-NOT: tile.reshape
// CHECK: tile.make_range 0 to 16
// CHECK: tile.make_range 16 to 32
// CHECK: tile_gpu.mma {{.*}} paired = true
// ONCE: tile.reshape
// PTX: ldmatrix.sync.aligned.m8n8.x{{[24]}}.trans
// PTX: and.b32 {{.*}}, 15728655;
// PTX: or.b32 {{.*}}, 1409311744;
// PTX-NOT: cvt.rn.f16
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
  %c64n = arith.constant dense<64> : tensor<64x1xi32>
  %two = arith.constant dense<2> : tensor<64x1xi32>
  %four = arith.constant dense<4> : tensor<64x1xi32>
  %low = arith.constant dense<15> : tensor<64x64xi32>
  %middle = arith.constant dense<8> : tensor<64x64xi32>
  %r192 = arith.muli %row, %c192 : tensor<64x1xi32>
  %columnb = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
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
    %rows = arith.muli %half, %c64n : tensor<64x1xi32>
    %halfb = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %bt = arith.addi %columnb, %halfb : tensor<64x64xi32>
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
