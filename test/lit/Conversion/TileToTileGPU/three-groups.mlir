// Twelve warps: layouts of sixteen, rows of products padded, kernels for which that does not do refused.
// RUN: split-file %s %t
// RUN: tile-opt %t/good.mlir --convert-tile-to-tile-gpu="target=sm_90a num-warps=12" | FileCheck %s
// RUN: not tile-translate %t/none.mlir --target=sm_90a --emit=ptx --num-warps=12 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-translate %t/rows.mlir --target=sm_90a --emit=ptx --num-warps=12 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tile-translate %t/meet.mlir --target=sm_90a --emit=ptx --num-warps=12 2>&1 | FileCheck %s --check-prefix=MEET
// RUN: not tile-translate %t/pointer.mlir --target=sm_90a --emit=ptx --num-warps=12 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not tile-translate %t/good.mlir --target=sm_80 --emit=ptx --num-warps=12 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tile-translate %t/wide.mlir --target=sm_90a --emit=ptx --num-warps=12 2>&1 | FileCheck %s --check-prefix=WIDE

// CHECK: module attributes {{.*}}tile_gpu.launched_warps = 12 : i32{{.*}}tile_gpu.num_warps = 16 : i32
// CHECK: func.func @good(%{{.*}}: !tile.desc<256x64xf16>, %{{.*}}: !tile.desc<64x64xf16>, %{{.*}}: !tile.desc<256x64xf32>{{.*}}tile_gpu.padded_rows = 256 : i32
// CHECK: tile.dot {{.*}} -> tensor<256x64xf32>
// CHECK: tile.reduce {{.*}} axis = 1 : tensor<256x64xf32> -> tensor<256xf32>
// NONE: none.mlir:1:1: error: 'func.func' op got num-warps = 12, expected products with 192 rows
// ROWS: rows.mlir:{{.*}}: error: 'tile.dot' op got num-warps = 12, expected products with 192 rows
// MEET: meet.mlir:{{.*}}: error: 'tile.dot' op got num-warps = 12, expected rows of products that stay apart
// POINTER: pointer.mlir:{{.*}}: error: 'tile.store' op got num-warps = 12, expected accesses through descriptors, rows apart and no size of 256
// OLD: error: {{.*}}num-warps: got 12, expected a power of two up to 32
// WIDE: wide.mlir:{{.*}}: error: {{.*}} got num-warps = 12, expected accesses through descriptors, rows apart and no size of 256

//--- good.mlir
func.func @good(%a: !tile.desc<192x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<192x64xf32>, %i: i32) attributes {tile.kernel} {
  %x = tile.desc_load %a[%i, %i] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
  %y = tile.desc_load %b[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<192x64xf32>
  %d = tile.dot %x, %y, %z : tensor<192x64xf16> * tensor<64x64xf16> -> tensor<192x64xf32>
  %m = tile.reduce %d axis = 1 : tensor<192x64xf32> -> tensor<192xf32> {
  ^bb0(%p: f32, %q: f32):
    %r = arith.maxnumf %p, %q : f32
    tile.yield %r : f32
  }
  %m1 = tile.expand_dims %m axis = 1 : tensor<192xf32> -> tensor<192x1xf32>
  %mb = tile.broadcast %m1 : tensor<192x1xf32> -> tensor<192x64xf32>
  %e = arith.subf %d, %mb : tensor<192x64xf32>
  tile.desc_store %c[%i, %i], %e : !tile.desc<192x64xf32>, tensor<192x64xf32>
  return
}
//--- none.mlir
func.func @none(%p: !tile.ptr<f32>, %v: f32) attributes {tile.kernel} {
  tile.store %p, %v : !tile.ptr<f32>
  return
}
//--- rows.mlir
func.func @rows(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<128x64xf32>, %i: i32) attributes {tile.kernel} {
  %x = tile.desc_load %a[%i, %i] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
  %y = tile.desc_load %b[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<128x64xf32>
  %d = tile.dot %x, %y, %z : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  tile.desc_store %c[%i, %i], %d : !tile.desc<128x64xf32>, tensor<128x64xf32>
  return
}
//--- meet.mlir
func.func @meet(%a: !tile.desc<192x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<64xf32>, %i: i32) attributes {tile.kernel} {
  %x = tile.desc_load %a[%i, %i] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
  %y = tile.desc_load %b[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<192x64xf32>
  %d = tile.dot %x, %y, %z : tensor<192x64xf16> * tensor<64x64xf16> -> tensor<192x64xf32>
  %m = tile.reduce %d axis = 0 : tensor<192x64xf32> -> tensor<64xf32> {
  ^bb0(%p: f32, %q: f32):
    %r = arith.maxnumf %p, %q : f32
    tile.yield %r : f32
  }
  tile.desc_store %c[%i], %m : !tile.desc<64xf32>, tensor<64xf32>
  return
}
//--- pointer.mlir
func.func @pointer(%a: !tile.desc<192x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.ptr<f32>, %i: i32) attributes {tile.kernel} {
  %x = tile.desc_load %a[%i, %i] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
  %y = tile.desc_load %b[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<192x64xf32>
  %d = tile.dot %x, %y, %z : tensor<192x64xf16> * tensor<64x64xf16> -> tensor<192x64xf32>
  %cs = tile.splat %c : tensor<192x64x!tile.ptr<f32>>
  tile.store %cs, %d : tensor<192x64x!tile.ptr<f32>>
  return
}
//--- wide.mlir
func.func @wide(%a: !tile.desc<192x64xf16>, %b: !tile.desc<64x256xf16>, %c: !tile.desc<192x256xf32>, %i: i32) attributes {tile.kernel} {
  %x = tile.desc_load %a[%i, %i] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
  %y = tile.desc_load %b[%i, %i] : !tile.desc<64x256xf16> -> tensor<64x256xf16>
  %z = arith.constant dense<0.0> : tensor<192x256xf32>
  %d = tile.dot %x, %y, %z : tensor<192x64xf16> * tensor<64x256xf16> -> tensor<192x256xf32>
  tile.desc_store %c[%i, %i], %d : !tile.desc<192x256xf32>, tensor<192x256xf32>
  return
}
