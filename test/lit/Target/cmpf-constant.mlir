// Comparisons of converted integers with constants. Two predicates have no integer predicate that corresponds to
// them: MLIR's own rewriting of such comparisons crashes on them.
// RUN: tile-run %s --device=sim --target=sm_80 --num-warps=1 --grid=1 --arg=i32[8]=rand:1:-4:4 --arg=i32[8]=zeros --against=cpu --atol=0 --rtol=0 | FileCheck %s
// RUN: tile-run %s --device=sim --target=gfx942 --num-warps=1 --grid=1 --arg=i32[8]=rand:1:-4:4 --arg=i32[8]=zeros --against=cpu --atol=0 --rtol=0 | FileCheck %s
// RUN: tile-translate %s --emit=tile | FileCheck %s --check-prefix=TILE
// CHECK: argument 1 'out' i32[8]: equals cpu bit for bit
// TILE-COUNT-4: arith.cmpf
func.func @always(%in: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 8 : tensor<8xi32>
  %ps = tile.splat %in : tensor<8x!tile.ptr<i32>>
  %p = tile.addptr %ps, %i : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %x = tile.load %p : tensor<8x!tile.ptr<i32>>
  %s = arith.sitofp %x : tensor<8xi32> to tensor<8xf32>
  %u = arith.uitofp %x : tensor<8xi32> to tensor<8xf32>
  %c = arith.constant dense<1.5> : tensor<8xf32>
  %t0 = arith.cmpf true, %s, %c : tensor<8xf32>
  %t1 = arith.cmpf false, %u, %c : tensor<8xf32>
  %t2 = arith.cmpf oge, %s, %c : tensor<8xf32>
  %t3 = arith.cmpf une, %u, %c : tensor<8xf32>
  %a = arith.extui %t0 : tensor<8xi1> to tensor<8xi32>
  %b = arith.extui %t1 : tensor<8xi1> to tensor<8xi32>
  %d = arith.extui %t2 : tensor<8xi1> to tensor<8xi32>
  %e = arith.extui %t3 : tensor<8xi1> to tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %ab = arith.shli %a, %one : tensor<8xi32>
  %abb = arith.addi %ab, %b : tensor<8xi32>
  %r = arith.shli %abb, %one : tensor<8xi32>
  %r1 = arith.addi %r, %d : tensor<8xi32>
  %r2 = arith.shli %r1, %one : tensor<8xi32>
  %r3 = arith.addi %r2, %e : tensor<8xi32>
  %qs = tile.splat %out : tensor<8x!tile.ptr<i32>>
  %q = tile.addptr %qs, %i : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %q, %r3 : tensor<8x!tile.ptr<i32>>
  return
}
