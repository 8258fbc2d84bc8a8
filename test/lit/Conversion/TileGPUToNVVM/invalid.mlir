// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-tile-gpu="target=sm_80" --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm

func.func @poll(%x: !tile.ptr<i32>, %c: i32) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.atomic_poll' op is not supported yet on sm_80}}
  %v = tile.atomic_poll %x, %c : !tile.ptr<i32>
  return
}

// -----

// expected-error@+1 {{'func.func' op is a function that was not inlined into its callers}}
func.func private @helper(%x: i32) -> i32 {
  return %x : i32
}
