// A loop that is to wait for each block (one stage) has two buffers of the copy engine all the same.
// RUN: tile-translate %root/examples/matmul.mlir --target=sm_90a --num-warps=4 --num-stages=1 -D BM=64 -D BN=64 --emit=tile_gpu | FileCheck %s
// CHECK: tile_gpu.alloc{{.*}} !tile_gpu.memdesc<2x64x64xf16
