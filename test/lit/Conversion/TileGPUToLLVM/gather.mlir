// Gathers along each axis, of bytes, of flags and in a loop.
// RUN: %S/Inputs/agree %s "1 4" --kernel=rows --arg=f16[2048]=randn:1 --arg=i64[1024]=rand:2:0:64 --arg=f16[1024]=zeros
// RUN: %S/Inputs/agree %s "2 8" --kernel=columns --arg=i8[512]=rand:3 --arg=i8[2048]=rand:4:0:16 --arg=i8[2048]=zeros
// RUN: %S/Inputs/agree %s "1 4" --kernel=flags --arg=i32[256]=rand:5:0:8 --arg=i1[256]=zeros
// RUN: %S/Inputs/agree %s "4" --kernel=chase --arg=i32[128]=rand:6:0:128 --arg=i32[128]=zeros

func.func @rows(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %i: !tile.ptr<i64> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16>) attributes {tile.kernel} {
  %a = tile.make_range 0 to 2048 : tensor<2048xi32>
  %b = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xi = tile.reshape %a : tensor<2048xi32> -> tensor<32x64xi32>
  %ii = tile.reshape %b : tensor<1024xi32> -> tensor<32x32xi32>
  %xs = tile.splat %x : tensor<32x64x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %xi : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %xp : tensor<32x64x!tile.ptr<f16>>
  %is = tile.splat %i : tensor<32x32x!tile.ptr<i64>>
  %ip = tile.addptr %is, %ii : tensor<32x32x!tile.ptr<i64>>, tensor<32x32xi32>
  %k = tile.load %ip : tensor<32x32x!tile.ptr<i64>>
  %y = tile.gather %v, %k axis = 1 : tensor<32x64xf16>, tensor<32x32xi64> -> tensor<32x32xf16>
  %os = tile.splat %o : tensor<32x32x!tile.ptr<f16>>
  %op = tile.addptr %os, %ii : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  tile.store %op, %y : tensor<32x32x!tile.ptr<f16>>
  return
}

// The source is read along its columns.
func.func @columns(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %i: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %o: !tile.ptr<i8> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %a = tile.make_range 0 to 512 : tensor<512xi32>
  %b = tile.make_range 0 to 2048 : tensor<2048xi32>
  %xt = tile.reshape %a : tensor<512xi32> -> tensor<32x16xi32>
  %xi = tile.trans %xt order = [1, 0] : tensor<32x16xi32> -> tensor<16x32xi32>
  %ii = tile.reshape %b : tensor<2048xi32> -> tensor<64x32xi32>
  %xs = tile.splat %x : tensor<16x32x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %xi : tensor<16x32x!tile.ptr<i8>>, tensor<16x32xi32>
  %v = tile.load %xp : tensor<16x32x!tile.ptr<i8>>
  %is = tile.splat %i : tensor<64x32x!tile.ptr<i8>>
  %ip = tile.addptr %is, %ii : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
  %k = tile.load %ip : tensor<64x32x!tile.ptr<i8>>
  %y = tile.gather %v, %k axis = 0 : tensor<16x32xi8>, tensor<64x32xi8> -> tensor<64x32xi8>
  %os = tile.splat %o : tensor<64x32x!tile.ptr<i8>>
  %op = tile.addptr %os, %ii : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
  tile.store %op, %y : tensor<64x32x!tile.ptr<i8>>
  return
}

// Many threads hold copies of the source.
func.func @flags(%i: !tile.ptr<i32>, %o: !tile.ptr<i1>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 8 : tensor<8xi32>
  %three = arith.constant dense<3> : tensor<8xi32>
  %v = arith.cmpi sgt, %r, %three : tensor<8xi32>
  %q = tile.make_range 0 to 256 : tensor<256xi32>
  %is = tile.splat %i : tensor<256x!tile.ptr<i32>>
  %ip = tile.addptr %is, %q : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %k = tile.load %ip : tensor<256x!tile.ptr<i32>>
  %y = tile.gather %v, %k axis = 0 : tensor<8xi1>, tensor<256xi32> -> tensor<256xi1>
  %os = tile.splat %o : tensor<256x!tile.ptr<i1>>
  %op = tile.addptr %os, %q : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
  tile.store %op, %y : tensor<256x!tile.ptr<i1>>
  return
}

// The scratch is written again in each iteration, after all have read it.
func.func @chase(%i: !tile.ptr<i32>, %o: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %q = tile.make_range 0 to 128 : tensor<128xi32>
  %is = tile.splat %i : tensor<128x!tile.ptr<i32>>
  %ip = tile.addptr %is, %q : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %k = tile.load %ip : tensor<128x!tile.ptr<i32>>
  %y = scf.for %t = %c0 to %c5 step %c1 iter_args(%at = %q) -> (tensor<128xi32>) : i32 {
    %n = tile.gather %k, %at axis = 0 : tensor<128xi32>, tensor<128xi32> -> tensor<128xi32>
    %m = tile.gather %n, %k axis = 0 : tensor<128xi32>, tensor<128xi32> -> tensor<128xi32>
    scf.yield %m : tensor<128xi32>
  }
  %os = tile.splat %o : tensor<128x!tile.ptr<i32>>
  %op = tile.addptr %os, %q : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %op, %y : tensor<128x!tile.ptr<i32>>
  return
}
