// Products in the company that users of other tile compilers reported as wrong or crashing: chains, loops with several products,
// transposed and reduced factors, branches, mixed types. Every kernel reads 16-bit elements from %a and writes f32 to %c.
// tile.param T = bf16

// A product of a product (its layouts once did not cover the tensor with eight warps).
func.func @chain(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %x_n = tile.make_range 0 to 8192 : tensor<8192xi32>
  %x_i = tile.reshape %x_n : tensor<8192xi32> -> tensor<64x128xi32>
  %x_s = tile.splat %a : tensor<64x128x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<64x128x!tile.ptr<${T}>>, tensor<64x128xi32>
  %x = tile.load %x_p : tensor<64x128x!tile.ptr<${T}>>
  %y_n = tile.make_range 0 to 8192 : tensor<8192xi32>
  %y_i = tile.reshape %y_n : tensor<8192xi32> -> tensor<128x64xi32>
  %y_s = tile.splat %a : tensor<128x64x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_s, %y_i : tensor<128x64x!tile.ptr<${T}>>, tensor<128x64xi32>
  %y = tile.load %y_p : tensor<128x64x!tile.ptr<${T}>>
  %z_n = tile.make_range 0 to 8192 : tensor<8192xi32>
  %z_i = tile.reshape %z_n : tensor<8192xi32> -> tensor<64x128xi32>
  %z_s = tile.splat %a : tensor<64x128x!tile.ptr<${T}>>
  %z_p = tile.addptr %z_s, %z_i : tensor<64x128x!tile.ptr<${T}>>, tensor<64x128xi32>
  %z = tile.load %z_p : tensor<64x128x!tile.ptr<${T}>>
  %o_n = tile.make_range 0 to 8192 : tensor<8192xi32>
  %o_i = tile.reshape %o_n : tensor<8192xi32> -> tensor<64x128xi32>
  %o_s = tile.splat %c : tensor<64x128x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<64x128x!tile.ptr<f32>>, tensor<64x128xi32>
  %zero0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero1 = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = tile.dot %x, %y, %zero0 : tensor<64x128x${T}> * tensor<128x64x${T}> -> tensor<64x64xf32>
  %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64x${T}>
  %r = tile.dot %h, %z, %zero1 : tensor<64x64x${T}> * tensor<64x128x${T}> -> tensor<64x128xf32>
  tile.store %o_p, %r : tensor<64x128x!tile.ptr<f32>>
  return
}

// The same with a short K.
func.func @short_chain(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %x_n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %x_i = tile.reshape %x_n : tensor<2048xi32> -> tensor<64x32xi32>
  %x_s = tile.splat %a : tensor<64x32x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<64x32x!tile.ptr<${T}>>, tensor<64x32xi32>
  %x = tile.load %x_p : tensor<64x32x!tile.ptr<${T}>>
  %y_n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %y_i = tile.reshape %y_n : tensor<2048xi32> -> tensor<32x64xi32>
  %y_s = tile.splat %a : tensor<32x64x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_s, %y_i : tensor<32x64x!tile.ptr<${T}>>, tensor<32x64xi32>
  %y = tile.load %y_p : tensor<32x64x!tile.ptr<${T}>>
  %z_n = tile.make_range 0 to 8192 : tensor<8192xi32>
  %z_i = tile.reshape %z_n : tensor<8192xi32> -> tensor<64x128xi32>
  %z_s = tile.splat %a : tensor<64x128x!tile.ptr<${T}>>
  %z_p = tile.addptr %z_s, %z_i : tensor<64x128x!tile.ptr<${T}>>, tensor<64x128xi32>
  %z = tile.load %z_p : tensor<64x128x!tile.ptr<${T}>>
  %o_n = tile.make_range 0 to 8192 : tensor<8192xi32>
  %o_i = tile.reshape %o_n : tensor<8192xi32> -> tensor<64x128xi32>
  %o_s = tile.splat %c : tensor<64x128x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<64x128x!tile.ptr<f32>>, tensor<64x128xi32>
  %zero0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero1 = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = tile.dot %x, %y, %zero0 : tensor<64x32x${T}> * tensor<32x64x${T}> -> tensor<64x64xf32>
  %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64x${T}>
  %r = tile.dot %h, %z, %zero1 : tensor<64x64x${T}> * tensor<64x128x${T}> -> tensor<64x128xf32>
  tile.store %o_p, %r : tensor<64x128x!tile.ptr<f32>>
  return
}

