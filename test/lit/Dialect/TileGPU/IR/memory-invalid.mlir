// What the verifiers of shared memory refuse.
// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{got a shared layout that is not one to one, expected one place for each element}}
#s = #tile_gpu.shared<1, offset = [[1], [1]], block = []>

// -----

// expected-error @+1 {{got padding that is none, expected 'pad' of a power of two and a positive number}}
#s = #tile_gpu.shared<1, offset = [[1], [2]], block = [], pad = [3, 1]>

// -----

// expected-error @+1 {{got an alignment that is no power of two up to 65536}}
#s = #tile_gpu.shared<1, offset = [[1], [2]], block = [], align = 24>

// -----

// expected-error @+1 {{got a basis of 2 coordinates, expected 1}}
#s = #tile_gpu.shared<1, offset = [[1, 0]], block = []>

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
// expected-error @+1 {{got a dimension that the layout does not have, expected a power of two up to its size}}
func.func private @f(!tile_gpu.memdesc<8xf16, #s>)

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [0, 2]], block = []>
// expected-error @+1 {{got fewer dimensions than the layout has, expected at least its rank and at most two more}}
func.func private @f(!tile_gpu.memdesc<4xf16, #s>)

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
// expected-error @+1 {{got elements of this type, expected numbers}}
func.func private @f(!tile_gpu.memdesc<4xindex, #s>)

// -----

// expected-error @+1 {{got an attribute that is no layout of shared memory, expected #tile_gpu.shared}}
func.func private @f(!tile_gpu.memdesc<4xf16, 1 : i32>)

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f() {
  // expected-error @+1 {{got a part of what the layout spans, expected a whole buffer}}
  %0 = tile_gpu.alloc : () -> !tile_gpu.memdesc<2xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{got a tensor of elements that differ from the buffer's}}
  %0 = tile_gpu.alloc %t : (tensor<4xf32>) -> !tile_gpu.memdesc<4xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>, %i: i32) {
  // expected-error @+1 {{got a single buffer, expected a leading dimension of buffers}}
  %0 = tile_gpu.index %m[%i] : !tile_gpu.memdesc<4xf16, #s> -> !tile_gpu.memdesc<4xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<3x4xf16, #s>, %i: i32) {
  // expected-error @+1 {{got rotate = 3, expected 0 to 2}}
  %0 = tile_gpu.index %m[%i] rotate = 3 : !tile_gpu.memdesc<3x4xf16, #s> -> !tile_gpu.memdesc<4xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<3x4xf16, #s>, %i: i32) {
  // expected-error @+1 {{got a result of another shape, expected the source's without its first dimension}}
  %0 = tile_gpu.index %m[%i] : !tile_gpu.memdesc<3x4xf16, #s> -> !tile_gpu.memdesc<2xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>) {
  // expected-error @+1 {{got offset 1 in dimension 0, expected a multiple of the size 2 that ends within 4}}
  %0 = tile_gpu.slice %m[1] : !tile_gpu.memdesc<4xf16, #s> -> !tile_gpu.memdesc<2xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [1, 0]], block = []>
func.func @f(%m: !tile_gpu.memdesc<2x2xf16, #s>) {
  // expected-error @+1 {{got a result of another layout, expected the source's in this order}}
  %0 = tile_gpu.trans %m [1, 0] : !tile_gpu.memdesc<2x2xf16, #s> -> !tile_gpu.memdesc<2x2xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [1, 0]], block = []>
func.func @f(%m: !tile_gpu.memdesc<2x2xf16, #s>) {
  // expected-error @+1 {{got dimension 0 in the order, expected each of 0 to 1 once}}
  %0 = tile_gpu.trans %m [0, 0] : !tile_gpu.memdesc<2x2xf16, #s> -> !tile_gpu.memdesc<2x2xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []>
func.func @f(%m: !tile_gpu.memdesc<64x16xf16, #s>, %s: i32) {
  // expected-error @+1 {{got a buffer in another layout than that of rows that are 8 apart}}
  %0 = tile_gpu.shifted_load %m by %s apart 8 : !tile_gpu.memdesc<64x16xf16, #s> -> tensor<64x16xf16>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>) {
  // expected-error @+1 {{got size 8 in dimension 0 of the tensor, expected the buffer's 4}}
  %0 = tile_gpu.local_load %m : !tile_gpu.memdesc<4xf16, #s> -> tensor<8xf16>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>, %t: tensor<2x2xf16>) {
  // expected-error @+1 {{got a tensor of rank 2, expected the buffer's 1}}
  tile_gpu.local_store %t, %m : tensor<2x2xf16>, !tile_gpu.memdesc<4xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>, %p: tensor<4xf16>) {
  // expected-error @+1 {{got elements that are no pointers, expected a tensor of pointers}}
  tile_gpu.async_copy %p, %m : tensor<4xf16>, !tile_gpu.memdesc<4xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>, %p: tensor<4x!tile.ptr<f16>>, %k: tensor<2xi1>) {
  // expected-error @+1 {{got a mask that does not fit, expected i1 in the pointers' shape and layout}}
  tile_gpu.async_copy %p, %m mask %k : tensor<4x!tile.ptr<f16>>, !tile_gpu.memdesc<4xf16, #s>, tensor<2xi1>
  return
}

// -----

#s = #tile_gpu.shared<1, offset = [[1], [2]], block = []>
func.func @f(%m: !tile_gpu.memdesc<4xf16, #s>, %p: tensor<4x!tile.ptr<f16>>, %o: tensor<4xf16>) {
  // expected-error @+1 {{got 'other' without a mask, expected both}}
  tile_gpu.async_copy %p, %m other %o : tensor<4x!tile.ptr<f16>>, !tile_gpu.memdesc<4xf16, #s> other tensor<4xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{got -1 groups, expected 0 to 64}}
  tile_gpu.async_wait -1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{got 0 buffers, expected at least 1}}
  %0 = tile_gpu.advance %i of 0
  return
}

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [1, 0], [2, 0]], block = []>
func.func @f(%b: !tile_gpu.memdesc<4x4xf16, #s>) {
  // expected-error @+1 {{got other than an array of buffers and one buffer of it}}
  %0 = tile_gpu.part %b from 0 : !tile_gpu.memdesc<4x4xf16, #s> -> !tile_gpu.memdesc<4x4xf16, #s>
  return
}

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [1, 0], [2, 0]], block = []>
#t = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [4, 0], [1, 0], [2, 0]], block = []>
func.func @f(%b: !tile_gpu.memdesc<3x4x4xf16, #s>) {
  // expected-error @+1 {{got a layout that the buffers do not make, expected one with their bases first}}
  %0 = tile_gpu.part %b from 0 : !tile_gpu.memdesc<3x4x4xf16, #s> -> !tile_gpu.memdesc<8x4xf16, #t>
  return
}

// -----

#s = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [1, 0], [2, 0]], block = []>
#t = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], block = []>
func.func @f(%b: !tile_gpu.memdesc<3x4x4xf16, #s>) {
  // expected-error @+1 {{got buffers 2 to 3, expected them among 3}}
  %0 = tile_gpu.part %b from 2 : !tile_gpu.memdesc<3x4x4xf16, #s> -> !tile_gpu.memdesc<8x4xf16, #t>
  return
}
