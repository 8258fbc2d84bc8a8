// RUN: tile-translate --emit=tile %s | FileCheck %s -DVALUE=128
// RUN: tile-translate --emit=tile -D BM=64 %s | FileCheck %s -DVALUE=64
// RUN: tile-translate --emit=tile -DBM=1 -DBM=256 %s | FileCheck %s -DVALUE=256
// RUN: tile-translate --emit=tile -D XM=64 %s 2>&1 | FileCheck %s -DVALUE=128 --check-prefixes=WARNING,CHECK
// RUN: not tile-translate --emit=tile -D WIDTH=x %s 2>&1 | FileCheck %s --check-prefix=COLUMN

// tile.param BM = 128 in 64, 128, 256
// tile.param WIDTH = 32
// ${NOTHING} in a comment is left alone.
// WARNING: warning: {{.*}}params.mlir: -D XM: the file uses no {{.}}{XM}
// CHECK: func.func @k
// CHECK: arith.constant [[VALUE]] : i32
// Columns are those of the file as it was written.
// COLUMN: params.mlir:[[@LINE+2]]:30: error:
func.func @k(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %0 = arith.constant ${BM} : i${WIDTH}
  tile.store %p, %0 : !tile.ptr<i32>
  return
}
