// Loads, stores and atomics of tensors of any size; values of odd size through loops and branches.
//
// for N in 1 3 5 7 12 100 781 1151
// let FAR = 2147483647 - N
// run: --kernel=copy --arg=f32[{N}]=randn:1 --arg=f32[{N}]=zeros --atol=0 --rtol=0
// run: --kernel=masked --arg=f16[{N}]=randn:1 --arg=f16[{N}]=ones --arg=i32={N//2} --atol=0 --rtol=0
// run: --kernel=count --arg=i32[{N}]=rand:2:0:{N} --arg=i32[{N}]=zeros --arg=i32[{N}]=zeros
// run: --kernel=claim --arg=i32[{N}]=rand:3:0:2 --arg=i32[{N}]=zeros
// run: --kernel=grid --arg=f32[{3*N}]=randn:1 --arg=f32[{3*N}]=zeros
// run: --kernel=loop --arg=f32[{5*N}]=randn:1 --arg=f32[{N}]=zeros --arg=i32=5
// run: --kernel=branch --arg=f32[{N}]=randn:1 --arg=f32[{N}]=zeros --arg=i32={N%2}
// run: --kernel=until --arg=i32[{N}]=rand:1:1:900 --arg=i32[{N}]=zeros
// run: --kernel=bits --arg=i1[{N}]=rand:4 --arg=i1[{N}]=rand:5 --arg=i1[{N}]=zeros
// run: --kernel=constant --arg=i32[{3*N}]=zeros
// run: --kernel=divide --arg=i32[{N}]=rand:1:-9:9 --arg=i32[{N}]=rand:2:1:5 --arg=i32[{N}]=zeros
func.func @copy(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %py, %v : tensor<${N}x!tile.ptr<f32>>
  return
}

func.func @masked(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %ns = tile.splat %n : tensor<${N}xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<${N}xi32>
  %other = arith.constant dense<7.0> : tensor<${N}xf16>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f16>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f16>>, tensor<${N}xi32>
  %v = tile.load %px mask %in other %other : tensor<${N}x!tile.ptr<f16>>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f16>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f16>>, tensor<${N}xi32>
  tile.store %py, %v : tensor<${N}x!tile.ptr<f16>>
  return
}

// How often each number occurs, and one more for each element on top.
func.func @count(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %z: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<i32>>
  %one = arith.constant dense<1> : tensor<${N}xi32>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %v : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %old = tile.atomic_rmw add %py, %one : tensor<${N}x!tile.ptr<i32>>
  %zs = tile.splat %z : tensor<${N}x!tile.ptr<i32>>
  %pz = tile.addptr %zs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %mask = arith.cmpi sgt, %v, %one : tensor<${N}xi32>
  %old2 = tile.atomic_rmw add %pz, %i mask %mask : tensor<${N}x!tile.ptr<i32>>
  return
}

func.func @claim(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %zero = arith.constant dense<0> : tensor<${N}xi32>
  %seven = arith.constant dense<7> : tensor<${N}xi32>
  %mark = arith.addi %i, %seven : tensor<${N}xi32>
  %old = tile.atomic_cas %px, %zero, %mark : tensor<${N}x!tile.ptr<i32>>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  tile.store %py, %old : tensor<${N}x!tile.ptr<i32>>
  return
}

// Two dimensions, one of them 3.
func.func @grid(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 3 : tensor<3xi32>
  %c = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<3xi32> -> tensor<3x1xi32>
  %col = tile.expand_dims %c axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %width = arith.constant dense<${N}> : tensor<3x1xi32>
  %start = arith.muli %row, %width : tensor<3x1xi32>
  %starts = tile.broadcast %start : tensor<3x1xi32> -> tensor<3x${N}xi32>
  %cols = tile.broadcast %col : tensor<1x${N}xi32> -> tensor<3x${N}xi32>
  %i = arith.addi %starts, %cols : tensor<3x${N}xi32>
  %xs = tile.splat %x : tensor<3x${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<3x${N}x!tile.ptr<f32>>, tensor<3x${N}xi32>
  %v = tile.load %px : tensor<3x${N}x!tile.ptr<f32>>
  %t = tile.trans %v order = [1, 0] : tensor<3x${N}xf32> -> tensor<${N}x3xf32>
  %p = tile.trans %i order = [1, 0] : tensor<3x${N}xi32> -> tensor<${N}x3xi32>
  %w = arith.addf %t, %t : tensor<${N}x3xf32>
  %ys = tile.splat %y : tensor<${N}x3x!tile.ptr<f32>>
  %py = tile.addptr %ys, %p : tensor<${N}x3x!tile.ptr<f32>>, tensor<${N}x3xi32>
  tile.store %py, %w : tensor<${N}x3x!tile.ptr<f32>>
  return
}

func.func @loop(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<${N}xf32>
  %step = arith.constant dense<${N}> : tensor<${N}xi32>
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %sum, %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %p = %px)
      -> (tensor<${N}xf32>, tensor<${N}x!tile.ptr<f32>>) : i32 {
    %v = tile.load %p : tensor<${N}x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<${N}xf32>
    %q = tile.addptr %p, %step : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
    scf.yield %t, %q : tensor<${N}xf32>, tensor<${N}x!tile.ptr<f32>>
  }
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %py, %sum : tensor<${N}x!tile.ptr<f32>>
  return
}

