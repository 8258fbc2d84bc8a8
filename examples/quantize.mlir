// Rows of n <= BLOCK numbers in 8 bits with one scale a row, the largest magnitude over what the format holds: int8 (127) and
// f8E4M3FN (448). q = round(x / scale), to nearest even.
//
//   tile-run examples/quantize.mlir --device=cpu --kernel=quantize_int8 --grid=16 --arg=f32[16,781]=randn:1 \
//     --arg=i8[16,781]=zeros --arg=f32[16]=zeros --arg=i32=781 --out=1:q.npy --out=2:scale.npy
//
// A row of zeros has scale 0 and becomes zeros. NaN counts for no scale and becomes 0 (int8) or stays NaN (f8).
//
// tile.param BLOCK = 1024 in 256, 512, 1024, 2048, 4096
func.func private @scaled(%x: !tile.ptr<f32>, %n: i32, %limit: f32) -> (f32, tensor<${BLOCK}xf32>, tensor<${BLOCK}xi1>, i64) {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %start = arith.muli %row64, %n64 : i64
  %xrow = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %end = tile.splat %n : tensor<${BLOCK}xi32>
  %in = arith.cmpi slt, %column, %end : tensor<${BLOCK}xi32>
  %none = arith.constant dense<0.0> : tensor<${BLOCK}xf32>
  %xs = tile.splat %xrow : tensor<${BLOCK}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %column : tensor<${BLOCK}x!tile.ptr<f32>>, tensor<${BLOCK}xi32>
  %v = tile.load %px mask %in other %none : tensor<${BLOCK}x!tile.ptr<f32>>
  %magnitude = math.absf %v : tensor<${BLOCK}xf32>
  %max = tile.reduce %magnitude axis = 0 : tensor<${BLOCK}xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tile.yield %c : f32
  }
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.divf %max, %limit : f32
  %flat = arith.cmpf oeq, %scale, %zero : f32
  %divisor = arith.select %flat, %one, %scale : f32
  %divisors = tile.splat %divisor : tensor<${BLOCK}xf32>
  %r = arith.divf %v, %divisors : tensor<${BLOCK}xf32>
  return %scale, %r, %in, %start : f32, tensor<${BLOCK}xf32>, tensor<${BLOCK}xi1>, i64
}

func.func private @store_scale(%scales: !tile.ptr<f32>, %scale: f32) {
  %row = tile.program_id x
  %p = tile.addptr %scales, %row : !tile.ptr<f32>, i32
  tile.store %p, %scale : !tile.ptr<f32>
  return
}

func.func @quantize_int8(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                         %scales: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %limit = arith.constant 127.0 : f32
  %scale, %r, %in, %start = func.call @scaled(%x, %n, %limit)
      : (!tile.ptr<f32>, i32, f32) -> (f32, tensor<${BLOCK}xf32>, tensor<${BLOCK}xi1>, i64)
  func.call @store_scale(%scales, %scale) : (!tile.ptr<f32>, f32) -> ()
  %whole = math.roundeven %r : tensor<${BLOCK}xf32>
  %i = arith.fptosi %whole : tensor<${BLOCK}xf32> to tensor<${BLOCK}xi8>
  %qrow = tile.addptr %q, %start : !tile.ptr<i8>, i64
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %qs = tile.splat %qrow : tensor<${BLOCK}x!tile.ptr<i8>>
  %pq = tile.addptr %qs, %column : tensor<${BLOCK}x!tile.ptr<i8>>, tensor<${BLOCK}xi32>
  tile.store %pq, %i mask %in : tensor<${BLOCK}x!tile.ptr<i8>>
  return
}

func.func @quantize_f8(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32},
                       %scales: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %limit = arith.constant 448.0 : f32
  %scale, %r, %in, %start = func.call @scaled(%x, %n, %limit)
      : (!tile.ptr<f32>, i32, f32) -> (f32, tensor<${BLOCK}xf32>, tensor<${BLOCK}xi1>, i64)
  func.call @store_scale(%scales, %scale) : (!tile.ptr<f32>, f32) -> ()
  %f = tile.fp_to_fp %r : tensor<${BLOCK}xf32> -> tensor<${BLOCK}xf8E4M3FN>
  %qrow = tile.addptr %q, %start : !tile.ptr<f8E4M3FN>, i64
  %column = tile.make_range 0 to ${BLOCK} : tensor<${BLOCK}xi32>
  %qs = tile.splat %qrow : tensor<${BLOCK}x!tile.ptr<f8E4M3FN>>
  %pq = tile.addptr %qs, %column : tensor<${BLOCK}x!tile.ptr<f8E4M3FN>>, tensor<${BLOCK}xi32>
  tile.store %pq, %f mask %in : tensor<${BLOCK}x!tile.ptr<f8E4M3FN>>
  return
}
