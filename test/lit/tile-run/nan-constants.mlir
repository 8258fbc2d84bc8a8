// Constants keep their bits: a signalling NaN is not made quiet, by no device.
// DEFINE: %{args} = --grid=1 --arg=i16[16]=zeros --arg=i32[16]=zeros --out=0:%t.16.npy --out=1:%t.32.npy
// RUN: tile-run %s --device=cpu %{args} && od -A n -j 128 -t x2 %t.16.npy | FileCheck %s && od -A n -j 128 -t x4 %t.32.npy | FileCheck %s --check-prefix=WORD
// RUN: tile-run %s --device=sim --target=sm_90a %{args} && od -A n -j 128 -t x2 %t.16.npy | FileCheck %s && od -A n -j 128 -t x4 %t.32.npy | FileCheck %s --check-prefix=WORD
// RUN: tile-run %s --device=sim --target=gfx942 %{args} && od -A n -j 128 -t x2 %t.16.npy | FileCheck %s && od -A n -j 128 -t x4 %t.32.npy | FileCheck %s --check-prefix=WORD
// CHECK: ff81 ff81
// WORD: 7f800001 7f800001
func.func @signalling(%a: !tile.ptr<i16>, %b: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 16 : tensor<16xi32>
  %half = arith.constant dense<0xFF81> : tensor<16xbf16>
  %x = tile.bitcast %half : tensor<16xbf16> -> tensor<16xi16>
  %as = tile.splat %a : tensor<16x!tile.ptr<i16>>
  %ap = tile.addptr %as, %i : tensor<16x!tile.ptr<i16>>, tensor<16xi32>
  tile.store %ap, %x : tensor<16x!tile.ptr<i16>>
  %word = arith.constant dense<0x7F800001> : tensor<16xf32>
  %y = arith.bitcast %word : tensor<16xf32> to tensor<16xi32>
  %bs = tile.splat %b : tensor<16x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %i : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
  tile.store %bp, %y : tensor<16x!tile.ptr<i32>>
  return
}
