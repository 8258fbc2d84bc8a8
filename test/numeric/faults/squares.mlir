// What users of other tile compilers reported about loops in which square blocks are multiplied and reduced; cases_fault_products.py has
// the right values and says which report each stands for.
//
// tile.param T = f16
// tile.param N = 64
// tile.param S = 3

func.func private @block(%p: !tile.ptr<${T}>, %i: i32) -> tensor<${N}x${N}x!tile.ptr<${T}>> {
  %r = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %n = arith.constant ${N} : i32
  %w = arith.constant ${N} : i32
  %r1 = tile.expand_dims %r axis = 1 : tensor<${N}xi32> -> tensor<${N}x1xi32>
  %c1 = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %ws = tile.splat %w : tensor<${N}x1xi32>
  %row = arith.muli %r1, %ws : tensor<${N}x1xi32>
  %rows = tile.broadcast %row : tensor<${N}x1xi32> -> tensor<${N}x${N}xi32>
  %columns = tile.broadcast %c1 : tensor<1x${N}xi32> -> tensor<${N}x${N}xi32>
  %at = arith.addi %rows, %columns : tensor<${N}x${N}xi32>
  %size = arith.muli %n, %w : i32
  %start = arith.muli %size, %i : i32
  %first = tile.addptr %p, %start : !tile.ptr<${T}>, i32
  %ps = tile.splat %first : tensor<${N}x${N}x!tile.ptr<${T}>>
  %q = tile.addptr %ps, %at : tensor<${N}x${N}x!tile.ptr<${T}>>, tensor<${N}x${N}xi32>
  return %q : tensor<${N}x${N}x!tile.ptr<${T}>>
}

func.func private @put(%p: !tile.ptr<f32>, %v: tensor<${N}x${N}xf32>) {
  %r = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %r1 = tile.expand_dims %r axis = 1 : tensor<${N}xi32> -> tensor<${N}x1xi32>
  %c1 = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %w = arith.constant dense<${N}> : tensor<${N}x1xi32>
  %row = arith.muli %r1, %w : tensor<${N}x1xi32>
  %rows = tile.broadcast %row : tensor<${N}x1xi32> -> tensor<${N}x${N}xi32>
  %columns = tile.broadcast %c1 : tensor<1x${N}xi32> -> tensor<${N}x${N}xi32>
  %at = arith.addi %rows, %columns : tensor<${N}x${N}xi32>
  %ps = tile.splat %p : tensor<${N}x${N}x!tile.ptr<f32>>
  %q = tile.addptr %ps, %at : tensor<${N}x${N}x!tile.ptr<f32>>, tensor<${N}x${N}xi32>
  tile.store %q, %v : tensor<${N}x${N}x!tile.ptr<f32>>
  return
}

// The sum of a over its rows, behind or before the product of a's transpose and b; masks end the rows. N rows an iteration.
func.func private @rows_of(%p: !tile.ptr<${T}>, %i: i32, %n: i32) -> tensor<${N}x${N}x${T}> {
  %c0 = arith.constant 0 : i32
  %r = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %is = tile.splat %i : tensor<${N}xi32>
  %row = arith.addi %r, %is : tensor<${N}xi32>
  %ns = tile.splat %n : tensor<${N}xi32>
  %in = arith.cmpi slt, %row, %ns : tensor<${N}xi32>
  %in1 = tile.expand_dims %in axis = 1 : tensor<${N}xi1> -> tensor<${N}x1xi1>
  %mask = tile.broadcast %in1 : tensor<${N}x1xi1> -> tensor<${N}x${N}xi1>
  %size = arith.constant ${N} : i32
  %start = arith.muli %i, %size : i32
  %first = tile.addptr %p, %start : !tile.ptr<${T}>, i32
  %q = func.call @block(%first, %c0) : (!tile.ptr<${T}>, i32) -> tensor<${N}x${N}x!tile.ptr<${T}>>
  %other = arith.constant dense<0.0> : tensor<${N}x${N}x${T}>
  %v = tile.load %q mask %mask other %other : tensor<${N}x${N}x!tile.ptr<${T}>>
  return %v : tensor<${N}x${N}x${T}>
}

