// The value is there, or comes never: the second timeout passes.
// RUN: %S/Inputs/agree %s "1 4" --kernel=poll --grid=2 --arg=i32[2]=iota --arg=i64=500 --arg=i32[512]=iota

func.func @poll(%flag: !tile.ptr<i32>, %ns: i64, %x: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c256 = arith.constant 256 : i32
  %next = tile.addptr %flag, %c1 : !tile.ptr<i32>, i32
  %a = tile.atomic_poll %flag, %c0 sem = acquire : !tile.ptr<i32>
  %b = tile.atomic_poll %next, %c1 timeout %ns sem = acquire scope = sys : !tile.ptr<i32>
  %c = tile.atomic_poll %next, %c0 timeout %ns : !tile.ptr<i32>
  %b2 = arith.extui %b : i1 to i32
  %c2 = arith.extui %c : i1 to i32
  %c4 = arith.addi %c2, %c2 : i32
  %both = arith.addi %b2, %c4 : i32
  %p = tile.program_id x
  %i = arith.muli %p, %c256 : i32
  %mine = tile.addptr %x, %i : !tile.ptr<i32>, i32
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %mine : tensor<256x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %v = tile.load %xp : tensor<256x!tile.ptr<i32>>
  %s = tile.splat %both : tensor<256xi32>
  %w = arith.addi %v, %s : tensor<256xi32>
  tile.store %xp, %w : tensor<256x!tile.ptr<i32>>
  return
}
