// More numbers than a padding has are an error with a place, not a silent one.
// RUN: not tile-opt %s 2>&1 | FileCheck %s
// CHECK: shared-pad-invalid.mlir:4:71: error: got more than 2 numbers
#s = #tile_gpu.shared<1, offset = [[1], [2]], block = [], pad = [3,3, 1]>
