// Offsets of 8 and 16 bits are signed: elements before and behind a pointer into the middle of a buffer.
// RUN: %S/Inputs/agree %s "1 2" --arg=f32[256]=zeros --arg=i16[256]=zeros
// RUN: tile-translate %s --target=gfx942 --emit=hsaco -o %t.hsaco
// RUN: tile-translate %s --target=sm_90 --emit=ptx -o %t.ptx

func.func @around(%x: !tile.ptr<f32>, %y: !tile.ptr<i16>) attributes {tile.kernel} {
  %middle = arith.constant 128 : i32
  %mx = tile.addptr %x, %middle : !tile.ptr<f32>, i32
  %my = tile.addptr %y, %middle : !tile.ptr<i16>, i32
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %bytes = arith.trunci %r : tensor<256xi32> to tensor<256xi8>
  %from = arith.constant dense<128> : tensor<256xi32>
  %around = arith.subi %r, %from : tensor<256xi32>
  %halves = arith.trunci %around : tensor<256xi32> to tensor<256xi16>
  %f = arith.sitofp %r : tensor<256xi32> to tensor<256xf32>
  %xs = tile.splat %mx : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %bytes : tensor<256x!tile.ptr<f32>>, tensor<256xi8>
  tile.store %px, %f : tensor<256x!tile.ptr<f32>>
  %ys = tile.splat %my : tensor<256x!tile.ptr<i16>>
  %py = tile.addptr %ys, %halves : tensor<256x!tile.ptr<i16>>, tensor<256xi16>
  tile.store %py, %halves : tensor<256x!tile.ptr<i16>>
  return
}
