// Loops for the software pipeliner: each with the depth that -D S=.. asks for. Trip counts come as arguments.

// Two levels of indirect loads, masks, an `other` that is not zero.
func.func @indirect(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %ip: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %rows: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %r = tile.make_range 0 to 16 : tensor<16xi32>
  %c = tile.make_range 0 to 64 : tensor<64xi32>
  %c2 = tile.expand_dims %c axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cb = tile.broadcast %c2 : tensor<1x64xi32> -> tensor<16x64xi32>
  %w = arith.constant dense<64> : tensor<16xi32>
  %z = arith.constant dense<0.0> : tensor<16x64xf32>
  %other = arith.constant dense<1.5> : tensor<16x64xf32>
  %xs = tile.splat %x : tensor<16x64x!tile.ptr<f32>>
  %is = tile.splat %ip : tensor<16x!tile.ptr<i32>>
  %rs = tile.splat %rows : tensor<16xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<16x64xf32> : i32 {
    %first = arith.muli %k, %c16 : i32
    %fs = tile.splat %first : tensor<16xi32>
    %at = arith.addi %fs, %r : tensor<16xi32>
    %pi = tile.addptr %is, %at : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
    %row = tile.load %pi : tensor<16x!tile.ptr<i32>>
    %in = arith.cmpi slt, %row, %rs : tensor<16xi32>
    %start = arith.muli %row, %w : tensor<16xi32>
    %s2 = tile.expand_dims %start axis = 1 : tensor<16xi32> -> tensor<16x1xi32>
    %sb = tile.broadcast %s2 : tensor<16x1xi32> -> tensor<16x64xi32>
    %in2 = tile.expand_dims %in axis = 1 : tensor<16xi1> -> tensor<16x1xi1>
    %inb = tile.broadcast %in2 : tensor<16x1xi1> -> tensor<16x64xi1>
    %off = arith.addi %sb, %cb : tensor<16x64xi32>
    %p = tile.addptr %xs, %off : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
    %v = tile.load %p mask %inb other %other : tensor<16x64x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  } {tile.num_stages = ${S} : i32}
  %r2 = tile.expand_dims %r axis = 1 : tensor<16xi32> -> tensor<16x1xi32>
  %w2 = arith.constant dense<64> : tensor<16x1xi32>
  %ro = arith.muli %r2, %w2 : tensor<16x1xi32>
  %rob = tile.broadcast %ro : tensor<16x1xi32> -> tensor<16x64xi32>
  %oo = arith.addi %rob, %cb : tensor<16x64xi32>
  %os = tile.splat %o : tensor<16x64x!tile.ptr<f32>>
  %po = tile.addptr %os, %oo : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  tile.store %po, %sum : tensor<16x64x!tile.ptr<f32>>
  return
}

// Each address comes from the load before: nothing to start early.
func.func @chase(%x: !tile.ptr<i32>, %o: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%at = %c0) -> i32 : i32 {
    %p = tile.addptr %x, %at : !tile.ptr<i32>, i32
    %next = tile.load %p : !tile.ptr<i32>
    scf.yield %next : i32
  } {tile.num_stages = ${S} : i32}
  tile.store %o, %last : !tile.ptr<i32>
  return
}

// Reads what the iteration before has written.
func.func @prefix(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4096 = arith.constant 4096 : i32
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %xs = tile.splat %x : tensor<4096x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %r : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %step = arith.constant dense<4096> : tensor<4096xi32>
  scf.for %k = %c0 to %n step %c1 iter_args(%p = %p0) -> tensor<4096x!tile.ptr<f32>> : i32 {
    %q = tile.addptr %p, %step : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
    %a = tile.load %p : tensor<4096x!tile.ptr<f32>>
    %b = tile.load %q : tensor<4096x!tile.ptr<f32>>
    %s = arith.addf %a, %b : tensor<4096xf32>
    tile.store %q, %s : tensor<4096x!tile.ptr<f32>>
    scf.yield %q : tensor<4096x!tile.ptr<f32>>
  } {tile.num_stages = ${S} : i32}
  return
}

