// RUN: tile-translate --emit=tile %s | FileCheck %s -DVALUE=128 -DHALF=64
// RUN: tile-translate --emit=tile -D BM=64 %s | FileCheck %s -DVALUE=64 -DHALF=32
// RUN: tile-translate --emit=tile -DBM=1 -DBM=256 %s | FileCheck %s -DVALUE=256 -DHALF=128
// RUN: tile-translate --emit=tile -D XM=64 %s 2>&1 | FileCheck %s -DVALUE=128 -DHALF=64 --check-prefixes=WARNING,CHECK
// RUN: not tile-translate --emit=tile -D BM=x %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tile-translate --emit=tile -D LESS=16 %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tile-translate --emit=tile -D WIDTH=x %s 2>&1 | FileCheck %s --check-prefix=COLUMN

// tile.param BM = 128 in 64, 128, 256
// tile.param WIDTH = 32
// tile.param LESS = 24
// ${NOTHING} in a comment is left alone.
// WARNING: warning: {{.*}}params.mlir: -D XM: the file uses no {{.}}{XM}
// CHECK: func.func @k
// CHECK: arith.constant [[VALUE]] : i32
// CHECK: arith.constant [[HALF]] : i32
// CHECK: {{[$]}}{BM: }
// Columns are those of the file as it was written.
// COLUMN: params.mlir:[[@LINE+2]]:30: error:
func.func @k(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %0 = arith.constant ${BM} : i${WIDTH}
  // Numbers that follow from names; what is no expression is left alone.
  // NUMBER: params.mlir:[[@LINE+2]]:25: error: got a name without a number or an unknown function in 'BM * 4 / (LESS - 16)'
  // ZERO: params.mlir:[[@LINE+1]]:{{.*}}: error: got a malformed expression or a division by zero
  %1 = arith.constant ${BM * 4 / (LESS - 16)} : i${WIDTH}
  tile.store %p, %0 : !tile.ptr<i32>
  tile.store %p, %1 {note = "${BM: }"} : !tile.ptr<i32>
  return
}
