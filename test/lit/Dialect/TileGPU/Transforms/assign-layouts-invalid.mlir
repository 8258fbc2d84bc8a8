// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-gpu-assign-layouts

// expected-error@+1 {{got no 'tile_gpu.target', expected the name of a chip (run convert-tile-to-tile-gpu before)}}
module {
}

// -----

module attributes {tile_gpu.target = "sm_80", tile_gpu.num_warps = 4 : i32} {
  func.func @rank(%x: !tile.ptr<f32>) attributes {tile.kernel} {
    %r = tile.make_range 0 to 256 : tensor<256xi32>
    %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
    %p = tile.addptr %xs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    // expected-error@+1 {{'tile.load' op got a tile_gpu.layout attribute that does not fit the tensor's shape}}
    %v = tile.load %p {tile_gpu.layout = #tile_gpu.layout<2, register = [[0, 1]], lane = [], warp = [], block = []>} : tensor<256x!tile.ptr<f32>>
    return
  }
}
