// RUN: not tile-opt %s --tile-gpu-expand-math -o %t 2>&1 | FileCheck %s

// A chip that nobody knows ends the pass, whether or not anything is to be expanded.
// CHECK: error: 'builtin.module' op got 'tile_gpu.target' "sm_9", expected one of sm_80
module attributes {tile_gpu.target = "sm_9"} {
}
