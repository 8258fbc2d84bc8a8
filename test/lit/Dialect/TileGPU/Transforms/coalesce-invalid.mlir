// What the coalescing pass refuses.
// RUN: tile-opt %s --tile-gpu-coalesce -split-input-file -verify-diagnostics

// expected-error @below {{got no 'tile_gpu.target', expected the name of a chip}}
module {
}

// -----

// expected-error @below {{got 'tile_gpu.target' "sm_12", expected one of sm_80}}
module attributes {tile_gpu.target = "sm_12"} {
}

// -----

// expected-error @below {{got 0 as 'tile_gpu.num_warps', expected a power of two from 1 to 32}}
module attributes {tile_gpu.target = "sm_90a"} {
}

// -----

module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 32 : i32, tile_gpu.num_ctas = 1 : i32} {
  func.func @odd(%p: tensor<96x!tile.ptr<f32>>) {
    // expected-error @below {{got 96 elements along dimension 0, expected a power of two}}
    %v = tile.load %p : tensor<96x!tile.ptr<f32>>
    return
  }
}
