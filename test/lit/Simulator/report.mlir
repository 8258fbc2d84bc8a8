// The sectors that the report predicts are those that the simulator counts: wide and narrow accesses, the columns of a
// matrix, and one address for all.
// RUN: tile-translate --target=sm_90a --num-warps=1 --emit=report %s | FileCheck %s --check-prefix=REPORT
// RUN: tile-run %s --device=sim --target=sm_90a --grid=1 --num-warps=1 --arg=f32[256]=iota --arg=f32[256]=zeros --stats | FileCheck %s --check-prefix=STATS
func.func @copies(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32})
    attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  // REPORT: report.mlir:[[#@LINE+2]]:8: load of
  // REPORT-NEXT: 2 accesses of 16 bytes, 16 sectors a request
  %v = tile.load %px : tensor<256x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<256x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  // REPORT: report.mlir:[[#@LINE+2]]:3: store of
  // REPORT-NEXT: 2 accesses of 16 bytes, 16 sectors a request
  tile.store %pz, %v : tensor<256x!tile.ptr<f32>>

  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %xs32 = tile.splat %x : tensor<32x!tile.ptr<f32>>
  %pr = tile.addptr %xs32, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  // REPORT: report.mlir:[[#@LINE+2]]:8: load of
  // REPORT-NEXT: 1 access of 4 bytes, 4 sectors a request
  %w = tile.load %pr : tensor<32x!tile.ptr<f32>>
  %eight = arith.constant dense<8> : tensor<32xi32>
  %s = arith.muli %r, %eight : tensor<32xi32>
  %zs32 = tile.splat %z : tensor<32x!tile.ptr<f32>>
  %ps = tile.addptr %zs32, %s : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  // REPORT: report.mlir:[[#@LINE+2]]:3: store of
  // REPORT-NEXT: 1 access of 4 bytes, 32 sectors a request
  tile.store %ps, %w : tensor<32x!tile.ptr<f32>>
  // REPORT: report.mlir:[[#@LINE+2]]:8: load of
  // REPORT-NEXT: 1 access of 4 bytes, 1 sector a request
  %u = tile.load %xs32 : tensor<32x!tile.ptr<f32>>
  tile.store %ps, %u : tensor<32x!tile.ptr<f32>>
  return
}
// STATS: accesses:
// STATS-NEXT: {{.*}}report.mlir:[[#@LINE-27]]:8 llvm.load, global load: 2 requests, 16.00 sectors a request
// STATS-NEXT: {{.*}}report.mlir:[[#@LINE-23]]:3 llvm.store, global store: 2 requests, 16.00 sectors a request
// STATS-NEXT: {{.*}}report.mlir:[[#@LINE-17]]:8 llvm.load, global load: 1 requests, 4.00 sectors a request
// STATS-NEXT: {{.*}}report.mlir:[[#@LINE-11]]:3 llvm.store, global store: 1 requests, 32.00 sectors a request
// STATS-NEXT: {{.*}}report.mlir:[[#@LINE-9]]:8 llvm.load, global load: 1 requests, 1.00 sectors a request
