// Scaled products whose rows, columns and groups of K are no powers of two: elements that padding adds count as 0, their scales
// as 1.
//
// for N in 1 3 5
// let K = 32 * N
// let H = 16 * N
// let MK = 7 * 32 * N
// let KN = 5 * 32 * N
// let MH = 7 * 16 * N
// let HN = 5 * 16 * N
// let MG = 7 * N
// let NG = 5 * N
// run: --kernel=bytes --arg=i8[{MK}]=rand:1 --arg=i8[{KN}]=rand:2 --arg=i8[{MG}]=rand:3 --arg=i8[{NG}]=rand:4 \
//   --arg=f32[35]=zeros --rtol=1e-4 --atol=1e-3
// run: --kernel=packed --arg=i8[{MH}]=rand:5 --arg=i8[{HN}]=rand:6 --arg=i8[{MG}]=rand:7 --arg=f32[35]=zeros --rtol=1e-4 --atol=1e-3
func.func @bytes(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %u: !tile.ptr<i8>, %v: !tile.ptr<i8>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${MK} : tensor<${MK}xi32>
  %ia = tile.reshape %i : tensor<${MK}xi32> -> tensor<7x${K}xi32>
  %j = tile.make_range 0 to ${KN} : tensor<${KN}xi32>
  %jb = tile.reshape %j : tensor<${KN}xi32> -> tensor<${K}x5xi32>
  %k = tile.make_range 0 to 35 : tensor<35xi32>
  %kc = tile.reshape %k : tensor<35xi32> -> tensor<7x5xi32>
  %g = tile.make_range 0 to ${MG} : tensor<${MG}xi32>
  %gs = tile.reshape %g : tensor<${MG}xi32> -> tensor<7x${N}xi32>
  %h = tile.make_range 0 to ${NG} : tensor<${NG}xi32>
  %hs = tile.reshape %h : tensor<${NG}xi32> -> tensor<5x${N}xi32>
  %xs = tile.splat %x : tensor<7x${K}x!tile.ptr<i8>>
  %px = tile.addptr %xs, %ia : tensor<7x${K}x!tile.ptr<i8>>, tensor<7x${K}xi32>
  %a0 = tile.load %px : tensor<7x${K}x!tile.ptr<i8>>
  %ys = tile.splat %y : tensor<${K}x5x!tile.ptr<i8>>
  %py = tile.addptr %ys, %jb : tensor<${K}x5x!tile.ptr<i8>>, tensor<${K}x5xi32>
  %b0 = tile.load %py : tensor<${K}x5x!tile.ptr<i8>>
  %us = tile.splat %u : tensor<7x${N}x!tile.ptr<i8>>
  %pu = tile.addptr %us, %gs : tensor<7x${N}x!tile.ptr<i8>>, tensor<7x${N}xi32>
  %s0 = tile.load %pu : tensor<7x${N}x!tile.ptr<i8>>
  %vs = tile.splat %v : tensor<5x${N}x!tile.ptr<i8>>
  %pv = tile.addptr %vs, %hs : tensor<5x${N}x!tile.ptr<i8>>, tensor<5x${N}xi32>
  %t0 = tile.load %pv : tensor<5x${N}x!tile.ptr<i8>>
  // No NaN among the factors, and scales from 1/8 to 16.
  %ma = arith.constant dense<-73> : tensor<7x${K}xi8>
  %mb = arith.constant dense<-73> : tensor<${K}x5xi8>
  %a = arith.andi %a0, %ma : tensor<7x${K}xi8>
  %b = arith.andi %b0, %mb : tensor<${K}x5xi8>
  %seven = arith.constant dense<7> : tensor<7x${N}xi8>
  %least = arith.constant dense<124> : tensor<7x${N}xi8>
  %s1 = arith.andi %s0, %seven : tensor<7x${N}xi8>
  %s = arith.addi %s1, %least : tensor<7x${N}xi8>
  %seven5 = arith.constant dense<7> : tensor<5x${N}xi8>
  %least5 = arith.constant dense<124> : tensor<5x${N}xi8>
  %t1 = arith.andi %t0, %seven5 : tensor<5x${N}xi8>
  %t = arith.addi %t1, %least5 : tensor<5x${N}xi8>
  %zs = tile.splat %z : tensor<7x5x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %kc : tensor<7x5x!tile.ptr<f32>>, tensor<7x5xi32>
  %c = arith.constant dense<1.5> : tensor<7x5xf32>
  %d = tile.dot_scaled %a scale %s, %b scale %t, %c a_type = e4m3 b_type = e5m2
     : tensor<7x${K}xi8>, tensor<7x${N}xi8> * tensor<${K}x5xi8>, tensor<5x${N}xi8> -> tensor<7x5xf32>
  tile.store %pz, %d : tensor<7x5x!tile.ptr<f32>>
  return
}

// Pairs of four bits, one operand without a scale.
func.func @packed(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %u: !tile.ptr<i8>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${MH} : tensor<${MH}xi32>
  %ia = tile.reshape %i : tensor<${MH}xi32> -> tensor<7x${H}xi32>
  %j = tile.make_range 0 to ${HN} : tensor<${HN}xi32>
  %jb = tile.reshape %j : tensor<${HN}xi32> -> tensor<${H}x5xi32>
  %k = tile.make_range 0 to 35 : tensor<35xi32>
  %kc = tile.reshape %k : tensor<35xi32> -> tensor<7x5xi32>
  %g = tile.make_range 0 to ${MG} : tensor<${MG}xi32>
  %gs = tile.reshape %g : tensor<${MG}xi32> -> tensor<7x${N}xi32>
  %xs = tile.splat %x : tensor<7x${H}x!tile.ptr<i8>>
  %px = tile.addptr %xs, %ia : tensor<7x${H}x!tile.ptr<i8>>, tensor<7x${H}xi32>
  %a = tile.load %px : tensor<7x${H}x!tile.ptr<i8>>
  %ys = tile.splat %y : tensor<${H}x5x!tile.ptr<i8>>
  %py = tile.addptr %ys, %jb : tensor<${H}x5x!tile.ptr<i8>>, tensor<${H}x5xi32>
  %b = tile.load %py : tensor<${H}x5x!tile.ptr<i8>>
  %us = tile.splat %u : tensor<7x${N}x!tile.ptr<i8>>
  %pu = tile.addptr %us, %gs : tensor<7x${N}x!tile.ptr<i8>>, tensor<7x${N}xi32>
  %s0 = tile.load %pu : tensor<7x${N}x!tile.ptr<i8>>
  %seven = arith.constant dense<7> : tensor<7x${N}xi8>
  %least = arith.constant dense<124> : tensor<7x${N}xi8>
  %s1 = arith.andi %s0, %seven : tensor<7x${N}xi8>
  %s = arith.addi %s1, %least : tensor<7x${N}xi8>
  %zs = tile.splat %z : tensor<7x5x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %kc : tensor<7x5x!tile.ptr<f32>>, tensor<7x5xi32>
  %c = arith.constant dense<0.0> : tensor<7x5xf32>
  %d = tile.dot_scaled %a scale %s, %b, %c a_type = e2m1 b_type = e2m1
     : tensor<7x${H}xi8>, tensor<7x${N}xi8> * tensor<${H}x5xi8> -> tensor<7x5xf32>
  tile.store %pz, %d : tensor<7x5x!tile.ptr<f32>>
  return
}
