// RUN: tile-opt %s --convert-tt-to-tile -split-input-file -verify-diagnostics

tt.func public @poll(%p: tensor<8x!tt.ptr<i32>>, %v: tensor<8xi32>) {
  // expected-error @below {{'tt.atomic_poll' op got a tensor of pointers, expected one pointer}}
  %0 = tt.atomic_poll acquire, gpu, %p, %v : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  tt.return
}

// -----

tt.func public @atomic_load_narrow(%p: !tt.ptr<f16>) {
  // expected-error @below {{'tt.atomic_load' op got elements of 16 bits, expected 32 or 64}}
  %0 = tt.atomic_load acquire, gpu, %p : (!tt.ptr<f16>) -> f16
  tt.return
}

// -----

tt.func public @made_map(%w: !tt.ptr<i8>, %p: !tt.ptr<f16>, %i: i32) {
  // expected-error @below {{'tt.experimental_tensormap_create' op got a tensor map made by the kernel in memory, expected make_tensor_descriptor}}
  tt.experimental_tensormap_create %w, %p, [%i], [%i], [], [%i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()
  tt.return
}

// -----

tt.func public @computed_map(%w: !tt.ptr<i8>, %i: i32) {
  %q = tt.addptr %w, %i : !tt.ptr<i8>, i32
  // expected-error @below {{'tt.experimental_descriptor_load' op got a tensor map that is no kernel argument, expected an argument or a descriptor}}
  %0 = tt.experimental_descriptor_load %q[%i, %i] : !tt.ptr<i8> -> tensor<64x32xf16>
  tt.return
}

// -----

tt.func public @shared_map(%w: !tt.ptr<i8>, %i: i32) {
  %0 = tt.experimental_descriptor_load %w[%i, %i] : !tt.ptr<i8> -> tensor<64x32xf16>
  // expected-error @below {{'tt.load' op got a tensor map argument, expected it at descriptor accesses only}}
  %1 = tt.load %w : !tt.ptr<i8>
  tt.return
}

// -----

tt.func public @two_blocks(%w: !tt.ptr<i8>, %i: i32) {
  // expected-error @below {{got a second block type for one tensor map argument, expected one}}
  %0 = tt.experimental_descriptor_load %w[%i, %i] : !tt.ptr<i8> -> tensor<64x32xf16>
  // expected-note @below {{the first block is here}}
  %1 = tt.experimental_descriptor_load %w[%i, %i] : !tt.ptr<i8> -> tensor<32x32xf16>
  tt.return
}

// -----

tt.func public @block_mask(%x: !tt.ptr<f32>, %n: i64, %o: i32, %m: tensor<8xi1>) {
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<8xf32>>
  // expected-error @below {{'tt.load' op got a mask on a block pointer, expected boundaryCheck}}
  %0 = tt.load %p, %m : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

tt.func public @block_check(%x: !tt.ptr<f32>, %n: i64, %o: i32) {
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<8xf32>>
  // expected-error @below {{'tt.load' op got dimension 1 in boundaryCheck, expected 0 to 0}}
  %0 = tt.load %p {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

tt.func public @block_padding(%x: !tt.ptr<i32>, %n: i64, %o: i32) {
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<8xi32>>
  // expected-error @below {{'tt.load' op got padding for an element type that cannot hold it, expected a float}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8xi32>>
  tt.return
}

// -----

tt.func public @block_rank(%x: !tt.ptr<i32>, %n: i64, %o: i32) {
  // expected-error @below {{'tt.make_tensor_ptr' op got 1 offsets, expected 2}}
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<8x8xi32>>
  %0 = tt.load %p : !tt.ptr<tensor<8x8xi32>>
  tt.return
}

// -----

tt.func public @advance_rank(%x: !tt.ptr<i32>, %n: i64, %o: i32) {
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<8xi32>>
  // expected-error @below {{'tt.advance' op got 2 offsets, expected 1}}
  %q = tt.advance %p, [%o, %o] : <tensor<8xi32>>
  tt.return
}

// -----

// expected-error @below {{got a kernel argument that is a block pointer, expected tt.make_tensor_ptr in the kernel}}
tt.func public @block_argument(%p: !tt.ptr<tensor<8xf32>>) {
  tt.return
}

// -----

// expected-error @below {{got a pointer to a type that is no number, expected a pointer to a number}}
tt.func public @pointer_to_pointer(%p: !tt.ptr<!tt.ptr<f32>>) {
  tt.return
}

// -----

// What `tile` verifies is reported at the op too.
tt.func public @narrow(%x: i8) {
  // expected-error @below {{'tile.mulhiui' op operand #0 must be i32 or i64 or tensor of it, but got 'i8'}}
  %0 = tt.mulhiui %x, %x : i8
  tt.return
}

// -----

tt.func public @dynamic_block(%x: !tt.ptr<i32>, %n: i64, %o: i32) {
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<?xi32>>
  // expected-error @below {{'tt.load' op got a block of unknown or no size, expected a static block}}
  %0 = tt.load %p : !tt.ptr<tensor<?xi32>>
  tt.return
}

// -----

func.func @elsewhere(%p: !tt.ptr<i32>) -> i32 {
  // expected-error @below {{'tt.load' op got an op of Triton IR outside of tt.func, expected it inside}}
  %0 = tt.load %p : !tt.ptr<i32>
  return %0 : i32
}

// -----

tt.func public @no_body(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.map_elementwise' op got a body of several blocks or none, expected one block}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func public @endless(%c: i1) {
  cf.br ^bb1
^bb1:
  // expected-error @below {{got a loop without an exit, expected one that ends}}
  cf.br ^bb1
}

// -----

// expected-error @below {{got a tensor descriptor that tile has not, expected a static block of 1 to 5 dimensions of numbers}}
tt.func private @descriptor_dynamic(!tt.tensordesc<tensor<?xf16>>)

// -----

// expected-error @below {{got a tensor descriptor that tile has not, expected a static block of 1 to 5 dimensions of numbers}}
tt.func private @descriptor_element(!tt.tensordesc<4xi7>)

// -----

tt.func public @fence(%w: !tt.ptr<i8>) {
  // expected-error @below {{'tt.experimental_tensormap_fenceproxy_acquire' op got a tensor map made by the kernel in memory, expected make_tensor_descriptor}}
  tt.experimental_tensormap_fenceproxy_acquire %w : !tt.ptr<i8>
  tt.return
}

// -----

// Found by fuzzing: a vector has elements that are numbers and is none.
// expected-error @below {{got a pointer to a type that is no number, expected a pointer to a number}}
tt.func public @pointer_to_vector(%p: !tt.ptr<vector<4xf32>>) {
  tt.return
}

// -----

// expected-error @below {{got a pointer to a type that is no number, expected a pointer to a number}}
tt.func public @pointer_to_signed(%p: !tt.ptr<si32>) {
  tt.return
}

// -----

// expected-error @below {{got a tensor descriptor that tile has not, expected a static block of 1 to 5 dimensions of numbers}}
tt.func public @descriptor_of_vectors(%d: !tt.tensordesc<4xvector<4xf32>>) {
  tt.return
}
