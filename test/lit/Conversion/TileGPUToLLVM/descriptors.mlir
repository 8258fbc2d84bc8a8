// Blocks of descriptors: odd sizes, coordinates outside, padding, reductions, rows by list, values through branches and loops.
// RUN: %S/Inputs/agree %s "1 4" --kernel=blocks --grid=3,2 "--arg=desc(f16[37,50],strides=56x1)=randn:1" "--arg=desc(f16[37,50],strides=56x1)=zeros" --arg=i32=-5
// RUN: %S/Inputs/agree %s "2" --kernel=padding --grid=4 --arg=f32[60]=randn:2 --arg=f32[128]=zeros --arg=i32=60
// RUN: %S/Inputs/agree %s "1 8" --kernel=reductions --grid=2,2 "--arg=desc(i32[13,19],strides=20x1)=rand:3" "--arg=desc(f16[13,19],strides=24x1)=randn:4"
// RUN: %S/Inputs/agree %s "1 4" --kernel=rows --grid=2 "--arg=desc(bf16[9,40])=randn:5" --arg=i32[16]=rand:6:-2:11 "--arg=desc(bf16[16,40])=zeros" "--arg=desc(bf16[40,40])=zeros"
// RUN: %S/Inputs/agree %s "4" --kernel=exchange --grid=1 --arg=i32[320]=iota --arg=i32[320]=rand:7

func.func @blocks(%x: !tile.desc<16x32xf16>, %y: !tile.desc<16x32xf16>, %shift: i32) attributes {tile.kernel} {
  %p = tile.program_id x
  %q = tile.program_id y
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %i = arith.muli %p, %c16 : i32
  %j = arith.muli %q, %c32 : i32
  %k = arith.addi %i, %shift : i32
  %t = tile.desc_load %x[%k, %j] cache = cg : !tile.desc<16x32xf16> -> tensor<16x32xf16>
  tile.desc_store %y[%i, %j], %t : !tile.desc<16x32xf16>, tensor<16x32xf16>
  return
}

// Programs 0 and 2 read NaN outside, 1 and 3 zero.
func.func @padding(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %c8 = arith.constant 8 : i32
  %p = tile.program_id x
  %i = arith.muli %p, %c32 : i32
  %from = arith.subi %i, %c8 : i32
  %odd = arith.andi %p, %c1 : i32
  %isOdd = arith.cmpi eq, %odd, %c1 : i32
  %a = tile.make_desc %x shape [%n] strides [%one] padding = nan : !tile.desc<32xf32>
  %b = tile.make_desc %x shape [%n] strides [%one] : !tile.desc<32xf32>
  %d = scf.if %isOdd -> (!tile.desc<32xf32>) {
    scf.yield %b : !tile.desc<32xf32>
  } else {
    scf.yield %a : !tile.desc<32xf32>
  }
  %t = tile.desc_load %d[%from] : !tile.desc<32xf32> -> tensor<32xf32>
  %o = tile.make_desc %y shape [%c128] strides [%one] : !tile.desc<32xf32>
  tile.desc_store %o[%i], %t : !tile.desc<32xf32>, tensor<32xf32>
  return
}

func.func @reductions(%x: !tile.desc<8x16xi32>, %y: !tile.desc<8x16xf16>) attributes {tile.kernel} {
  %p = tile.program_id x
  %q = tile.program_id y
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %i = arith.muli %p, %c8 : i32
  %j = arith.muli %q, %c16 : i32
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %t = tile.reshape %r : tensor<128xi32> -> tensor<8x16xi32>
  tile.desc_reduce add %x[%i, %j], %t : !tile.desc<8x16xi32>, tensor<8x16xi32>
  tile.barrier
  tile.desc_reduce max %x[%i, %j], %t : !tile.desc<8x16xi32>, tensor<8x16xi32>
  tile.barrier
  tile.desc_reduce inc %x[%i, %j], %t : !tile.desc<8x16xi32>, tensor<8x16xi32>
  tile.barrier
  tile.desc_reduce dec %x[%i, %j], %t : !tile.desc<8x16xi32>, tensor<8x16xi32>
  tile.barrier
  tile.desc_reduce xor %x[%i, %j], %t : !tile.desc<8x16xi32>, tensor<8x16xi32>
  %f = arith.constant dense<0.5> : tensor<8x16xf16>
  tile.desc_reduce add %y[%i, %j], %f : !tile.desc<8x16xf16>, tensor<8x16xf16>
  tile.barrier
  tile.desc_reduce min %y[%i, %j], %f : !tile.desc<8x16xf16>, tensor<8x16xf16>
  return
}

// Rows outside read as zero and are not written.
func.func @rows(%x: !tile.desc<1x32xbf16>, %list: !tile.ptr<i32>, %y: !tile.desc<16x32xbf16>, %z: !tile.desc<1x32xbf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %three = arith.constant dense<3> : tensor<16xi32>
  %p = tile.program_id x
  %j = arith.muli %p, %c32 : i32
  %r = tile.make_range 0 to 16 : tensor<16xi32>
  %ls = tile.splat %list : tensor<16x!tile.ptr<i32>>
  %lp = tile.addptr %ls, %r : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
  %rows = tile.load %lp : tensor<16x!tile.ptr<i32>>
  %t = tile.desc_gather %x[%rows, %j] : !tile.desc<1x32xbf16>, tensor<16xi32> -> tensor<16x32xbf16>
  tile.desc_store %y[%c0, %j], %t : !tile.desc<16x32xbf16>, tensor<16x32xbf16>
  %wide = arith.muli %r, %three : tensor<16xi32>
  tile.desc_scatter %z[%wide, %j], %t : !tile.desc<1x32xbf16>, tensor<16xi32>, tensor<16x32xbf16>
  return
}

// Two descriptors of different strides change places in each iteration.
func.func @exchange(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %m = arith.constant 10 : i32
  %n = arith.constant 19 : i32
  %ld = arith.constant 32 : i64
  %le = arith.constant 20 : i64
  %one = arith.constant 1 : i64
  %a = tile.make_desc %x shape [%m, %n] strides [%ld, %one] : !tile.desc<4x16xi32>
  %b = tile.make_desc %y shape [%m, %n] strides [%le, %one] : !tile.desc<4x16xi32>
  %d:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %a, %w = %b) -> (!tile.desc<4x16xi32>, !tile.desc<4x16xi32>) : i32 {
    %i = arith.muli %k, %c4 : i32
    %t = tile.desc_load %u[%i, %i] : !tile.desc<4x16xi32> -> tensor<4x16xi32>
    %v = arith.addi %t, %t : tensor<4x16xi32>
    tile.desc_store %w[%i, %k], %v : !tile.desc<4x16xi32>, tensor<4x16xi32>
    scf.yield %w, %u : !tile.desc<4x16xi32>, !tile.desc<4x16xi32>
  }
  return
}
