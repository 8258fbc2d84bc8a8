// Reductions and scans of tensors of any size: combiners with a neutral element and without, along an odd axis
// and beside one.
//
// for N in 1 3 5 7 12 100 781 1151
// run: --kernel=sums --arg=f32[{N}]=randn:1 --arg=f32[4]=zeros
// run: --kernel=sums --arg=f32[{N}]=fill:-0.0 --arg=f32[4]=ones --atol=0 --rtol=0
// run: --kernel=extremes --arg=f32[{N}]=randn:2 --arg=f32[4]=zeros --atol=0 --rtol=0
// run: --kernel=extremes --arg=f32[{N}]=fill:nan --arg=f32[4]=zeros --atol=0 --rtol=0
// run: --kernel=extremes --arg=f32[{N}]=fill:-inf --arg=f32[4]=zeros --atol=0 --rtol=0
// run: --kernel=integers --arg=i32[{N}]=rand:3:-900:900 --arg=i32[8]=zeros
// run: --kernel=integers --arg=i32[{N}]=rand:3:-900:-1 --arg=i32[8]=zeros
// run: --kernel=halves --arg=f16[{N}]=randn:3 --arg=f16[1]=zeros --arg=f64[1]=zeros
// run: --kernel=argmax --arg=f32[{N}]=rand:4:-9:-1 --arg=i32[2]=zeros
// run: --kernel=argmax --arg=f32[{N}]=fill:-inf --arg=i32[2]=zeros
// run: --kernel=welford --arg=f32[{N}]=randn:5 --arg=f32[3]=zeros
// run: --kernel=gcd --arg=i32[{N}]=rand:6:1:60 --arg=i32[2]=zeros --num-warps=4
// run: --kernel=axes --arg=f32[{5*N}]=randn:7 --arg=f32[5]=zeros --arg=f32[{N}]=zeros --arg=i32[{N}]=zeros
// run: --kernel=cumsum --arg=f32[{5*N}]=randn:8 --arg=f32[{5*N}]=zeros --arg=f32[{5*N}]=zeros --atol=1e-4
// run: --kernel=recurrence --arg=f32[{N}]=rand:9 --arg=f32[{N}]=randn:10 --arg=f32[{N}]=zeros --arg=f32[{N}]=zeros
// run: --kernel=in_loop --arg=f32[{4*N}]=randn:11 --arg=f32[4]=zeros --arg=i32=4
func.func @sums(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 0 : tensor<${N}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %y, %s : !tile.ptr<f32>
  %half = arith.constant dense<0.015625> : tensor<${N}xf32>
  %one = arith.constant dense<1.0> : tensor<${N}xf32>
  %scaled = arith.mulf %v, %half : tensor<${N}xf32>
  %near = arith.addf %scaled, %one : tensor<${N}xf32>
  %p = tile.reduce %near axis = 0 : tensor<${N}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %b, %a : f32
    tile.yield %c : f32
  }
  %c1 = arith.constant 1 : i32
  %y1 = tile.addptr %y, %c1 : !tile.ptr<f32>, i32
  tile.store %y1, %p : !tile.ptr<f32>
  return
}

func.func @extremes(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %a = tile.reduce %v axis = 0 : tensor<${N}xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %o = arith.maximumf %l, %r : f32
    tile.yield %o : f32
  }
  %b = tile.reduce %v axis = 0 : tensor<${N}xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %o = arith.maxnumf %l, %r : f32
    tile.yield %o : f32
  }
  %c = tile.reduce %v axis = 0 : tensor<${N}xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %o = arith.minimumf %l, %r : f32
    tile.yield %o : f32
  }
  %d = tile.reduce %v axis = 0 : tensor<${N}xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %o = arith.minnumf %l, %r : f32
    tile.yield %o : f32
  }
  %c1 = arith.constant 1 : i32
  tile.store %y, %a : !tile.ptr<f32>
  %y1 = tile.addptr %y, %c1 : !tile.ptr<f32>, i32
  tile.store %y1, %b : !tile.ptr<f32>
  %y2 = tile.addptr %y1, %c1 : !tile.ptr<f32>, i32
  tile.store %y2, %c : !tile.ptr<f32>
  %y3 = tile.addptr %y2, %c1 : !tile.ptr<f32>, i32
  tile.store %y3, %d : !tile.ptr<f32>
  return
}

