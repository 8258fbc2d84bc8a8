// RUN: tile-opt %s --tile-gpu-expand-math -split-input-file -verify-diagnostics

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tile.extern_elementwise' op calls '__nv_nosuchf', expected a function that docs/math.md lists}}
  %0 = tile.extern_elementwise "__nv_nosuchf"(%x) pure : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @arity(%x: f32) -> f32 {
  // expected-error@+1 {{calls '__nv_powf' with 1 operands, expected 2}}
  %0 = tile.extern_elementwise "__nv_powf"(%x) pure : (f32) -> f32
  return %0 : f32
}

// -----

func.func @types(%x: f32, %y: i32) -> f32 {
  // expected-error@+1 {{calls '__nv_powf', expected operands and result of one type}}
  %0 = tile.extern_elementwise "__nv_powf"(%x, %y) pure : (f32, i32) -> f32
  return %0 : f32
}

// -----

func.func @wide(%x: f64) -> f64 {
  // expected-error@+1 {{'math.log10' op got f64, expected f32, f16 or bf16}}
  %0 = math.log10 %x : f64
  return %0 : f64
}
