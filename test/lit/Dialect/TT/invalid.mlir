// RUN: tile-opt %s -split-input-file -verify-diagnostics

tt.func @load_mask(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%m' expects different type than prior uses: 'tensor<8xi1>' vs 'tensor<4xi1>'}}
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @load_number(%p: tensor<8xf32>) {
  // expected-error @below {{must be pointer to a scalar or ranked tensor of pointer to a scalar values or block pointer}}
  %0 = tt.load %p : tensor<8xf32>
  tt.return
}

// -----

tt.func @load_cache(%p: !tt.ptr<f32>) {
  // expected-error @below {{enum values for attribute 'cache' [none, ca, cg, wb, cs, wt, cv]}}
  %0 = tt.load %p cacheModifier = l3 : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @store_value(%p: !tt.ptr<f32>, %v: i32) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{expects different type than prior uses: 'f32' vs 'i32'}}
  tt.store %p, %v : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @clamp_integer(%i: i32) {
  // expected-error @below {{must be floating-point or ranked tensor of floating-point values}}
  %0 = tt.clampf %i, %i, %i, propagateNan = all : i32
  tt.return
}

// -----

tt.func @rounding(%x: f32) {
  // expected-error @below {{enum values for attribute 'rounding' [rtz, rtne]}}
  %0 = tt.fp_to_fp %x, rounding = up : f32 -> f16
  tt.return
}

// -----

tt.func @shape(%x: tensor<8xi32>) {
  // expected-error @below {{requires the same shape for all operands and results}}
  %0 = tt.bitcast %x : tensor<8xi32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @advance_pointer(%p: !tt.ptr<f32>, %i: i32) {
  // expected-error @below {{must be block pointer}}
  %0 = tt.advance %p, [%i] : <f32>
  tt.return
}

// -----

tt.func @dot_scaled_operands(%a: tensor<16x32xi8>) {
  // expected-error @below {{got 2 operands, expected a, b and c, with or without scales}}
  %0 = tt.dot_scaled %a, %a lhs = e4m3 rhs = e4m3 : tensor<16x32xi8> * tensor<16x32xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

// expected-error @below {{expected static shape}}
tt.func private @descriptor_type(!tt.tensordesc<?x64xf16>)

// -----

func.func @return_elsewhere() {
  // expected-error @below {{'tt.return' op expects parent op 'tt.func'}}
  tt.return
}

// -----

tt.func @unknown() {
  // expected-error @below {{custom op 'tt.frobnicate' is unknown}}
  tt.frobnicate
  tt.return
}

// -----

// expected-error @below {{got 'f16', expected a block such as 64x32xf16}}
tt.func private @descriptor_number(!tt.tensordesc<f16>)

// -----

// expected-error @below {{got 'tensor<*xf32>', expected a block such as 64x32xf16}}
tt.func private @descriptor_unranked(!tt.tensordesc<tensor<*xf32>>)

// -----

// expected-error @below {{got 'tensor<4xf16>', expected a block such as 64x32xf16}}
tt.func private @descriptor_nested(!tt.tensordesc<4xtensor<4xf16>>)
