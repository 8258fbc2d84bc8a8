// Which reductions keep the order of their elements: combiners that swapped values tell apart.
// RUN: tile-opt %s -pass-pipeline='builtin.module(convert-tile-to-tile-gpu{target=gfx942})' | FileCheck %s
// RUN: tile-run %s --kernel=recurrence --grid=1 --device=sim --target=gfx942 --num-warps=1 --against=cpu --arg=i32[64]=rand:1 --arg=i32[64]=rand:2 --arg=i32[16]=zeros
// RUN: tile-run %s --kernel=recurrence --grid=1 --device=sim --target=sm_80 --num-warps=2 --against=cpu --arg=i32[64]=rand:1 --arg=i32[64]=rand:2 --arg=i32[16]=zeros
// RUN: tile-run %s --kernel=recurrence --grid=1 --device=sim --target=gfx1100 --num-warps=8 --against=cpu --arg=i32[64]=rand:1 --arg=i32[64]=rand:2 --arg=i32[16]=zeros
// RUN: tile-run %s --kernel=last --grid=1 --device=sim --target=sm_90a --num-warps=2 --against=cpu --arg=i32[1024]=rand:1 --arg=i32[1]=zeros
// RUN: tile-run %s --kernel=last --grid=1 --device=sim --target=gfx942 --num-warps=4 --against=cpu --arg=i32[1024]=rand:1 --arg=i32[1]=zeros
// RUN: tile-run %s --kernel=nearest --grid=1 --device=sim --target=sm_80 --num-warps=4 --against=cpu --arg=i32[1024]=rand:7:-9:9 --arg=i32=-20 --arg=i32[1]=zeros
// RUN: tile-run %s --kernel=nearest --grid=1 --device=sim --target=gfx942 --num-warps=4 --against=cpu --arg=i32[1024]=rand:7:-9:9 --arg=i32=-20 --arg=i32[1]=zeros
// RUN: tile-run %s --kernel=nearest --grid=1 --device=sim --target=gfx1100 --num-warps=8 --against=cpu --arg=i32[1024]=rand:8:-9:9 --arg=i32=-20 --arg=i32[1]=zeros
// RUN: tile-run %s --kernel=nearest --grid=1 --device=sim --target=sm_90a --num-warps=2 --against=cpu --arg=i32[1024]=rand:3:-9:9 --arg=i32=0 --arg=i32[1]=zeros
// RUN: tile-run %s --kernel=signs --grid=1 --device=sim --target=sm_80 --num-warps=4 --against=cpu --arg=f32[1024]=randn:4 --arg=f32[1]=zeros --atol=0 --rtol=0

// x -> a * x + b, one after the other.
// CHECK-LABEL: func.func @recurrence
// CHECK: tile.reduce {{.*}} axis = 0 {tile_gpu.ordered}
func.func @recurrence(%pa: !tile.ptr<i32>, %pb: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %i = tile.reshape %r : tensor<64xi32> -> tensor<4x16xi32>
  %sa = tile.splat %pa : tensor<4x16x!tile.ptr<i32>>
  %qa = tile.addptr %sa, %i : tensor<4x16x!tile.ptr<i32>>, tensor<4x16xi32>
  %a = tile.load %qa : tensor<4x16x!tile.ptr<i32>>
  %sb = tile.splat %pb : tensor<4x16x!tile.ptr<i32>>
  %qb = tile.addptr %sb, %i : tensor<4x16x!tile.ptr<i32>>, tensor<4x16xi32>
  %b = tile.load %qb : tensor<4x16x!tile.ptr<i32>>
  %s:2 = tile.reduce %a, %b axis = 0 : tensor<4x16xi32>, tensor<4x16xi32> -> tensor<16xi32>, tensor<16xi32> {
  ^bb0(%a1: i32, %b1: i32, %a2: i32, %b2: i32):
    %m = arith.muli %a1, %a2 : i32
    %n = arith.muli %b1, %a2 : i32
    %o = arith.addi %n, %b2 : i32
    tile.yield %m, %o : i32, i32
  }
  %j = tile.make_range 0 to 16 : tensor<16xi32>
  %so = tile.splat %out : tensor<16x!tile.ptr<i32>>
  %qo = tile.addptr %so, %j : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
  tile.store %qo, %s#1 : tensor<16x!tile.ptr<i32>>
  return
}

// A constant of the body may stand in front of it.
// CHECK-LABEL: func.func @last
// CHECK: tile.reduce {{.*}} axis = 0 {tile_gpu.ordered}
func.func @last(%p: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %p : tensor<1024x!tile.ptr<i32>>
  %q = tile.addptr %s, %r : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %x = tile.load %q : tensor<1024x!tile.ptr<i32>>
  %y = tile.reduce %x axis = 0 : tensor<1024xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %zero = arith.cmpi sle, %b, %c0 : i32
    %z = arith.select %zero, %a, %b : i32
    tile.yield %z : i32
  }
  tile.store %out, %y : !tile.ptr<i32>
  return
}

