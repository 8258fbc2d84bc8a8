// RUN: tile-opt %s --convert-tile-to-tile-gpu=target=sm_90a -split-input-file -verify-diagnostics

func.func @asm(%x: tensor<12xf32>) -> tensor<12xf32> {
  // expected-error @below {{may have effects and has a tensor whose dimension 0 is 12, expected a power of two, or no effects ('pure') and no pointers}}
  %y = tile.inline_asm "add.f32 $0, $1, $1;" constraints "=f,f" (%x) : (tensor<12xf32>) -> tensor<12xf32>
  return %y : tensor<12xf32>
}

// -----

func.func @extern(%p: tensor<4x3x!tile.ptr<f32>>) -> tensor<4x3xf32> {
  // expected-error @below {{may have effects and has a tensor whose dimension 1 is 3}}
  %y = tile.extern_elementwise "f"(%p) pure : (tensor<4x3x!tile.ptr<f32>>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

func.func @pack(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-error @below {{got pack = 2, expected a power of two that divides the last dimension, 3}}
  %y = tile.map_elementwise %x pack = 2 : tensor<4x3xf32> -> tensor<4x3xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %b, %a : f32, f32
  }
  return %y : tensor<4x3xf32>
}

// -----

func.func @empty() -> tensor<2x0xf32> {
  // expected-error @below {{has a tensor whose dimension 1 is 0, expected at least 1}}
  %y = arith.constant dense<> : tensor<2x0xf32>
  return %y : tensor<2x0xf32>
}
