// The scalar body once for each element, or for each pack of them: the pack is brought into one thread.
// RUN: %S/Inputs/agree %s "1 8" --kernel=single --arg=i32[512]=rand:1:-50:50 --arg=i32[512]=rand:2:-50:50
// RUN: %S/Inputs/agree %s "1 8" --kernel=packed --arg=i32[512]=rand:3
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=8" --tile-gpu-coalesce --tile-gpu-assign-layouts | FileCheck %s

func.func @single(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %ys = tile.splat %y : tensor<512x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %v = tile.load %xp : tensor<512x!tile.ptr<i32>>
  %w = tile.load %yp : tensor<512x!tile.ptr<i32>>
  %max, %mixed = tile.map_elementwise %v, %w : tensor<512xi32>, tensor<512xi32> -> tensor<512xi32>, tensor<512xi32> {
  ^bb0(%a: i32, %b: i32):
    %less = arith.cmpi slt, %a, %b : i32
    %m = arith.maxsi %a, %b : i32
    %k = scf.if %less -> i32 {
      %p = arith.muli %a, %b : i32
      scf.yield %p : i32
    } else {
      scf.yield %a : i32
    }
    tile.yield %m, %k : i32, i32
  }
  tile.store %xp, %max : tensor<512x!tile.ptr<i32>>
  tile.store %yp, %mixed : tensor<512x!tile.ptr<i32>>
  return
}

// CHECK-LABEL: @packed
// CHECK: %[[V:.*]] = tile.load
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[V]] : {{.*}} -> tensor<512xi32, #[[PACKS:.*]]>
// CHECK: %[[M:.*]] = tile.map_elementwise %[[C]] pack = 4 : tensor<512xi32, #[[PACKS]]> -> tensor<512xi32, #[[PACKS]]>
// CHECK: tile_gpu.convert_layout %[[M]]
// CHECK: tile.store
func.func @packed(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %v = tile.load %xp : tensor<512x!tile.ptr<i32>>
  %w = tile.map_elementwise %v pack = 4 : tensor<512xi32> -> tensor<512xi32> {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %ab = arith.subi %a, %b : i32
    tile.yield %d, %ab, %a, %c : i32, i32, i32, i32
  }
  tile.store %xp, %w : tensor<512x!tile.ptr<i32>>
  return
}
