// Blocks of descriptors whose sizes are no powers of two.
//
// for N in 1 3 5 7 12 100 781
// run: --kernel=copy --arg=desc(f32[7,{N+2}],strides={(N+2+3)//4*4}x1)=iota --arg=desc(f32[7,{N+2}],strides={(N+2+3)//4*4}x1)=zeros --grid=3
// run: --kernel=made --arg=f32[{20*N}]=randn:1 --arg=f32[{20*N}]=zeros --arg=i32=20 --arg=i32={N}
// run: --kernel=rows --arg=f32[128]=iota --arg=i32[{N}]=rand:1:-1:5 --arg=f32[{32*N}]=zeros --arg=f32[128]=zeros
func.func @copy(%in: !tile.desc<3x${N}xf32>, %out: !tile.desc<3x${N}xf32>) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %i = arith.muli %pid, %c3 : i32
  %v = tile.desc_load %in[%i, %c1] : !tile.desc<3x${N}xf32> -> tensor<3x${N}xf32>
  %w = arith.addf %v, %v : tensor<3x${N}xf32>
  tile.desc_store %out[%i, %c1], %w : !tile.desc<3x${N}xf32>, tensor<3x${N}xf32>
  return
}

// In a loop, beside a block of powers of two of the same tensor, and added up.
func.func @made(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i32
  %ld = arith.extsi %n : i32 to i64
  %in = tile.make_desc %x shape [%m, %n] strides [%ld, %c1] padding = nan : !tile.desc<5x${N}xf32>
  %block = tile.make_desc %x shape [%m, %n] strides [%ld, %c1] : !tile.desc<4x1xf32>
  %out = tile.make_desc %y shape [%m, %n] strides [%ld, %c1] : !tile.desc<5x${N}xf32>
  %first = tile.desc_load %block[%c0, %c0] : !tile.desc<4x1xf32> -> tensor<4x1xf32>
  %flat = tile.reshape %first : tensor<4x1xf32> -> tensor<4xf32>
  %s = tile.reduce %flat axis = 0 : tensor<4xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %t = tile.splat %s : tensor<5x${N}xf32>
  %end = scf.for %i = %c0 to %m step %c5 iter_args(%d = %in) -> (!tile.desc<5x${N}xf32>) : i32 {
    %v = tile.desc_load %d[%i, %c0] : !tile.desc<5x${N}xf32> -> tensor<5x${N}xf32>
    %w = arith.addf %v, %t : tensor<5x${N}xf32>
    tile.desc_store %out[%i, %c0], %w : !tile.desc<5x${N}xf32>, tensor<5x${N}xf32>
    tile.barrier
    tile.desc_reduce add %out[%i, %c0], %v : !tile.desc<5x${N}xf32>, tensor<5x${N}xf32>
    scf.yield %d : !tile.desc<5x${N}xf32>
  }
  return
}

// Rows by number, as many as no block has.
func.func @rows(%x: !tile.ptr<f32>, %r: !tile.ptr<i32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %m = arith.constant 4 : i32
  %n = arith.constant 32 : i32
  %c0 = arith.constant 0 : i32
  %ld = arith.constant 32 : i64
  %c1 = arith.constant 1 : i64
  %in = tile.make_desc %x shape [%m, %n] strides [%ld, %c1] : !tile.desc<1x32xf32>
  %out = tile.make_desc %z shape [%m, %n] strides [%ld, %c1] : !tile.desc<1x32xf32>
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %rs = tile.splat %r : tensor<${N}x!tile.ptr<i32>>
  %pr = tile.addptr %rs, %i : tensor<${N}x!tile.ptr<i32>>, tensor<${N}xi32>
  %rows = tile.load %pr : tensor<${N}x!tile.ptr<i32>>
  %v = tile.desc_gather %in[%rows, %c0] : !tile.desc<1x32xf32>, tensor<${N}xi32> -> tensor<${N}x32xf32>
  tile.desc_scatter %out[%rows, %c0], %v : !tile.desc<1x32xf32>, tensor<${N}xi32>, tensor<${N}x32xf32>
  %row = tile.expand_dims %i axis = 1 : tensor<${N}xi32> -> tensor<${N}x1xi32>
  %width = arith.constant dense<32> : tensor<${N}x1xi32>
  %start = arith.muli %row, %width : tensor<${N}x1xi32>
  %c = tile.make_range 0 to 32 : tensor<32xi32>
  %col = tile.expand_dims %c axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %starts = tile.broadcast %start : tensor<${N}x1xi32> -> tensor<${N}x32xi32>
  %cols = tile.broadcast %col : tensor<1x32xi32> -> tensor<${N}x32xi32>
  %at = arith.addi %starts, %cols : tensor<${N}x32xi32>
  %ys = tile.splat %y : tensor<${N}x32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %at : tensor<${N}x32x!tile.ptr<f32>>, tensor<${N}x32xi32>
  tile.store %py, %v : tensor<${N}x32x!tile.ptr<f32>>
  return
}
