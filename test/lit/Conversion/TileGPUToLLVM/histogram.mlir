// Counts in shared memory: values beyond the last bin, negative and masked ones count nowhere; copies count once.
// RUN: %S/Inputs/agree %s "1 4" --kernel=masked --arg=i32[512]=rand:1:-4:70 --arg=i1[512]=rand:2:0:2 --arg=i64[64]=zeros
// RUN: %S/Inputs/agree %s "1 8" --kernel=bytes --arg=i8[32]=rand:3 --arg=i32[1024]=zeros
// RUN: %S/Inputs/agree %s "1 4" --kernel=loop --arg=i32[256]=rand:4:0:32 --arg=i32[32]=zeros
// More bins than fit into shared memory: some at a time.
// RUN: %S/Inputs/agree %s "8 2" --kernel=many --arg=i64[512]=rand:5:-9:66000 --arg=i8[512]=rand:6 --arg=i32[65536]=zeros --arg=i64[65536]=zeros

func.func @masked(%x: !tile.ptr<i32>, %m: !tile.ptr<i1>, %y: !tile.ptr<i64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %xv = tile.load %xp : tensor<512x!tile.ptr<i32>>
  %ms = tile.splat %m : tensor<512x!tile.ptr<i1>>
  %mp = tile.addptr %ms, %r : tensor<512x!tile.ptr<i1>>, tensor<512xi32>
  %mv = tile.load %mp : tensor<512x!tile.ptr<i1>>
  %h = tile.histogram %xv mask %mv : tensor<512xi32> -> tensor<64xi64>
  %o = tile.make_range 0 to 64 : tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<i64>>
  %yp = tile.addptr %ys, %o : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  tile.store %yp, %h : tensor<64x!tile.ptr<i64>>
  return
}

// Fewer elements than threads, more bins than values.
func.func @bytes(%x: !tile.ptr<i8>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : tensor<32x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %r : tensor<32x!tile.ptr<i8>>, tensor<32xi32>
  %xv = tile.load %xp : tensor<32x!tile.ptr<i8>>
  %h = tile.histogram %xv : tensor<32xi8> -> tensor<1024xi32>
  %o = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %yp, %h : tensor<1024x!tile.ptr<i32>>
  return
}

// The counters are used again in the next iteration.
func.func @loop(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0> : tensor<32xi32>
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %r : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %xv = tile.load %xp : tensor<256x!tile.ptr<i32>>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (tensor<32xi32>) : i32 {
    %is = tile.splat %i : tensor<256xi32>
    %xi = arith.addi %xv, %is : tensor<256xi32>
    %h = tile.histogram %xi : tensor<256xi32> -> tensor<32xi32>
    %n = arith.addi %s, %h : tensor<32xi32>
    scf.yield %n : tensor<32xi32>
  }
  %o = tile.make_range 0 to 32 : tensor<32xi32>
  %ys = tile.splat %y : tensor<32x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %yp, %sum : tensor<32x!tile.ptr<i32>>
  return
}

func.func @many(%x: !tile.ptr<i64>, %z: !tile.ptr<i8>, %y: !tile.ptr<i32>, %u: !tile.ptr<i64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : tensor<512x!tile.ptr<i64>>
  %xp = tile.addptr %xs, %r : tensor<512x!tile.ptr<i64>>, tensor<512xi32>
  %xv = tile.load %xp : tensor<512x!tile.ptr<i64>>
  %zs = tile.splat %z : tensor<512x!tile.ptr<i8>>
  %zp = tile.addptr %zs, %r : tensor<512x!tile.ptr<i8>>, tensor<512xi32>
  %zv = tile.load %zp : tensor<512x!tile.ptr<i8>>
  %h = tile.histogram %xv : tensor<512xi64> -> tensor<65536xi32>
  %g = tile.histogram %zv : tensor<512xi8> -> tensor<65536xi64>
  %o = tile.make_range 0 to 65536 : tensor<65536xi32>
  %ys = tile.splat %y : tensor<65536x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<65536x!tile.ptr<i32>>, tensor<65536xi32>
  tile.store %yp, %h : tensor<65536x!tile.ptr<i32>>
  %us = tile.splat %u : tensor<65536x!tile.ptr<i64>>
  %up = tile.addptr %us, %o : tensor<65536x!tile.ptr<i64>>, tensor<65536xi32>
  tile.store %up, %g : tensor<65536x!tile.ptr<i64>>
  return
}
