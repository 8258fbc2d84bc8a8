// Programs whose boxes overlap may store the same numbers there, not others.
// tile.param VALUE = %same
// RUN: tile-run %s --device=sim --target=sm_90a --check=race --against=cpu --grid=2 '--arg=desc(f16[64,64],box=64x64)=fill:1' '--arg=desc(f16[64,72],box=64x64)=fill:7'
// RUN: not tile-run %s --device=sim --target=sm_90a --check=race --grid=2 -D VALUE=%other '--arg=desc(f16[64,64],box=64x64)=fill:1' '--arg=desc(f16[64,72],box=64x64)=fill:7' 2>&1 | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=ENGINE
// ENGINE: tile_gpu.tma_store
func.func @k(%a: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf16>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %eight = arith.constant 8 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = tile.program_id x
  %at = arith.muli %p, %eight : i32
  %x = tile.desc_load %a[%zero, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %t = tile.trans %x order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %same = tile.dot %x, %t, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %n = arith.sitofp %p : i32 to f32
  %ns = tile.splat %n : tensor<64x64xf32>
  %other = arith.addf %same, %ns : tensor<64x64xf32>
  %h = arith.truncf ${VALUE} : tensor<64x64xf32> to tensor<64x64xf16>
  // CHECK: copies-overlap.mlir:[[#@LINE+1]]:3: error: 'tile_nv.tma_store' op races: writes another value at offset 16 of argument {{[0-9]+}}, written by program (0, 0, 0)
  tile.desc_store %c[%zero, %at], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}
