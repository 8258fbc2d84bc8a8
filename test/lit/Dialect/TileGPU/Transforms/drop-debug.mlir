// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90" --tile-gpu-drop-debug | FileCheck %s --check-prefixes=CHECK,DROP
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90" --tile-gpu-drop-debug="asserts=true" | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx1100" --tile-gpu-drop-debug="asserts=true" 2>&1 | FileCheck %s --check-prefixes=AMD

// AMD: drop-debug.mlir:[[# @LINE + 13]]:5: warning: 'tile.print' op is dropped: kernels cannot print on gfx1100
// AMD: func.func @kernel(
// AMD-NOT: tile.print
// CHECK-LABEL: func.func @kernel(
// KEEP: tile.assert %{{.*}}, "one"
// DROP-NOT: tile.assert
// CHECK: scf.if
// CHECK: tile.print "two"
// KEEP: cf.assert %{{.*}}, "three"
// DROP-NOT: cf.assert
func.func @kernel(%c: i1) attributes {tile.kernel} {
  tile.assert %c, "one" : i1
  scf.if %c {
    tile.print "two"
  }
  cf.assert %c, "three"
  return
}
