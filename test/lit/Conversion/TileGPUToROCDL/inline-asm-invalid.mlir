// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-tile-gpu="target=gfx942" --tile-gpu-assign-layouts --convert-tile-gpu-to-rocdl

func.func @assembly(%x: f32) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.inline_asm' op got constraint '=f' on gfx942, expected a register 'v', 's' or 'a'}}
  %w = tile.inline_asm "add.f32 $0, $1, $1;" constraints "=f,f" (%x) pure : (f32) -> f32
  return
}

// -----

func.func @files(%x: f32) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.inline_asm' op got the directive '.incbin', expected instructions}}
  %w = tile.inline_asm "v_mov_b32 $0, $1\0A.incbin \22/etc/hostname\22" constraints "=v,v" (%x) pure : (f32) -> f32
  return
}

// -----

// A name that is put together of alternatives.
func.func @alternatives(%x: f32) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.inline_asm' op got the directive '.$', expected instructions}}
  %w = tile.inline_asm ".$(include$) \22/etc/hostname\22\0Av_mov_b32 $0, $1" constraints "=v,v" (%x) pure : (f32) -> f32
  return
}

// -----

func.func @forever(%x: f32) attributes {tile.kernel} {
  // expected-error@+1 {{'tile.inline_asm' op got the directive '.rept', expected instructions}}
  %w = tile.inline_asm "a: .rept 1000000000\0As_nop 0\0A.endr" constraints "=v,v" (%x) pure : (f32) -> f32
  return
}

// -----

// Halves of registers, numbers and instructions given as numbers are no directives.
func.func @halves(%x: f32) attributes {tile.kernel} {
  %w = tile.inline_asm "v_mov_b16 v0.h, v1.l\0Av_mul_f32 $0, .5, $1\0A.long 0xbf800000" constraints "=v,v" (%x) pure : (f32) -> f32
  return
}
