// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared | FileCheck %s --check-prefix=SCRATCH

// The transposed load's layout has lanes above warps along the flattened axis: the scan works in another one.
// CHECK-LABEL: @flattened
// CHECK: %[[V:.*]] = tile.load
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[V]]
// CHECK: %[[IN:.*]] = tile.reshape %[[C]] : {{.*}} -> tensor<1024xf32, #[[SCAN:.*]]>
// CHECK: %[[OUT:.*]] = tile.scan %[[IN]] axis = 0 : tensor<1024xf32, #[[SCAN]]>
// CHECK: tile_gpu.convert_layout %[[OUT]] : tensor<1024xf32, #[[SCAN]]> ->
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store

// The totals of blocks need scratch.
// SCRATCH-LABEL: @flattened
// SCRATCH: tile.scan {{.*}}tile_gpu.scratch
func.func @flattened(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %col = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c32 = arith.constant dense<32> : tensor<1x32xi32>
  %cs = arith.muli %col, %c32 : tensor<1x32xi32>
  %cb = tile.broadcast %cs : tensor<1x32xi32> -> tensor<32x32xi32>
  %rb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %i = arith.addi %cb, %rb : tensor<32x32xi32>
  %xs = tile.splat %x : tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %v = tile.load %p : tensor<32x32x!tile.ptr<f32>>
  %flat = tile.reshape %v : tensor<32x32xf32> -> tensor<1024xf32>
  %s = tile.scan %flat axis = 0 : tensor<1024xf32> {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  %back = tile.reshape %s : tensor<1024xf32> -> tensor<32x32xf32>
  tile.store %p, %back : tensor<32x32x!tile.ptr<f32>>
  return
}
