// RUN: tile-opt %s -split-input-file -verify-diagnostics
// What the verifiers of operations with a body refuse.
func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.reduce' op got axis 2, expected 0 to 1}}
  %0 = tile.reduce %x axis = 2 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.reduce' op got a result of shape 4, expected 8}}
  %0 = tile.reduce %x axis = 1 : tensor<8x4xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got a result of shape 1, expected scalar}}
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got a result of i32, expected f32}}
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> i32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got 2 results, expected 1, one for each operand}}
  %0:2 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32, f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'tile.reduce' op requires the same shape for all operands}}
  %0:2 = tile.reduce %x, %y axis = 0 : tensor<8xf32>, tensor<4xf32> -> f32, f32 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got a body with 1 arguments, expected 2}}
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got body argument #1 of i32, expected f32}}
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: i32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error@+1 {{'tile.yield' op got 2 values, expected 1}}
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %i: i32) {
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error@+1 {{'tile.yield' op got value #0 of i32, expected f32}}
    tile.yield %i : i32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got a body without tile.yield, expected it as the last operation}}
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op got a body that computes on tensors, expected scalars only}}
  %0 = tile.reduce %x axis = 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-note@+1 {{see this operation}}
    %t = tile.splat %a : tensor<8xf32>
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.scan' op got axis -1, expected 0 to 0}}
  %0 = tile.scan %x axis = -1 : tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.scan' op got a body with 3 arguments, expected 2}}
  %0 = tile.scan %x axis = 0 : tensor<8xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.scan' op failed to verify that results have the types of the operands}}
  %0 = "tile.scan"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }) : (tensor<8xf32>) -> tensor<8xi32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.map_elementwise' op got pack = 3, expected a divisor of 8 elements}}
  %0 = tile.map_elementwise %x pack = 3 : tensor<8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    tile.yield %a, %b, %c : f32, f32, f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.map_elementwise' op got a body with 1 arguments, expected 2}}
  %0 = tile.map_elementwise %x pack = 2 : tensor<8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32):
    tile.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  %0 = tile.map_elementwise %x : tensor<8xf32> -> tensor<8xi32> {
  ^bb0(%a: f32):
    // expected-error@+1 {{'tile.yield' op got value #0 of f32, expected i32}}
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.map_elementwise' op requires the same shape for all operands and results}}
  %0 = tile.map_elementwise %x : tensor<8xf32> -> tensor<4xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: tensor<512xf32>) {
  // expected-error@+1 {{'tile.map_elementwise' op got a body of 512 arguments or values, expected at most 256}}
  %0 = tile.map_elementwise %x pack = 512 : tensor<512xf32> -> tensor<512xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'tile.yield' op expects parent op to be one of 'tile.reduce, tile.scan, tile.map_elementwise'}}
  tile.yield %x : f32
}

// -----

func.func @f(%x: tensor<8xf32>, %t: tensor<1xf32>) {
  // expected-error@+1 {{'tile.scan' op got a body that computes on tensors, expected scalars only}}
  %0 = tile.scan %x axis = 0 : tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    // expected-note@+1 {{see this operation}}
    %s = tile.unsplat %t : tensor<1xf32>
    tile.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %p: !tile.ptr<f32>, %c: i1) {
  // expected-error@+1 {{'tile.map_elementwise' op got a body that accesses memory, expected computation only}}
  %0 = tile.map_elementwise %x : tensor<8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32):
    scf.if %c {
      // expected-note@+1 {{see this operation}}
      tile.store %p, %a : !tile.ptr<f32>
    }
    tile.yield %a : f32
  }
  return
}