// Two products in a chain into one accumulator of a loop.
func.func @two_into_one(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x_n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %x_i = tile.reshape %x_n : tensor<2048xi32> -> tensor<64x32xi32>
  %x_s = tile.splat %a : tensor<64x32x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<64x32x!tile.ptr<${T}>>, tensor<64x32xi32>
  %y_n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %y_i = tile.reshape %y_n : tensor<2048xi32> -> tensor<32x64xi32>
  %y_s = tile.splat %a : tensor<32x64x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_s, %y_i : tensor<32x64x!tile.ptr<${T}>>, tensor<32x64xi32>
  %o_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %o_i = tile.reshape %o_n : tensor<4096xi32> -> tensor<64x64xi32>
  %o_s = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %stepy = arith.constant dense<64> : tensor<32x64xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %px = %x_p, %py = %y_p) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<${T}>>, tensor<32x64x!tile.ptr<${T}>>) : i32 {
    %x = tile.load %px : tensor<64x32x!tile.ptr<${T}>>
    %y = tile.load %py : tensor<32x64x!tile.ptr<${T}>>
    %d = tile.dot %x, %y, %acc : tensor<64x32x${T}> * tensor<32x64x${T}> -> tensor<64x64xf32>
    %x2 = arith.addf %x, %x : tensor<64x32x${T}>
    %e = tile.dot %x2, %y, %d : tensor<64x32x${T}> * tensor<32x64x${T}> -> tensor<64x64xf32>
    %qx = tile.addptr %px, %step : tensor<64x32x!tile.ptr<${T}>>, tensor<64x32xi32>
    %qy = tile.addptr %py, %stepy : tensor<32x64x!tile.ptr<${T}>>, tensor<32x64xi32>
    scf.yield %e, %qx, %qy : tensor<64x64xf32>, tensor<64x32x!tile.ptr<${T}>>, tensor<32x64x!tile.ptr<${T}>>
  }
  tile.store %o_p, %r#0 : tensor<64x64x!tile.ptr<f32>>
  return
}

// A factor that is also summed; which of the two comes first must not matter.
func.func @sum_and_transposed(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %x_i = tile.reshape %x_n : tensor<4096xi32> -> tensor<64x64xi32>
  %x_s = tile.splat %a : tensor<64x64x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %y_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %y_i = tile.reshape %y_n : tensor<4096xi32> -> tensor<64x64xi32>
  %y_s = tile.splat %a : tensor<64x64x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_s, %y_i : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %o_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %o_i = tile.reshape %o_n : tensor<4096xi32> -> tensor<64x64xi32>
  %o_s = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %step = arith.constant dense<64> : tensor<64x64xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %sums = %none, %px = %x_p) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64x64x!tile.ptr<${T}>>) : i32 {
    %x = tile.load %px : tensor<64x64x!tile.ptr<${T}>>
    %y = tile.load %y_p : tensor<64x64x!tile.ptr<${T}>>
    %xf = arith.extf %x : tensor<64x64x${T}> to tensor<64x64xf32>
    %sum = tile.reduce %xf axis = 0 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%l: f32, %q: f32):
      %lq = arith.addf %l, %q : f32
      tile.yield %lq : f32
    }
    %total = arith.addf %sums, %sum : tensor<64xf32>
    %t = tile.trans %x order = [1, 0] : tensor<64x64x${T}> -> tensor<64x64x${T}>
    %d = tile.dot %t, %y, %acc : tensor<64x64x${T}> * tensor<64x64x${T}> -> tensor<64x64xf32>
    %qx = tile.addptr %px, %step : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
    scf.yield %d, %total, %qx : tensor<64x64xf32>, tensor<64xf32>, tensor<64x64x!tile.ptr<${T}>>
  }
  %col = tile.expand_dims %r#1 axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
  %wide = tile.broadcast %col : tensor<64x1xf32> -> tensor<64x64xf32>
  %both = arith.addf %r#0, %wide : tensor<64x64xf32>
  tile.store %o_p, %both : tensor<64x64x!tile.ptr<f32>>
  return
}

