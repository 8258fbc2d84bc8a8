// RUN: not tile-opt %s --tile-check-legality 2>&1 | FileCheck %s
// CHECK: error: 'builtin.module' op got chip 'sm_77', which no operation was ever compiled for
module attributes {tile_gpu.target = "sm_77"} {}
