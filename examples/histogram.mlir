// counts[b] += how many of x[0 .. n-1] equal b, for BINS bins: each program counts 1024 elements on its own and adds what it
// has found. Elements that are no bin count nowhere. BINS need not be a power of two.
//
//   tile-run examples/histogram.mlir --device=cpu -D BINS=100 --kernel=histogram --grid=10 --arg=i32[10000]=rand:1:0:100 \
//     --arg=i32[100]=zeros --arg=i32=10000 --out=1:counts.npy
//
// tile.param BINS = 256
func.func @histogram(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %counts: !tile.ptr<i32> {tile.divisibility = 16 : i32},
                     %n: i32) attributes {tile.kernel} {
  %size = arith.constant 1024 : i32
  %program = tile.program_id x
  %first = arith.muli %program, %size : i32
  %firsts = tile.splat %first : tensor<1024xi32>
  %range = tile.make_range 0 to 1024 : tensor<1024xi32>
  %i = arith.addi %firsts, %range : tensor<1024xi32>
  %end = tile.splat %n : tensor<1024xi32>
  %in = arith.cmpi slt, %i, %end : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %v = tile.load %px mask %in : tensor<1024x!tile.ptr<i32>>
  %found = tile.histogram %v mask %in : tensor<1024xi32> -> tensor<${BINS}xi32>

  %bin = tile.make_range 0 to ${BINS} : tensor<${BINS}xi32>
  %cs = tile.splat %counts : tensor<${BINS}x!tile.ptr<i32>>
  %pc = tile.addptr %cs, %bin : tensor<${BINS}x!tile.ptr<i32>>, tensor<${BINS}xi32>
  %zero = arith.constant dense<0> : tensor<${BINS}xi32>
  %some = arith.cmpi ne, %found, %zero : tensor<${BINS}xi32>
  %old = tile.atomic_rmw add %pc, %found mask %some : tensor<${BINS}x!tile.ptr<i32>>
  return
}
