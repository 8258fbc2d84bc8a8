// Matrix products of any shape.
//
// for N in 1 3 5 7 12 33
// let K = N
// let MK = 7 * N
// let KN = 5 * N
// let N9 = 9 * N
// let NN = N * N
// run: --kernel=dot --arg=f32[{7*N}]=randn:1 --arg=f32[{N*5}]=randn:2 --arg=f32[{7*5}]=randn:3
// run: --kernel=halves --arg=f16[{7*N}]=rand:1 --arg=f16[{N*5}]=rand:2 --arg=f32[{7*5}]=zeros --rtol=1e-3
// run: --kernel=bytes --arg=i8[{N*9}]=rand:1 --arg=i8[{9*N}]=rand:2 --arg=i32[{N*N}]=zeros
func.func @dot(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${MK} : tensor<${MK}xi32>
  %ia = tile.reshape %i : tensor<${MK}xi32> -> tensor<7x${K}xi32>
  %j = tile.make_range 0 to ${KN} : tensor<${KN}xi32>
  %jb = tile.reshape %j : tensor<${KN}xi32> -> tensor<${K}x5xi32>
  %k = tile.make_range 0 to 35 : tensor<35xi32>
  %kc = tile.reshape %k : tensor<35xi32> -> tensor<7x5xi32>
  %xs = tile.splat %x : tensor<7x${K}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %ia : tensor<7x${K}x!tile.ptr<f32>>, tensor<7x${K}xi32>
  %a = tile.load %px : tensor<7x${K}x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<${K}x5x!tile.ptr<f32>>
  %py = tile.addptr %ys, %jb : tensor<${K}x5x!tile.ptr<f32>>, tensor<${K}x5xi32>
  %b = tile.load %py : tensor<${K}x5x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<7x5x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %kc : tensor<7x5x!tile.ptr<f32>>, tensor<7x5xi32>
  %c = tile.load %pz : tensor<7x5x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %c : tensor<7x${K}xf32> * tensor<${K}x5xf32> -> tensor<7x5xf32>
  tile.store %pz, %d : tensor<7x5x!tile.ptr<f32>>
  return
}

func.func @halves(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${MK} : tensor<${MK}xi32>
  %ia = tile.reshape %i : tensor<${MK}xi32> -> tensor<7x${K}xi32>
  %j = tile.make_range 0 to ${KN} : tensor<${KN}xi32>
  %jb = tile.reshape %j : tensor<${KN}xi32> -> tensor<${K}x5xi32>
  %k = tile.make_range 0 to 35 : tensor<35xi32>
  %kc = tile.reshape %k : tensor<35xi32> -> tensor<7x5xi32>
  %xs = tile.splat %x : tensor<7x${K}x!tile.ptr<f16>>
  %px = tile.addptr %xs, %ia : tensor<7x${K}x!tile.ptr<f16>>, tensor<7x${K}xi32>
  %a = tile.load %px : tensor<7x${K}x!tile.ptr<f16>>
  %ys = tile.splat %y : tensor<${K}x5x!tile.ptr<f16>>
  %py = tile.addptr %ys, %jb : tensor<${K}x5x!tile.ptr<f16>>, tensor<${K}x5xi32>
  %b = tile.load %py : tensor<${K}x5x!tile.ptr<f16>>
  %zs = tile.splat %z : tensor<7x5x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %kc : tensor<7x5x!tile.ptr<f32>>, tensor<7x5xi32>
  %c = arith.constant dense<0.0> : tensor<7x5xf32>
  %d = tile.dot %a, %b, %c : tensor<7x${K}xf16> * tensor<${K}x5xf16> -> tensor<7x5xf32>
  tile.store %pz, %d : tensor<7x5x!tile.ptr<f32>>
  return
}

func.func @bytes(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %z: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N9} : tensor<${N9}xi32>
  %ia = tile.reshape %i : tensor<${N9}xi32> -> tensor<${N}x9xi32>
  %jb = tile.reshape %i : tensor<${N9}xi32> -> tensor<9x${N}xi32>
  %k = tile.make_range 0 to ${NN} : tensor<${NN}xi32>
  %kc = tile.reshape %k : tensor<${NN}xi32> -> tensor<${N}x${N}xi32>
  %xs = tile.splat %x : tensor<${N}x9x!tile.ptr<i8>>
  %px = tile.addptr %xs, %ia : tensor<${N}x9x!tile.ptr<i8>>, tensor<${N}x9xi32>
  %a = tile.load %px : tensor<${N}x9x!tile.ptr<i8>>
  %ys = tile.splat %y : tensor<9x${N}x!tile.ptr<i8>>
  %py = tile.addptr %ys, %jb : tensor<9x${N}x!tile.ptr<i8>>, tensor<9x${N}xi32>
  %b = tile.load %py : tensor<9x${N}x!tile.ptr<i8>>
  %zs = tile.splat %z : tensor<${N}x${N}x!tile.ptr<i32>>
  %pz = tile.addptr %zs, %kc : tensor<${N}x${N}x!tile.ptr<i32>>, tensor<${N}x${N}xi32>
  %c = arith.constant dense<0> : tensor<${N}x${N}xi32>
  %d = tile.dot %a, %b, %c : tensor<${N}x9xi8> * tensor<9x${N}xi8> -> tensor<${N}x${N}xi32>
  tile.store %pz, %d : tensor<${N}x${N}x!tile.ptr<i32>>
  return
}
