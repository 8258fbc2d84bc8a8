// Rotary position embedding of q[tokens, heads, 2 * HALF]: the pair (q[h], q[h + HALF]) of each head turns by the angle of its
// token, given as tables cos and sin[tokens, HALF]. One program a token; HEADS and HALF need not be powers of two.
//
//   tile-run examples/rotary.mlir --device=cpu -D HEADS=12 -D HALF=40 --kernel=rotary --grid=16 \
//     --arg=f16[16,12,80]=randn:1 --arg=f32[16,40]=rand:2:-1:1 --arg=f32[16,40]=rand:3:-1:1 \
//     --arg=f16[16,12,80]=zeros --out=3:y.npy
//
// tile.param HEADS = 8
// tile.param HALF = 32
func.func @rotary(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %cos: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %sin: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %token = tile.program_id x
  %heads = arith.constant ${HEADS} : i32
  %half = arith.constant ${HALF} : i32
  %c2 = arith.constant 2 : i32
  %width = arith.muli %half, %c2 : i32
  %all = arith.muli %heads, %width : i32
  %start = arith.muli %token, %all : i32
  %base = tile.addptr %q, %start : !tile.ptr<f16>, i32
  %h = tile.make_range 0 to ${HEADS} : tensor<${HEADS}xi32>
  %d = tile.make_range 0 to ${HALF} : tensor<${HALF}xi32>
  %head = tile.expand_dims %h axis = 1 : tensor<${HEADS}xi32> -> tensor<${HEADS}x1xi32>
  %column = tile.expand_dims %d axis = 0 : tensor<${HALF}xi32> -> tensor<1x${HALF}xi32>
  %widths = tile.splat %width : tensor<${HEADS}x1xi32>
  %first = arith.muli %head, %widths : tensor<${HEADS}x1xi32>
  %firsts = tile.broadcast %first : tensor<${HEADS}x1xi32> -> tensor<${HEADS}x${HALF}xi32>
  %columns = tile.broadcast %column : tensor<1x${HALF}xi32> -> tensor<${HEADS}x${HALF}xi32>
  %at = arith.addi %firsts, %columns : tensor<${HEADS}x${HALF}xi32>
  %halves = tile.splat %half : tensor<${HEADS}x${HALF}xi32>
  %bases = tile.splat %base : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>
  %p1 = tile.addptr %bases, %at : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>, tensor<${HEADS}x${HALF}xi32>
  %p2 = tile.addptr %p1, %halves : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>, tensor<${HEADS}x${HALF}xi32>
  %h1 = tile.load %p1 : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>
  %h2 = tile.load %p2 : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>
  %v1 = arith.extf %h1 : tensor<${HEADS}x${HALF}xf16> to tensor<${HEADS}x${HALF}xf32>
  %v2 = arith.extf %h2 : tensor<${HEADS}x${HALF}xf16> to tensor<${HEADS}x${HALF}xf32>

  %angles = arith.muli %token, %half : i32
  %pcos = tile.addptr %cos, %angles : !tile.ptr<f32>, i32
  %psin = tile.addptr %sin, %angles : !tile.ptr<f32>, i32
  %pcoss = tile.splat %pcos : tensor<1x${HALF}x!tile.ptr<f32>>
  %psins = tile.splat %psin : tensor<1x${HALF}x!tile.ptr<f32>>
  %qcos = tile.addptr %pcoss, %column : tensor<1x${HALF}x!tile.ptr<f32>>, tensor<1x${HALF}xi32>
  %qsin = tile.addptr %psins, %column : tensor<1x${HALF}x!tile.ptr<f32>>, tensor<1x${HALF}xi32>
  %rowcos = tile.load %qcos : tensor<1x${HALF}x!tile.ptr<f32>>
  %rowsin = tile.load %qsin : tensor<1x${HALF}x!tile.ptr<f32>>
  %c = tile.broadcast %rowcos : tensor<1x${HALF}xf32> -> tensor<${HEADS}x${HALF}xf32>
  %s = tile.broadcast %rowsin : tensor<1x${HALF}xf32> -> tensor<${HEADS}x${HALF}xf32>

  %a = arith.mulf %v1, %c : tensor<${HEADS}x${HALF}xf32>
  %b = arith.mulf %v2, %s : tensor<${HEADS}x${HALF}xf32>
  %x = arith.subf %a, %b : tensor<${HEADS}x${HALF}xf32>
  %e = arith.mulf %v2, %c : tensor<${HEADS}x${HALF}xf32>
  %f = arith.mulf %v1, %s : tensor<${HEADS}x${HALF}xf32>
  %z = arith.addf %e, %f : tensor<${HEADS}x${HALF}xf32>
  %hx = arith.truncf %x : tensor<${HEADS}x${HALF}xf32> to tensor<${HEADS}x${HALF}xf16>
  %hy = arith.truncf %z : tensor<${HEADS}x${HALF}xf32> to tensor<${HEADS}x${HALF}xf16>
  %out = tile.addptr %y, %start : !tile.ptr<f16>, i32
  %outs = tile.splat %out : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>
  %o1 = tile.addptr %outs, %at : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>, tensor<${HEADS}x${HALF}xi32>
  %o2 = tile.addptr %o1, %halves : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>, tensor<${HEADS}x${HALF}xi32>
  tile.store %o1, %hx : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>
  tile.store %o2, %hy : tensor<${HEADS}x${HALF}x!tile.ptr<f16>>
  return
}
