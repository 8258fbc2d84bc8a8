// y = (x - mean) / sqrt(variance + eps) * w + b for each row of n <= BLOCK columns, and its gradient. f16 in memory, f32
// inside; one program a row.
//
//   tile-run examples/layer_norm.mlir --device=cpu --kernel=layer_norm --grid=64 --arg=f16[64,781]=randn:1 \
//     --arg=f16[781]=rand:2 --arg=f16[781]=rand:3 --arg=f16[64,781]=zeros --arg=f32[64]=zeros --arg=f32[64]=zeros \
//     --arg=i32=781 --arg=f32=1e-5 --out=3:y.npy
//
// layer_norm keeps mean and 1 / sqrt(variance + eps) of each row; layer_norm_backward takes them and the gradient dy, and
// gives dx; dw and db, which have to start as zeros, are summed over the rows by atomic additions.
//
// tile.param BLOCK = 1024 in 256, 512, 1024, 2048, 4096, 8192
func.func private @sum(%v: tensor<${BLOCK}xf32>) -> f32 {
  %s = tile.reduce %v axis = 0 : tensor<${BLOCK}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  return %s : f32
}

func.func private @load(%p: !tile.ptr<f16>, %in: tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32> {
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %zero = arith.constant dense<0.0> : tensor<${BLOCK}xf16>
  %ps = tile.splat %p : tensor<${BLOCK}x!tile.ptr<f16>>
  %q = tile.addptr %ps, %column : tensor<${BLOCK}x!tile.ptr<f16>>, tensor<${BLOCK}xi32>
  %v = tile.load %q mask %in other %zero : tensor<${BLOCK}x!tile.ptr<f16>>
  %w = arith.extf %v : tensor<${BLOCK}xf16> to tensor<${BLOCK}xf32>
  return %w : tensor<${BLOCK}xf32>
}

func.func private @store(%p: !tile.ptr<f16>, %v: tensor<${BLOCK}xf32>, %in: tensor<${BLOCK}xi1>) {
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %ps = tile.splat %p : tensor<${BLOCK}x!tile.ptr<f16>>
  %q = tile.addptr %ps, %column : tensor<${BLOCK}x!tile.ptr<f16>>, tensor<${BLOCK}xi32>
  %h = arith.truncf %v : tensor<${BLOCK}xf32> to tensor<${BLOCK}xf16>
  tile.store %q, %h mask %in : tensor<${BLOCK}x!tile.ptr<f16>>
  return
}

func.func @layer_norm(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                      %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                      %mean: !tile.ptr<f32>, %rstd: !tile.ptr<f32>, %n: i32, %eps: f32) attributes {tile.kernel} {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
  %nf = arith.sitofp %n : i32 to f32

  %xrow = tile.addptr %x, %start : !tile.ptr<f16>, i64
  %v = func.call @load(%xrow, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32>
  %total = func.call @sum(%v) : (tensor<${BLOCK}xf32>) -> f32
  %m = arith.divf %total, %nf : f32
  %ms = tile.splat %m : tensor<${BLOCK}xf32>
  %centred = arith.subf %v, %ms : tensor<${BLOCK}xf32>
  %zero = arith.constant dense<0.0> : tensor<${BLOCK}xf32>
  %d = arith.select %in, %centred, %zero : tensor<${BLOCK}xi1>, tensor<${BLOCK}xf32>
  %d2 = arith.mulf %d, %d : tensor<${BLOCK}xf32>
  %squares = func.call @sum(%d2) : (tensor<${BLOCK}xf32>) -> f32
  %variance = arith.divf %squares, %nf : f32
  %above = arith.addf %variance, %eps : f32
  %r = math.rsqrt %above : f32

  %pmean = tile.addptr %mean, %row : !tile.ptr<f32>, i32
  tile.store %pmean, %m : !tile.ptr<f32>
  %prstd = tile.addptr %rstd, %row : !tile.ptr<f32>, i32
  tile.store %prstd, %r : !tile.ptr<f32>

  %weight = func.call @load(%w, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32>
  %bias = func.call @load(%b, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32>
  %rs = tile.splat %r : tensor<${BLOCK}xf32>
  %normal = arith.mulf %d, %rs : tensor<${BLOCK}xf32>
  %scaled = arith.mulf %normal, %weight : tensor<${BLOCK}xf32>
  %result = arith.addf %scaled, %bias : tensor<${BLOCK}xf32>
  %yrow = tile.addptr %y, %start : !tile.ptr<f16>, i64
  func.call @store(%yrow, %result, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xf32>, tensor<${BLOCK}xi1>) -> ()
  return
}

func.func @layer_norm_backward(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                               %dy: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %mean: !tile.ptr<f32>, %rstd: !tile.ptr<f32>,
                               %dx: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %dw: !tile.ptr<f32>, %db: !tile.ptr<f32>,
                               %n: i32) attributes {tile.kernel} {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
  %nf = arith.sitofp %n : i32 to f32

  %xrow = tile.addptr %x, %start : !tile.ptr<f16>, i64
  %v = func.call @load(%xrow, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32>
  %dyrow = tile.addptr %dy, %start : !tile.ptr<f16>, i64
  %g = func.call @load(%dyrow, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32>
  %weight = func.call @load(%w, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xi1>) -> tensor<${BLOCK}xf32>
  %pmean = tile.addptr %mean, %row : !tile.ptr<f32>, i32
  %m = tile.load %pmean : !tile.ptr<f32>
  %prstd = tile.addptr %rstd, %row : !tile.ptr<f32>, i32
  %r = tile.load %prstd : !tile.ptr<f32>

  // dx = (w dy - mean(w dy) - normal * mean(w dy * normal)) / deviation
  %ms = tile.splat %m : tensor<${BLOCK}xf32>
  %rs = tile.splat %r : tensor<${BLOCK}xf32>
  %zero = arith.constant dense<0.0> : tensor<${BLOCK}xf32>
  %centred = arith.subf %v, %ms : tensor<${BLOCK}xf32>
  %all = arith.mulf %centred, %rs : tensor<${BLOCK}xf32>
  %normal = arith.select %in, %all, %zero : tensor<${BLOCK}xi1>, tensor<${BLOCK}xf32>
  %wg = arith.mulf %weight, %g : tensor<${BLOCK}xf32>
  %wgn = arith.mulf %wg, %normal : tensor<${BLOCK}xf32>
  %sum1 = func.call @sum(%wgn) : (tensor<${BLOCK}xf32>) -> f32
  %sum2 = func.call @sum(%wg) : (tensor<${BLOCK}xf32>) -> f32
  %mean1 = arith.divf %sum1, %nf : f32
  %mean2 = arith.divf %sum2, %nf : f32
  %along = tile.splat %mean1 : tensor<${BLOCK}xf32>
  %shift = tile.splat %mean2 : tensor<${BLOCK}xf32>
  %part = arith.mulf %normal, %along : tensor<${BLOCK}xf32>
  %less = arith.subf %wg, %part : tensor<${BLOCK}xf32>
  %least = arith.subf %less, %shift : tensor<${BLOCK}xf32>
  %result = arith.mulf %least, %rs : tensor<${BLOCK}xf32>
  %dxrow = tile.addptr %dx, %start : !tile.ptr<f16>, i64
  func.call @store(%dxrow, %result, %in) : (!tile.ptr<f16>, tensor<${BLOCK}xf32>, tensor<${BLOCK}xi1>) -> ()

  %gn = arith.mulf %g, %normal : tensor<${BLOCK}xf32>
  %dws = tile.splat %dw : tensor<${BLOCK}x!tile.ptr<f32>>
  %pdw = tile.addptr %dws, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %old1 = tile.atomic_rmw fadd %pdw, %gn mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
  %dbs = tile.splat %db : tensor<${BLOCK}x!tile.ptr<f32>>
  %pdb = tile.addptr %dbs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %old2 = tile.atomic_rmw fadd %pdb, %g mask %in : tensor<${BLOCK}x!tile.ptr<f32>>
  return
}