// A branch in the loop; an induction variable of 64 bits that starts below zero; a step that is not known.
func.func @branch(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %lo: i64, %hi: i64, %st: i64) attributes {tile.kernel} {
  %c256 = arith.constant 256 : i64
  %c2 = arith.constant 2 : i64
  %z64 = arith.constant 0 : i64
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %h = arith.constant dense<0.5> : tensor<256xf32>
  %step = arith.constant dense<256> : tensor<256xi32>
  %sum:2 = scf.for %k = %lo to %hi step %st iter_args(%p = %p0, %acc = %z) -> (tensor<256x!tile.ptr<f32>>, tensor<256xf32>) : i64 {
    %v = tile.load %p : tensor<256x!tile.ptr<f32>>
    %m = arith.remsi %k, %c2 : i64
    %even = arith.cmpi eq, %m, %z64 : i64
    %t = scf.if %even -> tensor<256xf32> {
      %d = arith.mulf %v, %h : tensor<256xf32>
      scf.yield %d : tensor<256xf32>
    } else {
      scf.yield %v : tensor<256xf32>
    }
    %next = arith.addf %acc, %t : tensor<256xf32>
    %q = tile.addptr %p, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    scf.yield %q, %next : tensor<256x!tile.ptr<f32>>, tensor<256xf32>
  } {tile.num_stages = ${S} : i32}
  %os = tile.splat %o : tensor<256x!tile.ptr<f32>>
  %po = tile.addptr %os, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %po, %sum#1 : tensor<256x!tile.ptr<f32>>
  return
}

// Induction variables up to the largest of their type: the iteration after the last does not exist.
func.func @last(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %lo: i32, %hi: i32) attributes {tile.kernel} {
  %c3 = arith.constant 3 : i32
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %step = arith.constant dense<256> : tensor<256xi32>
  %sum:2 = scf.for %k = %lo to %hi step %c3 iter_args(%p = %p0, %acc = %z) -> (tensor<256x!tile.ptr<f32>>, tensor<256xf32>) : i32 {
    %v = tile.load %p : tensor<256x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<256xf32>
    %q = tile.addptr %p, %step : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    scf.yield %q, %next : tensor<256x!tile.ptr<f32>>, tensor<256xf32>
  } {tile.num_stages = ${S} : i32}
  %os = tile.splat %o : tensor<256x!tile.ptr<f32>>
  %po = tile.addptr %os, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %po, %sum#1 : tensor<256x!tile.ptr<f32>>
  return
}

// The sum of a and the product of its transpose, in one loop: the order of the two does not matter.
func.func @both(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %s: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %c2 = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cb = tile.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rb = tile.broadcast %r2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %w = arith.constant dense<32> : tensor<32x32xi32>
  %other = arith.constant dense<0.25> : tensor<32x32xf32>
  %row = arith.muli %rb, %w : tensor<32x32xi32>
  %i = arith.addi %row, %cb : tensor<32x32xi32>
  %as = tile.splat %a : tensor<32x32x!tile.ptr<f32>>
  %bs = tile.splat %b : tensor<32x32x!tile.ptr<f32>>
  %pa0 = tile.addptr %as, %i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %pb0 = tile.addptr %bs, %i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<32xf32>
  %ns = tile.splat %n : tensor<32x32xi32>
  %q:2 = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %z, %sums = %z1) -> (tensor<32x32xf32>, tensor<32xf32>) : i32 {
    %start = arith.muli %k, %c32 : i32
    %sb = tile.splat %start : tensor<32x32xi32>
    %pa = tile.addptr %pa0, %sb : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
    %pb = tile.addptr %pb0, %sb : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
    %ks = tile.splat %k : tensor<32x32xi32>
    %at = arith.addi %ks, %rb : tensor<32x32xi32>
    %in = arith.cmpi slt, %at, %ns : tensor<32x32xi32>
    %va = tile.load %pa mask %in other %other : tensor<32x32x!tile.ptr<f32>>
    %vb = tile.load %pb mask %in other %other : tensor<32x32x!tile.ptr<f32>>
    %sum = tile.reduce %va axis = 0 : tensor<32x32xf32> -> tensor<32xf32> {
    ^bb0(%x: f32, %y: f32):
      %t = arith.addf %x, %y : f32
      tile.yield %t : f32
    }
    %more = arith.addf %sums, %sum : tensor<32xf32>
    %vt = tile.trans %va order = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    %d = tile.dot %vt, %vb, %acc precision = ieee : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
    scf.yield %d, %more : tensor<32x32xf32>, tensor<32xf32>
  }
  %os = tile.splat %o : tensor<32x32x!tile.ptr<f32>>
  %po = tile.addptr %os, %i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %po, %q#0 : tensor<32x32x!tile.ptr<f32>>
  %ss = tile.splat %s : tensor<32x!tile.ptr<f32>>
  %ps = tile.addptr %ss, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %ps, %q#1 : tensor<32x!tile.ptr<f32>>
  return
}

// ---- Products. Blocks are 32x32, one after another. ----

