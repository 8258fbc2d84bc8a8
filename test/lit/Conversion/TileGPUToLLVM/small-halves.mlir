// Integers of few bits become f16 two at a time, in the last bits of 1536: a shift, sums and one packed sum, no conversion.
//
// RUN: tile-translate %s --target=sm_80 --num-warps=1 --emit=ptx | FileCheck %s
// RUN: tile-run %s --kernel=halves --device=sim --target=sm_80 --num-warps=1 --grid=2 --arg=i32[256]=rand:1:-2147483648:2147483647 --arg=f16[256]=zeros --arg=f16[256]=zeros --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --kernel=halves --device=sim --target=gfx942 --num-warps=1 --grid=2 --arg=i32[256]=rand:1:-2147483648:2147483647 --arg=f16[256]=zeros --arg=f16[256]=zeros --against=cpu --atol=0 --rtol=0
// CHECK-NOT: cvt.rn.f32.s32
// CHECK: f16x2
func.func @halves(%a: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %size = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %size : i32
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %starts = tile.splat %first : tensor<128xi32>
  %at = arith.addi %starts, %range : tensor<128xi32>
  %as = tile.splat %a : tensor<128x!tile.ptr<i32>>
  %pa = tile.addptr %as, %at : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %x = tile.load %pa : tensor<128x!tile.ptr<i32>>
  %byte = arith.constant dense<255> : tensor<128xi32>
  %middle = arith.constant dense<128> : tensor<128xi32>
  %low = arith.andi %x, %byte : tensor<128xi32>
  // -128 to 127, and 255 to 510.
  %signed = arith.subi %low, %middle : tensor<128xi32>
  %large = arith.addi %low, %byte : tensor<128xi32>
  %u = arith.sitofp %signed : tensor<128xi32> to tensor<128xf16>
  %v = arith.sitofp %large : tensor<128xi32> to tensor<128xf16>
  %bs = tile.splat %b : tensor<128x!tile.ptr<f16>>
  %pb = tile.addptr %bs, %at : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %pb, %u : tensor<128x!tile.ptr<f16>>
  %cs = tile.splat %c : tensor<128x!tile.ptr<f16>>
  %pc = tile.addptr %cs, %at : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %pc, %v : tensor<128x!tile.ptr<f16>>
  return
}
