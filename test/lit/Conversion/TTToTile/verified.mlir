// What Triton IR says wrongly of shapes is refused before any pass relies on it.
//
// RUN: not tile-translate %s --target=sm_90a --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// CHECK: verified.mlir:[[#@LINE+3]]:{{.*}}: error: 'tile.expand_dims' op got axis 16, expected 0 to 1
tt.func public @kernel(%x: !tt.ptr<i32>) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %e = tt.expand_dims %r {axis = 16 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %m = arith.muli %e, %e : tensor<16x1xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<16x1x!tt.ptr<i32>>
  tt.store %p, %m : tensor<16x1x!tt.ptr<i32>>
  tt.return
}
