// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90 num-warps=1" --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=OLD
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --convert-tile-gpu-to-rocdl | FileCheck %s --check-prefix=OLD

// CHECK-LABEL: llvm.func @k
// CHECK: nvvm.griddepcontrol wait
// CHECK: tile_nv.load
// CHECK: nvvm.griddepcontrol launch_dependents
// OLD-LABEL: llvm.func @k
// OLD-NOT: griddepcontrol
func.func @k(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  tile.grid_dependency_wait
  %v = tile.load %x volatile : !tile.ptr<i32>
  tile.grid_dependency_launch_dependents
  return
}
