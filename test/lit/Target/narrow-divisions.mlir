// LLVM knows that x % 4 * 13 + 6 fits 8 bits and divides it in so many: on AMD chips this is undone.
// RUN: tile-translate --target=gfx950 --emit=llvm %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=llvm %s | FileCheck %s
// RUN: tile-run %s --device=sim --target=gfx942 --against=cpu --grid=2 --arg=i32[256]=zeros

// CHECK-NOT: {{div|rem}} i{{8|16}}
// CHECK: sdiv i32
// CHECK-NOT: {{div|rem}} i{{8|16}}
func.func @windows(%y: !tile.ptr<i32>) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c128 = arith.constant 128 : i32
  %first = arith.muli %pid, %c128 : i32
  %firsts = tile.splat %first : tensor<128xi32>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %i = arith.addi %firsts, %r : tensor<128xi32>
  %c4 = arith.constant dense<4> : tensor<128xi32>
  %c6 = arith.constant dense<6> : tensor<128xi32>
  %c13 = arith.constant dense<13> : tensor<128xi32>
  %c5 = arith.constant dense<5> : tensor<128xi32>
  %m = arith.remsi %i, %c4 : tensor<128xi32>
  %a = arith.muli %m, %c13 : tensor<128xi32>
  %b = arith.addi %a, %c6 : tensor<128xi32>
  %q = arith.divsi %b, %c5 : tensor<128xi32>
  %ys = tile.splat %y : tensor<128x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %py, %q : tensor<128x!tile.ptr<i32>>
  return
}
