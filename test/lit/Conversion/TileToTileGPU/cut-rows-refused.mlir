// What the blocks of a cluster cannot share out stays one block's, with a warning.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" -split-input-file -verify-diagnostics | FileCheck %s
// CHECK-NOT: tile_gpu.cluster

func.func @counts(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<128x64xf32>, %p: !tile.ptr<i32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-warning @below {{tile.blocks is left out: the kernel writes something else than parts of its products}}
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x64xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %y = tile.desc_load %b[%kk, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  } {tile.blocks = 2 : i32}
  tile.desc_store %c[%zero, %zero], %s : !tile.desc<128x64xf32>, tensor<128x64xf32>
  tile.store %p, %k : !tile.ptr<i32>
  return
}

// -----

func.func @few(%a: !tile.desc<64x64xf16>, %b: !tile.desc<64x32xf16>, %c: !tile.desc<64x32xf32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x32xf32>
  // expected-warning @below {{tile.blocks is left out: the loop has no product with 64 rows for each block}}
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<64x32xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %kk] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %y = tile.desc_load %b[%kk, %zero] : !tile.desc<64x32xf16> -> tensor<64x32xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  } {tile.blocks = 2 : i32}
  tile.desc_store %c[%zero, %zero], %s : !tile.desc<64x32xf32>, tensor<64x32xf32>
  return
}

// -----

func.func @summed(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x64xf16>, %o: !tile.ptr<f32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-warning @below {{tile.blocks is left out: what follows from the rows of its products cannot be shared out}}
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x64xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %y = tile.desc_load %b[%kk, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  } {tile.blocks = 2 : i32}
  %q = tile.reduce %s axis = 0 : tensor<128x64xf32> -> tensor<64xf32> {
  ^bb0(%p: f32, %r: f32):
    %t = arith.addf %p, %r : f32
    tile.yield %t : f32
  }
  %w = tile.splat %o : tensor<64x!tile.ptr<f32>>
  tile.store %w, %q : tensor<64x!tile.ptr<f32>>
  return
}

// -----

func.func @narrow(%a: !tile.desc<64x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-warning @below {{tile.column_blocks is left out: the loop has no product with a multiple of 16 (or 8) columns for each block}}
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %kk] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %y = tile.desc_load %b[%kk, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {tile.column_blocks = 8 : i32}
  tile.desc_store %c[%zero, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  return
}
