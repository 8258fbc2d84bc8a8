// RUN: tile-opt %s -split-input-file -verify-diagnostics
// What the verifiers of operations that compute refuse.

func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'tile.extern_elementwise' op got shapes 8 and 4, expected equal ones}}
  %0 = tile.extern_elementwise "f"(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.extern_elementwise' op got shapes 8 and scalar, expected equal ones}}
  %0 = tile.extern_elementwise "f"(%x) : (tensor<8xf32>) -> f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'tile.extern_elementwise' op got an empty symbol, expected a function's name}}
  %0 = tile.extern_elementwise ""(%x) : (f32) -> f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'tile.inline_asm' op got 1 constraints, expected 2, one for each result and argument}}
  %0 = tile.inline_asm "a" constraints "=f"(%x) : (f32) -> f32
  return
}

// -----

func.func @f(%x: tensor<8xi8>) {
  // expected-error@+1 {{'tile.inline_asm' op got pack = 3, expected a divisor of 8 elements}}
  %0 = tile.inline_asm "a" constraints "=r,r"(%x) pack = 3 : (tensor<8xi8>) -> tensor<8xi8>
  return
}

// -----

func.func @f(%x: tensor<8xi8>) {
  // expected-error@+1 {{'tile.inline_asm' op got pack = 0, expected at least 1}}
  %0 = tile.inline_asm "a" constraints "=r,r"(%x) pack = 0 : (tensor<8xi8>) -> tensor<8xi8>
  return
}

// -----

func.func @f(%x: tensor<8xf16>) {
  // expected-error@+1 {{'tile.precise_sqrt' op operand #0 must be f32 or f64 or tensor of it, but got 'tensor<8xf16>'}}
  %0 = tile.precise_sqrt %x : tensor<8xf16>
  return
}

// -----

func.func @f(%x: tensor<8xi8>) {
  // expected-error@+1 {{'tile.mulhiui' op operand #0 must be i32 or i64 or tensor of it, but got 'tensor<8xi8>'}}
  %0 = tile.mulhiui %x, %x : tensor<8xi8>
  return
}

// -----

func.func @f(%a: tensor<8x4xf16>, %b: tensor<8x4xf16>, %c: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.dot' op got K = 4 in the first operand and 8 in the second, expected equal sizes}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf16> * tensor<8x4xf16> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf16>, %b: tensor<4x8xf16>, %c: tensor<8x4xf32>) {
  // expected-error@+1 {{'tile.dot' op got an accumulator of shape 8x4, expected 8x8}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf16> * tensor<4x8xf16> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf16>, %b: tensor<8xf16>, %c: tensor<8xf32>) {
  // expected-error@+1 {{'tile.dot' op got shapes 8, 8 and 8, expected two dimensions each, or three with a batch}}
  %0 = tile.dot %a, %b, %c : tensor<8xf16> * tensor<8xf16> -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x8x4xf16>, %b: tensor<3x4x8xf16>, %c: tensor<2x8x8xf32>) {
  // expected-error@+1 {{'tile.dot' op got batches of 2 and 3, expected equal sizes}}
  %0 = tile.dot %a, %b, %c : tensor<2x8x4xf16> * tensor<3x4x8xf16> -> tensor<2x8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf16>, %b: tensor<4x8xbf16>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot' op got operands of f16 and bf16, expected i8, f16, bf16, f32, f64 or f8 on both sides}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf16> * tensor<4x8xbf16> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xi32>, %b: tensor<4x8xi32>, %c: tensor<8x8xi32>) {
  // expected-error@+1 {{'tile.dot' op got operands of i32 and i32, expected i8, f16, bf16, f32, f64 or f8 on both sides}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xi32> * tensor<4x8xi32> -> tensor<8x8xi32>
  return
}

// -----

func.func @f(%a: tensor<8x4xi8>, %b: tensor<4x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot' op got an accumulator of f32 for operands of i8, expected i32}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xi8> * tensor<4x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf64>, %b: tensor<4x8xf64>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot' op got an accumulator of f32 for operands of f64, expected f64}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf64> * tensor<4x8xf64> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xbf16>, %b: tensor<4x8xbf16>, %c: tensor<8x8xbf16>) {
  // expected-error@+1 {{'tile.dot' op got an accumulator of bf16 for operands of bf16, expected f32}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xbf16> * tensor<4x8xbf16> -> tensor<8x8xbf16>
  return
}

// -----

func.func @f(%a: tensor<8x4xf16>, %b: tensor<4x8xf16>, %c: tensor<8x8xbf16>) {
  // expected-error@+1 {{'tile.dot' op got an accumulator of bf16 for operands of f16, expected f32 or f16}}
  %0 = tile.dot %a, %b, %c : tensor<8x4xf16> * tensor<4x8xf16> -> tensor<8x8xbf16>
  return
}

// -----

