// Both halves of a product of 32 bits without a sign, as Philox needs them, are one instruction; one half alone is what it was.
//
// RUN: tile-translate %s --kernel=both --target=sm_90 --num-warps=1 --emit=ptx | FileCheck %s
// RUN: tile-translate %s --kernel=upper --target=sm_90 --num-warps=1 --emit=ptx | FileCheck %s --check-prefix=UPPER
// RUN: tile-run %s --kernel=both --device=sim --target=sm_90 --num-warps=1 --grid=1 --arg=i32[32]=rand:1:-2147483648:2147483647 --arg=i32[32]=rand:2:-2147483648:2147483647 --arg=i32[32]=zeros --against=cpu --atol=0 --rtol=0
// CHECK: mul.wide.u32
// CHECK-NOT: mul.hi
// CHECK-NOT: mul.lo.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r
// UPPER: mul.hi.u32
// UPPER-NOT: mul.wide.u32
func.func @both(%a: !tile.ptr<i32>, %b: !tile.ptr<i32>, %c: !tile.ptr<i32>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 32 : tensor<32xi32>
  %as = tile.splat %a : tensor<32x!tile.ptr<i32>>
  %pa = tile.addptr %as, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %bs = tile.splat %b : tensor<32x!tile.ptr<i32>>
  %pb = tile.addptr %bs, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %x = tile.load %pa : tensor<32x!tile.ptr<i32>>
  %y = tile.load %pb : tensor<32x!tile.ptr<i32>>
  %low = arith.muli %y, %x : tensor<32xi32>
  %high = tile.mulhiui %x, %y : tensor<32xi32>
  %z = arith.xori %low, %high : tensor<32xi32>
  %cs = tile.splat %c : tensor<32x!tile.ptr<i32>>
  %pc = tile.addptr %cs, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %pc, %z : tensor<32x!tile.ptr<i32>>
  return
}

func.func @upper(%a: !tile.ptr<i32>, %b: !tile.ptr<i32>, %c: !tile.ptr<i32>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 32 : tensor<32xi32>
  %as = tile.splat %a : tensor<32x!tile.ptr<i32>>
  %pa = tile.addptr %as, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %bs = tile.splat %b : tensor<32x!tile.ptr<i32>>
  %pb = tile.addptr %bs, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %x = tile.load %pa : tensor<32x!tile.ptr<i32>>
  %y = tile.load %pb : tensor<32x!tile.ptr<i32>>
  %high = tile.mulhiui %x, %y : tensor<32xi32>
  %cs = tile.splat %c : tensor<32x!tile.ptr<i32>>
  %pc = tile.addptr %cs, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %pc, %high : tensor<32x!tile.ptr<i32>>
  return
}
