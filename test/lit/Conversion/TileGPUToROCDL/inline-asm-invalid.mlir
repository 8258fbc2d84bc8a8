// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-tile-gpu="target=gfx942" --tile-gpu-assign-layouts --convert-tile-gpu-to-rocdl

func.func @assembly(%x: f32) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.inline_asm' op got constraint '=f' on gfx942, expected a register 'v', 's' or 'a'}}
  %w = tile.inline_asm "add.f32 $0, $1, $1;" constraints "=f,f" (%x) pure : (f32) -> f32
  return
}