func.func @integers(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<i32>>
  %a:2 = tile.reduce %v, %v axis = 0 : tensor<${N}xi32>, tensor<${N}xi32> -> i32, i32 {
  ^bb0(%l: i32, %m: i32, %r: i32, %s: i32):
    %o = arith.addi %l, %r : i32
    %q = arith.maxsi %m, %s : i32
    tile.yield %o, %q : i32, i32
  }
  %b:2 = tile.reduce %v, %v axis = 0 : tensor<${N}xi32>, tensor<${N}xi32> -> i32, i32 {
  ^bb0(%l: i32, %m: i32, %r: i32, %s: i32):
    %o = arith.minsi %l, %r : i32
    %q = arith.minui %m, %s : i32
    tile.yield %o, %q : i32, i32
  }
  %c:2 = tile.reduce %v, %v axis = 0 : tensor<${N}xi32>, tensor<${N}xi32> -> i32, i32 {
  ^bb0(%l: i32, %m: i32, %r: i32, %s: i32):
    %o = arith.andi %l, %r : i32
    %q = arith.xori %m, %s : i32
    tile.yield %o, %q : i32, i32
  }
  %zero = arith.constant dense<0> : tensor<${N}xi32>
  %flag = arith.cmpi slt, %v, %zero : tensor<${N}xi32>
  %all = tile.reduce %flag axis = 0 : tensor<${N}xi1> -> i1 {
  ^bb0(%l: i1, %r: i1):
    %o = arith.muli %l, %r : i1
    tile.yield %o : i1
  }
  %e = arith.extui %all : i1 to i32
  %f = tile.reduce %v axis = 0 : tensor<${N}xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %o = arith.ori %l, %r : i32
    tile.yield %o : i32
  }
  %c1 = arith.constant 1 : i32
  tile.store %y, %a#0 : !tile.ptr<i32>
  %y1 = tile.addptr %y, %c1 : !tile.ptr<i32>, i32
  tile.store %y1, %a#1 : !tile.ptr<i32>
  %y2 = tile.addptr %y1, %c1 : !tile.ptr<i32>, i32
  tile.store %y2, %b#0 : !tile.ptr<i32>
  %y3 = tile.addptr %y2, %c1 : !tile.ptr<i32>, i32
  tile.store %y3, %b#1 : !tile.ptr<i32>
  %y4 = tile.addptr %y3, %c1 : !tile.ptr<i32>, i32
  tile.store %y4, %c#0 : !tile.ptr<i32>
  %y5 = tile.addptr %y4, %c1 : !tile.ptr<i32>, i32
  tile.store %y5, %c#1 : !tile.ptr<i32>
  %y6 = tile.addptr %y5, %c1 : !tile.ptr<i32>, i32
  tile.store %y6, %e : !tile.ptr<i32>
  %y7 = tile.addptr %y6, %c1 : !tile.ptr<i32>, i32
  tile.store %y7, %f : !tile.ptr<i32>
  return
}

func.func @halves(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %z: !tile.ptr<f64>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f16>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f16>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f16>>
  %s = tile.reduce %v axis = 0 : tensor<${N}xf16> -> f16 {
  ^bb0(%a: f16, %b: f16):
    %c = arith.maxnumf %a, %b : f16
    tile.yield %c : f16
  }
  tile.store %y, %s : !tile.ptr<f16>
  %w = arith.extf %v : tensor<${N}xf16> to tensor<${N}xf64>
  %t = tile.reduce %w axis = 0 : tensor<${N}xf64> -> f64 {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    tile.yield %c : f64
  }
  tile.store %z, %t : !tile.ptr<f64>
  return
}

