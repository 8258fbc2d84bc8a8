// RUN: tile-opt %s -split-input-file -verify-diagnostics
// What is refused in types, keywords, kernels and attributes of the tile dialect on other operations.

// expected-error@+1 {{got pointee 'index', expected a number type}}
func.func private @f(!tile.ptr<index>)

// -----

// expected-error@+1 {{got pointee '!tile.ptr<f32>', expected a number type}}
func.func private @f(!tile.ptr<!tile.ptr<f32>>)

// -----

// expected-error@+1 {{got pointee 'si32', expected a number type}}
func.func private @f(!tile.ptr<si32>)

// -----

// expected-error@+1 {{got pointee 'tensor<8xf32>', expected a number type}}
func.func private @f(!tile.ptr<tensor<8xf32>>)

// -----

// expected-error@+1 {{got element 'i4', expected a number type}}
func.func private @f(!tile.desc<8x8xi4>)

// -----

// expected-error@+1 {{got a block of 0 dimensions, expected 1 to 5}}
func.func private @f(!tile.desc<f32>)

// -----

// expected-error@+1 {{got a block of 6 dimensions, expected 1 to 5}}
func.func private @f(!tile.desc<1x1x1x1x1x8xf32>)

// -----

// expected-error@+1 {{got a block with an unknown or empty dimension, expected positive sizes}}
func.func private @f(!tile.desc<0x8xf32>)

// -----

func.func @f() {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'axis' [x, y, z]}}
  %0 = tile.program_id w
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'cache' [none, ca, cg, wb, cs, wt, cv]}}
  %0 = tile.load %p cache = cx : !tile.ptr<f32>
  return
}

// -----

// expected-error@+1 {{'func.func' op got a kernel with 1 results, expected none}}
func.func @f(%x: i32) -> i32 attributes {tile.kernel} {
  return %x : i32
}

// -----

// expected-error@+1 {{'func.func' op got kernel argument #1 of tensor<8xf32>, expected a number, a pointer to global memory or a descriptor}}
func.func @f(%x: i32, %t: tensor<8xf32>) attributes {tile.kernel} {
  return
}

// -----

// expected-error@+1 {{'func.func' op got kernel argument #0 of !tile.ptr<f32, 3>, expected a number, a pointer to global memory or a descriptor}}
func.func @shared(%p: !tile.ptr<f32, 3>) attributes {tile.kernel} {
  return
}

// -----

// expected-error@+1 {{'func.func' op got a kernel without a body, expected one}}
func.func private @f(i32) attributes {tile.kernel}

// -----

// expected-error@+1 {{'func.func' op got a private kernel, expected a public one}}
func.func private @f() attributes {tile.kernel} {
  return
}

// -----

// expected-error@+1 {{'func.func' op got a value for 'tile.kernel', expected a unit attribute}}
func.func @f() attributes {tile.kernel = 1 : i32} {
  return
}

// -----

// expected-error@+1 {{'builtin.module' op got 'tile.kernel', expected it on func.func only}}
module attributes {tile.kernel} {}

// -----

// expected-error@+1 {{'func.func' op got unknown attribute 'tile.kernal', expected one that the tile dialect documents}}
func.func @f() attributes {tile.kernal} {
  return
}

// -----

// expected-error@+1 {{'func.func' op got 'tile.divisibility' = 16 : i64, expected a positive i32}}
func.func @f(%x: !tile.ptr<f32> {tile.divisibility = 16 : i64}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op got 'tile.divisibility' = 0 : i32, expected a positive i32}}
func.func @f(%x: !tile.ptr<f32> {tile.divisibility = 0 : i32}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op got unknown argument attribute 'tile.divisible', expected tile.divisibility or tile.pointer_range}}
func.func @f(%x: !tile.ptr<f32> {tile.divisible = 16 : i32}) {
  return
}

// -----

func.func @f(%n: i32) {
  %c = arith.constant 1 : i32
  // expected-error@+1 {{'scf.for' op got 'tile.num_stages' = 0 : i32, expected a positive i32}}
  scf.for %i = %c to %n step %c : i32 {
  } {tile.num_stages = 0 : i32}
  return
}

// -----

func.func @f(%n: i32) {
  %c = arith.constant 1 : i32
  // expected-error@+1 {{'scf.for' op got a value for 'tile.flatten', expected a unit attribute}}
  scf.for %i = %c to %n step %c : i32 {
  } {tile.flatten = true}
  return
}

// -----

func.func @f(%x: tensor<4x8xi32>) {
  // expected-error@+1 {{'arith.addi' op got 1 entries in 'tile.contiguity', expected 2}}
  %0 = arith.addi %x, %x {tile.contiguity = array<i32: 8>} : tensor<4x8xi32>
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'arith.addi' op got 0 in 'tile.divisibility', expected at least 1}}
  %0 = arith.addi %x, %x {tile.divisibility = array<i32: 0>} : i32
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'arith.addi' op got 'tile.constancy' = 4 : i32, expected array<i32: ..> on an operation with a result}}
  %0 = arith.addi %x, %x {tile.constancy = 4 : i32} : i32
  return
}
