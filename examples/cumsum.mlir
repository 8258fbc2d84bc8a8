// y[r, :] = running sum of x[r, :], forward or from the end: one program a row of any length, BLOCK elements at a time; the sum
// so far goes from block to block.
//
//   tile-run examples/cumsum.mlir --device=cpu --kernel=cumsum --grid=8 --arg=f32[8,3000]=randn:1 --arg=f32[8,3000]=zeros \
//     --arg=i32=3000 --out=1:y.npy
//
// tile.param BLOCK = 1024 in 128, 256, 512, 1024, 2048
func.func @cumsum(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant ${BLOCK} : i32
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %xrow = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %yrow = tile.addptr %y, %start : !tile.ptr<f32>, i64
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %ys = tile.splat %yrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %lane = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %none = arith.constant dense<0.0> : tensor<${BLOCK}xf32>
  %zero = arith.constant 0.0 : f32
  %total = scf.for %k = %c0 to %n step %step iter_args(%before = %zero) -> (f32) : i32 {
    %ks = tile.splat %k : tensor<${BLOCK}xi32>
    %column = arith.addi %ks, %lane : tensor<${BLOCK}xi32>
    %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
    %px = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
    %v = tile.load %px mask %in other %none : tensor<${BLOCK}x!tile.ptr<f32>>
    %running = tile.scan %v axis = 0 : tensor<${BLOCK}xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %sum = tile.reduce %v axis = 0 : tensor<${BLOCK}xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %offset = tile.splat %before : tensor<${BLOCK}xf32>
    %result = arith.addf %running, %offset : tensor<${BLOCK}xf32>
    %py = tile.addptr %ys, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
    tile.store %py, %result mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
    %after = arith.addf %before, %sum : f32
    scf.yield %after : f32
  }
  return
}

// Sums from the end of a row of n <= BLOCK columns.
func.func @cumsum_reverse(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                          %n: i32) attributes {tile.kernel} {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %xrow = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %yrow = tile.addptr %y, %start : !tile.ptr<f32>, i64
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %ys = tile.splat %yrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
  %none = arith.constant dense<0.0> : tensor<${BLOCK}xf32>
  %px = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %v = tile.load %px mask %in other %none : tensor<${BLOCK}x!tile.ptr<f32>>
  %running = tile.scan %v axis = 0 reverse : tensor<${BLOCK}xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %py = tile.addptr %ys, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  tile.store %py, %running mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
  return
}
