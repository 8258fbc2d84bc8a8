// --auto: what the cost rule takes for one kernel at several sizes, what fixes a choice, what is refused.
// The choices themselves may change with the rule; what holds for any sensible one is checked.

// RUN: tile-translate %examples/matmul.mlir --target=sm_90a --emit=manifest --auto=m=4096,n=4096,k=4096 | FileCheck %s --check-prefix=LARGE
// LARGE: "num_warps": 8
// LARGE: "programs": [
// LARGE-NEXT: "min(ceildiv(m, 128 * {{[124]}}) * ceildiv(n, {{[0-9]+}} * {{[124]}}) * 1, (processors - processors / 11 * min(1 * {{.*}}
// LARGE: "choice": {
// LARGE-DAG: "BM": "128"
// LARGE-DAG: "BN": "{{(192|208|224|256)}}"
// LARGE-DAG: "SPLIT": "1"

// Few rows: small blocks.
// RUN: tile-translate %examples/matmul.mlir --target=sm_90a --emit=manifest --auto=m=16,n=4096,k=4096 | FileCheck %s --check-prefix=SMALL
// SMALL: "choice": {
// SMALL-DAG: "BM": "{{(16|32|48|64)}}"

// -D and --num-warps fix a value.
// RUN: tile-translate %examples/matmul.mlir --target=sm_90a --emit=manifest --auto=m=8192,n=8192,k=8192 -D BM=64 --num-warps=4 \
// RUN:   | FileCheck %s --check-prefix=FIXED
// FIXED: "num_warps": 4
// FIXED: "BM": "64"

// Chips without warp groups or clusters.
// RUN: tile-translate %examples/matmul.mlir --target=sm_80 --emit=manifest --auto=m=512,n=512,k=512 | FileCheck %s --check-prefix=OTHER
// RUN: tile-translate %examples/matmul.mlir --target=gfx942 --emit=manifest --auto=m=512,n=512,k=512 | FileCheck %s --check-prefix=OTHER
// OTHER: "choice": {
// OTHER-DAG: "SPLIT": "1"

// Few blocks with long K: programs share them out through memory. Rows that do not start at lines, of B [K, N] too (tile.row): clusters.
// RUN: tile-translate %examples/matmul.mlir --target=sm_90a --emit=manifest --auto=m=192,n=2048,k=16384 | FileCheck %s --check-prefix=LONG
// LONG: "choice": {
// LONG-DAG: "STREAM": "4"
// So do clusters, where rows do not start at lines, and blocks of a cluster where there are very few.
// RUN: tile-translate %examples/matmul_kn.mlir --target=sm_90a --emit=manifest --auto=m=240,n=808,k=7720 | FileCheck %s --check-prefix=BOTH
// BOTH: "choice": {
// BOTH: "COLUMNS": "{{[24]}}"
// BOTH-NEXT: "STREAM": "4"
// RUN: tile-translate %examples/matmul_kn.mlir --target=sm_90a --emit=manifest --auto=m=176,n=40,k=6168 | FileCheck %s --check-prefix=FEW
// FEW: "choice": {
// FEW: "SPLIT": "8"
// RUN: tile-translate %examples/matmul_kn.mlir --target=sm_90a --emit=manifest --auto=m=280,n=7528,k=8208 | FileCheck %s --check-prefix=LINES
// LINES: "choice": {
// LINES-DAG: "BLOCKS": "{{[24]}}"

// Rows that start at any element, through pointers: large blocks, which need fewer boxes of the copy engine, and where there are few of
// them small ones. Both ways of the second factor; of even rows the same text has other choices, by what a block asks for.
// DEFINE: %{rows} = tile-translate %examples/matmul_pointers.mlir --target=sm_90a --emit=manifest
// RUN: %{rows} --auto=m=4095,n=4097,k=4111,lda=4111,ldb=4111,ldc=4097 | FileCheck %s --check-prefix=ODD
// RUN: %{rows} -D ALONG_K=%ldb -D ALONG_N=%one --auto=m=4095,n=4097,k=4111,lda=4111,ldb=4097,ldc=4097 | FileCheck %s --check-prefix=ODD
// One factor with such rows has the other come like it.
// RUN: %{rows} -D ALONG_K=%ldb -D ALONG_N=%one --auto=m=4096,n=4096,k=4090,lda=4090,ldb=4096,ldc=4096 | FileCheck %s --check-prefix=ODD
// ODD: "choice": {
// ODD-DAG: "BM": "{{(128|256)}}"
// ODD-DAG: "BN": "{{(128|256)}}"
// RUN: %{rows} --auto=m=1000,n=1001,k=1003,lda=1003,ldb=1003,ldc=1001 | FileCheck %s --check-prefix=FEWER
// RUN: %{rows} -D ALONG_K=%ldb -D ALONG_N=%one --auto=m=1000,n=1001,k=1003,lda=1003,ldb=1001,ldc=1001 | FileCheck %s --check-prefix=FEWER
// FEWER: "choice": {
// FEWER-DAG: "BM": "{{(64|128)}}"
// FEWER-DAG: "BN": "{{(64|128)}}"
// RUN: %{rows} --auto=m=513,n=515,k=4099,lda=4099,ldb=4099,ldc=515 | FileCheck %s --check-prefix=FEWEST
// FEWEST: "choice": {
// FEWEST-DAG: "BM": "64"
// FEWEST-DAG: "BN": "64"
// RUN: %{rows} --auto=m=3001,n=3001,k=3001,lda=3001,ldb=3001,ldc=3001 > %t.odd
// RUN: %{rows} --auto=m=3001,n=3001,k=3001,lda=3008,ldb=3008,ldc=3008 > %t.even
// RUN: not diff %t.odd %t.even | FileCheck %s --check-prefix=EVEN
// EVEN: {{"(BM|BN|NUM_WARPS|NUM_STAGES)"}}