// The largest, and of equal ones the first.
func.func @argmax(%x: !tile.ptr<f32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %m:2 = tile.reduce %v, %i axis = 0 : tensor<${N}xf32>, tensor<${N}xi32> -> f32, i32 {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %eq = arith.cmpf oeq, %a, %b : f32
    %lt = arith.cmpi slt, %ai, %bi : i32
    %tie = arith.andi %eq, %lt : i1
    %left = arith.ori %gt, %tie : i1
    %c = arith.select %left, %a, %b : f32
    %ci = arith.select %left, %ai, %bi : i32
    tile.yield %c, %ci : f32, i32
  }
  tile.store %y, %m#1 : !tile.ptr<i32>
  return
}

func.func @welford(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %m2 = arith.constant dense<0.0> : tensor<${N}xf32>
  %w = arith.constant dense<1.0> : tensor<${N}xf32>
  %r:3 = tile.reduce %v, %m2, %w axis = 0 : tensor<${N}xf32>, tensor<${N}xf32>, tensor<${N}xf32> -> f32, f32, f32 {
  ^bb0(%ma: f32, %sa: f32, %na: f32, %mb: f32, %sb: f32, %nb: f32):
    %delta = arith.subf %mb, %ma : f32
    %n = arith.addf %na, %nb : f32
    %share = arith.divf %nb, %n : f32
    %part = arith.mulf %delta, %share : f32
    %mean = arith.addf %ma, %part : f32
    %d2 = arith.mulf %delta, %delta : f32
    %d3 = arith.mulf %d2, %na : f32
    %d4 = arith.mulf %d3, %share : f32
    %s = arith.addf %sa, %sb : f32
    %s2 = arith.addf %s, %d4 : f32
    tile.yield %mean, %s2, %n : f32, f32, f32
  }
  %c1 = arith.constant 1 : i32
  tile.store %y, %r#0 : !tile.ptr<f32>
  %y1 = tile.addptr %y, %c1 : !tile.ptr<f32>, i32
  tile.store %y1, %r#1 : !tile.ptr<f32>
  %y2 = tile.addptr %y1, %c1 : !tile.ptr<f32>, i32
  tile.store %y2, %r#2 : !tile.ptr<f32>
  return
}

// A combiner with a loop, which would not end for what is no element.
func.func @gcd(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<i32>>
  %g = tile.reduce %v axis = 0 : tensor<${N}xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %r:2 = scf.while (%m = %a, %n = %b) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %m, %n : i32
      scf.condition(%more) %m, %n : i32, i32
    } do {
    ^bb1(%m: i32, %n: i32):
      %greater = arith.cmpi sgt, %m, %n : i32
      %d = arith.subi %m, %n : i32
      %e = arith.subi %n, %m : i32
      %m1 = arith.select %greater, %d, %m : i32
      %n1 = arith.select %greater, %n, %e : i32
      scf.yield %m1, %n1 : i32, i32
    }
    tile.yield %r#0 : i32
  }
  tile.store %y, %g : !tile.ptr<i32>
  return
}

// Both axes of 5 x N.
func.func @axes(%x: !tile.ptr<f32>, %rows: !tile.ptr<f32>, %cols: !tile.ptr<f32>, %best: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 5 : tensor<5xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<5xi32> -> tensor<5x1xi32>
  %col = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %width = arith.constant dense<${N}> : tensor<5x1xi32>
  %start = arith.muli %row, %width : tensor<5x1xi32>
  %starts = tile.broadcast %start : tensor<5x1xi32> -> tensor<5x${N}xi32>
  %columns = tile.broadcast %col : tensor<1x${N}xi32> -> tensor<5x${N}xi32>
  %i = arith.addi %starts, %columns : tensor<5x${N}xi32>
  %xs = tile.splat %x : tensor<5x${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<5x${N}x!tile.ptr<f32>>, tensor<5x${N}xi32>
  %v = tile.load %px : tensor<5x${N}x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 1 : tensor<5x${N}xf32> -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %b : f32
    tile.yield %d : f32
  }
  %rs = tile.splat %rows : tensor<5x!tile.ptr<f32>>
  %pr = tile.addptr %rs, %r : tensor<5x!tile.ptr<f32>>, tensor<5xi32>
  tile.store %pr, %s : tensor<5x!tile.ptr<f32>>
  %number = tile.broadcast %row : tensor<5x1xi32> -> tensor<5x${N}xi32>
  %t:2 = tile.reduce %v, %number axis = 0 : tensor<5x${N}xf32>, tensor<5x${N}xi32> -> tensor<${N}xf32>, tensor<${N}xi32> {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %d = arith.select %gt, %a, %b : f32
    %di = arith.select %gt, %ai, %bi : i32
    tile.yield %d, %di : f32, i32
  }
  %cs = tile.splat %cols : tensor<${N}x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %c : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %pc, %t#0 : tensor<${N}x!tile.ptr<f32>>
  %bs = tile.splat %best : tensor<${N}x!tile.ptr<i32>>
  %pb = tile.addptr %bs, %c : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  tile.store %pb, %t#1 : tensor<${N}x!tile.ptr<i32>>
  return
}

