// loss[r] = log(sum(exp(logits[r, :]))) - logits[r, target[r]], and its gradient softmax - one-hot: one program a row of any
// length. A target of -100 counts nowhere: loss and gradient are 0.
//
//   tile-run examples/cross_entropy.mlir --device=cpu --kernel=cross_entropy --grid=16 --arg=f32[16,5000]=randn:1 \
//     --arg=i64[16]=rand:2:0:5000 --arg=f32[16]=zeros --arg=f32[16,5000]=zeros --arg=i32=5000 --out=2:loss.npy
//
// The largest logit and the sum of exponentials are kept for each of BLOCK places while the row is read once: where a larger
// one is met, the sum so far shrinks. The places are combined after the loop.
//
// tile.param BLOCK = 1024 in 256, 512, 1024, 2048, 4096
func.func @cross_entropy(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %target: !tile.ptr<i64>, %loss: !tile.ptr<f32>,
                         %dx: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant ${BLOCK} : i32
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %xrow = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %dxrow = tile.addptr %dx, %start : !tile.ptr<f32>, i64
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %dxs = tile.splat %dxrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %lane = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %low = arith.constant dense<0xFF800000> : tensor<${BLOCK}xf32>
  %least = arith.constant dense<-1.0e30> : tensor<${BLOCK}xf32>
  %zero = arith.constant dense<0.0> : tensor<${BLOCK}xf32>

  // Starting from a finite number, differences of it are never infinity minus infinity.
  %max, %sum = scf.for %k = %c0 to %n step %step iter_args(%m = %least, %s = %zero)
      -> (tensor<${BLOCK}xf32>, tensor<${BLOCK}xf32>) : i32 {
    %ks = tile.splat %k : tensor<${BLOCK}xi32>
    %column = arith.addi %ks, %lane : tensor<${BLOCK}xi32>
    %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
    %p = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
    %v = tile.load %p mask %in other %low : tensor<${BLOCK}x!tile.ptr<f32>>
    %m1 = arith.maxnumf %m, %v : tensor<${BLOCK}xf32>
    %down = arith.subf %m, %m1 : tensor<${BLOCK}xf32>
    %shrink = math.exp %down : tensor<${BLOCK}xf32>
    %kept = arith.mulf %s, %shrink : tensor<${BLOCK}xf32>
    %under = arith.subf %v, %m1 : tensor<${BLOCK}xf32>
    %e = math.exp %under : tensor<${BLOCK}xf32>
    %s1 = arith.addf %kept, %e : tensor<${BLOCK}xf32>
    scf.yield %m1, %s1 : tensor<${BLOCK}xf32>, tensor<${BLOCK}xf32>
  }
  %rowmax, %rowsum = tile.reduce %max, %sum axis = 0 : tensor<${BLOCK}xf32>, tensor<${BLOCK}xf32> -> f32, f32 {
  ^bb0(%ma: f32, %sa: f32, %mb: f32, %sb: f32):
    %m = arith.maxnumf %ma, %mb : f32
    %da = arith.subf %ma, %m : f32
    %db = arith.subf %mb, %m : f32
    %ea = math.exp %da : f32
    %eb = math.exp %db : f32
    %ta = arith.mulf %sa, %ea : f32
    %tb = arith.mulf %sb, %eb : f32
    %s = arith.addf %ta, %tb : f32
    tile.yield %m, %s : f32, f32
  }
  %log = math.log %rowsum : f32
  %logsum = arith.addf %rowmax, %log : f32

  %ptarget = tile.addptr %target, %row : !tile.ptr<i64>, i32
  %t = tile.load %ptarget : !tile.ptr<i64>
  %ignored = arith.constant -100 : i64
  %counts = arith.cmpi ne, %t, %ignored : i64
  %none = arith.constant 0.0 : f32
  %pt = tile.addptr %xrow, %t : !tile.ptr<f32>, i64
  %logit = tile.load %pt mask %counts other %none : !tile.ptr<f32>
  %difference = arith.subf %logsum, %logit : f32
  %value = arith.select %counts, %difference, %none : f32
  %ploss = tile.addptr %loss, %row : !tile.ptr<f32>, i32
  tile.store %ploss, %value : !tile.ptr<f32>

  %t32 = arith.trunci %t : i64 to i32
  %ts = tile.splat %t32 : tensor<${BLOCK}xi32>
  %logsums = tile.splat %logsum : tensor<${BLOCK}xf32>
  %one = arith.constant dense<1.0> : tensor<${BLOCK}xf32>
  scf.for %k = %c0 to %n step %step : i32 {
    %ks = tile.splat %k : tensor<${BLOCK}xi32>
    %column = arith.addi %ks, %lane : tensor<${BLOCK}xi32>
    %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
    %p = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
    %v = tile.load %p mask %in other %low : tensor<${BLOCK}x!tile.ptr<f32>>
    %under = arith.subf %v, %logsums : tensor<${BLOCK}xf32>
    %e = math.exp %under : tensor<${BLOCK}xf32>
    %hit = arith.cmpi eq, %column, %ts : tensor<${BLOCK}xi32>
    %less = arith.subf %e, %one : tensor<${BLOCK}xf32>
    %d = arith.select %hit, %less, %e : tensor<${BLOCK}xi1>, tensor<${BLOCK}xf32>
    %g = arith.select %counts, %d, %zero : tensor<${BLOCK}xf32>
    %q = tile.addptr %dxs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
    tile.store %q, %g mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
  }
  return
}
