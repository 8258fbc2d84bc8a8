// Ops that move elements, on tensors of any size.
//
// for N in 1 3 5 7 12 100 781 1151
// let N2 = 2 * N
// let M = 3 * N
// let K = 4 * N
// let L = 6 * N
// let N3 = N + 3
// let NN3 = 2 * N + 3
// let LAST = N - 1
// run: --kernel=fold --arg=f32[{3*N}]=iota --arg=f32[{3*N}]=zeros
// run: --kernel=unfold --arg=f16[{6*N}]=rand:1 --arg=f16[{6*N}]=zeros
// run: --kernel=easy --arg=i32[{4*N}]=iota --arg=i32[{4*N}]=zeros
// run: --kernel=swap --arg=i32[{6*N}]=iota --arg=i32[{6*N}]=zeros
// run: --kernel=cat --arg=f32[{N}]=randn:1 --arg=f32[3]=fill:-1 --arg=f32[{N+3}]=zeros --arg=f32[{2*N+3}]=zeros
// run: --kernel=cat2d --arg=f32[{2*N}]=iota --arg=f32[{4*N}]=zeros
// run: --kernel=pairs --arg=f32[{N}]=iota --arg=f32[{2*N}]=zeros --arg=f32[{N}]=zeros
// run: --kernel=gather --arg=f32[{N}]=randn:1 --arg=i32[20]=rand:2:0:{N} --arg=f32[20]=zeros
// run: --kernel=gather2d --arg=f32[{3*N}]=randn:1 --arg=i32[{3*N}]=rand:2:0:3 --arg=f32[{3*N}]=zeros
// run: --kernel=histogram --arg=i32[{N}]=rand:1:0:14 --arg=i32[11]=zeros
// run: --kernel=histogram_masked --arg=i32[{N}]=rand:1:0:11 --arg=i32[11]=zeros --arg=i32={N//2}
// run: --kernel=pick --arg=f32[{N}]=iota --arg=f32[{N}]=zeros
func.func @fold(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${M} : tensor<${M}xi32>
  %xs = tile.splat %x : tensor<${M}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${M}x!tile.ptr<f32>>, tensor<${M}xi32>
  %v = tile.load %px : tensor<${M}x!tile.ptr<f32>>
  %t = tile.reshape %v : tensor<${M}xf32> -> tensor<${N}x3xf32>
  %u = tile.trans %t order = [1, 0] : tensor<${N}x3xf32> -> tensor<3x${N}xf32>
  %w = tile.reshape %u : tensor<3x${N}xf32> -> tensor<${M}xf32>
  %ys = tile.splat %y : tensor<${M}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${M}x!tile.ptr<f32>>, tensor<${M}xi32>
  tile.store %py, %w : tensor<${M}x!tile.ptr<f32>>
  return
}

func.func @unfold(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${L} : tensor<${L}xi32>
  %xs = tile.splat %x : tensor<${L}x!tile.ptr<f16>>
  %px = tile.addptr %xs, %i : tensor<${L}x!tile.ptr<f16>>, tensor<${L}xi32>
  %v = tile.load %px : tensor<${L}x!tile.ptr<f16>>
  %t = tile.reshape %v : tensor<${L}xf16> -> tensor<3x${N}x2xf16>
  %u = tile.trans %t order = [2, 0, 1] : tensor<3x${N}x2xf16> -> tensor<2x3x${N}xf16>
  %j = tile.reshape %i : tensor<${L}xi32> -> tensor<2x3x${N}xi32>
  %ys = tile.splat %y : tensor<2x3x${N}x!tile.ptr<f16>>
  %py = tile.addptr %ys, %j : tensor<2x3x${N}x!tile.ptr<f16>>, tensor<2x3x${N}xi32>
  tile.store %py, %u : tensor<2x3x${N}x!tile.ptr<f16>>
  return
}