func.func private @block(%p: !tile.ptr<f16>, %i: i32) -> tensor<32x32x!tile.ptr<f16>> {
  %c1024 = arith.constant 1024 : i32
  %start = arith.muli %i, %c1024 : i32
  %first = tile.addptr %p, %start : !tile.ptr<f16>, i32
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %c2 = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cb = tile.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rb = tile.broadcast %r2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %w = arith.constant dense<32> : tensor<32x32xi32>
  %row = arith.muli %rb, %w : tensor<32x32xi32>
  %at = arith.addi %row, %cb : tensor<32x32xi32>
  %ps = tile.splat %first : tensor<32x32x!tile.ptr<f16>>
  %q = tile.addptr %ps, %at : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  return %q : tensor<32x32x!tile.ptr<f16>>
}

func.func private @put(%o: !tile.ptr<f16>, %v: tensor<32x32xf32>) {
  %c0 = arith.constant 0 : i32
  %p = func.call @block(%o, %c0) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
  %h = arith.truncf %v : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %p, %h : tensor<32x32x!tile.ptr<f16>>
  return
}

// Seven loads, two products.
func.func @seven(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<32x32xf32> : i32 {
    %k4 = arith.muli %k, %c4 : i32
    %k5 = arith.addi %k4, %c1 : i32
    %k6 = arith.addi %k4, %c2 : i32
    %k7 = arith.addi %k4, %c3 : i32
    %pa = func.call @block(%x, %k4) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pb = func.call @block(%x, %k5) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pc = func.call @block(%x, %k6) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pd = func.call @block(%x, %k7) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pe = func.call @block(%y, %k4) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pf = func.call @block(%y, %k5) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pg = func.call @block(%y, %k6) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %a = tile.load %pa : tensor<32x32x!tile.ptr<f16>>
    %b = tile.load %pb : tensor<32x32x!tile.ptr<f16>>
    %c = tile.load %pc : tensor<32x32x!tile.ptr<f16>>
    %d = tile.load %pd : tensor<32x32x!tile.ptr<f16>>
    %e = tile.load %pe : tensor<32x32x!tile.ptr<f16>>
    %f = tile.load %pf : tensor<32x32x!tile.ptr<f16>>
    %g = tile.load %pg : tensor<32x32x!tile.ptr<f16>>
    %ab = arith.addf %a, %b : tensor<32x32xf16>
    %cd = arith.addf %c, %d : tensor<32x32xf16>
    %ef = arith.addf %e, %f : tensor<32x32xf16>
    %s = tile.dot %ab, %ef, %acc : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %t = tile.dot %cd, %g, %s : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %t : tensor<32x32xf32>
  } {tile.num_stages = ${S} : i32}
  func.call @put(%o, %sum) : (!tile.ptr<f16>, tensor<32x32xf32>) -> ()
  return
}

// Two products chained into one accumulator.
func.func @chained(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %n2 = arith.muli %n, %c2 : i32
  %sum = scf.for %k = %c0 to %n2 step %c2 iter_args(%acc = %z) -> tensor<32x32xf32> : i32 {
    %k1 = arith.addi %k, %c1 : i32
    %pa = func.call @block(%x, %k) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pb = func.call @block(%y, %k) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pc = func.call @block(%x, %k1) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pd = func.call @block(%y, %k1) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %a = tile.load %pa : tensor<32x32x!tile.ptr<f16>>
    %b = tile.load %pb : tensor<32x32x!tile.ptr<f16>>
    %s = tile.dot %a, %b, %acc : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %c = tile.load %pc : tensor<32x32x!tile.ptr<f16>>
    %d = tile.load %pd : tensor<32x32x!tile.ptr<f16>>
    %t = tile.dot %c, %d, %s : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %t : tensor<32x32xf32>
  }
  func.call @put(%o, %sum) : (!tile.ptr<f16>, tensor<32x32xf32>) -> ()
  return
}

