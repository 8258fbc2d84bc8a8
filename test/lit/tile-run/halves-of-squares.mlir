// Both halves of a square, beside other products of the same number: none of those is taken for it.
// DEFINE: %{data} = --grid=1 --against=cpu --atol=0 --rtol=0 --arg=i32[512]=rand:1:-2147483648:2147483647 --arg=i32[512]=zeros --arg=i32=-559038737
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=4 %{data} | FileCheck %s
// RUN: tile-run %s --device=sim --target=sm_80 --num-warps=1 %{data} | FileCheck %s
// RUN: tile-run %s --device=sim --target=gfx942 --num-warps=1 %{data} | FileCheck %s
// CHECK: equals cpu bit for bit
func.func @squares(%a: !tile.ptr<i32>, %c: !tile.ptr<i32>, %s: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %as = tile.splat %a : tensor<512x!tile.ptr<i32>>
  %ap = tile.addptr %as, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %cs = tile.splat %c : tensor<512x!tile.ptr<i32>>
  %cp = tile.addptr %cs, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %x = tile.load %ap : tensor<512x!tile.ptr<i32>>
  %k = arith.constant dense<-766435501> : tensor<512xi32>
  %ss = tile.splat %s : tensor<512xi32>
  %high = tile.mulhiui %x, %k : tensor<512xi32>
  %low = arith.muli %x, %k : tensor<512xi32>
  %high_square = tile.mulhiui %x, %x : tensor<512xi32>
  %low_square = arith.muli %x, %x : tensor<512xi32>
  %high_same = tile.mulhiui %ss, %x : tensor<512xi32>
  %low_same = arith.muli %x, %ss : tensor<512xi32>
  %high_one = tile.mulhiui %s, %s : i32
  %low_one = arith.muli %s, %s : i32
  %one = arith.subi %high_one, %low_one : i32
  %ones = tile.splat %one : tensor<512xi32>
  %t = arith.subi %high, %low : tensor<512xi32>
  %u = arith.subi %high_square, %low_square : tensor<512xi32>
  %v = arith.subi %high_same, %low_same : tensor<512xi32>
  %w = arith.xori %t, %u : tensor<512xi32>
  %y = arith.addi %w, %v : tensor<512xi32>
  %z = arith.xori %y, %ones : tensor<512xi32>
  tile.store %cp, %z : tensor<512x!tile.ptr<i32>>
  return
}
