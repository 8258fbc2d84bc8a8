// c = a b for a [32, k] and b [k, 64], columns of b from `low` to `bound` alone: a program has 32 columns.
// tile.param ORDER = 0 of 0, 1, 2
func.func private @in0(%x: tensor<32xi32>, %low: i32, %bound: i32) -> tensor<32xi1> {
  %b = tile.splat %bound : tensor<32xi32>
  %l = tile.splat %low : tensor<32xi32>
  %p = arith.cmpi slt, %x, %b : tensor<32xi32>
  %q = arith.cmpi sge, %x, %l : tensor<32xi32>
  %r = arith.andi %p, %q : tensor<32xi1>
  return %r : tensor<32xi1>
}
func.func private @in1(%x: tensor<32xi32>, %low: i32, %bound: i32) -> tensor<32xi1> {
  %b = tile.splat %bound : tensor<32xi32>
  %l = tile.splat %low : tensor<32xi32>
  %p = arith.cmpi sgt, %b, %x : tensor<32xi32>
  %q = arith.cmpi sle, %l, %x : tensor<32xi32>
  %r = arith.andi %p, %q : tensor<32xi1>
  return %r : tensor<32xi1>
}
func.func private @in2(%x: tensor<32xi32>, %low: i32, %bound: i32) -> tensor<32xi1> {
  %one = arith.constant 1 : i32
  %last = arith.subi %bound, %one : i32
  %before = arith.subi %low, %one : i32
  %b = tile.splat %last : tensor<32xi32>
  %l = tile.splat %before : tensor<32xi32>
  %p = arith.cmpi sle, %x, %b : tensor<32xi32>
  %q = arith.cmpi slt, %l, %x : tensor<32xi32>
  %r = arith.andi %p, %q : tensor<32xi1>
  return %r : tensor<32xi1>
}
func.func @product(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %k: i32, %low: i32, %bound: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %n0 = arith.muli %pid, %c32 : i32
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %n0s = tile.splat %n0 : tensor<32xi32>
  %x = arith.addi %n0s, %r : tensor<32xi32>
  %in = func.call @in${ORDER}(%x, %low, %bound) : (tensor<32xi32>, i32, i32) -> tensor<32xi1>
  %in1 = tile.expand_dims %in axis = 0 : tensor<32xi1> -> tensor<1x32xi1>
  %inb = tile.broadcast %in1 : tensor<1x32xi1> -> tensor<32x32xi1>
  %re = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ce = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %xe = tile.expand_dims %x axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %ceb = tile.broadcast %ce : tensor<1x32xi32> -> tensor<32x32xi32>
  %xb = tile.broadcast %xe : tensor<1x32xi32> -> tensor<32x32xi32>
  %ks = tile.splat %k : tensor<32x1xi32>
  %c64s = tile.splat %c64 : tensor<32x1xi32>
  %ra = arith.muli %re, %ks : tensor<32x1xi32>
  %rb = arith.muli %re, %c64s : tensor<32x1xi32>
  %rab = tile.broadcast %ra : tensor<32x1xi32> -> tensor<32x32xi32>
  %rbb = tile.broadcast %rb : tensor<32x1xi32> -> tensor<32x32xi32>
  %oa = arith.addi %rab, %ceb : tensor<32x32xi32>
  %ob = arith.addi %rbb, %xb : tensor<32x32xi32>
  %as = tile.splat %a : tensor<32x32x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<32x32x!tile.ptr<f16>>
  %cs = tile.splat %c : tensor<32x32x!tile.ptr<f32>>
  %pa = tile.addptr %as, %oa : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  %pb = tile.addptr %bs, %ob : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  %pc = tile.addptr %cs, %ob : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %stepa = arith.constant dense<32> : tensor<32x32xi32>
  %stepb = arith.constant dense<2048> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %none = arith.constant dense<0.0> : tensor<32x32xf16>
  %s:3 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %qa = %pa, %qb = %pb) -> (tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>, tensor<32x32x!tile.ptr<f16>>) : i32 {
    %left = arith.subi %k, %i : i32
    %ls = tile.splat %left : tensor<32x1xi32>
    %m = arith.cmpi slt, %re, %ls : tensor<32x1xi32>
    %mb = tile.broadcast %m : tensor<32x1xi1> -> tensor<32x32xi1>
    %both = arith.andi %mb, %inb : tensor<32x32xi1>
    %v = tile.load %qa : tensor<32x32x!tile.ptr<f16>>
    %w = tile.load %qb mask %both other %none : tensor<32x32x!tile.ptr<f16>>
    %d = tile.dot %v, %w, %acc : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %na = tile.addptr %qa, %stepa : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
    %nb = tile.addptr %qb, %stepb : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
    scf.yield %d, %na, %nb : tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>, tensor<32x32x!tile.ptr<f16>>
  }
  tile.store %pc, %s#0 : tensor<32x32x!tile.ptr<f32>>
  return
}
