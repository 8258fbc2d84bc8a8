// c = a b for a [M, K] and b [K, N] with few rows and columns but long K: the grid's y axis takes parts of K, each a product of
// its own into parts[y, :, :]; split_k_sum adds the parts up, in one order always, and rounds to f16.
//
//   tile-run examples/split_k.mlir --device=cpu --kernel=split_k --grid=1,4 --arg=f16[16,256]=randn:1 --arg=f16[256,16]=randn:2 \
//     --arg=f32[4,16,16]=zeros --arg=i32=256 --arg=i32=64 --out=2:parts.npy
//   tile-run examples/split_k.mlir --device=cpu --kernel=split_k_sum --grid=1 --arg=f32[4,16,16]=file:parts.npy \
//     --arg=f16[16,16]=zeros --arg=i32=4 --out=1:c.npy
//
// M = N = TILE; a program takes `part` elements of K, 32 at a time.
//
// tile.param TILE = 16 of 16, 32, 64
func.func @split_k(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %parts: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %k: i32, %part: i32) attributes {tile.kernel} {
  %tile = arith.constant ${TILE} : i32
  %c32 = arith.constant 32 : i32
  %y = tile.program_id y
  %from = arith.muli %y, %part : i32
  %behind = arith.addi %from, %part : i32
  %to = arith.minsi %behind, %k : i32
  %m = tile.make_range 0 to ${TILE} : tensor<${TILE}xi32>
  %kk = tile.make_range 0 to 32 : tensor<32xi32>
  %mcol = tile.expand_dims %m axis = 1 : tensor<${TILE}xi32> -> tensor<${TILE}x1xi32>
  %nrow = tile.expand_dims %m axis = 0 : tensor<${TILE}xi32> -> tensor<1x${TILE}xi32>
  %krow = tile.expand_dims %kk axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kcol = tile.expand_dims %kk axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ks = tile.splat %k : tensor<${TILE}x1xi32>
  %arow = arith.muli %mcol, %ks : tensor<${TILE}x1xi32>
  %arows = tile.broadcast %arow : tensor<${TILE}x1xi32> -> tensor<${TILE}x32xi32>
  %ncols = tile.broadcast %nrow : tensor<1x${TILE}xi32> -> tensor<32x${TILE}xi32>
  %ns = arith.constant dense<${TILE}> : tensor<32x1xi32>
  %as = tile.splat %a : tensor<${TILE}x32x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<32x${TILE}x!tile.ptr<f16>>
  %noA = arith.constant dense<0.0> : tensor<${TILE}x32xf16>
  %noB = arith.constant dense<0.0> : tensor<32x${TILE}xf16>
  %zero = arith.constant dense<0.0> : tensor<${TILE}x${TILE}xf32>
  %sum = scf.for %i = %from to %to step %c32 iter_args(%acc = %zero) -> (tensor<${TILE}x${TILE}xf32>) : i32 {
    %irow = tile.splat %i : tensor<1x32xi32>
    %icol = tile.splat %i : tensor<32x1xi32>
    %ka = arith.addi %irow, %krow : tensor<1x32xi32>
    %kb = arith.addi %icol, %kcol : tensor<32x1xi32>
    %enda = tile.splat %to : tensor<1x32xi32>
    %endb = tile.splat %to : tensor<32x1xi32>
    %ina1 = arith.cmpi slt, %ka, %enda : tensor<1x32xi32>
    %inb1 = arith.cmpi slt, %kb, %endb : tensor<32x1xi32>
    %ina = tile.broadcast %ina1 : tensor<1x32xi1> -> tensor<${TILE}x32xi1>
    %inb = tile.broadcast %inb1 : tensor<32x1xi1> -> tensor<32x${TILE}xi1>
    %kas = tile.broadcast %ka : tensor<1x32xi32> -> tensor<${TILE}x32xi32>
    %ata = arith.addi %arows, %kas : tensor<${TILE}x32xi32>
    %brow = arith.muli %kb, %ns : tensor<32x1xi32>
    %brows = tile.broadcast %brow : tensor<32x1xi32> -> tensor<32x${TILE}xi32>
    %atb = arith.addi %brows, %ncols : tensor<32x${TILE}xi32>
    %pa = tile.addptr %as, %ata : tensor<${TILE}x32x!tile.ptr<f16>>, tensor<${TILE}x32xi32>
    %pb = tile.addptr %bs, %atb : tensor<32x${TILE}x!tile.ptr<f16>>, tensor<32x${TILE}xi32>
    %va = tile.load %pa mask %ina other %noA : tensor<${TILE}x32x!tile.ptr<f16>>
    %vb = tile.load %pb mask %inb other %noB : tensor<32x${TILE}x!tile.ptr<f16>>
    %next = tile.dot %va, %vb, %acc : tensor<${TILE}x32xf16> * tensor<32x${TILE}xf16> -> tensor<${TILE}x${TILE}xf32>
    scf.yield %next : tensor<${TILE}x${TILE}xf32>
  }
  %size = arith.muli %tile, %tile : i32
  %start = arith.muli %y, %size : i32
  %base = tile.addptr %parts, %start : !tile.ptr<f32>, i32
  %width = arith.constant dense<${TILE}> : tensor<${TILE}x1xi32>
  %row = arith.muli %mcol, %width : tensor<${TILE}x1xi32>
  %rows = tile.broadcast %row : tensor<${TILE}x1xi32> -> tensor<${TILE}x${TILE}xi32>
  %cols = tile.broadcast %nrow : tensor<1x${TILE}xi32> -> tensor<${TILE}x${TILE}xi32>
  %at = arith.addi %rows, %cols : tensor<${TILE}x${TILE}xi32>
  %ps = tile.splat %base : tensor<${TILE}x${TILE}x!tile.ptr<f32>>
  %pc = tile.addptr %ps, %at : tensor<${TILE}x${TILE}x!tile.ptr<f32>>, tensor<${TILE}x${TILE}xi32>
  tile.store %pc, %sum : tensor<${TILE}x${TILE}x!tile.ptr<f32>>
  return
}