func.func private @column_sums(%a: tensor<${N}x${N}x${T}>, %old: tensor<${N}xf32>) -> tensor<${N}xf32> {
  %wide = arith.extf %a : tensor<${N}x${N}x${T}> to tensor<${N}x${N}xf32>
  %s = tile.reduce %wide axis = 0 : tensor<${N}x${N}xf32> -> tensor<${N}xf32> {
  ^bb0(%l: f32, %r: f32):
    %t = arith.addf %l, %r : f32
    tile.yield %t : f32
  }
  %new = arith.addf %old, %s : tensor<${N}xf32>
  return %new : tensor<${N}xf32>
}

func.func private @turned_product(%a: tensor<${N}x${N}x${T}>, %b: tensor<${N}x${N}x${T}>, %acc: tensor<${N}x${N}xf32>) -> tensor<${N}x${N}xf32> {
  %t = tile.trans %a order = [1, 0] : tensor<${N}x${N}x${T}> -> tensor<${N}x${N}x${T}>
  %d = tile.dot %t, %b, %acc : tensor<${N}x${N}x${T}> * tensor<${N}x${N}x${T}> -> tensor<${N}x${N}xf32>
  return %d : tensor<${N}x${N}xf32>
}

func.func private @put_sums(%o: !tile.ptr<f32>, %s: tensor<${N}xf32>) {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %os = tile.splat %o : tensor<${N}x!tile.ptr<f32>>
  %po = tile.addptr %os, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %po, %s : tensor<${N}x!tile.ptr<f32>>
  return
}

