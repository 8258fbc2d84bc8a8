func.func @ranged(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %n: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c1024 = arith.constant 1024 : i32
  %start = arith.muli %pid, %c1024 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ss = tile.splat %start : tensor<1024xi32>
  %i = arith.addi %r, %ss : tensor<1024xi32>
  %groups = arith.constant dense<4> : tensor<1024xi32>
  %j = arith.divsi %i, %groups : tensor<1024xi32>
  %c4 = arith.constant 4 : i32
  %n4 = arith.divsi %n, %c4 : i32
  %ns = tile.splat %n4 : tensor<1024xi32>
  %m = arith.cmpi slt, %j, %ns : tensor<1024xi32>
  %other = arith.constant dense<7.0> : tensor<1024xf32>
  %as = tile.splat %a : tensor<1024x!tile.ptr<f32>>
  %bs = tile.splat %b : tensor<1024x!tile.ptr<f32>>
  %pa = tile.addptr %as, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %pb = tile.addptr %bs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %pa mask %m other %other : tensor<1024x!tile.ptr<f32>>
  tile.store %pb, %x mask %m : tensor<1024x!tile.ptr<f32>>
  return
}

func.func @unknown(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %at: !tile.ptr<i64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %as = tile.splat %a : tensor<1024x!tile.ptr<f32>>
  %bs = tile.splat %b : tensor<1024x!tile.ptr<f32>>
  %pa = tile.addptr %as, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %pb = tile.addptr %bs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %pa : tensor<1024x!tile.ptr<f32>>
  %y = tile.load %pb : tensor<1024x!tile.ptr<f32>>
  %d = tile.load %at : !tile.ptr<i64>
  %q = tile.addptr %b, %d : !tile.ptr<f32>, i64
  %qs = tile.splat %q : tensor<1024x!tile.ptr<f32>>
  %pq = tile.addptr %qs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %z = arith.addf %x, %y : tensor<1024xf32>
  tile.store %pq, %z : tensor<1024x!tile.ptr<f32>>
  return
}