// The order is kept: N stands first.
func.func @easy(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %xs = tile.splat %x : tensor<${K}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${K}x!tile.ptr<i32>>, tensor<${K}xi32>
  %v = tile.load %px : tensor<${K}x!tile.ptr<i32>>
  %t = tile.reshape %v allow_reorder : tensor<${K}xi32> -> tensor<1x${N}x2x2xi32>
  %u = tile.trans %t order = [0, 1, 3, 2] : tensor<1x${N}x2x2xi32> -> tensor<1x${N}x2x2xi32>
  %w = tile.reshape %u : tensor<1x${N}x2x2xi32> -> tensor<${K}xi32>
  %ys = tile.splat %y : tensor<${K}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<${K}x!tile.ptr<i32>>, tensor<${K}xi32>
  tile.store %py, %w : tensor<${K}x!tile.ptr<i32>>
  return
}

func.func @swap(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${L} : tensor<${L}xi32>
  %j = tile.reshape %i : tensor<${L}xi32> -> tensor<${N}x6xi32>
  %xs = tile.splat %x : tensor<${N}x6x!tile.ptr<i32>>
  %px = tile.addptr %xs, %j : tensor<${N}x6x!tile.ptr<i32>>, tensor<${N}x6xi32>
  %v = tile.load %px : tensor<${N}x6x!tile.ptr<i32>>
  %w = tile.reshape %v : tensor<${N}x6xi32> -> tensor<6x${N}xi32>
  %k = tile.reshape %i : tensor<${L}xi32> -> tensor<6x${N}xi32>
  %ys = tile.splat %y : tensor<6x${N}x!tile.ptr<i32>>
  %py = tile.addptr %ys, %k : tensor<6x${N}x!tile.ptr<i32>>, tensor<6x${N}xi32>
  tile.store %py, %w : tensor<6x${N}x!tile.ptr<i32>>
  return
}

func.func @cat(%x: !tile.ptr<f32>, %z: !tile.ptr<f32>, %y: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %three = tile.make_range 0 to 3 : tensor<3xi32>
  %zs = tile.splat %z : tensor<3x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %three : tensor<3x!tile.ptr<f32>>, tensor<3xi32>
  %w = tile.load %pz : tensor<3x!tile.ptr<f32>>
  %c = tile.cat %v, %w : tensor<${N}xf32>, tensor<3xf32> -> tensor<${N3}xf32>
  %j = tile.make_range 0 to ${N3} : tensor<${N3}xi32>
  %ys = tile.splat %y : tensor<${N3}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %j : tensor<${N3}x!tile.ptr<f32>>, tensor<${N3}xi32>
  tile.store %py, %c : tensor<${N3}x!tile.ptr<f32>>
  %d = tile.cat %c, %v : tensor<${N3}xf32>, tensor<${N}xf32> -> tensor<${NN3}xf32>
  %k = tile.make_range 0 to ${NN3} : tensor<${NN3}xi32>
  %qs = tile.splat %q : tensor<${NN3}x!tile.ptr<f32>>
  %pq = tile.addptr %qs, %k : tensor<${NN3}x!tile.ptr<f32>>, tensor<${NN3}xi32>
  tile.store %pq, %d : tensor<${NN3}x!tile.ptr<f32>>
  return
}

func.func @cat2d(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N2} : tensor<${N2}xi32>
  %xs = tile.splat %x : tensor<${N2}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N2}x!tile.ptr<f32>>, tensor<${N2}xi32>
  %v = tile.load %px : tensor<${N2}x!tile.ptr<f32>>
  %a = tile.reshape %v : tensor<${N2}xf32> -> tensor<2x${N}xf32>
  %b = arith.negf %a : tensor<2x${N}xf32>
  %c = tile.cat %b, %a : tensor<2x${N}xf32>, tensor<2x${N}xf32> -> tensor<4x${N}xf32>
  %d = tile.reshape %c : tensor<4x${N}xf32> -> tensor<${K}xf32>
  %j = tile.make_range 0 to ${K} : tensor<${K}xi32>
  %ys = tile.splat %y : tensor<${K}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %j : tensor<${K}x!tile.ptr<f32>>, tensor<${K}xi32>
  tile.store %py, %d : tensor<${K}x!tile.ptr<f32>>
  return
}

