// y = x / sqrt(mean(x^2) + eps) * w for each row, bf16 in memory, f32 inside. A row may be longer than BLOCK: it is read twice.
//
//   tile-run examples/rms_norm.mlir --device=cpu --kernel=rms_norm --grid=16 --arg=bf16[16,5000]=randn:1 \
//     --arg=bf16[5000]=rand:2 --arg=bf16[16,5000]=zeros --arg=i32=5000 --arg=f32=1e-6 --out=2:y.npy
//
// Each thread sums its own squares over the blocks; only after the loop the threads' sums are added up.
//
// tile.param BLOCK = 1024 in 256, 512, 1024, 2048, 4096
func.func @rms_norm(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                    %y: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %n: i32, %eps: f32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant ${BLOCK} : i32
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %xrow = tile.addptr %x, %start : !tile.ptr<bf16>, i64
  %yrow = tile.addptr %y, %start : !tile.ptr<bf16>, i64
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<bf16>>
  %ws = tile.splat %w : tensor<${BLOCK}x!tile.ptr<bf16>>
  %ys = tile.splat %yrow : tensor<${BLOCK}x!tile.ptr<bf16>>
  %lane = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %none = arith.constant dense<0.0> : tensor<${BLOCK}xbf16>
  %zero = arith.constant dense<0.0> : tensor<${BLOCK}xf32>

  %squares = scf.for %k = %c0 to %n step %step iter_args(%s = %zero) -> (tensor<${BLOCK}xf32>) : i32 {
    %ks = tile.splat %k : tensor<${BLOCK}xi32>
    %column = arith.addi %ks, %lane : tensor<${BLOCK}xi32>
    %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
    %p = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<bf16>>, tensor<${BLOCK}xi32>
    %h = tile.load %p mask %in other %none : tensor<${BLOCK}x!tile.ptr<bf16>>
    %v = arith.extf %h : tensor<${BLOCK}xbf16> to tensor<${BLOCK}xf32>
    %v2 = arith.mulf %v, %v : tensor<${BLOCK}xf32>
    %t = arith.addf %s, %v2 : tensor<${BLOCK}xf32>
    scf.yield %t : tensor<${BLOCK}xf32>
  }
  %sum = tile.reduce %squares axis = 0 : tensor<${BLOCK}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %nf = arith.sitofp %n : i32 to f32
  %mean = arith.divf %sum, %nf : f32
  %above = arith.addf %mean, %eps : f32
  %r = math.rsqrt %above : f32
  %rs = tile.splat %r : tensor<${BLOCK}xf32>

  scf.for %k = %c0 to %n step %step : i32 {
    %ks = tile.splat %k : tensor<${BLOCK}xi32>
    %column = arith.addi %ks, %lane : tensor<${BLOCK}xi32>
    %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
    %px = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<bf16>>, tensor<${BLOCK}xi32>
    %hx = tile.load %px mask %in other %none : tensor<${BLOCK}x!tile.ptr<bf16>>
    %pw = tile.addptr %ws, %column : tensor<${BLOCK}x!tile.ptr<bf16>>, tensor<${BLOCK}xi32>
    %hw = tile.load %pw mask %in other %none : tensor<${BLOCK}x!tile.ptr<bf16>>
    %v = arith.extf %hx : tensor<${BLOCK}xbf16> to tensor<${BLOCK}xf32>
    %weight = arith.extf %hw : tensor<${BLOCK}xbf16> to tensor<${BLOCK}xf32>
    %normal = arith.mulf %v, %rs : tensor<${BLOCK}xf32>
    %scaled = arith.mulf %normal, %weight : tensor<${BLOCK}xf32>
    %result = arith.truncf %scaled : tensor<${BLOCK}xf32> to tensor<${BLOCK}xbf16>
    %py = tile.addptr %ys, %column : tensor<${BLOCK}x!tile.ptr<bf16>>, tensor<${BLOCK}xi32>
    tile.store %py, %result mask %in : tensor<${BLOCK}x!tile.ptr<bf16>>
  }
  return
}
