// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-defer-reductions | FileCheck %s

// CHECK-LABEL: @row_sum
// CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<1024xf32>
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<1024xf32>)
// CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: tile.reduce
// CHECK: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[X]] : tensor<1024xf32>
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[SUM:.*]] = tile.reduce %[[SUMS]] axis = 0
// CHECK: %[[R:.*]] = arith.addf %{{.*}}, %[[SUM]] : f32
// CHECK: tile.store %{{.*}}, %[[R]]
func.func @row_sum(%x: !tile.ptr<f32>, %n: i32, %start: f32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c1024 iter_args(%acc = %start) -> f32 : i32 {
    %ks = tile.splat %k : tensor<1024xi32>
    %i = arith.addi %r, %ks : tensor<1024xi32>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %s = tile.reduce %v axis = 0 : tensor<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tile.yield %t : f32
    }
    %next = arith.addf %acc, %s : f32
    scf.yield %next : f32
  }
  tile.store %x, %sum : !tile.ptr<f32>
  return
}

// -----

// Rows of a block, and a maximum that ignores NaN: NaN is its neutral element. Through two loops.
// CHECK-LABEL: @rows
// CHECK: arith.constant dense<0x7FC00000> : tensor<16x64xf32>
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (tensor<16x64xf32>)
// CHECK-NOT: tile.reduce
// CHECK: arith.maxnumf {{.*}} : tensor<16x64xf32>
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: arith.maxnumf {{.*}} : tensor<16x64xf32>
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.reduce
func.func @rows(%px: !tile.ptr<f32>, %py: !tile.ptr<f32>, %first: f32, %n: i32) attributes {tile.kernel} {
  %x = tile.splat %px : tensor<16x64x!tile.ptr<f32>>
  %y = tile.splat %py : tensor<16x!tile.ptr<f32>>
  %start = tile.splat %first : tensor<16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = scf.for %k = %c0 to %n step %c1 iter_args(%outer = %start) -> tensor<16xf32> : i32 {
    %m = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %outer) -> tensor<16xf32> : i32 {
      %v = tile.load %x : tensor<16x64x!tile.ptr<f32>>
      %s = tile.reduce %v axis = 1 : tensor<16x64xf32> -> tensor<16xf32> {
      ^bb0(%a: f32, %b: f32):
        %t = arith.maxnumf %a, %b : f32
        tile.yield %t : f32
      }
      %next = arith.maxnumf %acc, %s : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    }
    scf.yield %m : tensor<16xf32>
  }
  tile.store %y, %all : tensor<16x!tile.ptr<f32>>
  return
}

// -----

// The running value is used in the loop; another op than the reduction's; too many elements.
// CHECK-LABEL: @kept
// CHECK-COUNT-3: tile.reduce
// CHECK: scf.yield
func.func @kept(%y: !tile.ptr<f32>, %n: i32, %start: f32) attributes {tile.kernel} {
  %x = tile.splat %y : tensor<128x!tile.ptr<f32>>
  %big = tile.splat %start : tensor<8192xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %start, %q = %start, %o = %start) -> (f32, f32, f32) : i32 {
    %v = tile.load %x : tensor<128x!tile.ptr<f32>>
    tile.store %y, %p : !tile.ptr<f32>
    %s = tile.reduce %v axis = 0 : tensor<128xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tile.yield %t : f32
    }
    %m = tile.reduce %v axis = 0 : tensor<128xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.maximumf %a, %b : f32
      tile.yield %t : f32
    }
    %l = tile.reduce %big axis = 0 : tensor<8192xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tile.yield %t : f32
    }
    %p2 = arith.addf %p, %s : f32
    %q2 = arith.addf %q, %m : f32
    %o2 = arith.addf %o, %l : f32
    scf.yield %p2, %q2, %o2 : f32, f32, f32
  }
  tile.store %y, %r#0 : !tile.ptr<f32>
  tile.store %y, %r#1 : !tile.ptr<f32>
  tile.store %y, %r#2 : !tile.ptr<f32>
  return
}

// -----

// Products that may enter the sum unrounded do so in the loop.
// CHECK-LABEL: @squares
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<1024xf32>)
// CHECK: math.fma %[[X:.*]], %[[X]], %[[ACC]] : tensor<1024xf32>
// CHECK: tile.reduce
func.func @squares(%x: !tile.ptr<f32>, %n: i32, %start: f32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %start) -> f32 : i32 {
    %ks = tile.splat %k : tensor<1024xi32>
    %p = tile.addptr %xs, %ks : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %q = arith.mulf %v, %v : tensor<1024xf32>
    %s = tile.reduce %q axis = 0 contract : tensor<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tile.yield %t : f32
    }
    %next = arith.addf %acc, %s : f32
    scf.yield %next : f32
  }
  tile.store %x, %sum : !tile.ptr<f32>
  return
}
