// Lookups along an axis: MxK values, MxN indices. cases_fault_products.py says which reports this stands for.
//
// tile.param M = 8
// tile.param N = 8
// tile.param K = 2

func.func @gathered(%x: !tile.ptr<i32>, %at: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to ${M} : tensor<${M}xi32>
  %k = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %n = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %r1 = tile.expand_dims %r axis = 1 : tensor<${M}xi32> -> tensor<${M}x1xi32>
  %k0 = tile.expand_dims %k axis = 0 : tensor<${K}xi32> -> tensor<1x${K}xi32>
  %n0 = tile.expand_dims %n axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %sk = arith.constant dense<${K}> : tensor<${M}x1xi32>
  %sn = arith.constant dense<${N}> : tensor<${M}x1xi32>
  %rk = arith.muli %r1, %sk : tensor<${M}x1xi32>
  %rn = arith.muli %r1, %sn : tensor<${M}x1xi32>
  %rks = tile.broadcast %rk : tensor<${M}x1xi32> -> tensor<${M}x${K}xi32>
  %rns = tile.broadcast %rn : tensor<${M}x1xi32> -> tensor<${M}x${N}xi32>
  %ks = tile.broadcast %k0 : tensor<1x${K}xi32> -> tensor<${M}x${K}xi32>
  %ns = tile.broadcast %n0 : tensor<1x${N}xi32> -> tensor<${M}x${N}xi32>
  %xi = arith.addi %rks, %ks : tensor<${M}x${K}xi32>
  %yi = arith.addi %rns, %ns : tensor<${M}x${N}xi32>
  %xs = tile.splat %x : tensor<${M}x${K}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %xi : tensor<${M}x${K}x!tile.ptr<i32>>, tensor<${M}x${K}xi32>
  %v = tile.load %px : tensor<${M}x${K}x!tile.ptr<i32>>
  %is = tile.splat %at : tensor<${M}x${N}x!tile.ptr<i32>>
  %pi = tile.addptr %is, %yi : tensor<${M}x${N}x!tile.ptr<i32>>, tensor<${M}x${N}xi32>
  %i = tile.load %pi : tensor<${M}x${N}x!tile.ptr<i32>>
  %g = tile.gather %v, %i axis = 1 : tensor<${M}x${K}xi32>, tensor<${M}x${N}xi32> -> tensor<${M}x${N}xi32>
  %ys = tile.splat %y : tensor<${M}x${N}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %yi : tensor<${M}x${N}x!tile.ptr<i32>>, tensor<${M}x${N}xi32>
  tile.store %py, %g : tensor<${M}x${N}x!tile.ptr<i32>>
  return
}
