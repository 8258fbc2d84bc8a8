// Convolution as a product that is never written out: x [batch, h, w, c], kernel [f, kh, kw, c], y [batch, oh, ow, f], any
// padding, stride and dilation (the same in both directions). Row r of the product is a point of y, column n a filter, K runs
// over the kernel's points and channels; what lies outside the image is masked off.
//
//   tile-run examples/conv2d.mlir --device=cpu --grid=3,1 -D BM=32 -D BN=32 -D BK=32 --arg=f16[2,9,7,12]=randn:1 \
//     --arg=f16[20,3,3,12]=randn:2 --arg=f16[2,5,4,20]=zeros --arg=i32=2 --arg=i32=9 --arg=i32=7 --arg=i32=12 --arg=i32=20 \
//     --arg=i32=3 --arg=i32=3 --arg=i32=1 --arg=i32=2 --arg=i32=1
//
// With -D CHANNELS=8 the number of channels has to be a multiple of 8, and 16 bytes are loaded at a time.
//
// tile.param CHANNELS = 1 of 1, 8
// tile.param BM = 128 in 32, 64, 128
// tile.param BN = 128 in 32, 64, 128
// tile.param BK = 32 in 32, 64, 128
func.func @conv2d(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %batch: i32, %h: i32, %w: i32,
    %c: i32 {tile.divisibility = ${CHANNELS} : i32}, %f: i32, %kh: i32, %kw: i32, %pad: i32, %stride: i32,
    %dilation: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %none_a = arith.constant dense<0.0> : tensor<${BM}x${BK}xf16>
  %none_b = arith.constant dense<0.0> : tensor<${BN}x${BK}xf16>
  %acc0 = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>

  // The size of the result: (size + 2 pad - dilation (kernel - 1) - 1) / stride + 1.
  %two_pad = arith.addi %pad, %pad : i32
  %oh_0 = arith.addi %h, %two_pad : i32
  %oh_1 = arith.subi %kh, %one : i32
  %oh_2 = arith.muli %oh_1, %dilation : i32
  %oh_3 = arith.subi %oh_0, %oh_2 : i32
  %oh_4 = arith.subi %oh_3, %one : i32
  %oh_5 = arith.divsi %oh_4, %stride : i32
  %oh = arith.addi %oh_5, %one : i32
  %ow_0 = arith.addi %w, %two_pad : i32
  %ow_1 = arith.subi %kw, %one : i32
  %ow_2 = arith.muli %ow_1, %dilation : i32
  %ow_3 = arith.subi %ow_0, %ow_2 : i32
  %ow_4 = arith.subi %ow_3, %one : i32
  %ow_5 = arith.divsi %ow_4, %stride : i32
  %ow = arith.addi %ow_5, %one : i32
  %plane = arith.muli %oh, %ow : i32
  %m = arith.muli %batch, %plane : i32

  // A row of the product is a point of the result: its image, and the corner of what it sees.
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %row_0 = tile.make_range 0 to ${BM} : tensor<${BM}xi32>
  %row_s = tile.splat %m0 : tensor<${BM}xi32>
  %row = arith.addi %row_s, %row_0 : tensor<${BM}xi32>
  %row_in_b = tile.splat %m : tensor<${BM}xi32>
  %row_in = arith.cmpi slt, %row, %row_in_b : tensor<${BM}xi32>
  %column_0 = tile.make_range 0 to ${BN} : tensor<${BN}xi32>
  %column_s = tile.splat %n0 : tensor<${BN}xi32>
  %column = arith.addi %column_s, %column_0 : tensor<${BN}xi32>
  %column_in_b = tile.splat %f : tensor<${BN}xi32>
  %column_in = arith.cmpi slt, %column, %column_in_b : tensor<${BN}xi32>
  %kk = tile.make_range 0 to ${BK} : tensor<${BK}xi32>
  %planes = tile.splat %plane : tensor<${BM}xi32>
  %ows = tile.splat %ow : tensor<${BM}xi32>
  %strides = tile.splat %stride : tensor<${BM}xi32>
  %pads = tile.splat %pad : tensor<${BM}xi32>
  %hs = tile.splat %h : tensor<${BM}xi32>
  %ws = tile.splat %w : tensor<${BM}xi32>
  %cs = tile.splat %c : tensor<${BM}xi32>
  %zeros = arith.constant dense<0> : tensor<${BM}xi32>
  %image = arith.divsi %row, %planes : tensor<${BM}xi32>
  %point = arith.remsi %row, %planes : tensor<${BM}xi32>
  %oy = arith.divsi %point, %ows : tensor<${BM}xi32>
  %ox = arith.remsi %point, %ows : tensor<${BM}xi32>
  %sy = arith.muli %oy, %strides : tensor<${BM}xi32>
  %sx = arith.muli %ox, %strides : tensor<${BM}xi32>
  %y0 = arith.subi %sy, %pads : tensor<${BM}xi32>
  %x0 = arith.subi %sx, %pads : tensor<${BM}xi32>
  %image_row = arith.muli %image, %hs : tensor<${BM}xi32>

  // One loop over the points of the kernel and, for each, blocks of channels.
  %cb = arith.ceildivsi %c, %bk : i32
  %points = arith.muli %kh, %kw : i32
  %steps = arith.muli %points, %cb : i32
  %kc = arith.muli %points, %c : i32
  %b0_r = tile.expand_dims %column axis = 1 : tensor<${BN}xi32> -> tensor<${BN}x1xi32>
  %b0_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %b0_rs = tile.splat %kc : tensor<${BN}x1xi32>
  %b0_ro = arith.muli %b0_r, %b0_rs : tensor<${BN}x1xi32>
  %b0_rb = tile.broadcast %b0_ro : tensor<${BN}x1xi32> -> tensor<${BN}x${BK}xi32>
  %b0_cb = tile.broadcast %b0_c : tensor<1x${BK}xi32> -> tensor<${BN}x${BK}xi32>
  %b0_at = arith.addi %b0_rb, %b0_cb : tensor<${BN}x${BK}xi32>
  %b0_s = tile.splat %k : tensor<${BN}x${BK}x!tile.ptr<f16>>
  %b0 = tile.addptr %b0_s, %b0_at : tensor<${BN}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}xi32>
  %r = scf.for %i = %zero to %steps step %one iter_args(%acc = %acc0) -> (tensor<${BM}x${BN}xf32>) : i32 {
    %p = arith.divsi %i, %cb : i32
    %ci = arith.remsi %i, %cb : i32
    %ky = arith.divsi %p, %kw : i32
    %kx = arith.remsi %p, %kw : i32
    %c0 = arith.muli %ci, %bk : i32
    %dy = arith.muli %ky, %dilation : i32
    %dx = arith.muli %kx, %dilation : i32
    %dys = tile.splat %dy : tensor<${BM}xi32>
    %dxs = tile.splat %dx : tensor<${BM}xi32>
    %ys = arith.addi %y0, %dys : tensor<${BM}xi32>
    %xs = arith.addi %x0, %dxs : tensor<${BM}xi32>
    %in0 = arith.cmpi sge, %ys, %zeros : tensor<${BM}xi32>
    %in1 = arith.cmpi slt, %ys, %hs : tensor<${BM}xi32>
    %in2 = arith.cmpi sge, %xs, %zeros : tensor<${BM}xi32>
    %in3 = arith.cmpi slt, %xs, %ws : tensor<${BM}xi32>
    %in4 = arith.andi %in0, %in1 : tensor<${BM}xi1>
    %in5 = arith.andi %in2, %in3 : tensor<${BM}xi1>
    %in6 = arith.andi %in4, %in5 : tensor<${BM}xi1>
    %inside = arith.andi %in6, %row_in : tensor<${BM}xi1>
    %line = arith.addi %image_row, %ys : tensor<${BM}xi32>
    %line_at = arith.muli %line, %ws : tensor<${BM}xi32>
    %pixel = arith.addi %line_at, %xs : tensor<${BM}xi32>
    %rest = arith.subi %c, %c0 : i32
    %k_in_b = tile.splat %rest : tensor<${BK}xi32>
    %k_in = arith.cmpi slt, %kk, %k_in_b : tensor<${BK}xi32>
    %x_c0 = tile.addptr %x, %c0 : !tile.ptr<f16>, i32
    %a_r = tile.expand_dims %pixel axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
    %a_c = tile.expand_dims %kk axis = 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
    %a_rs = tile.splat %c : tensor<${BM}x1xi32>
    %a_ro = arith.muli %a_r, %a_rs : tensor<${BM}x1xi32>
    %a_rb = tile.broadcast %a_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BK}xi32>
    %a_cb = tile.broadcast %a_c : tensor<1x${BK}xi32> -> tensor<${BM}x${BK}xi32>
    %a_at = arith.addi %a_rb, %a_cb : tensor<${BM}x${BK}xi32>
    %a_s = tile.splat %x_c0 : tensor<${BM}x${BK}x!tile.ptr<f16>>
    %a = tile.addptr %a_s, %a_at : tensor<${BM}x${BK}x!tile.ptr<f16>>, tensor<${BM}x${BK}xi32>
    %w_p = arith.muli %p, %c : i32
    %w_at = arith.addi %w_p, %c0 : i32
    %w_ats = tile.splat %w_at : tensor<${BN}x${BK}xi32>
    %b = tile.addptr %b0, %w_ats : tensor<${BN}x${BK}x!tile.ptr<f16>>, tensor<${BN}x${BK}xi32>
    %mask_a_r = tile.expand_dims %inside axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
    %mask_a_rb = tile.broadcast %mask_a_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a_c = tile.expand_dims %k_in axis = 0 : tensor<${BK}xi1> -> tensor<1x${BK}xi1>
    %mask_a_cb = tile.broadcast %mask_a_c : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %mask_a = arith.andi %mask_a_rb, %mask_a_cb : tensor<${BM}x${BK}xi1>
    %mask_b_r = tile.expand_dims %column_in axis = 1 : tensor<${BN}xi1> -> tensor<${BN}x1xi1>
    %mask_b_rb = tile.broadcast %mask_b_r : tensor<${BN}x1xi1> -> tensor<${BN}x${BK}xi1>
    %mask_b_c = tile.expand_dims %k_in axis = 0 : tensor<${BK}xi1> -> tensor<1x${BK}xi1>
    %mask_b_cb = tile.broadcast %mask_b_c : tensor<1x${BK}xi1> -> tensor<${BN}x${BK}xi1>
    %mask_b = arith.andi %mask_b_rb, %mask_b_cb : tensor<${BN}x${BK}xi1>
    %xt = tile.load %a mask %mask_a other %none_a : tensor<${BM}x${BK}x!tile.ptr<f16>>
    %wt = tile.load %b mask %mask_b other %none_b : tensor<${BN}x${BK}x!tile.ptr<f16>>
    %wT = tile.trans %wt order = [1, 0] : tensor<${BN}x${BK}xf16> -> tensor<${BK}x${BN}xf16>
    %d = tile.dot %xt, %wT, %acc : tensor<${BM}x${BK}xf16> * tensor<${BK}x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    scf.yield %d : tensor<${BM}x${BN}xf32>
  }
  %value = arith.truncf %r : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
  %y_p_r = tile.expand_dims %row axis = 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %y_p_c = tile.expand_dims %column axis = 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %y_p_rs = tile.splat %f : tensor<${BM}x1xi32>
  %y_p_ro = arith.muli %y_p_r, %y_p_rs : tensor<${BM}x1xi32>
  %y_p_rb = tile.broadcast %y_p_ro : tensor<${BM}x1xi32> -> tensor<${BM}x${BN}xi32>
  %y_p_cb = tile.broadcast %y_p_c : tensor<1x${BN}xi32> -> tensor<${BM}x${BN}xi32>
  %y_p_at = arith.addi %y_p_rb, %y_p_cb : tensor<${BM}x${BN}xi32>
  %y_p_s = tile.splat %y : tensor<${BM}x${BN}x!tile.ptr<f16>>
  %y_p = tile.addptr %y_p_s, %y_p_at : tensor<${BM}x${BN}x!tile.ptr<f16>>, tensor<${BM}x${BN}xi32>
  %mask_c_r = tile.expand_dims %row_in axis = 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %mask_c_rb = tile.broadcast %mask_c_r : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c_c = tile.expand_dims %column_in axis = 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>
  %mask_c_cb = tile.broadcast %mask_c_c : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %mask_c = arith.andi %mask_c_rb, %mask_c_cb : tensor<${BM}x${BN}xi1>
  tile.store %y_p, %value mask %mask_c : tensor<${BM}x${BN}x!tile.ptr<f16>>
  return
}
