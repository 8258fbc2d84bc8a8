// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=8 num-stages=2" | FileCheck %s
// CHECK: module attributes {tile_gpu.num_ctas = 1 : i32, tile_gpu.num_stages = 2 : i32, tile_gpu.num_warps = 8 : i32, tile_gpu.target = "gfx942", tile_gpu.threads_per_warp = 64 : i32}

// Features that are switched off are known to every pass after this one.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a disable=tma,wgmma" | FileCheck %s --check-prefix=OFF
// OFF: module attributes {tile_gpu.disabled = "tma,wgmma", {{.*}}tile_gpu.target = "sm_90a"
func.func @empty() attributes {tile.kernel} {
  return
}