// A factor that is also summed; which of the two comes first must not matter.
func.func @transposed_and_sum(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %x_i = tile.reshape %x_n : tensor<4096xi32> -> tensor<64x64xi32>
  %x_s = tile.splat %a : tensor<64x64x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %y_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %y_i = tile.reshape %y_n : tensor<4096xi32> -> tensor<64x64xi32>
  %y_s = tile.splat %a : tensor<64x64x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_s, %y_i : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %o_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %o_i = tile.reshape %o_n : tensor<4096xi32> -> tensor<64x64xi32>
  %o_s = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %step = arith.constant dense<64> : tensor<64x64xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %sums = %none, %px = %x_p) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64x64x!tile.ptr<${T}>>) : i32 {
    %x = tile.load %px : tensor<64x64x!tile.ptr<${T}>>
    %y = tile.load %y_p : tensor<64x64x!tile.ptr<${T}>>
    %t = tile.trans %x order = [1, 0] : tensor<64x64x${T}> -> tensor<64x64x${T}>
    %d = tile.dot %t, %y, %acc : tensor<64x64x${T}> * tensor<64x64x${T}> -> tensor<64x64xf32>
    %xf = arith.extf %x : tensor<64x64x${T}> to tensor<64x64xf32>
    %sum = tile.reduce %xf axis = 0 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%l: f32, %q: f32):
      %lq = arith.addf %l, %q : f32
      tile.yield %lq : f32
    }
    %total = arith.addf %sums, %sum : tensor<64xf32>
    %qx = tile.addptr %px, %step : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
    scf.yield %d, %total, %qx : tensor<64x64xf32>, tensor<64xf32>, tensor<64x64x!tile.ptr<${T}>>
  }
  %col = tile.expand_dims %r#1 axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
  %wide = tile.broadcast %col : tensor<64x1xf32> -> tensor<64x64xf32>
  %both = arith.addf %r#0, %wide : tensor<64x64xf32>
  tile.store %o_p, %both : tensor<64x64x!tile.ptr<f32>>
  return
}

// Seven loads and two products in a loop.
func.func @seven_loads(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l0_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l0_i = tile.reshape %l0_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l0_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l0_p = tile.addptr %l0_s, %l0_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l1_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l1_i = tile.reshape %l1_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l1_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l1_p = tile.addptr %l1_s, %l1_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l2_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l2_i = tile.reshape %l2_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l2_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l2_p = tile.addptr %l2_s, %l2_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l3_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l3_i = tile.reshape %l3_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l3_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l3_p = tile.addptr %l3_s, %l3_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l4_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l4_i = tile.reshape %l4_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l4_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l4_p = tile.addptr %l4_s, %l4_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l5_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l5_i = tile.reshape %l5_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l5_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l5_p = tile.addptr %l5_s, %l5_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l6_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l6_i = tile.reshape %l6_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l6_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l6_p = tile.addptr %l6_s, %l6_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %o_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %o_i = tile.reshape %o_n : tensor<1024xi32> -> tensor<32x32xi32>
  %o_s = tile.splat %c : tensor<32x32x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %acc2 = %zero) -> (tensor<32x32xf32>, tensor<32x32xf32>) : i32 {
    %l0 = tile.load %l0_p : tensor<32x32x!tile.ptr<${T}>>
    %l1 = tile.load %l1_p : tensor<32x32x!tile.ptr<${T}>>
    %l2 = tile.load %l2_p : tensor<32x32x!tile.ptr<${T}>>
    %l3 = tile.load %l3_p : tensor<32x32x!tile.ptr<${T}>>
    %l4 = tile.load %l4_p : tensor<32x32x!tile.ptr<${T}>>
    %l5 = tile.load %l5_p : tensor<32x32x!tile.ptr<${T}>>
    %l6 = tile.load %l6_p : tensor<32x32x!tile.ptr<${T}>>
    %s0 = arith.addf %l0, %l1 : tensor<32x32x${T}>
    %s1 = arith.addf %l2, %l3 : tensor<32x32x${T}>
    %s2 = arith.addf %l5, %l6 : tensor<32x32x${T}>
    %d = tile.dot %s0, %s1, %acc : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
    %e = tile.dot %l4, %s2, %acc2 : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
    scf.yield %d, %e : tensor<32x32xf32>, tensor<32x32xf32>
  }
  %both = arith.addf %r#0, %r#1 : tensor<32x32xf32>
  tile.store %o_p, %both : tensor<32x32x!tile.ptr<f32>>
  return
}