// A loop that stores a row in blocks: the block is not wider than it has to be, and fulfils what is required.
// RUN: tile-translate %s --target=sm_90a --emit=manifest --auto=n=3000 | FileCheck %s --check-prefix=ROW
// ROW: "programs": [
// ROW-NEXT: "rows"
// ROW-NEXT: "processors + 4096 * 0"
// ROW-NEXT: "1"
// ROW: "BLOCK": "4096"

// RUN: not tile-translate %s --target=sm_90a --emit=manifest --auto=n=9000 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: auto.mlir: --auto: none of the combinations of declared values fulfils every tile.require{{$}}

// RUN: not tile-translate %s --emit=manifest --auto 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: --auto needs --target
// RUN: not tile-translate %s --target=sm_90a --emit=manifest --auto=n 2>&1 | FileCheck %s --check-prefix=PAIR
// PAIR: --auto: got 'n', expected NAME=NUMBER,... of scalar arguments

// RUN: sed 's/BLOCK >= n/BLOCK >= (n/' %s > %t.mlir
// RUN: not tile-translate %t.mlir --target=sm_90a --emit=manifest --auto=n=3000 2>&1 | FileCheck %s --check-prefix=EXPRESSION
// EXPRESSION: .mlir:{{[0-9]+}}:{{[0-9]+}}: error: malformed expression at its end, expected integers, names, ( )

// What no launch could evaluate is refused when the text is compiled, with --auto or without.
// RUN: sed 's/tile.grid = rows/tile.grid = row/' %s > %t.mlir
// RUN: not tile-translate %t.mlir --target=sm_90a --emit=ptx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: .mlir:{{[0-9]+}}:16: error: unknown name at 'row', expected a tile.param, a number among the arguments of a kernel or 'processors'
// RUN: sed 's/tile.grid = rows,/tile.grid = rows, 1, 1,/' %s > %t.mlir
// RUN: not tile-translate %t.mlir --target=sm_90a --emit=ptx 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: tile.grid has 4 sizes, expected at most 3
// RUN: sed 's/tile.grid = rows,/tile.grid = rows)/' %s > %t.mlir
// RUN: not tile-translate %t.mlir --target=sm_90a --emit=ptx 2>&1 | FileCheck %s --check-prefix=BRACKET
// BRACKET: error: malformed expression at ')

// RUN: sed 's/tile.row x/tile.row/' %s > %t.mlir
// RUN: not tile-translate %t.mlir --target=sm_90a --emit=manifest --auto=n=3000 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: .mlir:{{[0-9]+}}:4: error: malformed tile.row, expected 'NAME = ELEMENTS[, ROWS]'
// RUN: sed 's/NUM_WARPS = 4/NUM_WARPS = x/' %s > %t.mlir
// RUN: not tile-translate %t.mlir --target=sm_90a --emit=manifest 2>&1 | FileCheck %s --check-prefix=WARPS
// WARPS: auto.mlir{{.*}}:109:27: error: NUM_WARPS: got 'x', expected a number from 1

// tile.param BLOCK = 4096 in 1024, 2048, 4096, 8192
// tile.param NUM_WARPS = 4 in 4, 8
// tile.require BLOCK >= n
// tile.row x = n
// tile.grid = rows, processors + BLOCK * 0
func.func @twice(%x: !tile.ptr<f32>, %n: i32, %rows: i32) attributes {tile.kernel} {
  %row = tile.program_id x
  %start = arith.muli %row, %n : i32
  %base = tile.addptr %x, %start : !tile.ptr<f32>, i32
  %i = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %ns = tile.splat %n : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<${BLOCK}xi32>
  %ps = tile.splat %base : tensor<${BLOCK}x!tile.ptr<f32>>
  %p = tile.addptr %ps, %i : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %v = tile.load %p mask %mask : tensor<${BLOCK}x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<${BLOCK}xf32>
  tile.store %p, %w mask %mask : tensor<${BLOCK}x!tile.ptr<f32>>
  return
}
