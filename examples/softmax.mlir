// y[r, :] = softmax(x[r, :]): one program a row of n <= BLOCK columns, held in registers.
//
//   tile-run examples/softmax.mlir --device=cpu --kernel=softmax --grid=64 \
//     --arg=f32[64,781]=randn:1 --arg=f32[64,781]=zeros --arg=i32=781 --out=1:y.npy
//   tile-translate examples/softmax.mlir --target=sm_90a --emit=cubin -D BLOCK=1024 -o softmax.cubin
//
// Columns beyond n read as minus infinity, whose exponential is 0. A row with a NaN or plus infinity becomes NaN, and so
// does one of nothing but minus infinities.
//
// tile.param BLOCK = 1024 in 256, 512, 1024, 2048, 4096, 8192
func.func @softmax(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                   %n: i32) attributes {tile.kernel} {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %xrow = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %yrow = tile.addptr %y, %start : !tile.ptr<f32>, i64
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>

  %outside = arith.constant dense<0xFF800000> : tensor<${BLOCK}xf32>
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %v = tile.load %px mask %in other %outside : tensor<${BLOCK}x!tile.ptr<f32>>
  %max = tile.reduce %v axis = 0 : tensor<${BLOCK}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tile.yield %c : f32
  }
  %maxs = tile.splat %max : tensor<${BLOCK}xf32>
  %shifted = arith.subf %v, %maxs : tensor<${BLOCK}xf32>
  %e = math.exp %shifted : tensor<${BLOCK}xf32>
  %sum = tile.reduce %e axis = 0 : tensor<${BLOCK}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %sums = tile.splat %sum : tensor<${BLOCK}xf32>
  %p = arith.divf %e, %sums : tensor<${BLOCK}xf32>
  %ys = tile.splat %yrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  tile.store %py, %p mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
  return
}
