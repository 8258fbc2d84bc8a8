// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-tile-gpu="target=sm_80" --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm

// Four f32 are four registers.
func.func @count(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c = arith.constant dense<1.0> : tensor<512xf32>
  // expected-error@+1 {{'tile.inline_asm' op got constraints for 4 results and 1 operands, expected 4 and 4}}
  %w = tile.inline_asm "nop;" constraints "=f,=f,=f,=f,f" (%c) pack = 4 pure : (tensor<512xf32>) -> tensor<512xf32>
  return
}

// -----

func.func @width(%x: i64) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.inline_asm' op got constraint 'r' for 1 elements of 64 bits, expected a register that holds them}}
  %w = tile.inline_asm "mov.b32 $0, $1;" constraints "=l,r" (%x) pure : (i64) -> i64
  return
}
