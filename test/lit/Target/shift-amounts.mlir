// A shift by 64 or more is 0, by 2^32 + 1 too: LLVM's NVPTX back end would drop the comparison and half of the amount.
// RUN: tile-translate %s --target=sm_90a --emit=ptx --kernel=wide | FileCheck %s
// RUN: tile-translate %s --target=sm_80 --emit=ptx --kernel=wide --opt-level=0 | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --emit=ptx --kernel=narrow | FileCheck %s --check-prefix=NARROW
// RUN: tile-run %s --device=sim --target=sm_90a --kernel=wide --against=cpu --grid=1 --arg=i64[2]=fill:4294967297 --arg=i64[2]=zeros

// CHECK-DAG: min.u64 [[A:%rd[0-9]+]], %{{.*}}, 63
// CHECK-DAG: cvt.u32.u64 [[N:%r[0-9]+]], [[A]]
// CHECK-DAG: shl.b64 [[X:%rd[0-9]+]], %{{.*}}, [[N]]
// CHECK: selp.b64 %{{.*}}, [[X]], 0
func.func @wide(%x: !tile.ptr<i64>, %y: !tile.ptr<i64>) attributes {tile.kernel} {
  %v = tile.load %x : !tile.ptr<i64>
  %w = arith.shli %v, %v : i64
  tile.store %y, %w : !tile.ptr<i64>
  return
}

// NARROW-NOT: min.u
// NARROW: shr.u32
func.func @narrow(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %v = tile.load %x : !tile.ptr<i32>
  %n = arith.constant -7 : i32
  %w = arith.shrui %n, %v : i32
  tile.store %y, %w : !tile.ptr<i32>
  return
}
