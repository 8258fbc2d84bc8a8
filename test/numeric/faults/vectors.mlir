// What users of other tile compilers reported about matrices of 8-bit floats times vectors; cases_fault_products.py has the right
// values.
//
// tile.param T = f8E4M3FN
// tile.param M = 64
// tile.param K = 64
// tile.param S = 3

// Pointers to the `%i`-th block of MxK elements.
func.func private @left(%p: !tile.ptr<${T}>, %i: i32) -> tensor<${M}x${K}x!tile.ptr<${T}>> {
  %r = tile.make_range 0 to ${M} : tensor<${M}xi32>
  %c = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %n = arith.constant ${M} : i32
  %w = arith.constant ${K} : i32
  %r1 = tile.expand_dims %r axis = 1 : tensor<${M}xi32> -> tensor<${M}x1xi32>
  %c1 = tile.expand_dims %c axis = 0 : tensor<${K}xi32> -> tensor<1x${K}xi32>
  %ws = tile.splat %w : tensor<${M}x1xi32>
  %row = arith.muli %r1, %ws : tensor<${M}x1xi32>
  %rows = tile.broadcast %row : tensor<${M}x1xi32> -> tensor<${M}x${K}xi32>
  %columns = tile.broadcast %c1 : tensor<1x${K}xi32> -> tensor<${M}x${K}xi32>
  %at = arith.addi %rows, %columns : tensor<${M}x${K}xi32>
  %size = arith.muli %n, %w : i32
  %start = arith.muli %size, %i : i32
  %first = tile.addptr %p, %start : !tile.ptr<${T}>, i32
  %ps = tile.splat %first : tensor<${M}x${K}x!tile.ptr<${T}>>
  %q = tile.addptr %ps, %at : tensor<${M}x${K}x!tile.ptr<${T}>>, tensor<${M}x${K}xi32>
  return %q : tensor<${M}x${K}x!tile.ptr<${T}>>
}

// A matrix of 8-bit floats times a vector, as sums of products.
func.func @matrix_vector(%w: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %x: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                         %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sk = arith.constant ${K} : i32
  %r = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %none = arith.constant dense<0.0> : tensor<${M}xf32>
  %xs = tile.splat %x : tensor<${K}x!tile.ptr<${T}>>
  %px = tile.addptr %xs, %r : tensor<${K}x!tile.ptr<${T}>>, tensor<${K}xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> tensor<${M}xf32> : i32 {
    %pa = func.call @left(%w, %i) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %a = tile.load %pa : tensor<${M}x${K}x!tile.ptr<${T}>>
    %start = arith.muli %i, %sk : i32
    %starts = tile.splat %start : tensor<${K}xi32>
    %pv = tile.addptr %px, %starts : tensor<${K}x!tile.ptr<${T}>>, tensor<${K}xi32>
    %v = tile.load %pv : tensor<${K}x!tile.ptr<${T}>>
    %af = arith.extf %a : tensor<${M}x${K}x${T}> to tensor<${M}x${K}xf32>
    %vf = arith.extf %v : tensor<${K}x${T}> to tensor<${K}xf32>
    %v0 = tile.expand_dims %vf axis = 0 : tensor<${K}xf32> -> tensor<1x${K}xf32>
    %vs = tile.broadcast %v0 : tensor<1x${K}xf32> -> tensor<${M}x${K}xf32>
    %p = arith.mulf %af, %vs : tensor<${M}x${K}xf32>
    %s = tile.reduce %p axis = 1 : tensor<${M}x${K}xf32> -> tensor<${M}xf32> {
    ^bb0(%a1: f32, %b1: f32):
      %t = arith.addf %a1, %b1 : f32
      tile.yield %t : f32
    }
    %u = arith.addf %acc, %s : tensor<${M}xf32>
    scf.yield %u : tensor<${M}xf32>
  } {tile.num_stages = ${S} : i32}
  %i = tile.make_range 0 to ${M} : tensor<${M}xi32>
  %ys = tile.splat %y : tensor<${M}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${M}x!tile.ptr<f32>>, tensor<${M}xi32>
  tile.store %py, %sum : tensor<${M}x!tile.ptr<f32>>
  return
}
