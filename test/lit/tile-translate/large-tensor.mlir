// Tensors of which each thread would keep several times its registers are compiled with a warning at the largest.
// RUN: tile-translate --target=sm_90a --emit=llvm-dialect %s -o %t 2>&1 | FileCheck %s --check-prefix=NV
// RUN: tile-translate --target=gfx1100 --emit=llvm-dialect %s -o %t 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: tile-translate --target=sm_90a --num-warps=32 --emit=llvm-dialect %s -o %t 2>&1 | count 0
// NV: large-tensor.mlir:[[@LINE+6]]:8: warning: a tensor takes 2048 registers of each of 128 threads, and sm_90a has 255: it lives in memory and may take minutes to compile; expected more warps, or a smaller tensor
// AMD: large-tensor.mlir:[[@LINE+5]]:8: warning: a tensor takes 2048 registers of each of 128 threads, and gfx1100 has 256:
func.func @copy(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %range = tile.make_range 0 to 262144 : tensor<262144xi32>
  %base = tile.splat %x : tensor<262144x!tile.ptr<f32>>
  %p = tile.addptr %base, %range : tensor<262144x!tile.ptr<f32>>, tensor<262144xi32>
  %v = tile.load %p : tensor<262144x!tile.ptr<f32>>
  %e = math.exp %v : tensor<262144xf32>
  tile.store %p, %e : tensor<262144x!tile.ptr<f32>>
  return
}
