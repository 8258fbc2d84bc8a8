// y = x / (1 - p) where a random number in [0, 1) is at least p, else 0. The number of element i is that of counter (i, 0, 0, 0)
// in the generator Philox 4x32-10 with the seed as its key (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3",
// 2011), so that the backward pass makes the same ones instead of loading a mask.
//
//   tile-run examples/dropout.mlir --device=cpu --kernel=dropout --grid=10 --arg=f32[10000]=randn:1 --arg=f32[10000]=zeros \
//     --arg=i32=10000 --arg=f32=0.25 --arg=i64=42 --out=1:y.npy
func.func @dropout(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                   %n: i32, %p: f32, %seed: i64) attributes {tile.kernel} {
  %size = arith.constant 1024 : i32
  %program = tile.program_id x
  %first = arith.muli %program, %size : i32
  %firsts = tile.splat %first : tensor<1024xi32>
  %range = tile.make_range 0 to 1024 : tensor<1024xi32>
  %i = arith.addi %firsts, %range : tensor<1024xi32>
  %end = tile.splat %n : tensor<1024xi32>
  %in = arith.cmpi slt, %i, %end : tensor<1024xi32>

  // Ten rounds: two products of 64 bits, whose halves are exchanged and mixed with the key.
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %bits32 = arith.constant 32 : i64
  %high = arith.shrui %seed, %bits32 : i64
  %key0 = arith.trunci %seed : i64 to i32
  %key1 = arith.trunci %high : i64 to i32
  %step0 = arith.constant 0x9E3779B9 : i32
  %step1 = arith.constant 0xBB67AE85 : i32
  %factor0 = arith.constant dense<0xD2511F53> : tensor<1024xi32>
  %factor1 = arith.constant dense<0xCD9E8D57> : tensor<1024xi32>
  %zeros = arith.constant dense<0> : tensor<1024xi32>
  %r:6 = scf.for %round = %c0 to %c10 step %c1
      iter_args(%a = %i, %b = %zeros, %c = %zeros, %d = %zeros, %k0 = %key0, %k1 = %key1)
      -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>, i32, i32) : i32 {
    %high0 = tile.mulhiui %factor0, %a : tensor<1024xi32>
    %low0 = arith.muli %factor0, %a : tensor<1024xi32>
    %high1 = tile.mulhiui %factor1, %c : tensor<1024xi32>
    %low1 = arith.muli %factor1, %c : tensor<1024xi32>
    %k0s = tile.splat %k0 : tensor<1024xi32>
    %k1s = tile.splat %k1 : tensor<1024xi32>
    %t0 = arith.xori %high1, %b : tensor<1024xi32>
    %a1 = arith.xori %t0, %k0s : tensor<1024xi32>
    %t1 = arith.xori %high0, %d : tensor<1024xi32>
    %c2 = arith.xori %t1, %k1s : tensor<1024xi32>
    %n0 = arith.addi %k0, %step0 : i32
    %n1 = arith.addi %k1, %step1 : i32
    scf.yield %a1, %low1, %c2, %low0, %n0, %n1
        : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>, i32, i32
  }

  // The upper 24 bits as a fraction: exact in f32.
  %c8 = arith.constant dense<8> : tensor<1024xi32>
  %scale = arith.constant dense<5.9604644775390625e-8> : tensor<1024xf32>
  %upper = arith.shrui %r#0, %c8 : tensor<1024xi32>
  %whole = arith.uitofp %upper : tensor<1024xi32> to tensor<1024xf32>
  %uniform = arith.mulf %whole, %scale : tensor<1024xf32>
  %ps = tile.splat %p : tensor<1024xf32>
  %keep = arith.cmpf oge, %uniform, %ps : tensor<1024xf32>

  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %px mask %in : tensor<1024x!tile.ptr<f32>>
  %one = arith.constant 1.0 : f32
  %kept = arith.subf %one, %p : f32
  %kepts = tile.splat %kept : tensor<1024xf32>
  %scaled = arith.divf %v, %kepts : tensor<1024xf32>
  %none = arith.constant dense<0.0> : tensor<1024xf32>
  %result = arith.select %keep, %scaled, %none : tensor<1024xi1>, tensor<1024xf32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %py, %result mask %in : tensor<1024x!tile.ptr<f32>>
  return
}