// Attention over pages that a table names: a scalar load leads to both products' loads; exp and max between them.
func.func @pages(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %table: !tile.ptr<i32>, %o: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %low = arith.constant dense<-1.0e4> : tensor<32xf32>
  %one = arith.constant dense<1.0> : tensor<32xf32>
  %pq = func.call @block(%q, %c0) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
  %vq = tile.load %pq : tensor<32x32x!tile.ptr<f16>>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %low, %l = %one, %acc = %z) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>) : i32 {
    %pt = tile.addptr %table, %k : !tile.ptr<i32>, i32
    %page = tile.load %pt : !tile.ptr<i32>
    %pk = func.call @block(%x, %page) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %pv = func.call @block(%y, %page) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
    %vk = tile.load %pk : tensor<32x32x!tile.ptr<f16>>
    %kt = tile.trans %vk order = [1, 0] : tensor<32x32xf16> -> tensor<32x32xf16>
    %s = tile.dot %vq, %kt, %z : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %most = tile.reduce %s axis = 1 : tensor<32x32xf32> -> tensor<32xf32> {
    ^bb0(%u: f32, %v: f32):
      %t = arith.maximumf %u, %v : f32
      tile.yield %t : f32
    }
    %nm = arith.maximumf %m, %most : tensor<32xf32>
    %nm2 = tile.expand_dims %nm axis = 1 : tensor<32xf32> -> tensor<32x1xf32>
    %nmb = tile.broadcast %nm2 : tensor<32x1xf32> -> tensor<32x32xf32>
    %d = arith.subf %s, %nmb : tensor<32x32xf32>
    %e = math.exp2 %d : tensor<32x32xf32>
    %dm = arith.subf %m, %nm : tensor<32xf32>
    %f = math.exp2 %dm : tensor<32xf32>
    %sum = tile.reduce %e axis = 1 : tensor<32x32xf32> -> tensor<32xf32> {
    ^bb0(%u: f32, %v: f32):
      %t = arith.addf %u, %v : f32
      tile.yield %t : f32
    }
    %lf = arith.mulf %l, %f : tensor<32xf32>
    %nl = arith.addf %lf, %sum : tensor<32xf32>
    %f2 = tile.expand_dims %f axis = 1 : tensor<32xf32> -> tensor<32x1xf32>
    %fb = tile.broadcast %f2 : tensor<32x1xf32> -> tensor<32x32xf32>
    %scaled = arith.mulf %acc, %fb : tensor<32x32xf32>
    %h = arith.truncf %e : tensor<32x32xf32> to tensor<32x32xf16>
    %vv = tile.load %pv : tensor<32x32x!tile.ptr<f16>>
    %w = tile.dot %h, %vv, %scaled : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %nm, %nl, %w : tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>
  }
  %l2 = tile.expand_dims %r#1 axis = 1 : tensor<32xf32> -> tensor<32x1xf32>
  %lb = tile.broadcast %l2 : tensor<32x1xf32> -> tensor<32x32xf32>
  %result = arith.divf %r#2, %lb : tensor<32x32xf32>
  func.call @put(%o, %result) : (!tile.ptr<f16>, tensor<32x32xf32>) -> ()
  return
}

// A loop in a loop, as long as the outer one has come; a branch where the two meet; 8-bit numbers made wider.
func.func @nested(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %half = arith.constant dense<0.5> : tensor<32x32xf32>
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %c2 = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cb = tile.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rb = tile.broadcast %r2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %w = arith.constant dense<32> : tensor<32x32xi32>
  %row = arith.muli %rb, %w : tensor<32x32xi32>
  %at = arith.addi %row, %cb : tensor<32x32xi32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %z) -> tensor<32x32xf32> : i32 {
    %end = arith.addi %i, %c1 : i32
    %sum = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %outer) -> tensor<32x32xf32> : i32 {
      %pa = func.call @block(%x, %k) : (!tile.ptr<f16>, i32) -> tensor<32x32x!tile.ptr<f16>>
      %a = tile.load %pa : tensor<32x32x!tile.ptr<f16>>
      %start = arith.muli %k, %c1024 : i32
      %ss = tile.splat %start : tensor<32x32xi32>
      %off = arith.addi %ss, %at : tensor<32x32xi32>
      %ys = tile.splat %y : tensor<32x32x!tile.ptr<i8>>
      %pb = tile.addptr %ys, %off : tensor<32x32x!tile.ptr<i8>>, tensor<32x32xi32>
      %b = tile.load %pb : tensor<32x32x!tile.ptr<i8>>
      %bf = arith.sitofp %b : tensor<32x32xi8> to tensor<32x32xf16>
      %d = tile.dot %a, %bf, %acc : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
      %last = arith.cmpi eq, %k, %i : i32
      %t = scf.if %last -> tensor<32x32xf32> {
        %m = arith.mulf %d, %half : tensor<32x32xf32>
        scf.yield %m : tensor<32x32xf32>
      } else {
        scf.yield %d : tensor<32x32xf32>
      }
      scf.yield %t : tensor<32x32xf32>
    }
    scf.yield %sum : tensor<32x32xf32>
  }
  func.call @put(%o, %all) : (!tile.ptr<f16>, tensor<32x32xf32>) -> ()
  return
}
