// Of the warps that layouts are made for all run, or three quarters.
// RUN: not tile-opt --tile-gpu-stream-loops %s 2>&1 | FileCheck %s

// CHECK: error: 'builtin.module' op got 4 as 'tile_gpu.launched_warps', expected 16, or 12 of 16
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 16 : i32, tile_gpu.launched_warps = 4 : i32} {
}
