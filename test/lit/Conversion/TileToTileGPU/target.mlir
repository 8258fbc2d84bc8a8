// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=8 num-stages=2" | FileCheck %s
// CHECK: module attributes {tile_gpu.num_ctas = 1 : i32, tile_gpu.num_stages = 2 : i32, tile_gpu.num_warps = 8 : i32, tile_gpu.target = "gfx942", tile_gpu.threads_per_warp = 64 : i32}
func.func @empty() attributes {tile.kernel} {
  return
}