func.func @split_k_sum(%parts: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                       %splits: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %tile = arith.constant ${TILE} : i32
  %size = arith.muli %tile, %tile : i32
  %m = tile.make_range 0 to ${TILE} : tensor<${TILE}xi32>
  %mcol = tile.expand_dims %m axis = 1 : tensor<${TILE}xi32> -> tensor<${TILE}x1xi32>
  %nrow = tile.expand_dims %m axis = 0 : tensor<${TILE}xi32> -> tensor<1x${TILE}xi32>
  %width = arith.constant dense<${TILE}> : tensor<${TILE}x1xi32>
  %row = arith.muli %mcol, %width : tensor<${TILE}x1xi32>
  %rows = tile.broadcast %row : tensor<${TILE}x1xi32> -> tensor<${TILE}x${TILE}xi32>
  %cols = tile.broadcast %nrow : tensor<1x${TILE}xi32> -> tensor<${TILE}x${TILE}xi32>
  %at = arith.addi %rows, %cols : tensor<${TILE}x${TILE}xi32>
  %zero = arith.constant dense<0.0> : tensor<${TILE}x${TILE}xf32>
  %sum = scf.for %s = %c0 to %splits step %c1 iter_args(%acc = %zero) -> (tensor<${TILE}x${TILE}xf32>) : i32 {
    %start = arith.muli %s, %size : i32
    %base = tile.addptr %parts, %start : !tile.ptr<f32>, i32
    %ps = tile.splat %base : tensor<${TILE}x${TILE}x!tile.ptr<f32>>
    %p = tile.addptr %ps, %at : tensor<${TILE}x${TILE}x!tile.ptr<f32>>, tensor<${TILE}x${TILE}xi32>
    %v = tile.load %p : tensor<${TILE}x${TILE}x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<${TILE}x${TILE}xf32>
    scf.yield %next : tensor<${TILE}x${TILE}xf32>
  }
  %h = arith.truncf %sum : tensor<${TILE}x${TILE}xf32> to tensor<${TILE}x${TILE}xf16>
  %cs = tile.splat %c : tensor<${TILE}x${TILE}x!tile.ptr<f16>>
  %pc = tile.addptr %cs, %at : tensor<${TILE}x${TILE}x!tile.ptr<f16>>, tensor<${TILE}x${TILE}xi32>
  tile.store %pc, %h : tensor<${TILE}x${TILE}x!tile.ptr<f16>>
  return
}
