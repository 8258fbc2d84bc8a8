// tile-combine on comparisons and selects that are a minimum or a maximum.
// RUN: tile-opt %s --tile-combine --cse | FileCheck %s

// CHECK-LABEL: @integers
func.func @integers(%x: tensor<8xi32>, %y: tensor<8xi32>, %z: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  // CHECK: arith.maxsi %arg0, %arg1
  %c = arith.cmpi sgt, %x, %y : tensor<8xi32>
  %m = arith.select %c, %x, %y : tensor<8xi1>, tensor<8xi32>
  // CHECK: arith.minui %arg1, %arg0
  %d = arith.cmpi uge, %x, %y : tensor<8xi32>
  %n = arith.select %d, %y, %x : tensor<8xi1>, tensor<8xi32>
  // CHECK: arith.select
  %q = arith.select %c, %x, %z : tensor<8xi1>, tensor<8xi32>
  return %m, %n, %q : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// NaN wins on either side.
// CHECK-LABEL: @largest
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[M:.*]] = arith.maximumf %[[A]], %[[B]] : f32
// CHECK-NEXT: tile.yield %[[M]]
func.func @largest(%x: tensor<64xf32>) -> f32 {
  %s = tile.reduce %x axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %n = arith.cmpf une, %a, %a : f32
    %o = arith.ori %c, %n : i1
    %m = arith.select %o, %a, %b : f32
    tile.yield %m : f32
  }
  return %s : f32
}

// CHECK-LABEL: @smallest
// CHECK: arith.minimumf
// CHECK-NEXT: tile.yield
func.func @smallest(%x: tensor<64xf16>) -> f16 {
  %s = tile.reduce %x axis = 0 : tensor<64xf16> -> f16 {
  ^bb0(%a: f16, %b: f16):
    %n = arith.cmpf uno, %b, %b : f16
    %c = arith.cmpf ole, %b, %a : f16
    %o = arith.ori %n, %c : i1
    %m = arith.select %o, %b, %a : f16
    tile.yield %m : f16
  }
  return %s : f16
}

// What a NaN decides otherwise stays: no test of it, or of the other operand.
// CHECK-LABEL: @others
// CHECK: arith.select
// CHECK: arith.select
func.func @others(%x: tensor<64xf32>) -> (f32, f32) {
  %s = tile.reduce %x axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %m = arith.select %c, %a, %b : f32
    tile.yield %m : f32
  }
  %t = tile.reduce %x axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %n = arith.cmpf une, %b, %b : f32
    %o = arith.ori %c, %n : i1
    %m = arith.select %o, %a, %b : f32
    tile.yield %m : f32
  }
  return %s, %t : f32, f32
}

// Elementwise, the sign of a zero would show.
// CHECK-LABEL: @elements
// CHECK: arith.select
func.func @elements(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.cmpf ogt, %a, %b : tensor<8xf32>
  %n = arith.cmpf une, %a, %a : tensor<8xf32>
  %o = arith.ori %c, %n : tensor<8xi1>
  %m = arith.select %o, %a, %b : tensor<8xi1>, tensor<8xf32>
  return %m : tensor<8xf32>
}