func.func @branch(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %odd = arith.cmpi ne, %n, %c0 : i32
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = scf.if %odd -> (tensor<${N}xf32>) {
    %a = tile.load %px : tensor<${N}x!tile.ptr<f32>>
    scf.yield %a : tensor<${N}xf32>
  } else {
    %b = arith.constant dense<3.0> : tensor<${N}xf32>
    scf.yield %b : tensor<${N}xf32>
  }
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %py, %v : tensor<${N}x!tile.ptr<f32>>
  return
}

// Steps until each number is 1: a loop in the body that ends for positive numbers only.
func.func @until(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<i32>>
  %steps = tile.map_elementwise %v : tensor<${N}xi32> -> tensor<${N}xi32> {
  ^bb0(%a: i32):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %end, %count = scf.while (%m = %a, %k = %c0) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %m, %c1 : i32
      scf.condition(%more) %m, %k : i32, i32
    } do {
    ^bb1(%m: i32, %k: i32):
      %half = arith.divui %m, %c2 : i32
      %odd = arith.remui %m, %c2 : i32
      %isOdd = arith.cmpi ne, %odd, %c0 : i32
      %three = arith.muli %m, %c3 : i32
      %up = arith.addi %three, %c1 : i32
      %next = arith.select %isOdd, %up, %half : i32
      %k1 = arith.addi %k, %c1 : i32
      scf.yield %next, %k1 : i32, i32
    }
    tile.yield %count : i32
  }
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  tile.store %py, %steps : tensor<${N}x!tile.ptr<i32>>
  return
}

func.func @bits(%x: !tile.ptr<i1>, %y: !tile.ptr<i1>, %z: !tile.ptr<i1>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i1>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i1>>, tensor<${N}xi32>
  %a = tile.load %px : tensor<${N}x!tile.ptr<i1>>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<i1>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<i1>>, tensor<${N}xi32>
  %b = tile.load %py mask %a : tensor<${N}x!tile.ptr<i1>>
  %zs = tile.splat %z : tensor<${N}x!tile.ptr<i1>>
  %pz = tile.addptr %zs, %i : tensor<${N}x!tile.ptr<i1>>, tensor<${N}xi32>
  tile.store %pz, %b mask %a : tensor<${N}x!tile.ptr<i1>>
  return
}

// Constants whose elements differ, and a range far from 0.
func.func @constant(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %c = arith.constant dense<[[10], [20], [-5]]> : tensor<3x1xi32>
  %i = tile.make_range ${FAR} to 2147483647 : tensor<${N}xi32>
  %far = arith.constant dense<${FAR}> : tensor<${N}xi32>
  %j = arith.subi %i, %far : tensor<${N}xi32>
  %r = tile.make_range 0 to 3 : tensor<3xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<3xi32> -> tensor<3x1xi32>
  %width = arith.constant dense<${N}> : tensor<3x1xi32>
  %start = arith.muli %row, %width : tensor<3x1xi32>
  %starts = tile.broadcast %start : tensor<3x1xi32> -> tensor<3x${N}xi32>
  %col = tile.expand_dims %j axis = 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %cols = tile.broadcast %col : tensor<1x${N}xi32> -> tensor<3x${N}xi32>
  %at = arith.addi %starts, %cols : tensor<3x${N}xi32>
  %cs = tile.broadcast %c : tensor<3x1xi32> -> tensor<3x${N}xi32>
  %v = arith.addi %cs, %cols : tensor<3x${N}xi32>
  %xs = tile.splat %x : tensor<3x${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %at : tensor<3x${N}x!tile.ptr<i32>>, tensor<3x${N}xi32>
  tile.store %px, %v : tensor<3x${N}x!tile.ptr<i32>>
  return
}

func.func @divide(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %z: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %a = tile.load %px : tensor<${N}x!tile.ptr<i32>>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %b = tile.load %py : tensor<${N}x!tile.ptr<i32>>
  %q = arith.divsi %a, %b : tensor<${N}xi32>
  %zs = tile.splat %z : tensor<${N}x!tile.ptr<i32>>
  %pz = tile.addptr %zs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  tile.store %pz, %q : tensor<${N}x!tile.ptr<i32>>
  return
}
