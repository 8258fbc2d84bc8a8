// Sums and products with their upper part as a second result.
// RUN: %S/Inputs/agree %s "1" --kernel=words --arg=i64[64]=rand:1 --arg=i64[64]=rand:2 --arg=i64[64]=zeros --arg=i32[64]=zeros
// RUN: %S/Inputs/agree %s "1" --kernel=bits --arg=i1[12]=zeros

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

// All pairs of one bit.
func.func @bits(%out: !tile.ptr<i1>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4 : tensor<4xi32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %half = arith.shrui %r, %one : tensor<4xi32>
  %a = arith.trunci %r : tensor<4xi32> to tensor<4xi1>
  %b = arith.trunci %half : tensor<4xi32> to tensor<4xi1>
  %low, %high = arith.mulsi_extended %a, %b : tensor<4xi1>
  %ulow, %uhigh = arith.mului_extended %a, %b : tensor<4xi1>
  %sum, %carry = arith.addui_extended %low, %ulow : tensor<4xi1>, tensor<4xi1>
  %four = arith.constant 4 : i32
  %p = tile.splat %out : tensor<4x!tile.ptr<i1>>
  %p0 = tile.addptr %p, %r : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  %next = tile.splat %four : tensor<4xi32>
  %p1 = tile.addptr %p0, %next : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  %p2 = tile.addptr %p1, %next : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  tile.store %p0, %high : tensor<4x!tile.ptr<i1>>
  tile.store %p1, %uhigh : tensor<4x!tile.ptr<i1>>
  tile.store %p2, %carry : tensor<4x!tile.ptr<i1>>
  return
}