// Triton's: of two NaNs the second.
// CHECK-LABEL: func.func @argmax
// CHECK: tile.reduce {{.*}} axis = 0 {tile_gpu.ordered}
func.func @argmax(%x: !tile.ptr<f32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %s = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %q = tile.addptr %s, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %q : tensor<256x!tile.ptr<f32>>
  %m:2 = tile.reduce %v, %r axis = 0 : tensor<256xf32>, tensor<256xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %e = arith.cmpf oeq, %a, %b : f32
    %l = arith.cmpi slt, %i, %j : i32
    %t = arith.andi %e, %l : i1
    %g = arith.cmpf ogt, %a, %b : f32
    %k = arith.ori %g, %t : i1
    %y = arith.select %k, %a, %b : f32
    %z = arith.select %k, %i, %j : i32
    tile.yield %y, %z : f32, i32
  }
  tile.store %out, %m#1 : !tile.ptr<i32>
  return
}

// Of two as near to a parameter the first: what comes from outside is not tried.
// CHECK-LABEL: func.func @nearest
// CHECK: tile.reduce {{.*}} axis = 0 {tile_gpu.ordered}
func.func @nearest(%p: !tile.ptr<i32>, %to: i32, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %p : tensor<1024x!tile.ptr<i32>>
  %q = tile.addptr %s, %r : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %x = tile.load %q : tensor<1024x!tile.ptr<i32>>
  %y = tile.reduce %x axis = 0 : tensor<1024xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %da = arith.subi %a, %to : i32
    %db = arith.subi %b, %to : i32
    %ma = math.absi %da : i32
    %mb = math.absi %db : i32
    %nearer = arith.cmpi slt, %mb, %ma : i32
    %z = arith.select %nearer, %b, %a : i32
    tile.yield %z : i32
  }
  tile.store %out, %y : !tile.ptr<i32>
  return
}

// The larger size with the first one's sign, which numbers of one sign do not tell apart.
// CHECK-LABEL: func.func @signs
// CHECK: tile.reduce {{.*}} axis = 0 {tile_gpu.ordered}
func.func @signs(%p: !tile.ptr<f32>, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %p : tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %s, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %q : tensor<1024x!tile.ptr<f32>>
  %y = tile.reduce %x axis = 0 : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %ma = math.absf %a : f32
    %mb = math.absf %b : f32
    %m = arith.maximumf %ma, %mb : f32
    %z = math.copysign %m, %a : f32
    tile.yield %z : f32
  }
  tile.store %out, %y : !tile.ptr<f32>
  return
}

// PyTorch's knows NaN, and variances are commutative up to rounding.
// CHECK-LABEL: func.func @free
// CHECK-NOT: tile_gpu.ordered
func.func @free(%x: !tile.ptr<f32>, %out: !tile.ptr<i32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %s = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %q = tile.addptr %s, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %q : tensor<256x!tile.ptr<f32>>
  %m:2 = tile.reduce %v, %r axis = 0 : tensor<256xf32>, tensor<256xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %g = arith.cmpf ogt, %a, %b : f32
    %e = arith.cmpf oeq, %a, %b : f32
    %an = arith.cmpf une, %a, %a : f32
    %bn = arith.cmpf une, %b, %b : f32
    %gn = arith.cmpi ugt, %an, %bn : i1
    %k = arith.ori %g, %gn : i1
    %en = arith.andi %an, %bn : i1
    %both = arith.ori %e, %en : i1
    %l = arith.cmpi slt, %i, %j : i32
    %t = arith.andi %both, %l : i1
    %u = arith.ori %k, %t : i1
    %y = arith.select %u, %a, %b : f32
    %z = arith.select %u, %i, %j : i32
    tile.yield %y, %z : f32, i32
  }
  tile.store %out, %m#1 : !tile.ptr<i32>
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %w = tile.splat %one : tensor<256xf32>
  %d = tile.splat %zero : tensor<256xf32>
  %f:3 = tile.reduce %v, %d, %w axis = 0 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32> -> f32, f32, f32 {
  ^bb0(%m1: f32, %s1: f32, %w1: f32, %m2: f32, %s2: f32, %w2: f32):
    %delta = arith.subf %m2, %m1 : f32
    %sum = arith.addf %w1, %w2 : f32
    %empty = arith.cmpf oeq, %sum, %zero : f32
    %quotient = arith.divf %w2, %sum : f32
    %part = arith.select %empty, %zero, %quotient : f32
    %step = arith.mulf %delta, %part : f32
    %mean = arith.addf %m1, %step : f32
    %square = arith.mulf %delta, %delta : f32
    %weighted = arith.mulf %square, %w1 : f32
    %more = arith.mulf %weighted, %part : f32
    %squares = arith.addf %s1, %s2 : f32
    %all = arith.addf %squares, %more : f32
    tile.yield %mean, %all, %sum : f32, f32, f32
  }
  tile.store %o, %f#1 : !tile.ptr<f32>
  return
}