func.func @f(%a: tensor<8x4xf16>, %b: tensor<4x8xf16>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot' op got precision = tf32 for f16, expected it on f32 only}}
  %0 = tile.dot %a, %b, %c precision = tf32 : tensor<8x4xf16> * tensor<4x8xf16> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x4xf8E5M2>, %b: tensor<4x8xf8E5M2>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot' op got imprecise_acc = -1, expected 0 or more}}
  %0 = tile.dot %a, %b, %c imprecise_acc = -1 : tensor<8x4xf8E5M2> * tensor<4x8xf8E5M2> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xf16>, %sa: tensor<8x2xi8>, %b: tensor<64x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got an operand of f16 for e4m3, expected f8E4M3FN or i8}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e4m3 : tensor<8x64xf16>, tensor<8x2xi8> * tensor<64x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xi8>, %b: tensor<64x8xf16>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got an operand of f16 for bf16, expected bf16}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = bf16 : tensor<8x64xi8>, tensor<8x2xi8> * tensor<64x8xf16> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xi8>, %b: tensor<64x8xf16>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got an operand of f16 for e2m3, expected i8}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e2m3 : tensor<8x64xi8>, tensor<8x2xi8> * tensor<64x8xf16> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xi8>, %b: tensor<64x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got packing of e4m3, expected it for e2m1 only}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e4m3 a_pack_m : tensor<8x64xi8>, tensor<8x2xi8> * tensor<64x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xi8>, %b: tensor<64x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got K = 64 in the first operand and 128 in the second, expected equal sizes}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e2m1 : tensor<8x64xi8>, tensor<8x2xi8> * tensor<64x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xi8>, %b: tensor<64x8xi8>, %c: tensor<8x8xf16>) {
  // expected-error@+1 {{'tile.dot_scaled' op got an accumulator of f16, expected f32}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e4m3 : tensor<8x64xi8>, tensor<8x2xi8> * tensor<64x8xi8> -> tensor<8x8xf16>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xi16>, %b: tensor<64x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got a_scale of i16, expected i8 or f8E4M3FN}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e4m3 : tensor<8x64xi8>, tensor<8x2xi16> * tensor<64x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x48xi8>, %sa: tensor<8x2xi8>, %b: tensor<48x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got K = 48, expected a multiple of the 32 elements that share a scale}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e4m3 : tensor<8x48xi8>, tensor<8x2xi8> * tensor<48x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %b: tensor<64x8xi8>, %sb: tensor<2x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got b_scale of shape 2x8, expected 8x2}}
  %0 = tile.dot_scaled %a, %b scale %sb, %c a_type = e4m3 b_type = e4m3 : tensor<8x64xi8> * tensor<64x8xi8>, tensor<2x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x64xi8>, %sa: tensor<8x2xf8E4M3FN>, %b: tensor<64x8xi8>, %c: tensor<8x8xf32>) {
  // expected-error@+1 {{'tile.dot_scaled' op got a_scale of shape 8x2, expected 8x4}}
  %0 = tile.dot_scaled %a scale %sa, %b, %c a_type = e4m3 b_type = e4m3 : tensor<8x64xi8>, tensor<8x2xf8E4M3FN> * tensor<64x8xi8> -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8xi32>) {
  // expected-error@+1 {{'tile.histogram' op got shapes 2x8 and 4, expected one dimension each}}
  %0 = tile.histogram %x : tensor<2x8xi32> -> tensor<4xi32>
  return
}

// -----

func.func @f(%x: tensor<8xi32>) {
  // expected-error@+1 {{'tile.histogram' op got counts of i8, expected i32 or i64}}
  %0 = tile.histogram %x : tensor<8xi32> -> tensor<4xi8>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8x2xi32>) {
  // expected-error@+1 {{'tile.gather' op got axis 2, expected 0 to 1}}
  %0 = tile.gather %x, %i axis = 2 : tensor<8x4xf32>, tensor<8x2xi32> -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8x2xi32>) {
  // expected-error@+1 {{'tile.gather' op got indices of shape 8x2, expected 8x4}}
  %0 = tile.gather %x, %i axis = 0 : tensor<8x4xf32>, tensor<8x2xi32> -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8xi32>) {
  // expected-error@+1 {{'tile.gather' op got indices of shape 8, expected 8x4}}
  %0 = tile.gather %x, %i axis = 1 : tensor<8x4xf32>, tensor<8xi32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8x2xi1>) {
  // expected-error@+1 {{'tile.gather' op got indices of i1, expected wider integers}}
  %0 = tile.gather %x, %i axis = 1 : tensor<8x4xf32>, tensor<8x2xi1> -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8x2xi32>) {
  // expected-error@+1 {{'tile.gather' op got a result of shape 8x4, expected 8x2}}
  %0 = tile.gather %x, %i axis = 1 : tensor<8x4xf32>, tensor<8x2xi32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %i: tensor<8x2xi32>) {
  // expected-error@+1 {{'tile.gather' op got a result of f16, expected f32}}
  %0 = tile.gather %x, %i axis = 1 : tensor<8x4xf32>, tensor<8x2xi32> -> tensor<8x2xf16>
  return
}

// -----

func.func @f(%x: tensor<128xi32>) {
  // expected-error@+1 {{'tile.inline_asm' op got operand $9, expected one below 2}}
  %0 = tile.inline_asm "mov.b32 $0, $9;" constraints "=r,r,~{memory}"(%x) : (tensor<128xi32>) -> tensor<128xi32>
  return
}

// -----

func.func @f(%x: tensor<128xi32>) {
  // expected-error@+1 {{'tile.inline_asm' op got a '$' at character 13 of the text, expected $$ or the number of an operand}}
  %0 = tile.inline_asm "mov.b32 $0, $x;" constraints "=r,r"(%x) : (tensor<128xi32>) -> tensor<128xi32>
  return
}

// -----

func.func @f(%x: tensor<128xi32>) {
  // expected-error@+1 {{'tile.inline_asm' op got a '$' at character 1 of the text, expected $$ or the number of an operand}}
  %0 = tile.inline_asm "${0" constraints "=r,r"(%x) : (tensor<128xi32>) -> tensor<128xi32>
  return
}
