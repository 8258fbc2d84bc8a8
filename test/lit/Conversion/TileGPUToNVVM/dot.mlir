// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm | FileCheck %s

// Both factors go to shared memory, one after the other; a loop over K carries one sum a register and adds by fma.
// CHECK-LABEL: llvm.func @product
// CHECK: llvm.store %{{.*}} : f16, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: ^[[LOOP:.*]](%[[K:.*]]: i32, %[[S:[0-9]+]]: f32,
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f16
// CHECK: llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.intr.fma(%{{.*}}, %{{.*}}, %[[S]])
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](
func.func @product(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %i = tile.reshape %r : tensor<256xi32> -> tensor<16x16xi32>
  %xs = tile.splat %x : tensor<16x16x!tile.ptr<f16>>
  %p = tile.addptr %xs, %i : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %a = tile.load %p : tensor<16x16x!tile.ptr<f16>>
  %c = tile.dot %a, %a, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %ys = tile.splat %y : tensor<16x16x!tile.ptr<f32>>
  %q = tile.addptr %ys, %i : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %q, %c : tensor<16x16x!tile.ptr<f32>>
  return
}
