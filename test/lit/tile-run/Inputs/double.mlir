// Doubles a matrix block by block.
func.func @double(%x: !tile.desc<4x16xf32>, %y: !tile.desc<4x16xf32>) attributes {tile.kernel} {
  %p = tile.program_id x
  %q = tile.program_id y
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %i = arith.muli %p, %c4 : i32
  %j = arith.muli %q, %c16 : i32
  %t = tile.desc_load %x[%i, %j] : !tile.desc<4x16xf32> -> tensor<4x16xf32>
  %u = arith.addf %t, %t : tensor<4x16xf32>
  tile.desc_store %y[%i, %j], %u : !tile.desc<4x16xf32>, tensor<4x16xf32>
  return
}
