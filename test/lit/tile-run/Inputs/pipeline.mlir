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
