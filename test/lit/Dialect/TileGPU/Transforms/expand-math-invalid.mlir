// RUN: tile-opt %s --tile-gpu-expand-math -split-input-file -verify-diagnostics

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tile.extern_elementwise' op calls '__nv_nosuchf', expected a function that docs/math.md lists}}
  %0 = tile.extern_elementwise "__nv_nosuchf"(%x) pure : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pointer(%x: f32, %n: i64) -> f32 {
  // expected-error@+1 {{calls '__nv_frexpf', which returns a second value through a pointer}}
  %0 = tile.extern_elementwise "__nv_frexpf"(%x, %n) pure : (f32, i64) -> f32
  return %0 : f32
}

// -----

func.func @arity(%x: f32) -> f32 {
  // expected-error@+1 {{calls '__nv_powf' with 1 operands, expected 2}}
  %0 = tile.extern_elementwise "__nv_powf"(%x) pure : (f32) -> f32
  return %0 : f32
}

// -----

func.func @operand(%x: f32, %y: i32) -> f32 {
  // expected-error@+1 {{calls '__nv_powf' with i32 as operand, expected f32}}
  %0 = tile.extern_elementwise "__nv_powf"(%x, %y) pure : (f32, i32) -> f32
  return %0 : f32
}

// -----

func.func @result(%x: f64) -> f32 {
  // expected-error@+1 {{calls '__nv_exp' with f32 as result, expected f64}}
  %0 = tile.extern_elementwise "__nv_exp"(%x) pure : (f64) -> f32
  return %0 : f32
}

// -----

func.func @eight(%x: f8E4M3FN) -> f8E4M3FN {
  // expected-error@+1 {{'math.exp' op got f8E4M3FN, expected f64, f32, f16 or bf16}}
  %0 = math.exp %x : f8E4M3FN
  return %0 : f8E4M3FN
}
