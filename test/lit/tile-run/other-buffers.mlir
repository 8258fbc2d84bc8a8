// A pipeline's buffers stand beside those of factors that are not copied: with both in mind there are fewer stages, not too much memory.
// The second factor lies across K and is transposed on its way; K is padded to 128.
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=8 --num-stages=2 --grid=1 --arg=f32[20000]=rand:1 --arg=f32[20000]=rand:2 \
// RUN:   --arg=f32[2048]=zeros --arg=i32=3 --against=cpu --atol=2e-2 --rtol=2e-3
// RUN: tile-translate %s --target=sm_80 --num-stages=4 --emit=ptx -o %t && tile-translate %s --target=gfx942 --emit=amdgcn -o %t
func.func @padded(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eighty = arith.constant 80 : i32
  %rows = arith.constant 64 : i32
  %columns = arith.constant 240 : i32
  %width = arith.constant 32 : i32
  %one64 = arith.constant 1 : i64
  %lead = arith.constant 240 : i64
  %narrow = arith.constant 32 : i64
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %none) -> (tensor<64x32xf32>) : i32 {
    %at = arith.muli %k, %eighty : i32
    %da = tile.make_desc %a shape [%rows, %columns] strides [%lead, %one64] : !tile.desc<64x80xf32>
    %x = tile.desc_load %da[%zero, %at] : !tile.desc<64x80xf32> -> tensor<64x80xf32>
    %db = tile.make_desc %b shape [%columns, %width] strides [%narrow, %one64] : !tile.desc<80x32xf32>
    %y = tile.desc_load %db[%at, %zero] : !tile.desc<80x32xf32> -> tensor<80x32xf32>
    %d = tile.dot %x, %y, %acc precision = tf32 : tensor<64x80xf32> * tensor<80x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  } {tile.num_stages = 4 : i32}
  %dc = tile.make_desc %c shape [%rows, %width] strides [%narrow, %one64] : !tile.desc<64x32xf32>
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x32xf32>, tensor<64x32xf32>
  return
}
