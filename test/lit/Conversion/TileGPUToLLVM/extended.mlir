// Sums and products with their upper part as a second result.
// RUN: %S/Inputs/agree %s "1" --kernel=words --arg=i64[64]=rand:1 --arg=i64[64]=rand:2 --arg=i64[64]=zeros --arg=i32[64]=zeros

func.func @words(%x: !tile.ptr<i64>, %y: !tile.ptr<i64>, %z: !tile.ptr<i64>, %o: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<i64>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<i64>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  %zs = tile.splat %z : tensor<64x!tile.ptr<i64>>
  %zp = tile.addptr %zs, %r : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  %os = tile.splat %o : tensor<64x!tile.ptr<i32>>
  %op = tile.addptr %os, %r : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %a = tile.load %xp : tensor<64x!tile.ptr<i64>>
  %b = tile.load %yp : tensor<64x!tile.ptr<i64>>
  %low, %high = arith.mulsi_extended %a, %b : tensor<64xi64>
  %ulow, %uhigh = arith.mului_extended %a, %b : tensor<64xi64>
  %sum, %carry = arith.addui_extended %low, %ulow : tensor<64xi64>, tensor<64xi1>
  %c = arith.extui %carry : tensor<64xi1> to tensor<64xi32>
  tile.store %xp, %high : tensor<64x!tile.ptr<i64>>
  tile.store %yp, %uhigh : tensor<64x!tile.ptr<i64>>
  tile.store %zp, %sum : tensor<64x!tile.ptr<i64>>
  tile.store %op, %c : tensor<64x!tile.ptr<i32>>
  return
}
