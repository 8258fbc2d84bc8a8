// RUN: tile-opt %s --tile-gpu-expand-math --canonicalize | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-expand-math --tile-gpu-coalesce \
// RUN:   --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=LOWERED
// With a target, threads that hold no large argument skip the reduction of large arguments.
module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a"} {
  // CHECK-LABEL: func.func @sine(
  // CHECK: %[[LARGE:.*]] = arith.cmpf oge,
  // CHECK: %[[ANY:.*]] = tile_gpu.any %[[LARGE]] : tensor<256xi1>
  // CHECK: %[[R:.*]]:2 = scf.if %[[ANY]] -> (tensor<256xf32>, tensor<256xi32>) {
  // CHECK: tile.mulhiui
  // CHECK: arith.select %[[LARGE]],
  // CHECK: } else {
  // CHECK-NEXT: scf.yield
  // CHECK: arith.mulf %[[R]]#0, %[[R]]#0
  // LOWERED-LABEL: llvm.func @sine(
  // LOWERED: llvm.or
  // LOWERED: llvm.cond_br
  // LOWERED: llvm.intr.ctlz
  // LOWERED: llvm.br
  func.func @sine(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
    %i = tile.make_range 0 to 256 : tensor<256xi32>
    %s = tile.splat %p : tensor<256x!tile.ptr<f32>>
    %q = tile.addptr %s, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %x = tile.load %q : tensor<256x!tile.ptr<f32>>
    %y = math.sin %x : tensor<256xf32>
    tile.store %q, %y : tensor<256x!tile.ptr<f32>>
    return
  }

  // A scalar is its own condition.
  // CHECK-LABEL: func.func @scalar(
  // CHECK: %[[LARGE:.*]] = arith.cmpf oge,
  // CHECK-NOT: tile_gpu.any
  // CHECK: scf.if %[[LARGE]] -> (f32, i32)
  func.func @scalar(%x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
    %0 = math.cos %x : f32
    tile.store %p, %0 : !tile.ptr<f32>
    return
  }
}
