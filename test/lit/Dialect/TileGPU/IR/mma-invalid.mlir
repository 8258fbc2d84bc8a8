// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @rank(%a: tensor<64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{got tensors of 1, 2 and 2 dimensions, expected two, or three with a batch}}
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]> : tensor<64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @depth(%a: tensor<64x32xf16>, %b: tensor<16x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{got K = 32 in the first operand and 16 in the second, expected equal sizes}}
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]> : tensor<64x32xf16> * tensor<16x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @size(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf32>) {
  // expected-error @+1 {{got an accumulator of 64 x 32, expected 64 x 64 in each batch}}
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]> : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x32xf32>
  return
}

// -----

func.func @numbers(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{got numbers in instr that are no powers of two up to 1024, or not two or three counts of warps}}
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 3, warps = [2, 2]> : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @warps(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{got warps along 3 dimensions, expected 2}}
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [1, 2, 2]> : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @instruction(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{got mma_sync 16x8x8 (shortened) of f16 and f16 into f32, expected an instruction that some chip has}}
  %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 8, k_width = 2, warps = [2, 2] shortened = true> : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  return
}

// -----

#A = #tile_gpu.layout<2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []>
func.func @layout(%x: tensor<16x16xf16, #tile_gpu.layout<2, register = [[8, 0], [0, 1], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []>>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32, #A>) {
  // expected-error @+1 {{got the first operand in another layout than its instruction's, expected register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[16,16]}}
  %d = "tile_gpu.mma"(%x, %b, %c) <{instr = #tile_gpu.instr<mma_sync, 16, 8, 16, k_width = 2, warps = [1, 1]>}> : (tensor<16x16xf16, #tile_gpu.layout<2, register = [[8, 0], [0, 1], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []>>, tensor<16x8xf16>, tensor<16x8xf32, #A>) -> tensor<16x8xf32, #A>
  return
}
