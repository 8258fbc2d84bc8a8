// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-tile-gpu="target=sm_80" --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm

func.func @histogram(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c = tile.make_range 0 to 64 : tensor<64xi32>
  // expected-error@+1 {{'tile.histogram' op is not supported yet on sm_80}}
  %h = tile.histogram %c : tensor<64xi32> -> tensor<32xi32>
  return
}

// -----

// expected-error@+1 {{'func.func' op is a function that was not inlined into its callers}}
func.func private @helper(%x: i32) -> i32 {
  return %x : i32
}
