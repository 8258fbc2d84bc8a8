// y = act(x w^T + bias) for x [M, K], w [N, K], bias [N] and y [M, N] of any size: the layer of a network, its bias and its
// activation applied while the sums are still in registers.
//
//   tile-run examples/linear.mlir --device=cpu --grid=2,2 -D ACT=gelu -D BM=32 -D BN=32 -D BK=32 --arg=f16[40,72]=randn:1 \
//     --arg=f16[50,72]=randn:2 --arg=f16[50]=randn:3 --arg=f16[40,50]=zeros --arg=i32=40 --arg=i32=50 --arg=i32=72
//
// ACT names one of the functions below; any other of one block would do.
//
// tile.param ACT = gelu of identity, relu, gelu, gelu_tanh, silu
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128, 256
// tile.param BK = 64 in 32, 64
func.func private @identity(%x: tensor<${BM}x${BN}xf32>) -> tensor<${BM}x${BN}xf32> {
  return %x : tensor<${BM}x${BN}xf32>
}

func.func private @relu(%x: tensor<${BM}x${BN}xf32>) -> tensor<${BM}x${BN}xf32> {
  %zero = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %r = arith.maximumf %x, %zero : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

func.func private @gelu(%x: tensor<${BM}x${BN}xf32>) -> tensor<${BM}x${BN}xf32> {
  %half = arith.constant dense<0.5> : tensor<${BM}x${BN}xf32>
  %one = arith.constant dense<1.0> : tensor<${BM}x${BN}xf32>
  %root = arith.constant dense<0.707106781> : tensor<${BM}x${BN}xf32>
  %u = arith.mulf %x, %root : tensor<${BM}x${BN}xf32>
  %e = math.erf %u : tensor<${BM}x${BN}xf32>
  %f = arith.addf %e, %one : tensor<${BM}x${BN}xf32>
  %h = arith.mulf %x, %half : tensor<${BM}x${BN}xf32>
  %r = arith.mulf %h, %f : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

// GELU with a hyperbolic tangent in the place of the error function.
func.func private @gelu_tanh(%x: tensor<${BM}x${BN}xf32>) -> tensor<${BM}x${BN}xf32> {
  %half = arith.constant dense<0.5> : tensor<${BM}x${BN}xf32>
  %one = arith.constant dense<1.0> : tensor<${BM}x${BN}xf32>
  %a = arith.constant dense<0.797884561> : tensor<${BM}x${BN}xf32>
  %b = arith.constant dense<0.044715> : tensor<${BM}x${BN}xf32>
  %x2 = arith.mulf %x, %x : tensor<${BM}x${BN}xf32>
  %c = arith.mulf %x2, %b : tensor<${BM}x${BN}xf32>
  %d = arith.addf %c, %one : tensor<${BM}x${BN}xf32>
  %ax = arith.mulf %x, %a : tensor<${BM}x${BN}xf32>
  %u = arith.mulf %ax, %d : tensor<${BM}x${BN}xf32>
  %t = math.tanh %u : tensor<${BM}x${BN}xf32>
  %f = arith.addf %t, %one : tensor<${BM}x${BN}xf32>
  %h = arith.mulf %x, %half : tensor<${BM}x${BN}xf32>
  %r = arith.mulf %h, %f : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

func.func private @silu(%x: tensor<${BM}x${BN}xf32>) -> tensor<${BM}x${BN}xf32> {
  %one = arith.constant dense<1.0> : tensor<${BM}x${BN}xf32>
  %n = arith.negf %x : tensor<${BM}x${BN}xf32>
  %e = math.exp %n : tensor<${BM}x${BN}xf32>
  %d = arith.addf %e, %one : tensor<${BM}x${BN}xf32>
  %r = arith.divf %x, %d : tensor<${BM}x${BN}xf32>
  return %r : tensor<${BM}x${BN}xf32>
}

func.func @linear(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %bias: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %none_x = arith.constant dense<0.0> : tensor<${BM}x${BK}xf16>
  %none_w = arith.constant dense<0.0> : tensor<${BN}x${BK}xf16>
  %none_b = arith.constant dense<0.0> : tensor<${BN}xf16>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %range_m = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %range_n = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %range_k = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %m0s = tile.splat %m0 : tensor<${BM}xi32>
  %n0s = tile.splat %n0 : tensor<${BN}xi32>
  %rows = arith.addi %m0s, %range_m : tensor<${BM}xi32>
  %columns = arith.addi %n0s, %range_n : tensor<${BN}xi32>
  %ms = tile.splat %m : tensor<${BM}xi32>
  %ns = tile.splat %n : tensor<${BN}xi32>
  %row_in = arith.cmpi slt, %rows, %ms : tensor<${BM}xi32>
  %column_in = arith.cmpi slt, %columns, %ns : tensor<${BN}xi32>
  %row = tile.expand_dims %rows axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %w_row = tile.expand_dims %columns axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %k_row = tile.expand_dims %range_k axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %in_m = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %in_w = tile.expand_dims %column_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>

  %kx = tile.splat %k : tensor<${BM}x1xi32>
  %kw = tile.splat %k : tensor<${BN}x1xi32>
  %x_row = arith.muli %row, %kx : tensor<${BM}x1xi32>
  %w_start = arith.muli %w_row, %kw : tensor<${BN}x1xi32>
  %x_rows = tile.broadcast %x_row : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
  %w_rows = tile.broadcast %w_start : tensor<${BN}x1xi32> -> tensor<${BN}x${BK}xi32>
  %k_x = tile.broadcast %k_row : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
  %k_w = tile.broadcast %k_row : tensor<1x${BK}xi32> -> tensor<${BN}x${BK}xi32>
  %x_at = arith.addi %x_rows, %k_x : tensor<${BM}x${BK}xi32>
  %w_at = arith.addi %w_rows, %k_w : tensor<${BN}x${BK}xi32>
  %xs = tile.splat %x : tensor<${BM}x${BK}x!tile.ptr<f16>>
  %ws = tile.splat %w : tensor<${BN}x${BK}x!tile.ptr<f16>>
  %x0 = tile.addptr %xs, %x_at : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
  %w0 = tile.addptr %ws, %w_at : tensor<${BN}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}xi32>
  %in_x = tile.broadcast %in_m : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
  %in_wb = tile.broadcast %in_w : tensor<${BN}x1xi1> -> tensor<${BN}x${BK}xi1>
  %step_x = tile.splat %bk : tensor<${BM}x${BK}xi32>
  %step_w = tile.splat %bk : tensor<${BN}x${BK}xi32>

  %r:3 = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0, %px = %x0, %pw = %w0)
      -> (tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}x!tile.ptr<f16>>) : i32 {
    %rest = arith.subi %k, %kk : i32
    %rests = tile.splat %rest : tensor<1x${BK}xi32>
    %in_k = arith.cmpi slt, %k_row, %rests : tensor<1x${BK}xi32>
    %in_kx = tile.broadcast %in_k : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %in_kw = tile.broadcast %in_k : tensor<1x${BK}xi1> -> tensor<${BN}x${BK}xi1>
    %mask_x = arith.andi %in_x, %in_kx : tensor<${BM}x${BK}xi1>
    %mask_w = arith.andi %in_wb, %in_kw : tensor<${BN}x${BK}xi1>
    %xt = tile.load %px mask %mask_x other %none_x : tensor<${BM}x${BK}x!tile.ptr<f16>>
    %wt = tile.load %pw mask %mask_w other %none_w : tensor<${BN}x${BK}x!tile.ptr<f16>>
    %wT = tile.trans %wt order = [1, 0] : tensor<${BN}x${BK}xf16> -> tensor<${BK}x${BN}xf16>
    %d = tile.dot %xt, %wT, %acc : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    %qx = tile.addptr %px, %step_x : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
    %qw = tile.addptr %pw, %step_w : tensor<${BN}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}xi32>
    scf.yield %d, %qx, %qw : tensor<${BM}x${BN}xf32>, tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}x!tile.ptr<f16>>
  }

  %biases = tile.splat %bias : tensor<${BN}x!tile.ptr<f16>>
  %pb = tile.addptr %biases, %columns : tensor<${BN}x!tile.ptr<f16>>, tensor<${BN}xi32>
  %b = tile.load %pb mask %column_in other %none_b : tensor<${BN}x!tile.ptr<f16>>
  %bf = arith.extf %b : tensor<${BN}xf16> to tensor<${BN}xf32>
  %b_row = tile.expand_dims %bf axis = 0 : tensor<${BN}xf32> -> tensor<1x${BN}xf32>
  %bs = tile.broadcast %b_row : tensor<1x${BN}xf32> -> tensor<${BM}x${BN}xf32>
  %sum = arith.addf %r#0, %bs : tensor<${BM}x${BN}xf32>
  %act = func.call @${ACT}(%sum) : (tensor<${BM}x${BN}xf32>) -> tensor<${BM}x${BN}xf32>
  %h = arith.truncf %act : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>

  %ny = tile.splat %n : tensor<${BM}x1xi32>
  %y_row = arith.muli %row, %ny : tensor<${BM}x1xi32>
  %column = tile.expand_dims %columns axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %y_rows = tile.broadcast %y_row : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %y_columns = tile.broadcast %column : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %y_at = arith.addi %y_rows, %y_columns : tensor<${BM}x${BN}xi32>
  %ys = tile.splat %y : tensor<${BM}x${BN}x!tile.ptr<f16>>
  %py = tile.addptr %ys, %y_at : tensor<${BM}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xi32>
  %in_n = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
  %in_mb = tile.broadcast %in_m : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %in_nb = tile.broadcast %in_n : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %mask_y = arith.andi %in_mb, %in_nb : tensor<${BM}x${BN}xi1>
  tile.store %py, %h mask %mask_y : tensor<${BM}x${BN}x!tile.ptr<f16>>
  return
}
