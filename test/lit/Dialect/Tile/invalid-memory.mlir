// RUN: tile-opt %s -split-input-file -verify-diagnostics
// What the verifiers of operations on memory refuse.

func.func @f(%p: tensor<8x!tile.ptr<f32>>, %i: tensor<4xi32>) {
  // expected-error@+1 {{'tile.addptr' op requires the same shape for all operands and results}}
  %0 = tile.addptr %p, %i : tensor<8x!tile.ptr<f32>>, tensor<4xi32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %i: f32) {
  // expected-error@+1 {{'tile.addptr' op operand #1 must be integer of 8, 16, 32 or 64 bits or tensor of it, but got 'f32'}}
  %0 = tile.addptr %p, %i : !tile.ptr<f32>, f32
  return
}

// -----

func.func @f(%p: tensor<8x!tile.ptr<f32>, 1 : i32>, %i: tensor<8xi32, 2 : i32>) {
  // expected-error@+1 {{'tile.addptr' op got layouts of tensor<8x!tile.ptr<f32>, 1 : i32> and tensor<8xi32, 2 : i32>, expected equal ones}}
  %0 = tile.addptr %p, %i : tensor<8x!tile.ptr<f32>, 1 : i32>, tensor<8xi32, 2 : i32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %o: f32) {
  // expected-error@+1 {{'tile.load' op got 'other' without a mask, expected both}}
  %0 = tile.load %p other %o : !tile.ptr<f32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{'tile.load' op got cache = wt, expected ca, cg, cs or cv on a load}}
  %0 = tile.load %p cache = wt : !tile.ptr<f32>
  return
}

// -----

func.func @f(%p: tensor<8xf32>) {
  // expected-error@+1 {{custom op 'tile.load' 'ptr' must be pointer or tensor of it, but got 'tensor<8xf32>'}}
  %0 = tile.load %p : tensor<8xf32>
  return
}

// -----