func.func @sum_then_product(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                            %sums: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                            %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant ${N} : i32
  %none = arith.constant dense<0.0> : tensor<${N}xf32>
  %none2 = arith.constant dense<0.0> : tensor<${N}x${N}xf32>
  %r:2 = scf.for %i = %c0 to %n step %step iter_args(%s = %none, %acc = %none2) -> (tensor<${N}xf32>, tensor<${N}x${N}xf32>) : i32 {
    %a = func.call @rows_of(%x, %i, %n) : (!tile.ptr<${T}>, i32, i32) -> tensor<${N}x${N}x${T}>
    %b = func.call @rows_of(%y, %i, %n) : (!tile.ptr<${T}>, i32, i32) -> tensor<${N}x${N}x${T}>
    %t = func.call @column_sums(%a, %s) : (tensor<${N}x${N}x${T}>, tensor<${N}xf32>) -> tensor<${N}xf32>
    %d = func.call @turned_product(%a, %b, %acc) : (tensor<${N}x${N}x${T}>, tensor<${N}x${N}x${T}>, tensor<${N}x${N}xf32>) -> tensor<${N}x${N}xf32>
    scf.yield %t, %d : tensor<${N}xf32>, tensor<${N}x${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put_sums(%sums, %r#0) : (!tile.ptr<f32>, tensor<${N}xf32>) -> ()
  func.call @put(%o, %r#1) : (!tile.ptr<f32>, tensor<${N}x${N}xf32>) -> ()
  return
}

func.func @product_then_sum(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                            %sums: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                            %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant ${N} : i32
  %none = arith.constant dense<0.0> : tensor<${N}xf32>
  %none2 = arith.constant dense<0.0> : tensor<${N}x${N}xf32>
  %r:2 = scf.for %i = %c0 to %n step %step iter_args(%s = %none, %acc = %none2) -> (tensor<${N}xf32>, tensor<${N}x${N}xf32>) : i32 {
    %a = func.call @rows_of(%x, %i, %n) : (!tile.ptr<${T}>, i32, i32) -> tensor<${N}x${N}x${T}>
    %b = func.call @rows_of(%y, %i, %n) : (!tile.ptr<${T}>, i32, i32) -> tensor<${N}x${N}x${T}>
    %d = func.call @turned_product(%a, %b, %acc) : (tensor<${N}x${N}x${T}>, tensor<${N}x${N}x${T}>, tensor<${N}x${N}xf32>) -> tensor<${N}x${N}xf32>
    %t = func.call @column_sums(%a, %s) : (tensor<${N}x${N}x${T}>, tensor<${N}xf32>) -> tensor<${N}xf32>
    scf.yield %t, %d : tensor<${N}xf32>, tensor<${N}x${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put_sums(%sums, %r#0) : (!tile.ptr<f32>, tensor<${N}xf32>) -> ()
  func.call @put(%o, %r#1) : (!tile.ptr<f32>, tensor<${N}x${N}xf32>) -> ()
  return
}

// Four loads, three products, the largest of each row so far and powers of two of the distance from it.
func.func @largest_and_powers(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                              %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %none = arith.constant dense<0.0> : tensor<${N}x${N}xf32>
  %low = arith.constant dense<0.0> : tensor<${N}xf32>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %top = %low) -> (tensor<${N}x${N}xf32>, tensor<${N}xf32>) : i32 {
    %i0 = arith.muli %i, %c2 : i32
    %i1 = arith.addi %i0, %c1 : i32
    %pa = func.call @block(%x, %i0) : (!tile.ptr<${T}>, i32) -> tensor<${N}x${N}x!tile.ptr<${T}>>
    %pb = func.call @block(%y, %i0) : (!tile.ptr<${T}>, i32) -> tensor<${N}x${N}x!tile.ptr<${T}>>
    %pc = func.call @block(%y, %i1) : (!tile.ptr<${T}>, i32) -> tensor<${N}x${N}x!tile.ptr<${T}>>
    %pd = func.call @block(%x, %i1) : (!tile.ptr<${T}>, i32) -> tensor<${N}x${N}x!tile.ptr<${T}>>
    %a = tile.load %pa : tensor<${N}x${N}x!tile.ptr<${T}>>
    %b = tile.load %pb : tensor<${N}x${N}x!tile.ptr<${T}>>
    %c = tile.load %pc : tensor<${N}x${N}x!tile.ptr<${T}>>
    %d = tile.load %pd : tensor<${N}x${N}x!tile.ptr<${T}>>
    %s = tile.dot %a, %b, %none : tensor<${N}x${N}x${T}> * tensor<${N}x${N}x${T}> -> tensor<${N}x${N}xf32>
    %most = tile.reduce %s axis = 1 : tensor<${N}x${N}xf32> -> tensor<${N}xf32> {
    ^bb0(%l: f32, %r: f32):
      %t = arith.maximumf %l, %r : f32
      tile.yield %t : f32
    }
    %new = arith.maximumf %top, %most : tensor<${N}xf32>
    %new1 = tile.expand_dims %new axis = 1 : tensor<${N}xf32> -> tensor<${N}x1xf32>
    %news = tile.broadcast %new1 : tensor<${N}x1xf32> -> tensor<${N}x${N}xf32>
    %below = arith.subf %s, %news : tensor<${N}x${N}xf32>
    %power = math.exp2 %below : tensor<${N}x${N}xf32>
    %h = arith.truncf %power : tensor<${N}x${N}xf32> to tensor<${N}x${N}x${T}>
    %e = tile.dot %h, %c, %acc : tensor<${N}x${N}x${T}> * tensor<${N}x${N}x${T}> -> tensor<${N}x${N}xf32>
    %f = tile.dot %d, %h, %e : tensor<${N}x${N}x${T}> * tensor<${N}x${N}x${T}> -> tensor<${N}x${N}xf32>
    scf.yield %f, %new : tensor<${N}x${N}xf32>, tensor<${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put(%o, %sum#0) : (!tile.ptr<f32>, tensor<${N}x${N}xf32>) -> ()
  return
}

