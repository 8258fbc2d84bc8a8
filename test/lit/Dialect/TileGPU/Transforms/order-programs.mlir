// Iterations that grow with the program along x: the last programs along x first, in groups of 16 along y. Not where iterations do not
// depend on the program, where programs may wait for each other, or on other chips.
//
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90 num-warps=4" --tile-gpu-order-programs | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=4" --tile-gpu-order-programs | FileCheck %s --check-prefix=OTHERS
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-order-programs | FileCheck %s
// OTHERS-NOT: tile.num_programs
//
// Every program is run once, whatever the grid.
// RUN: for g in 1,1 5,1 3,16 2,17 1,33; do for k in grows falls; do \
// RUN:   tile-run %s --kernel=$k --device=sim --target=sm_90 --grid=$g --arg=f16[16,16]=randn:1 --arg=f32[33,5,16,16]=zeros \
// RUN:     --against=cpu --atol=1e-3 || exit 1; done; done

// CHECK-LABEL: func.func @grows
// CHECK-DAG: %[[X:.*]] = tile.program_id x
// CHECK-DAG: %[[Y:.*]] = tile.program_id y
// CHECK-DAG: %[[NX:.*]] = tile.num_programs x
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[NX]]
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: arith.select %[[FEW]], %{{.*}}, %[[X]]
// CHECK: arith.select %[[FEW]], %{{.*}}, %[[Y]]
// CHECK-NOT: tile.program_id
func.func @grows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %x = tile.program_id x
  %y = tile.program_id y
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %size = arith.constant 256 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tile.make_range 0 to 256 : tensor<256xi32>
  %at = tile.reshape %range : tensor<256xi32> -> tensor<16x16xi32>
  %as = tile.splat %a : tensor<16x16x!tile.ptr<f16>>
  %pa = tile.addptr %as, %at : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %f = tile.load %pa : tensor<16x16x!tile.ptr<f16>>
  %end = arith.addi %x, %one : i32
  %sum = scf.for %j = %zero to %end step %one iter_args(%acc = %zeros) -> (tensor<16x16xf32>) : i32 {
    %d = tile.dot %f, %f, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = arith.muli %y, %five : i32
  %number = arith.addi %row, %x : i32
  %first = arith.muli %number, %size : i32
  %c0 = tile.addptr %c, %first : !tile.ptr<f32>, i32
  %cs = tile.splat %c0 : tensor<16x16x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %at : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %pc, %sum : tensor<16x16x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @falls
// CHECK: tile.num_programs y
// CHECK: arith.select
func.func @falls(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %x = tile.program_id x
  %y = tile.program_id y
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %size = arith.constant 256 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tile.make_range 0 to 256 : tensor<256xi32>
  %at = tile.reshape %range : tensor<256xi32> -> tensor<16x16xi32>
  %as = tile.splat %a : tensor<16x16x!tile.ptr<f16>>
  %pa = tile.addptr %as, %at : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %f = tile.load %pa : tensor<16x16x!tile.ptr<f16>>
  %sum = scf.for %j = %x to %five step %one iter_args(%acc = %zeros) -> (tensor<16x16xf32>) : i32 {
    %d = tile.dot %f, %f, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = arith.muli %y, %five : i32
  %number = arith.addi %row, %x : i32
  %first = arith.muli %number, %size : i32
  %c0 = tile.addptr %c, %first : !tile.ptr<f32>, i32
  %cs = tile.splat %c0 : tensor<16x16x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %at : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %pc, %sum : tensor<16x16x!tile.ptr<f32>>
  return
}

// A window moves with the program: all do the same.
// CHECK-LABEL: func.func @window
// CHECK-NOT: tile.num_programs
func.func @window(%a: !tile.ptr<f32>) attributes {tile.kernel} {
  %x = tile.program_id x
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %h = arith.constant dense<1.0> : tensor<16x16xf16>
  %end = arith.addi %x, %four : i32
  %sum = scf.for %j = %x to %end step %one iter_args(%acc = %zeros) -> (tensor<16x16xf32>) : i32 {
    %d = tile.dot %h, %h, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %as = tile.splat %a : tensor<16x16x!tile.ptr<f32>>
  tile.store %as, %sum : tensor<16x16x!tile.ptr<f32>>
  return
}

// It cannot begin before the data do: the first programs do less, and come last.
// CHECK-LABEL: func.func @clamped
// CHECK: %[[NX:.*]] = tile.num_programs x
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[NX]]
// CHECK: arith.subi
// CHECK: arith.select %[[FEW]]
func.func @clamped(%a: !tile.ptr<f32>) attributes {tile.kernel} {
  %x = tile.program_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %h = arith.constant dense<1.0> : tensor<16x16xf16>
  %first = arith.subi %x, %three : i32
  %from = arith.maxsi %first, %zero : i32
  %end = arith.addi %x, %one : i32
  %sum = scf.for %j = %from to %end step %one iter_args(%acc = %zeros) -> (tensor<16x16xf32>) : i32 {
    %d = tile.dot %h, %h, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %as = tile.splat %a : tensor<16x16x!tile.ptr<f32>>
  tile.store %as, %sum : tensor<16x16x!tile.ptr<f32>>
  return
}

// Others may wait for what an atomic op does.
// CHECK-LABEL: func.func @turns
// CHECK-NOT: tile.num_programs
func.func @turns(%a: !tile.ptr<f32>, %lock: !tile.ptr<i32>) attributes {tile.kernel} {
  %x = tile.program_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %h = arith.constant dense<1.0> : tensor<16x16xf16>
  %old = tile.atomic_cas %lock, %zero, %one : !tile.ptr<i32>
  %sum = scf.for %j = %zero to %x step %one iter_args(%acc = %zeros) -> (tensor<16x16xf32>) : i32 {
    %d = tile.dot %h, %h, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %as = tile.splat %a : tensor<16x16x!tile.ptr<f32>>
  tile.store %as, %sum : tensor<16x16x!tile.ptr<f32>>
  return
}
