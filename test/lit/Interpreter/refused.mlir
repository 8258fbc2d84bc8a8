// What the cpu device cannot execute is an error at the op.
// RUN: not tile-run %s --kernel=unknown --grid=1 --arg=f32=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-run %s --kernel=assembly --grid=1 --arg=f32=1 2>&1 | FileCheck %s --check-prefix=ASM

// UNKNOWN: refused.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'tile.extern_elementwise' op the cpu device does not know the function '__nv_frobnicate'
func.func @unknown(%x: f32) attributes {tile.kernel} {
  %y = tile.extern_elementwise "__nv_frobnicate"(%x) : (f32) -> f32
  tile.print "y" %y : f32
  return
}

// ASM: refused.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'tile.inline_asm' op the cpu device cannot execute target assembly
func.func @assembly(%x: f32) attributes {tile.kernel} {
  %y = tile.inline_asm "mov.b32 $0, $1;" constraints "=f,f" (%x) : (f32) -> f32
  tile.print "y" %y : f32
  return
}
