// Element-wise arithmetic: corner cases of docs/spec/numerics.md as the tool prints them.
// RUN: tile-run %s --kernel=integers --grid=1 --arg=i32[4]=file:%S/Inputs/divisors.npy --arg=i32=-2147483648 | FileCheck %s --check-prefix=INT
// RUN: tile-run %s --kernel=floats --grid=1 --arg=f16[4]=file:%S/Inputs/halves.npy | FileCheck %s --check-prefix=FLOAT

// INT: idx (0) q -2147483648
// INT: idx (1) q -2147483648
// INT: idx (2) q -1073741824
// INT: idx (3) q -67108864
// INT: idx (0) r 0
// INT: idx (1) r 0
// INT: idx (2) r 0
// INT: idx (3) r 0
// INT: idx (0) shl -2147483648
// INT: idx (1) shl 0
// INT: idx (2) shl 0
// INT: idx (3) shl 0
// INT: idx (0) sar -2147483648
// INT: idx (1) sar -1
// INT: idx (2) sar -536870912
// INT: idx (3) sar -1
func.func @integers(%p: !tile.ptr<i32>, %least: i32) attributes {tile.kernel} {
  %i = tile.make_range 0 to 4 : tensor<4xi32>
  %ps = tile.splat %p : tensor<4x!tile.ptr<i32>>
  %pi = tile.addptr %ps, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %d = tile.load %pi : tensor<4x!tile.ptr<i32>>
  %a = tile.splat %least : tensor<4xi32>
  %q = arith.divsi %a, %d : tensor<4xi32>
  tile.print "q " %q : tensor<4xi32>
  %r = arith.remsi %a, %d : tensor<4xi32>
  tile.print "r " %r : tensor<4xi32>
  %shl = arith.shli %a, %d : tensor<4xi32>
  tile.print "shl " %shl : tensor<4xi32>
  %sar = arith.shrsi %a, %d : tensor<4xi32>
  tile.print "sar " %sar : tensor<4xi32>
  return
}

// {inf, 510, -200, nan} to i8; to f8, which saturates; sums are rounded to f16.
// FLOAT: idx (0) i8 -1
// FLOAT: idx (1) i8 -2
// FLOAT: idx (2) i8 56
// FLOAT: idx (3) i8 0
// FLOAT: idx (0) f8 448
// FLOAT: idx (1) f8 448
// FLOAT: idx (2) f8 -192
// FLOAT: idx (3) f8 {{-?}}nan
// FLOAT: idx (0) sum inf
// FLOAT: idx (1) sum 510.25
// FLOAT: idx (2) sum -199.625
func.func @floats(%p: !tile.ptr<f16>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 4 : tensor<4xi32>
  %ps = tile.splat %p : tensor<4x!tile.ptr<f16>>
  %pi = tile.addptr %ps, %i : tensor<4x!tile.ptr<f16>>, tensor<4xi32>
  %x = tile.load %pi : tensor<4x!tile.ptr<f16>>
  %n = arith.fptosi %x : tensor<4xf16> to tensor<4xi8>
  tile.print "i8 " %n : tensor<4xi8>
  %e = tile.fp_to_fp %x : tensor<4xf16> -> tensor<4xf8E4M3FN>
  tile.print "f8 " %e : tensor<4xf8E4M3FN>
  %c = arith.constant dense<0.3333> : tensor<4xf16>
  %s = arith.addf %x, %c : tensor<4xf16>
  tile.print "sum " %s : tensor<4xf16>
  return
}
