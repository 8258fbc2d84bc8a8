// Sorts each row of n <= BLOCK = 2^LOG numbers, smallest first, NaN last: a bitonic network in which each element meets the one
// whose number differs in one bit, and both keep the smaller or the larger.
//
//   tile-run examples/sort.mlir --device=cpu --kernel=sort --grid=8 --arg=f32[8,200]=randn:1 --arg=f32[8,200]=zeros \
//     --arg=i32=200 --out=1:y.npy
//
// Numbers are compared as integers of the same order: of negative ones all bits but the sign are flipped. So -0 comes before 0.
//
// tile.param LOG = 8
// tile.param BLOCK = 256
func.func @sort(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %log = arith.constant ${LOG} : i32
  %row = tile.program_id x
  %start = arith.muli %row, %n : i32
  %xrow = tile.addptr %x, %start : !tile.ptr<f32>, i32
  %yrow = tile.addptr %y, %start : !tile.ptr<f32>, i32
  %i = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %in = arith.cmpi slt, %i, %end : tensor<${BLOCK}xi32>
  %nan = arith.constant dense<0x7FC00000> : tensor<${BLOCK}xf32>
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %v = tile.load %px mask %in other %nan : tensor<${BLOCK}x!tile.ptr<f32>>

  // Every NaN as the same, positive one. What is behind the end comes last of all.
  %isNaN = arith.cmpf uno, %v, %v : tensor<${BLOCK}xf32>
  %number = arith.select %isNaN, %nan, %v : tensor<${BLOCK}xi1>, tensor<${BLOCK}xf32>
  %bits = tile.bitcast %number : tensor<${BLOCK}xf32> -> tensor<${BLOCK}xi32>
  %most = arith.constant dense<2147483647> : tensor<${BLOCK}xi32>
  %c31 = arith.constant dense<31> : tensor<${BLOCK}xi32>
  %sign = arith.shrsi %bits, %c31 : tensor<${BLOCK}xi32>
  %flip = arith.andi %sign, %most : tensor<${BLOCK}xi32>
  %ordered = arith.xori %bits, %flip : tensor<${BLOCK}xi32>
  %key = arith.select %in, %ordered, %most : tensor<${BLOCK}xi1>, tensor<${BLOCK}xi32>

  // Stage s merges runs of 2^s into runs of 2^(s+1), every second one downwards, by distances 2^s, .., 2, 1.
  %zero = arith.constant dense<0> : tensor<${BLOCK}xi32>
  %sorted = scf.for %s = %c0 to %log step %c1 iter_args(%k = %key) -> (tensor<${BLOCK}xi32>) : i32 {
    %s1 = arith.addi %s, %c1 : i32
    %run = arith.shli %c1, %s1 : i32
    %runs = tile.splat %run : tensor<${BLOCK}xi32>
    %which = arith.andi %i, %runs : tensor<${BLOCK}xi32>
    %up = arith.cmpi eq, %which, %zero : tensor<${BLOCK}xi32>
    %merged = scf.for %d = %c0 to %s1 step %c1 iter_args(%m = %k) -> (tensor<${BLOCK}xi32>) : i32 {
      %shift = arith.subi %s, %d : i32
      %distance = arith.shli %c1, %shift : i32
      %distances = tile.splat %distance : tensor<${BLOCK}xi32>
      %partner = arith.xori %i, %distances : tensor<${BLOCK}xi32>
      %other = tile.gather %m, %partner axis = 0 : tensor<${BLOCK}xi32>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}xi32>
      %side = arith.andi %i, %distances : tensor<${BLOCK}xi32>
      %isLower = arith.cmpi eq, %side, %zero : tensor<${BLOCK}xi32>
      %keepsLess = arith.cmpi eq, %isLower, %up : tensor<${BLOCK}xi1>
      %less = arith.minsi %m, %other : tensor<${BLOCK}xi32>
      %more = arith.maxsi %m, %other : tensor<${BLOCK}xi32>
      %kept = arith.select %keepsLess, %less, %more : tensor<${BLOCK}xi1>, tensor<${BLOCK}xi32>
      scf.yield %kept : tensor<${BLOCK}xi32>
    }
    scf.yield %merged : tensor<${BLOCK}xi32>
  }

  %sign2 = arith.shrsi %sorted, %c31 : tensor<${BLOCK}xi32>
  %flip2 = arith.andi %sign2, %most : tensor<${BLOCK}xi32>
  %back = arith.xori %sorted, %flip2 : tensor<${BLOCK}xi32>
  %result = tile.bitcast %back : tensor<${BLOCK}xi32> -> tensor<${BLOCK}xf32>
  %ys = tile.splat %yrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  tile.store %py, %result mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
  return
}
