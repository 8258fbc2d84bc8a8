// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=3" 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=gfx942 num-warps=32" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-ctas=2" 2>&1 | FileCheck %s --check-prefix=CTAS
// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-stages=0" 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 disable=tma,wings" 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not tile-opt %s --convert-tile-to-tile-gpu="target=sm_80" 2>&1 | FileCheck %s --check-prefix=SHAPE

// CHIP: error: got target 'sm_70', expected one of sm_80
// WARPS: error: got num-warps = 3, expected a power of two from 1 to 32 on sm_80
// MANY: error: got num-warps = 32, expected a power of two from 1 to 16 on gfx942
// CTAS: error: got num-ctas = 2, expected 1: loops ask for clusters (tile.split, tile.blocks)
// STAGES: error: got num-stages = 0, expected a number from 1 to 16
// FEATURE: error: got feature 'wings' to disable, expected one of the chip's
// SHAPE: invalid.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'tile.make_range' op has a tensor of more than 1048576 elements, its sizes rounded up to powers of two
func.func @large() attributes {tile.kernel} {
  %r = tile.make_range 0 to 1048577 : tensor<1048577xi32>
  return
}
