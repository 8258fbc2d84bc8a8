// Numbers of warps, blocks and stages of a module that its chip does not have.
// RUN: tile-opt %s --tile-gpu-coalesce -split-input-file -verify-diagnostics
// expected-error@+1 {{got 32 as 'tile_gpu.num_warps', expected a power of two from 1 to 16}}
module attributes {tile_gpu.target = "gfx942", tile_gpu.num_warps = 32 : i32} {
}
// -----
// expected-error@+1 {{got 64 as 'tile_gpu.num_warps', expected a power of two from 1 to 32}}
module attributes {tile_gpu.target = "sm_80", tile_gpu.num_warps = 64 : i32} {
}
// -----
// expected-error@+1 {{got no integer as 'tile_gpu.num_warps', expected a power of two from 1 to 32}}
module attributes {tile_gpu.target = "sm_80", tile_gpu.num_warps = "x"} {
}
// -----
// expected-error@+1 {{got 1024 as 'tile_gpu.num_ctas', expected a power of two from 1 to 16}}
module attributes {tile_gpu.target = "sm_80", tile_gpu.num_warps = 4 : i32, tile_gpu.num_ctas = 1024 : i32} {
}
// -----
// expected-error@+1 {{got 17 as 'tile_gpu.num_stages', expected a number from 1 to 16}}
module attributes {tile_gpu.target = "sm_80", tile_gpu.num_warps = 4 : i32, tile_gpu.num_stages = 17 : i32} {
}
