// Reductions and scans with any combiner, along any axis.
// RUN: tile-run %s --kernel=argmin --grid=1 --arg=f32[2,5]=file:%S/Inputs/rows.npy | FileCheck %s --check-prefix=ARGMIN
// RUN: tile-run %s --kernel=scans --grid=1 --arg=i32[6]=iota | FileCheck %s --check-prefix=SCAN

// ARGMIN: idx (0) min -1
// ARGMIN-NEXT: idx (1) min 0.5
// ARGMIN-NEXT: idx (0) at 2
// ARGMIN-NEXT: idx (1) at 0
func.func @argmin(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 10 : tensor<10xi32>
  %ps = tile.splat %p : tensor<10x!tile.ptr<f32>>
  %pi = tile.addptr %ps, %i : tensor<10x!tile.ptr<f32>>, tensor<10xi32>
  %flat = tile.load %pi : tensor<10x!tile.ptr<f32>>
  %x = tile.reshape %flat : tensor<10xf32> -> tensor<2x5xf32>
  %c = tile.make_range 0 to 5 : tensor<5xi32>
  %row = tile.expand_dims %c axis = 0 : tensor<5xi32> -> tensor<1x5xi32>
  %k = tile.broadcast %row : tensor<1x5xi32> -> tensor<2x5xi32>
  %m, %at = tile.reduce %x, %k axis = 1 : tensor<2x5xf32>, tensor<2x5xi32> -> tensor<2xf32>, tensor<2xi32> {
  ^bb0(%a: f32, %ia: i32, %b: f32, %ib: i32):
    %lt = arith.cmpf olt, %a, %b : f32
    %eq = arith.cmpf oeq, %a, %b : f32
    %first = arith.cmpi slt, %ia, %ib : i32
    %tie = arith.andi %eq, %first : i1
    %left = arith.ori %lt, %tie : i1
    %v = arith.select %left, %a, %b : f32
    %iv = arith.select %left, %ia, %ib : i32
    tile.yield %v, %iv : f32, i32
  }
  tile.print "min " %m : tensor<2xf32>
  tile.print "at " %at : tensor<2xi32>
  return
}

// Sums from the left; differences-of-sorts from the right, which only the order of operands tells apart.
// SCAN: idx (5) sum 15
// SCAN: idx (0) last 5
// SCAN-NEXT: idx (1) last 5
// SCAN: idx (5) last 5
// SCAN: idx (0) first 0
// SCAN: idx (5) first 0
func.func @scans(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 6 : tensor<6xi32>
  %ps = tile.splat %p : tensor<6x!tile.ptr<i32>>
  %pi = tile.addptr %ps, %i : tensor<6x!tile.ptr<i32>>, tensor<6xi32>
  %x = tile.load %pi : tensor<6x!tile.ptr<i32>>
  %sum = tile.scan %x axis = 0 : tensor<6xi32> {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tile.yield %s : i32
  }
  tile.print "sum " %sum : tensor<6xi32>
  %last = tile.scan %x axis = 0 reverse : tensor<6xi32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  tile.print "last " %last : tensor<6xi32>
  %first = tile.scan %x axis = 0 : tensor<6xi32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  tile.print "first " %first : tensor<6xi32>
  return
}