// Four loads, exponentials and maxima between three products; one result is a first and a second factor.
func.func @soft(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l0_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l0_i = tile.reshape %l0_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l0_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l0_p = tile.addptr %l0_s, %l0_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l1_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l1_i = tile.reshape %l1_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l1_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l1_p = tile.addptr %l1_s, %l1_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l2_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l2_i = tile.reshape %l2_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l2_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l2_p = tile.addptr %l2_s, %l2_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %l3_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %l3_i = tile.reshape %l3_n : tensor<1024xi32> -> tensor<32x32xi32>
  %l3_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %l3_p = tile.addptr %l3_s, %l3_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %o_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %o_i = tile.reshape %o_n : tensor<1024xi32> -> tensor<32x32xi32>
  %o_s = tile.splat %c : tensor<32x32x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %low = arith.constant dense<-1.0e30> : tensor<32xf32>
  %tiny = arith.constant dense<0.03125> : tensor<32x32xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %top = %low) -> (tensor<32x32xf32>, tensor<32xf32>) : i32 {
    %l0 = tile.load %l0_p : tensor<32x32x!tile.ptr<${T}>>
    %l1 = tile.load %l1_p : tensor<32x32x!tile.ptr<${T}>>
    %l2 = tile.load %l2_p : tensor<32x32x!tile.ptr<${T}>>
    %l3 = tile.load %l3_p : tensor<32x32x!tile.ptr<${T}>>
    %d = tile.dot %l0, %l1, %zero : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
    %ds = arith.mulf %d, %tiny : tensor<32x32xf32>
    %m = tile.reduce %ds axis = 1 : tensor<32x32xf32> -> tensor<32xf32> {
    ^bb0(%l: f32, %q: f32):
      %lq = arith.maxnumf %l, %q : f32
      tile.yield %lq : f32
    }
    %new = arith.maxnumf %top, %m : tensor<32xf32>
    %e1 = tile.expand_dims %new axis = 1 : tensor<32xf32> -> tensor<32x1xf32>
    %e2 = tile.broadcast %e1 : tensor<32x1xf32> -> tensor<32x32xf32>
    %e3 = arith.subf %ds, %e2 : tensor<32x32xf32>
    %p = math.exp2 %e3 : tensor<32x32xf32>
    %ph = arith.truncf %p : tensor<32x32xf32> to tensor<32x32x${T}>
    %f = tile.dot %ph, %l2, %acc : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
    %g = tile.dot %l3, %ph, %f : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
    scf.yield %g, %new : tensor<32x32xf32>, tensor<32xf32>
  }
  tile.store %o_p, %r#0 : tensor<32x32x!tile.ptr<f32>>
  return
}

