// What users of other tile compilers reported about products and pipelined loops, as kernels of this one; cases_fault_products.py has
// the right values and says which report each stands for. Blocks lie one after another, row by row.
//
// tile.param T = f16
// tile.param M = 64
// tile.param N = 64
// tile.param K = 64
// tile.param S = 3

// Pointers to the `%i`-th block of MxK, KxN and MxN elements.
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

func.func private @right(%p: !tile.ptr<${T}>, %i: i32) -> tensor<${K}x${N}x!tile.ptr<${T}>> {
  %r = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %n = arith.constant ${K} : i32
  %w = arith.constant ${N} : i32
  %r1 = tile.expand_dims %r axis = 1 : tensor<${K}xi32> -> tensor<${K}x1xi32>
  %c1 = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %ws = tile.splat %w : tensor<${K}x1xi32>
  %row = arith.muli %r1, %ws : tensor<${K}x1xi32>
  %rows = tile.broadcast %row : tensor<${K}x1xi32> -> tensor<${K}x${N}xi32>
  %columns = tile.broadcast %c1 : tensor<1x${N}xi32> -> tensor<${K}x${N}xi32>
  %at = arith.addi %rows, %columns : tensor<${K}x${N}xi32>
  %size = arith.muli %n, %w : i32
  %start = arith.muli %size, %i : i32
  %first = tile.addptr %p, %start : !tile.ptr<${T}>, i32
  %ps = tile.splat %first : tensor<${K}x${N}x!tile.ptr<${T}>>
  %q = tile.addptr %ps, %at : tensor<${K}x${N}x!tile.ptr<${T}>>, tensor<${K}x${N}xi32>
  return %q : tensor<${K}x${N}x!tile.ptr<${T}>>
}

func.func private @put(%p: !tile.ptr<f32>, %v: tensor<${M}x${N}xf32>) {
  %r = tile.make_range 0 to ${M} : tensor<${M}xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %r1 = tile.expand_dims %r axis = 1 : tensor<${M}xi32> -> tensor<${M}x1xi32>
  %c1 = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %w = arith.constant dense<${N}> : tensor<${M}x1xi32>
  %row = arith.muli %r1, %w : tensor<${M}x1xi32>
  %rows = tile.broadcast %row : tensor<${M}x1xi32> -> tensor<${M}x${N}xi32>
  %columns = tile.broadcast %c1 : tensor<1x${N}xi32> -> tensor<${M}x${N}xi32>
  %at = arith.addi %rows, %columns : tensor<${M}x${N}xi32>
  %ps = tile.splat %p : tensor<${M}x${N}x!tile.ptr<f32>>
  %q = tile.addptr %ps, %at : tensor<${M}x${N}x!tile.ptr<f32>>, tensor<${M}x${N}xi32>
  tile.store %q, %v : tensor<${M}x${N}x!tile.ptr<f32>>
  return
}

// A product of a product, rounded in between: (64xK * Kx64) * 64x128.
func.func @product_of_product(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                              %z: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %size = arith.constant ${K} : i32
  %rk = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %r64 = tile.make_range 0 to 64 : tensor<64xi32>
  %flat = tile.make_range 0 to 8192 : tensor<8192xi32>
  %wide = tile.reshape %flat : tensor<8192xi32> -> tensor<64x128xi32>
  %row1 = tile.expand_dims %r64 axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tile.splat %size : tensor<64x1xi32>
  %row = arith.muli %row1, %ks : tensor<64x1xi32>
  %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x${K}xi32>
  %k0 = tile.expand_dims %rk axis = 0 : tensor<${K}xi32> -> tensor<1x${K}xi32>
  %k0s = tile.broadcast %k0 : tensor<1x${K}xi32> -> tensor<64x${K}xi32>
  %xi = arith.addi %rows, %k0s : tensor<64x${K}xi32>
  %xs = tile.splat %x : tensor<64x${K}x!tile.ptr<bf16>>
  %px = tile.addptr %xs, %xi : tensor<64x${K}x!tile.ptr<bf16>>, tensor<64x${K}xi32>
  %vx = tile.load %px : tensor<64x${K}x!tile.ptr<bf16>>
  %k1 = tile.expand_dims %rk axis = 1 : tensor<${K}xi32> -> tensor<${K}x1xi32>
  %c64 = arith.constant dense<64> : tensor<${K}x1xi32>
  %down = arith.muli %k1, %c64 : tensor<${K}x1xi32>
  %downs = tile.broadcast %down : tensor<${K}x1xi32> -> tensor<${K}x64xi32>
  %n0 = tile.expand_dims %r64 axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %n0s = tile.broadcast %n0 : tensor<1x64xi32> -> tensor<${K}x64xi32>
  %yi = arith.addi %downs, %n0s : tensor<${K}x64xi32>
  %ys = tile.splat %y : tensor<${K}x64x!tile.ptr<bf16>>
  %py = tile.addptr %ys, %yi : tensor<${K}x64x!tile.ptr<bf16>>, tensor<${K}x64xi32>
  %vy = tile.load %py : tensor<${K}x64x!tile.ptr<bf16>>
  %zs = tile.splat %z : tensor<64x128x!tile.ptr<bf16>>
  %pz = tile.addptr %zs, %wide : tensor<64x128x!tile.ptr<bf16>>, tensor<64x128xi32>
  %vz = tile.load %pz : tensor<64x128x!tile.ptr<bf16>>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %none2 = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = tile.dot %vx, %vy, %none : tensor<64x${K}xbf16> * tensor<${K}x64xbf16> -> tensor<64x64xf32>
  %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
  %t = tile.dot %h, %vz, %none2 : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
  %u = arith.truncf %t : tensor<64x128xf32> to tensor<64x128xbf16>
  %os = tile.splat %o : tensor<64x128x!tile.ptr<bf16>>
  %po = tile.addptr %os, %wide : tensor<64x128x!tile.ptr<bf16>>, tensor<64x128xi32>
  tile.store %po, %u : tensor<64x128x!tile.ptr<bf16>>
  return
}

