// A module for one vendor's chip is not lowered for the other's.
// RUN: not tile-opt %s -split-input-file --convert-tile-gpu-to-rocdl 2>&1 | FileCheck %s --check-prefix=ROCDL
// RUN: not tile-opt %s -split-input-file --convert-tile-gpu-to-nvvm 2>&1 | FileCheck %s --check-prefix=NVVM
// ROCDL: vendor.mlir:8:1: error: got chip sm_90a, expected one of AMD
// ROCDL-NOT: error
// NVVM: vendor.mlir:16:1: error: got chip gfx1100, expected one of NVIDIA
// NVVM-NOT: error
module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @k() attributes {tile.kernel} {
    return
  }
}

// -----

module attributes {tile_gpu.target = "gfx1100", tile_gpu.num_warps = 1 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  func.func @k() attributes {tile.kernel} {
    return
  }
}
