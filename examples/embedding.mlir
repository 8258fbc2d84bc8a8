// y[r, :] = table[index[r], :], and the gradient of the table: rows of dy are added where their index says, by atomic additions,
// since an index may occur more than once. One program a row of n columns; n is part of the kernel and need not be a power of
// two.
//
//   tile-run examples/embedding.mlir --device=cpu -D N=100 --kernel=embedding_backward --grid=64 --arg=i64[64]=rand:1:0:10 \
//     --arg=f32[64,100]=randn:2 --arg=f32[10,100]=zeros --out=2:gradient.npy
//
// tile.param N = 128
func.func @embedding(%index: !tile.ptr<i64>, %table: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                     %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n = arith.constant ${N} : i64
  %pi = tile.addptr %index, %row : !tile.ptr<i64>, i32
  %i = tile.load %pi : !tile.ptr<i64>
  %from = arith.muli %i, %n : i64
  %to = arith.muli %row64, %n : i64
  %source = tile.addptr %table, %from : !tile.ptr<f32>, i64
  %target = tile.addptr %y, %to : !tile.ptr<f32>, i64
  %column = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %sources = tile.splat %source : tensor<${N}x!tile.ptr<f32>>
  %ps = tile.addptr %sources, %column : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %ps : tensor<${N}x!tile.ptr<f32>>
  %targets = tile.splat %target : tensor<${N}x!tile.ptr<f32>>
  %pt = tile.addptr %targets, %column : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %pt, %v : tensor<${N}x!tile.ptr<f32>>
  return
}

func.func @embedding_backward(%index: !tile.ptr<i64>, %dy: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                              %gradient: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %row = tile.program_id x
  %row64 = arith.extsi %row : i32 to i64
  %n = arith.constant ${N} : i64
  %pi = tile.addptr %index, %row : !tile.ptr<i64>, i32
  %i = tile.load %pi : !tile.ptr<i64>
  %from = arith.muli %row64, %n : i64
  %to = arith.muli %i, %n : i64
  %source = tile.addptr %dy, %from : !tile.ptr<f32>, i64
  %target = tile.addptr %gradient, %to : !tile.ptr<f32>, i64
  %column = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %sources = tile.splat %source : tensor<${N}x!tile.ptr<f32>>
  %ps = tile.addptr %sources, %column : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %ps : tensor<${N}x!tile.ptr<f32>>
  %targets = tile.splat %target : tensor<${N}x!tile.ptr<f32>>
  %pt = tile.addptr %targets, %column : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %old = tile.atomic_rmw fadd %pt, %v : tensor<${N}x!tile.ptr<f32>>
  return
}
