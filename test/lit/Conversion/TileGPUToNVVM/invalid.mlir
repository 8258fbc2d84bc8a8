// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-tile-gpu="target=sm_80" --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm

// Descriptors are gone by now, as tile-gpu-expand-descriptors leaves it.
func.func @descriptor(%x: !tile.ptr<i32>, %n: i32, %s: i64) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.make_desc' op is not supported yet on sm_80}}
  %d = tile.make_desc %x shape [%n] strides [%s] : !tile.desc<64xi32>
  return
}

// -----

// expected-error@+1 {{'func.func' op is a function that was not inlined into its callers}}
func.func private @helper(%x: i32) -> i32 {
  return %x : i32
}
