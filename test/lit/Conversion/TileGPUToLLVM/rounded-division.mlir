// Divisions that round down or up, and shifts of one bit: all pairs of 16 small divisors (0 and -1 among them) and 16
// dividends from the smallest to the largest i8.
// RUN: %S/Inputs/agree %s "1" --kernel=divisions --arg=i8[256]=zeros --arg=i8[256]=zeros --arg=i8[256]=zeros
// RUN: %S/Inputs/agree %s "1" --kernel=bits --arg=i1[4]=zeros --arg=i1[4]=zeros --arg=i1[4]=zeros

func.func @divisions(%f: !tile.ptr<i8>, %c: !tile.ptr<i8>, %u: !tile.ptr<i8>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %c4 = arith.constant dense<4> : tensor<256xi32>
  %c15 = arith.constant dense<15> : tensor<256xi32>
  %c8 = arith.constant dense<8> : tensor<256xi32>
  %c17 = arith.constant dense<17> : tensor<256xi32>
  %c128 = arith.constant dense<128> : tensor<256xi32>
  %high = arith.shrui %r, %c4 : tensor<256xi32>
  %scaled = arith.muli %high, %c17 : tensor<256xi32>
  %wideA = arith.subi %scaled, %c128 : tensor<256xi32>
  %low = arith.andi %r, %c15 : tensor<256xi32>
  %wideB = arith.subi %low, %c8 : tensor<256xi32>
  %a = arith.trunci %wideA : tensor<256xi32> to tensor<256xi8>
  %b = arith.trunci %wideB : tensor<256xi32> to tensor<256xi8>
  %down = arith.floordivsi %a, %b : tensor<256xi8>
  %upward = arith.ceildivsi %a, %b : tensor<256xi8>
  %uup = arith.ceildivui %a, %b : tensor<256xi8>
  %fs = tile.splat %f : tensor<256x!tile.ptr<i8>>
  %fp = tile.addptr %fs, %r : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  tile.store %fp, %down : tensor<256x!tile.ptr<i8>>
  %cs = tile.splat %c : tensor<256x!tile.ptr<i8>>
  %cp = tile.addptr %cs, %r : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  tile.store %cp, %upward : tensor<256x!tile.ptr<i8>>
  %us = tile.splat %u : tensor<256x!tile.ptr<i8>>
  %up = tile.addptr %us, %r : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  tile.store %up, %uup : tensor<256x!tile.ptr<i8>>
  return
}

func.func @bits(%x: !tile.ptr<i1>, %y: !tile.ptr<i1>, %z: !tile.ptr<i1>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4 : tensor<4xi32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %a = arith.trunci %r : tensor<4xi32> to tensor<4xi1>
  %half = arith.shrui %r, %one : tensor<4xi32>
  %b = arith.trunci %half : tensor<4xi32> to tensor<4xi1>
  %left = arith.shli %a, %b : tensor<4xi1>
  %signed = arith.shrsi %a, %b : tensor<4xi1>
  %unsigned = arith.shrui %a, %b : tensor<4xi1>
  %xs = tile.splat %x : tensor<4x!tile.ptr<i1>>
  %xp = tile.addptr %xs, %r : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  tile.store %xp, %left : tensor<4x!tile.ptr<i1>>
  %ys = tile.splat %y : tensor<4x!tile.ptr<i1>>
  %yp = tile.addptr %ys, %r : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  tile.store %yp, %signed : tensor<4x!tile.ptr<i1>>
  %zs = tile.splat %z : tensor<4x!tile.ptr<i1>>
  %zp = tile.addptr %zs, %r : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  tile.store %zp, %unsigned : tensor<4x!tile.ptr<i1>>
  return
}
