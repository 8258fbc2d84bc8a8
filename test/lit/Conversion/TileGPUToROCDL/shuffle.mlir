// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-rocdl | FileCheck %s --check-prefixes=CHECK,CDNA
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx1100 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-rocdl | FileCheck %s --check-prefixes=CHECK,RDNA

// Within 16 lanes a reduction needs no memory: quads, then mirrors, whose lanes below hold the same by then.
// CHECK-LABEL: llvm.func @sum
// CHECK: rocdl.update.dpp {{.*}} with 177, 15, 15, true
// CHECK: rocdl.update.dpp {{.*}} with 78, 15, 15, true
// CHECK: rocdl.update.dpp {{.*}} with 321, 15, 15, true
// CHECK: rocdl.update.dpp {{.*}} with 320, 15, 15, true
// CDNA-COUNT-2: rocdl.ds_bpermute
// RDNA: rocdl.permlanex16
// RDNA-NOT: bpermute
func.func @sum(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  tile.store %x, %s : !tile.ptr<f32>
  return
}