func.func @pairs(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %n = arith.negf %v : tensor<${N}xf32>
  %p = tile.join %v, %n : tensor<${N}xf32> -> tensor<${N}x2xf32>
  %f = tile.reshape %p : tensor<${N}x2xf32> -> tensor<${N2}xf32>
  %j = tile.make_range 0 to ${N2} : tensor<${N2}xi32>
  %ys = tile.splat %y : tensor<${N2}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %j : tensor<${N2}x!tile.ptr<f32>>, tensor<${N2}xi32>
  tile.store %py, %f : tensor<${N2}x!tile.ptr<f32>>
  %a, %b = tile.split %p : tensor<${N}x2xf32> -> tensor<${N}xf32>
  %s = arith.subf %a, %b : tensor<${N}xf32>
  %zs = tile.splat %z : tensor<${N}x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %pz, %s : tensor<${N}x!tile.ptr<f32>>
  return
}

func.func @gather(%x: !tile.ptr<f32>, %z: !tile.ptr<i32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %j = tile.make_range 0 to 20 : tensor<20xi32>
  %zs = tile.splat %z : tensor<20x!tile.ptr<i32>>
  %pz = tile.addptr %zs, %j : tensor<20x!tile.ptr<i32>>, tensor<20xi32>
  %k = tile.load %pz : tensor<20x!tile.ptr<i32>>
  %g = tile.gather %v, %k axis = 0 : tensor<${N}xf32>, tensor<20xi32> -> tensor<20xf32>
  %ys = tile.splat %y : tensor<20x!tile.ptr<f32>>
  %py = tile.addptr %ys, %j : tensor<20x!tile.ptr<f32>>, tensor<20xi32>
  tile.store %py, %g : tensor<20x!tile.ptr<f32>>
  return
}

func.func @gather2d(%x: !tile.ptr<f32>, %z: !tile.ptr<i32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${M} : tensor<${M}xi32>
  %j = tile.reshape %i : tensor<${M}xi32> -> tensor<3x${N}xi32>
  %xs = tile.splat %x : tensor<3x${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %j : tensor<3x${N}x!tile.ptr<f32>>, tensor<3x${N}xi32>
  %v = tile.load %px : tensor<3x${N}x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<3x${N}x!tile.ptr<i32>>
  %pz = tile.addptr %zs, %j : tensor<3x${N}x!tile.ptr<i32>>, tensor<3x${N}xi32>
  %k = tile.load %pz : tensor<3x${N}x!tile.ptr<i32>>
  %g = tile.gather %v, %k axis = 0 : tensor<3x${N}xf32>, tensor<3x${N}xi32> -> tensor<3x${N}xf32>
  %ys = tile.splat %y : tensor<3x${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %j : tensor<3x${N}x!tile.ptr<f32>>, tensor<3x${N}xi32>
  tile.store %py, %g : tensor<3x${N}x!tile.ptr<f32>>
  return
}

func.func @histogram(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %v = tile.load %px : tensor<${N}x!tile.ptr<i32>>
  %h = tile.histogram %v : tensor<${N}xi32> -> tensor<11xi32>
  %j = tile.make_range 0 to 11 : tensor<11xi32>
  %ys = tile.splat %y : tensor<11x!tile.ptr<i32>>
  %py = tile.addptr %ys, %j : tensor<11x!tile.ptr<i32>>, tensor<11xi32>
  tile.store %py, %h : tensor<11x!tile.ptr<i32>>
  return
}

func.func @histogram_masked(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %ns = tile.splat %n : tensor<${N}xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %v = tile.load %px mask %in : tensor<${N}x!tile.ptr<i32>>
  %h = tile.histogram %v mask %in : tensor<${N}xi32> -> tensor<11xi32>
  %j = tile.make_range 0 to 11 : tensor<11xi32>
  %ys = tile.splat %y : tensor<11x!tile.ptr<i32>>
  %py = tile.addptr %ys, %j : tensor<11x!tile.ptr<i32>>, tensor<11xi32>
  tile.store %py, %h : tensor<11x!tile.ptr<i32>>
  return
}

// Elements in reverse, by a gather of pointers.
func.func @pick(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %last = arith.constant dense<${LAST}> : tensor<${N}xi32>
  %r = arith.subi %last, %i : tensor<${N}xi32>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %pr = tile.gather %px, %r axis = 0 : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32> -> tensor<${N}x!tile.ptr<f32>>
  %v = tile.load %pr : tensor<${N}x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %py, %v : tensor<${N}x!tile.ptr<f32>>
  return
}