func.func @f(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error@+1 {{'tile.load' op failed to verify that mask matches the shape of ptr}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tile.ptr<f32>>, tensor<4xi1>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%p: tensor<8x!tile.ptr<f32>>) {
  // expected-error@+1 {{'tile.load' op failed to verify that result matches what ptr points to}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf16>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error@+1 {{'tile.store' op got cache = ca, expected wb, cg, cs or wt on a store}}
  tile.store %p, %v cache = ca : !tile.ptr<f32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %v: i32) {
  // expected-error@+1 {{'tile.store' op failed to verify that value matches what ptr points to}}
  "tile.store"(%p, %v) : (!tile.ptr<f32>, i32) -> ()
  return
}

// -----

func.func @f(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error@+1 {{'tile.atomic_rmw' op got fadd of i32, expected a float (add is for integers)}}
  %0 = tile.atomic_rmw fadd %p, %v : !tile.ptr<i32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error@+1 {{'tile.atomic_rmw' op got add of f32, expected an integer (fadd is for floats)}}
  %0 = tile.atomic_rmw add %p, %v : !tile.ptr<f32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error@+1 {{'tile.atomic_rmw' op got umax of f32, expected i32 or i64}}
  %0 = tile.atomic_rmw umax %p, %v : !tile.ptr<f32>
  return
}

// -----

func.func @f(%p: !tile.ptr<i8>, %v: i8) {
  // expected-error@+1 {{'tile.atomic_rmw' op got xor of i8, expected i32 or i64}}
  %0 = tile.atomic_rmw xor %p, %v : !tile.ptr<i8>
  return
}

// -----

func.func @f(%p: !tile.ptr<f16>, %v: f16) {
  // expected-error@+1 {{'tile.atomic_rmw' op got exch of f16, expected i32, i64, f32 or f64}}
  %0 = tile.atomic_rmw exch %p, %v : !tile.ptr<f16>
  return
}

// -----

func.func @f(%p: !tile.ptr<i8>, %v: i8) {
  // expected-error@+1 {{'tile.atomic_cas' op got elements of i8, expected 16, 32 or 64 bits}}
  %0 = tile.atomic_cas %p, %v, %v : !tile.ptr<i8>
  return
}

// -----

func.func @f(%p: !tile.ptr<i32>, %v: i32) {
  // expected-error@+1 {{'tile.atomic_poll' op got sem = release, expected relaxed or acquire}}
  %0 = tile.atomic_poll %p, %v sem = release : !tile.ptr<i32>
  return
}

// -----

func.func @f(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error@+1 {{'tile.make_desc' op got 1 sizes in 'shape', expected 2}}
  %0 = tile.make_desc %p shape [%m] strides [%s, %s] : !tile.desc<8x64xf16>
  return
}

// -----

func.func @f(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error@+1 {{'tile.make_desc' op got 1 strides, expected 2}}
  %0 = tile.make_desc %p shape [%m, %m] strides [%s] : !tile.desc<8x64xf16>
  return
}

// -----

func.func @f(%p: !tile.ptr<i32>, %m: i32, %s: i64) {
  // expected-error@+1 {{'tile.make_desc' op got padding = nan for i32, expected a floating-point element}}
  %0 = tile.make_desc %p shape [%m] strides [%s] padding = nan : !tile.desc<64xi32>
  return
}

// -----

func.func @f(%d: !tile.desc<8x64xf16>, %i: i32) {
  // expected-error@+1 {{'tile.desc_load' op got 1 coordinates, expected 2}}
  %0 = tile.desc_load %d[%i] : !tile.desc<8x64xf16> -> tensor<8x64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<8x64xf16>, %i: i32) {
  // expected-error@+1 {{'tile.desc_load' op got a block of shape 64x8, expected 8x64}}
  %0 = tile.desc_load %d[%i, %i] : !tile.desc<8x64xf16> -> tensor<64x8xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<8x64xf16>, %i: i32) {
  // expected-error@+1 {{'tile.desc_load' op got a block of shape 64, expected 8x64}}
  %0 = tile.desc_load %d[%i, %i] : !tile.desc<8x64xf16> -> tensor<64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<8x64xf16>, %i: i32) {
  // expected-error@+1 {{'tile.desc_load' op got a block of f32, expected f16}}
  %0 = tile.desc_load %d[%i, %i] : !tile.desc<8x64xf16> -> tensor<8x64xf32>
  return
}

// -----

func.func @f(%d: !tile.desc<8x64xf16>, %i: i32) {
  // expected-error@+1 {{'tile.desc_load' op got cache = wb, expected ca, cg, cs or cv on a load}}
  %0 = tile.desc_load %d[%i, %i] cache = wb : !tile.desc<8x64xf16> -> tensor<8x64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<1x64xf16>, %i: i32, %v: tensor<1xf16>) {
  // expected-error@+1 {{'tile.desc_store' op got a block of shape 1, expected 64}}
  tile.desc_store %d[%i, %i], %v : !tile.desc<1x64xf16>, tensor<1xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<64xf16>, %i: i32, %v: tensor<64xf16>) {
  // expected-error@+1 {{'tile.desc_store' op got 2 coordinates, expected 1}}
  tile.desc_store %d[%i, %i], %v : !tile.desc<64xf16>, tensor<64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<64xf16>, %i: i32, %v: tensor<64xf16>) {
  // expected-error@+1 {{'tile.desc_reduce' op got and of f16, expected i32 or i64}}
  tile.desc_reduce and %d[%i], %v : !tile.desc<64xf16>, tensor<64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<64xi64>, %i: i32, %v: tensor<64xi64>) {
  // expected-error@+1 {{'tile.desc_reduce' op got inc of i64, expected i32}}
  tile.desc_reduce inc %d[%i], %v : !tile.desc<64xi64>, tensor<64xi64>
  return
}

// -----

func.func @f(%d: !tile.desc<64xi8>, %i: i32, %v: tensor<64xi8>) {
  // expected-error@+1 {{'tile.desc_reduce' op got add of i8, expected i32, i64, f16, bf16 or f32}}
  tile.desc_reduce add %d[%i], %v : !tile.desc<64xi8>, tensor<64xi8>
  return
}

// -----

func.func @f(%d: !tile.desc<8x64xf16>, %r: tensor<32xi32>, %i: i32) {
  // expected-error@+1 {{'tile.desc_gather' op got !tile.desc<8x64xf16>, expected a block of one row, 1xN}}
  %0 = tile.desc_gather %d[%r, %i] : !tile.desc<8x64xf16>, tensor<32xi32> -> tensor<32x64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<1x64xf16>, %r: tensor<32x1xi32>, %i: i32) {
  // expected-error@+1 {{'tile.desc_gather' op got rows of shape 32x1, expected one dimension}}
  %0 = tile.desc_gather %d[%r, %i] : !tile.desc<1x64xf16>, tensor<32x1xi32> -> tensor<32x64xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<1x64xf16>, %r: tensor<32xi32>, %i: i32) {
  // expected-error@+1 {{'tile.desc_gather' op got a block of shape 32x32, expected 32x64}}
  %0 = tile.desc_gather %d[%r, %i] : !tile.desc<1x64xf16>, tensor<32xi32> -> tensor<32x32xf16>
  return
}

// -----

func.func @f(%d: !tile.desc<1x64xf16>, %r: tensor<32xi32>, %i: i32, %v: tensor<32x64xf32>) {
  // expected-error@+1 {{'tile.desc_scatter' op got a block of f32, expected f16}}
  tile.desc_scatter %d[%r, %i], %v : !tile.desc<1x64xf16>, tensor<32xi32>, tensor<32x64xf32>
  return
}