// Products in branches of a loop, onto a loaded accumulator.
func.func @in_branch(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %x_i = tile.reshape %x_n : tensor<1024xi32> -> tensor<32x32xi32>
  %x_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %y_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %y_i = tile.reshape %y_n : tensor<1024xi32> -> tensor<32x32xi32>
  %y_s = tile.splat %a : tensor<32x32x!tile.ptr<${T}>>
  %y_p = tile.addptr %y_s, %y_i : tensor<32x32x!tile.ptr<${T}>>, tensor<32x32xi32>
  %o_n = tile.make_range 0 to 1024 : tensor<1024xi32>
  %o_i = tile.reshape %o_n : tensor<1024xi32> -> tensor<32x32xi32>
  %o_s = tile.splat %c : tensor<32x32x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %start = tile.load %o_p : tensor<32x32x!tile.ptr<f32>>
  %on = arith.cmpi ne, %flag, %c0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (tensor<32x32xf32>) : i32 {
    %x = tile.load %x_p : tensor<32x32x!tile.ptr<${T}>>
    %y = tile.load %y_p : tensor<32x32x!tile.ptr<${T}>>
    %odd = arith.andi %i, %c1 : i32
    %isodd = arith.cmpi eq, %odd, %c1 : i32
    %q = scf.if %isodd -> (tensor<32x32xf32>) {
      %d = tile.dot %x, %y, %acc : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } else {
      %yt = tile.trans %y order = [1, 0] : tensor<32x32x${T}> -> tensor<32x32x${T}>
      %d = tile.dot %yt, %x, %acc : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    %s = scf.if %on -> (tensor<32x32xf32>) {
      %e = tile.dot %x, %x, %q : tensor<32x32x${T}> * tensor<32x32x${T}> -> tensor<32x32xf32>
      scf.yield %e : tensor<32x32xf32>
    } else {
      scf.yield %q : tensor<32x32xf32>
    }
    scf.yield %s : tensor<32x32xf32>
  }
  tile.store %o_p, %r : tensor<32x32x!tile.ptr<f32>>
  return
}

// A weight of bytes, widened and scaled in registers.
func.func @bytes_weight(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %x_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %x_i = tile.reshape %x_n : tensor<4096xi32> -> tensor<64x64xi32>
  %x_s = tile.splat %a : tensor<64x64x!tile.ptr<${T}>>
  %x_p = tile.addptr %x_s, %x_i : tensor<64x64x!tile.ptr<${T}>>, tensor<64x64xi32>
  %x = tile.load %x_p : tensor<64x64x!tile.ptr<${T}>>
  %v_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %v_i = tile.reshape %v_n : tensor<4096xi32> -> tensor<64x64xi32>
  %v_s = tile.splat %w : tensor<64x64x!tile.ptr<i8>>
  %v_p = tile.addptr %v_s, %v_i : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %v = tile.load %v_p : tensor<64x64x!tile.ptr<i8>>
  %k = tile.make_range 0 to 64 : tensor<64xi32>
  %sp = tile.splat %a : tensor<64x!tile.ptr<${T}>>
  %sq = tile.addptr %sp, %k : tensor<64x!tile.ptr<${T}>>, tensor<64xi32>
  %scale = tile.load %sq : tensor<64x!tile.ptr<${T}>>
  %s1 = tile.expand_dims %scale axis = 0 : tensor<64x${T}> -> tensor<1x64x${T}>
  %s2 = tile.broadcast %s1 : tensor<1x64x${T}> -> tensor<64x64x${T}>
  %vf = arith.sitofp %v : tensor<64x64xi8> to tensor<64x64x${T}>
  %vs = arith.mulf %vf, %s2 : tensor<64x64x${T}>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %vs, %zero : tensor<64x64x${T}> * tensor<64x64x${T}> -> tensor<64x64xf32>
  %o_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %o_i = tile.reshape %o_n : tensor<4096xi32> -> tensor<64x64xi32>
  %o_s = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %o_p, %d : tensor<64x64x!tile.ptr<f32>>
  return
}

// One row times a matrix of 8-bit floats.
func.func @row_times_f8(%a: !tile.ptr<${T}> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %flag: i32) attributes {tile.kernel} {
  %x_n = tile.make_range 0 to 128 : tensor<128xi32>
  %x_i = tile.reshape %x_n : tensor<128xi32> -> tensor<1x128xi32>
  %x_s = tile.splat %w : tensor<1x128x!tile.ptr<i8>>
  %x_p = tile.addptr %x_s, %x_i : tensor<1x128x!tile.ptr<i8>>, tensor<1x128xi32>
  %x = tile.load %x_p : tensor<1x128x!tile.ptr<i8>>
  %y_n = tile.make_range 0 to 4096 : tensor<4096xi32>
  %y_i = tile.reshape %y_n : tensor<4096xi32> -> tensor<128x32xi32>
  %y_s = tile.splat %w : tensor<128x32x!tile.ptr<i8>>
  %y_p = tile.addptr %y_s, %y_i : tensor<128x32x!tile.ptr<i8>>, tensor<128x32xi32>
  %y = tile.load %y_p : tensor<128x32x!tile.ptr<i8>>
  %m0 = arith.constant dense<63> : tensor<1x128xi8>
  %m1 = arith.constant dense<63> : tensor<128x32xi8>
  %x1 = arith.andi %x, %m0 : tensor<1x128xi8>
  %y1 = arith.andi %y, %m1 : tensor<128x32xi8>
  %x8 = tile.bitcast %x1 : tensor<1x128xi8> -> tensor<1x128xf8E4M3FN>
  %y8 = tile.bitcast %y1 : tensor<128x32xi8> -> tensor<128x32xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<1x32xf32>
  %d = tile.dot %x8, %y8, %zero : tensor<1x128xf8E4M3FN> * tensor<128x32xf8E4M3FN> -> tensor<1x32xf32>
  %o_n = tile.make_range 0 to 32 : tensor<32xi32>
  %o_i = tile.reshape %o_n : tensor<32xi32> -> tensor<1x32xi32>
  %o_s = tile.splat %c : tensor<1x32x!tile.ptr<f32>>
  %o_p = tile.addptr %o_s, %o_i : tensor<1x32x!tile.ptr<f32>>, tensor<1x32xi32>
  tile.store %o_p, %d : tensor<1x32x!tile.ptr<f32>>
  return
}