// Forward along one axis, backward along the other.
func.func @cumsum(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 5 : tensor<5xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<5xi32> -> tensor<5x1xi32>
  %col = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %width = arith.constant dense<${N}> : tensor<5x1xi32>
  %start = arith.muli %row, %width : tensor<5x1xi32>
  %starts = tile.broadcast %start : tensor<5x1xi32> -> tensor<5x${N}xi32>
  %columns = tile.broadcast %col : tensor<1x${N}xi32> -> tensor<5x${N}xi32>
  %i = arith.addi %starts, %columns : tensor<5x${N}xi32>
  %xs = tile.splat %x : tensor<5x${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<5x${N}x!tile.ptr<f32>>, tensor<5x${N}xi32>
  %v = tile.load %px : tensor<5x${N}x!tile.ptr<f32>>
  %s = tile.scan %v axis = 1 : tensor<5x${N}xf32> {
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %b : f32
    tile.yield %d : f32
  }
  %t = tile.scan %v axis = 0 reverse : tensor<5x${N}xf32> {
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %b : f32
    tile.yield %d : f32
  }
  %ys = tile.splat %y : tensor<5x${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<5x${N}x!tile.ptr<f32>>, tensor<5x${N}xi32>
  tile.store %py, %s : tensor<5x${N}x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<5x${N}x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<5x${N}x!tile.ptr<f32>>, tensor<5x${N}xi32>
  tile.store %pz, %t : tensor<5x${N}x!tile.ptr<f32>>
  return
}

// h = a h + x in both directions: associative, not commutative, no neutral element that is known.
func.func @recurrence(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %ws = tile.splat %w : tensor<${N}x!tile.ptr<f32>>
  %pw = tile.addptr %ws, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %u = tile.load %pw : tensor<${N}x!tile.ptr<f32>>
  %f:2 = tile.scan %v, %u axis = 0 : tensor<${N}xf32>, tensor<${N}xf32> {
  ^bb0(%fl: f32, %xl: f32, %fr: f32, %xr: f32):
    %g = arith.mulf %fl, %fr : f32
    %p = arith.mulf %fr, %xl : f32
    %q = arith.addf %p, %xr : f32
    tile.yield %g, %q : f32, f32
  }
  %b:2 = tile.scan %v, %u axis = 0 reverse : tensor<${N}xf32>, tensor<${N}xf32> {
  ^bb0(%fl: f32, %xl: f32, %fr: f32, %xr: f32):
    %g = arith.mulf %fl, %fr : f32
    %p = arith.mulf %fr, %xl : f32
    %q = arith.addf %p, %xr : f32
    tile.yield %g, %q : f32, f32
  }
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %py, %f#1 : tensor<${N}x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<${N}x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %pz, %b#1 : tensor<${N}x!tile.ptr<f32>>
  return
}

func.func @in_loop(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant ${N} : i32
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %start = arith.muli %k, %step : i32
    %from = tile.addptr %x, %start : !tile.ptr<f32>, i32
    %xs = tile.splat %from : tensor<${N}x!tile.ptr<f32>>
    %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
    %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
    %s = tile.reduce %v axis = 0 : tensor<${N}xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %q = tile.addptr %y, %k : !tile.ptr<f32>, i32
    tile.store %q, %s : !tile.ptr<f32>
  }
  return
}
