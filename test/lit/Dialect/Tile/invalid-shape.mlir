// RUN: tile-opt %s -split-input-file -verify-diagnostics
// What the verifiers of shape, cast and debugging operations refuse.

func.func @f() {
  // expected-error@+1 {{'tile.make_range' op got the range 8 to 8, expected an end after the start}}
  %0 = tile.make_range 8 to 8 : tensor<1xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tile.make_range' op got a result of shape 16, expected 8}}
  %0 = tile.make_range 0 to 8 : tensor<16xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tile.make_range' op got a result of shape 2x4, expected 8}}
  %0 = tile.make_range 0 to 8 : tensor<2x4xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tile.make_range' op result #0 must be static tensor of 32-bit signless integer values, but got 'tensor<8xi64>'}}
  %0 = tile.make_range 0 to 8 : tensor<8xi64>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'tile.unsplat' op got 2 elements, expected 1}}
  %0 = tile.unsplat %x : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.expand_dims' op got axis 2, expected 0 to 1}}
  %0 = tile.expand_dims %x axis = 2 : tensor<8xf32> -> tensor<8x1xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.expand_dims' op got axis -1, expected 0 to 1}}
  %0 = tile.expand_dims %x axis = -1 : tensor<8xf32> -> tensor<8x1xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.expand_dims' op got a result of shape 8x1, expected 1x8}}
  %0 = tile.expand_dims %x axis = 0 : tensor<8xf32> -> tensor<8x1xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.expand_dims' op got a result of i32, expected f32}}
  %0 = tile.expand_dims %x axis = 1 : tensor<8xf32> -> tensor<8x1xi32>
  return
}

// -----

func.func @f(%x: tensor<8x1xf32>) {
  // expected-error@+1 {{'tile.broadcast' op got 1 dimensions from 2, expected as many}}
  %0 = tile.broadcast %x : tensor<8x1xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x2xf32>) {
  // expected-error@+1 {{'tile.broadcast' op got dimension 1 growing from 2 to 4, expected a size of 1 or no change}}
  %0 = tile.broadcast %x : tensor<8x2xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<8x1xf32>) {
  // expected-error@+1 {{'tile.broadcast' op got a result of f16, expected f32}}
  %0 = tile.broadcast %x : tensor<8x1xf32> -> tensor<8x4xf16>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.reshape' op got a result of 40 elements, expected 32}}
  %0 = tile.reshape %x : tensor<8x4xf32> -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.reshape' op got a result of i32, expected f32}}
  %0 = tile.reshape %x : tensor<8x4xf32> -> tensor<32xi32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.trans' op got an order of 1 entries, expected 2}}
  %0 = tile.trans %x order = [1] : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.trans' op got 1 at position 1 of the order, expected a permutation of 0 to 1}}
  %0 = tile.trans %x order = [1, 1] : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.trans' op got 2 at position 1 of the order, expected a permutation of 0 to 1}}
  %0 = tile.trans %x order = [0, 2] : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.trans' op got a result of shape 8x4, expected 4x8}}
  %0 = tile.trans %x order = [1, 0] : tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.trans' op got a result of f16, expected f32}}
  %0 = tile.trans %x order = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf16>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.join' op got a result of shape 2x8, expected 8x2}}
  %0 = tile.join %x, %x : tensor<8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.join' op got a result of f16, expected f32}}
  %0 = tile.join %x, %x : tensor<8xf32> -> tensor<8x2xf16>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.split' op got a source of shape 8x4, expected 8x2}}
  %0:2 = tile.split %x : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<4x2xf32>) {
  // expected-error@+1 {{'tile.cat' op got a second operand of shape 4x2, expected 8}}
  %0 = tile.cat %x, %y : tensor<8xf32>, tensor<4x2xf32> -> tensor<16xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cat' op got a result of shape 16, expected 12}}
  %0 = tile.cat %x, %y : tensor<8xf32>, tensor<4xf32> -> tensor<16xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{'tile.cat' op got a second operand of i32, expected f32}}
  %0 = tile.cat %x, %y : tensor<8xf32>, tensor<4xi32> -> tensor<12xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cat' op got a result of i32, expected f32}}
  %0 = tile.cat %x, %y : tensor<8xf32>, tensor<4xf32> -> tensor<12xi32>
  return
}

// -----

func.func @f(%x: tensor<?xf32>) {
  // expected-error@+1 {{'tile.expand_dims' op operand #0 must be static tensor of number or pointer values, but got 'tensor<?xf32>'}}
  %0 = tile.expand_dims %x axis = 1 : tensor<?xf32> -> tensor<8x1xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{'tile.expand_dims' op operand #0 must be static tensor of number or pointer values, but got 'tensor<f32>'}}
  %0 = tile.expand_dims %x axis = 0 : tensor<f32> -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{custom op 'tile.splat' 'result' must be static tensor of number or pointer values, but got 'tensor<8xindex>'}}
  %0 = tile.splat %x : tensor<8xindex>
  return
}

// -----

func.func @f(%x: i64) {
  // expected-error@+1 {{'tile.int_to_ptr' op requires the same shape for all operands and results}}
  %0 = tile.int_to_ptr %x : i64 -> tensor<8x!tile.ptr<f32>>
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'tile.int_to_ptr' op operand #0 must be i64 or tensor of it, but got 'i32'}}
  %0 = tile.int_to_ptr %x : i32 -> !tile.ptr<f32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.bitcast' op got f16 from f32, expected equal widths}}
  %0 = tile.bitcast %x : tensor<8xf32> -> tensor<8xf16>
  return
}

// -----

func.func @f(%x: tensor<8xi8>) {
  // expected-error@+1 {{'tile.bitcast' op got i1 from i8, expected equal widths}}
  %0 = tile.bitcast %x : tensor<8xi8> -> tensor<8xi1>
  return
}

// -----

func.func @f(%x: i64) {
  // expected-error@+1 {{'tile.bitcast' op got !tile.ptr<f32> from i64, expected both or neither to be pointers}}
  %0 = tile.bitcast %x : i64 -> !tile.ptr<f32>
  return
}

// -----

func.func @f(%x: !tile.ptr<f32, 3>) {
  // expected-error@+1 {{'tile.bitcast' op got address space 1, expected 3}}
  %0 = tile.bitcast %x : !tile.ptr<f32, 3> -> !tile.ptr<i32>
  return
}

// -----

func.func @f(%x: tensor<8xf32, 1 : i32>) {
  // expected-error@+1 {{'tile.fp_to_fp' op got layouts of tensor<8xf32, 1 : i32> and tensor<8xf16, 2 : i32>, expected equal ones}}
  %0 = tile.fp_to_fp %x : tensor<8xf32, 1 : i32> -> tensor<8xf16, 2 : i32>
  return
}

// -----

func.func @f(%x: tensor<8xi32>) {
  // expected-error@+1 {{'tile.fp_to_fp' op operand #0 must be floating-point number or tensor of it, but got 'tensor<8xi32>'}}
  %0 = tile.fp_to_fp %x : tensor<8xi32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'tile.print' op got 2 entries in 'unsigned', expected 1}}
  tile.print "x" %x unsigned = [true, false] : i32
  return
}
