// h[t] = a[t] * h[t - 1] + x[t], h[-1] = 0, for C channels beside each other: a scan over pairs, since two steps one after the
// other are one step of the same kind, (a2 a1) h + (a2 x1 + x2). One program a sequence; T and C need not be powers of two.
//
//   tile-run examples/linear_scan.mlir --device=cpu -D T=100 -D C=12 --kernel=linear_scan --grid=4 \
//     --arg=f32[4,100,12]=rand:1 --arg=f32[4,100,12]=randn:2 --arg=f32[4,100,12]=zeros --out=2:h.npy
//
// tile.param T = 64
// tile.param C = 16
func.func @linear_scan(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                       %h: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %sequence = tile.program_id x
  %t = arith.constant ${T} : i32
  %c = arith.constant ${C} : i32
  %size = arith.muli %t, %c : i32
  %start = arith.muli %sequence, %size : i32
  %starts = tile.splat %start : tensor<${T}x${C}xi32>
  %i = tile.make_range 0 to ${T} : tensor<${T}xi32>
  %j = tile.make_range 0 to ${C} : tensor<${C}xi32>
  %row = tile.expand_dims %i axis = 1 : tensor<${T}xi32> -> tensor<${T}x1xi32>
  %column = tile.expand_dims %j axis = 0 : tensor<${C}xi32> -> tensor<1x${C}xi32>
  %width = tile.splat %c : tensor<${T}x1xi32>
  %first = arith.muli %row, %width : tensor<${T}x1xi32>
  %firsts = tile.broadcast %first : tensor<${T}x1xi32> -> tensor<${T}x${C}xi32>
  %columns = tile.broadcast %column : tensor<1x${C}xi32> -> tensor<${T}x${C}xi32>
  %within = arith.addi %firsts, %columns : tensor<${T}x${C}xi32>
  %at = arith.addi %starts, %within : tensor<${T}x${C}xi32>

  %as = tile.splat %a : tensor<${T}x${C}x!tile.ptr<f32>>
  %pa = tile.addptr %as, %at : tensor<${T}x${C}x!tile.ptr<f32>>, tensor<${T}x${C}xi32>
  %va = tile.load %pa : tensor<${T}x${C}x!tile.ptr<f32>>
  %xs = tile.splat %x : tensor<${T}x${C}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %at : tensor<${T}x${C}x!tile.ptr<f32>>, tensor<${T}x${C}xi32>
  %vx = tile.load %px : tensor<${T}x${C}x!tile.ptr<f32>>
  %factor, %state = tile.scan %va, %vx axis = 0 : tensor<${T}x${C}xf32>, tensor<${T}x${C}xf32> {
  ^bb0(%a1: f32, %x1: f32, %a2: f32, %x2: f32):
    %both = arith.mulf %a2, %a1 : f32
    %kept = arith.mulf %a2, %x1 : f32
    %sum = arith.addf %kept, %x2 : f32
    tile.yield %both, %sum : f32, f32
  }
  %hs = tile.splat %h : tensor<${T}x${C}x!tile.ptr<f32>>
  %ph = tile.addptr %hs, %at : tensor<${T}x${C}x!tile.ptr<f32>>, tensor<${T}x${C}xi32>
  tile.store %ph, %state : tensor<${T}x${C}x!tile.ptr<f32>>
  return
}