// Two products in a chain onto the accumulator of a loop.
func.func @chained(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                   %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %none = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %sum = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %none) -> tensor<${M}x${N}xf32> : i32 {
    %j = arith.addi %i, %c1 : i32
    %pa = func.call @left(%x, %i) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pb = func.call @right(%y, %i) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %pc = func.call @left(%x, %j) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pd = func.call @right(%y, %j) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %a = tile.load %pa : tensor<${M}x${K}x!tile.ptr<${T}>>
    %b = tile.load %pb : tensor<${K}x${N}x!tile.ptr<${T}>>
    %c = tile.load %pc : tensor<${M}x${K}x!tile.ptr<${T}>>
    %d = tile.load %pd : tensor<${K}x${N}x!tile.ptr<${T}>>
    %first = tile.dot %a, %b, %acc : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    %both = tile.dot %c, %d, %first : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    scf.yield %both : tensor<${M}x${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put(%o, %sum) : (!tile.ptr<f32>, tensor<${M}x${N}xf32>) -> ()
  return
}

// Seven loads and two products an iteration. Blocks are KxN with K = N = M.
func.func @seven_loads(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                       %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %none = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> tensor<${M}x${N}xf32> : i32 {
    %i0 = arith.muli %i, %c4 : i32
    %i1 = arith.addi %i0, %c1 : i32
    %i2 = arith.addi %i0, %c2 : i32
    %i3 = arith.addi %i0, %c3 : i32
    %pa = func.call @left(%x, %i0) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pb = func.call @left(%x, %i1) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pc = func.call @left(%x, %i2) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pd = func.call @left(%x, %i3) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pe = func.call @right(%y, %i0) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %pf = func.call @right(%y, %i1) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %pg = func.call @right(%y, %i2) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %a = tile.load %pa : tensor<${M}x${K}x!tile.ptr<${T}>>
    %b = tile.load %pb : tensor<${M}x${K}x!tile.ptr<${T}>>
    %c = tile.load %pc : tensor<${M}x${K}x!tile.ptr<${T}>>
    %d = tile.load %pd : tensor<${M}x${K}x!tile.ptr<${T}>>
    %e = tile.load %pe : tensor<${K}x${N}x!tile.ptr<${T}>>
    %f = tile.load %pf : tensor<${K}x${N}x!tile.ptr<${T}>>
    %g = tile.load %pg : tensor<${K}x${N}x!tile.ptr<${T}>>
    %ab = arith.addf %a, %b : tensor<${M}x${K}x${T}>
    %cd = arith.subf %c, %d : tensor<${M}x${K}x${T}>
    %ef = arith.addf %e, %f : tensor<${K}x${N}x${T}>
    %s = tile.dot %ab, %ef, %acc : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    %t = tile.dot %cd, %g, %s : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    scf.yield %t : tensor<${M}x${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put(%o, %sum) : (!tile.ptr<f32>, tensor<${M}x${N}xf32>) -> ()
  return
}

// A loop in a loop, as long as the outer one has come; a branch where the two meet.
func.func @nested(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                  %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %half = arith.constant dense<0.5> : tensor<${M}x${N}xf32>
  %all = scf.for %q = %c0 to %n step %c1 iter_args(%outer = %none) -> tensor<${M}x${N}xf32> : i32 {
    %end = arith.addi %q, %c1 : i32
    %pa = func.call @left(%x, %q) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %a = tile.load %pa : tensor<${M}x${K}x!tile.ptr<${T}>>
    %sum = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %outer) -> tensor<${M}x${N}xf32> : i32 {
      %pb = func.call @right(%y, %k) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
      %b = tile.load %pb : tensor<${K}x${N}x!tile.ptr<${T}>>
      %s = tile.dot %a, %b, %none : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
      %last = arith.cmpi eq, %k, %q : i32
      %t = scf.if %last -> tensor<${M}x${N}xf32> {
        %m = arith.mulf %s, %half : tensor<${M}x${N}xf32>
        scf.yield %m : tensor<${M}x${N}xf32>
      } else {
        scf.yield %s : tensor<${M}x${N}xf32>
      }
      %u = arith.addf %acc, %t : tensor<${M}x${N}xf32>
      scf.yield %u : tensor<${M}x${N}xf32>
    } {tile.num_stages = ${S} : i32}
    scf.yield %sum : tensor<${M}x${N}xf32>
  }
  func.call @put(%o, %all) : (!tile.ptr<f32>, tensor<${M}x${N}xf32>) -> ()
  return
}

// Blocks of a table of pages, one a row of K elements: the address of the loads is itself loaded.
func.func @pages(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %table: !tile.ptr<i32>,
                 %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %px = func.call @left(%x, %c0) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
  %a = tile.load %px : tensor<${M}x${K}x!tile.ptr<${T}>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> tensor<${M}x${N}xf32> : i32 {
    %pt = tile.addptr %table, %i : !tile.ptr<i32>, i32
    %page = tile.load %pt : !tile.ptr<i32>
    %pb = func.call @right(%y, %page) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %b = tile.load %pb : tensor<${K}x${N}x!tile.ptr<${T}>>
    %s = tile.dot %a, %b, %acc : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    scf.yield %s : tensor<${M}x${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put(%o, %sum) : (!tile.ptr<f32>, tensor<${M}x${N}xf32>) -> ()
  return
}

// Blocks by descriptors in a loop that asks for warps of its own for the copies.
func.func @described(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %y: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                     %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %sm = arith.constant ${M} : i32
  %sn = arith.constant ${N} : i32
  %sk = arith.constant ${K} : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %dx = tile.make_desc %x shape [%m, %k] strides [%k64, %one] : !tile.desc<${M}x${K}x${T}>
  %dy = tile.make_desc %y shape [%k, %n] strides [%n64, %one] : !tile.desc<${K}x${N}x${T}>
  %do = tile.make_desc %o shape [%m, %n] strides [%n64, %one] : !tile.desc<${M}x${N}xf32>
  %i = tile.program_id x
  %j = tile.program_id y
  %row = arith.muli %i, %sm : i32
  %column = arith.muli %j, %sn : i32
  %none = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %sum = scf.for %at = %c0 to %k step %sk iter_args(%acc = %none) -> tensor<${M}x${N}xf32> : i32 {
    %a = tile.desc_load %dx[%row, %at] : !tile.desc<${M}x${K}x${T}> -> tensor<${M}x${K}x${T}>
    %b = tile.desc_load %dy[%at, %column] : !tile.desc<${K}x${N}x${T}> -> tensor<${K}x${N}x${T}>
    %s = tile.dot %a, %b, %acc : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    scf.yield %s : tensor<${M}x${N}xf32>
  } {tile.num_stages = ${S} : i32, tile.warp_specialize}
  tile.desc_store %do[%row, %column], %sum : !tile.desc<${M}x${N}xf32>, tensor<${M}x${N}xf32>
  return
}

// One row, or few, times a matrix in blocks of KxN.
func.func @vector_matrix(%x: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<${T}> {tile.divisibility = 16 : i32},
                         %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> tensor<${M}x${N}xf32> : i32 {
    %pa = func.call @left(%x, %i) : (!tile.ptr<${T}>, i32) -> tensor<${M}x${K}x!tile.ptr<${T}>>
    %pb = func.call @right(%w, %i) : (!tile.ptr<${T}>, i32) -> tensor<${K}x${N}x!tile.ptr<${T}>>
    %a = tile.load %pa : tensor<${M}x${K}x!tile.ptr<${T}>>
    %b = tile.load %pb : tensor<${K}x${N}x!tile.ptr<${T}>>
    %s = tile.dot %a, %b, %acc : tensor<${M}x${K}x${T}> * tensor<${K}x${N}x${T}> -> tensor<${M}x${N}xf32>
    scf.yield %s : tensor<${M}x${N}xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put(%o, %sum) : (!tile.ptr<f32>, tensor<${M}x${N}xf32>) -> ()
  return
}

