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

// Where the mask is false, what the loop carries stays: the value for masked elements is a block's argument.
func.func @carried(%a: !tile.ptr<i64> {tile.pointer_range = 32 : i32}, %flags: !tile.ptr<i1> {tile.pointer_range = 32 : i32}, %b: !tile.ptr<i64> {tile.pointer_range = 32 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<256> : tensor<256xi32>
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %fs = tile.splat %flags : tensor<256x!tile.ptr<i1>>
  %bs = tile.splat %b : tensor<256x!tile.ptr<i64>>
  %as = tile.splat %a : tensor<256x!tile.ptr<i64>>
  %pb = tile.addptr %bs, %r : tensor<256x!tile.ptr<i64>>, tensor<256xi32>
  %first = arith.constant dense<-1> : tensor<256xi64>
  %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %first, %at = %r) -> (tensor<256xi64>, tensor<256xi32>) : i32 {
    %pf = tile.addptr %fs, %at : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
    %pa = tile.addptr %as, %at : tensor<256x!tile.ptr<i64>>, tensor<256xi32>
    %m = tile.load %pf : tensor<256x!tile.ptr<i1>>
    %y = tile.load %pa mask %m other %x : tensor<256x!tile.ptr<i64>>
    %next = arith.addi %at, %step : tensor<256xi32>
    scf.yield %y, %next : tensor<256xi64>, tensor<256xi32>
  }
  tile.store %pb, %last#0 : tensor<256x!tile.ptr<i64>>
  return
}

// The same of f16 in a loop of another form.
func.func @while(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %j = arith.divsi %r, %eight : tensor<1024xi32>
  %as = tile.splat %a : tensor<1024x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<1024x!tile.ptr<f16>>
  %pa = tile.addptr %as, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %pb = tile.addptr %bs, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %first = arith.constant dense<3.0> : tensor<1024xf16>
  %last:2 = scf.while (%k = %c0, %x = %first) : (i32, tensor<1024xf16>) -> (i32, tensor<1024xf16>) {
    %c = arith.cmpi slt, %k, %n : i32
    scf.condition(%c) %k, %x : i32, tensor<1024xf16>
  } do {
  ^bb0(%k: i32, %x: tensor<1024xf16>):
    %ks = tile.splat %k : tensor<1024xi32>
    %m = arith.cmpi sgt, %j, %ks : tensor<1024xi32>
    %y = tile.load %pa mask %m other %x : tensor<1024x!tile.ptr<f16>>
    %z = arith.addf %y, %y : tensor<1024xf16>
    %next = arith.addi %k, %c1 : i32
    scf.yield %next, %z : i32, tensor<1024xf16>
  }
  tile.store %pb, %last#1 : tensor<1024x!tile.ptr<f16>>
  return
}
