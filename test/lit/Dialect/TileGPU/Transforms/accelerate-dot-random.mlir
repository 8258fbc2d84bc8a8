// Random numbers by which a product's sums are dropped on their way to another product do not hide that one becomes the other's factor: rows stay
// in their warps, nothing goes through shared memory.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-run %s --kernel=dropout --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f16[192,64]=randn:3 --arg=f32[64,64]=zeros --against=cpu --atol=2e-2 --rtol=1e-2
// CHECK: scf.for
// CHECK: tile_gpu.mma {{.*}} warps = [4, 1]>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile_gpu.mma {{.*}} warps = [4, 1]>
func.func @dropout(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %v: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %end = arith.constant 192 : i32
  %odd = arith.constant dense<-1640531527> : tensor<64x64xi32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %c192 = arith.constant dense<192> : tensor<64x1xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %r64b = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %kb = tile.broadcast %k : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r64b, %kb : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %k192 = arith.muli %row, %c192 : tensor<64x1xi32>
  %k192b = tile.broadcast %k192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %vs = tile.splat %v : tensor<64x64x!tile.ptr<f16>>
  %r = scf.for %j = %zero to %end step %size iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %js2 = tile.splat %j : tensor<64x64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %h0 = arith.addi %at, %js2 : tensor<64x64xi32>
    %g0 = arith.muli %h0, %odd : tensor<64x64xi32>
    %h1 = arith.xori %g0, %h0 : tensor<64x64xi32>
    %g1 = arith.muli %h1, %odd : tensor<64x64xi32>
    %h2 = arith.xori %g1, %h1 : tensor<64x64xi32>
    %g2 = arith.muli %h2, %odd : tensor<64x64xi32>
    %h3 = arith.xori %g2, %h2 : tensor<64x64xi32>
    %g3 = arith.muli %h3, %odd : tensor<64x64xi32>
    %h4 = arith.xori %g3, %h3 : tensor<64x64xi32>
    %g4 = arith.muli %h4, %odd : tensor<64x64xi32>
    %h5 = arith.xori %g4, %h4 : tensor<64x64xi32>
    %g5 = arith.muli %h5, %odd : tensor<64x64xi32>
    %h6 = arith.xori %g5, %h5 : tensor<64x64xi32>
    %g6 = arith.muli %h6, %odd : tensor<64x64xi32>
    %h7 = arith.xori %g6, %h6 : tensor<64x64xi32>
    %g7 = arith.muli %h7, %odd : tensor<64x64xi32>
    %h8 = arith.xori %g7, %h7 : tensor<64x64xi32>
    %g8 = arith.muli %h8, %odd : tensor<64x64xi32>
    %h9 = arith.xori %g8, %h8 : tensor<64x64xi32>
    %g9 = arith.muli %h9, %odd : tensor<64x64xi32>
    %h10 = arith.xori %g9, %h9 : tensor<64x64xi32>
    %g10 = arith.muli %h10, %odd : tensor<64x64xi32>
    %h11 = arith.xori %g10, %h10 : tensor<64x64xi32>
    %g11 = arith.muli %h11, %odd : tensor<64x64xi32>
    %h12 = arith.xori %g11, %h11 : tensor<64x64xi32>
    %g12 = arith.muli %h12, %odd : tensor<64x64xi32>
    %h13 = arith.xori %g12, %h12 : tensor<64x64xi32>
    %g13 = arith.muli %h13, %odd : tensor<64x64xi32>
    %h14 = arith.xori %g13, %h13 : tensor<64x64xi32>
    %g14 = arith.muli %h14, %odd : tensor<64x64xi32>
    %h15 = arith.xori %g14, %h14 : tensor<64x64xi32>
    %g15 = arith.muli %h15, %odd : tensor<64x64xi32>
    %h16 = arith.xori %g15, %h15 : tensor<64x64xi32>
    %g16 = arith.muli %h16, %odd : tensor<64x64xi32>
    %h17 = arith.xori %g16, %h16 : tensor<64x64xi32>
    %g17 = arith.muli %h17, %odd : tensor<64x64xi32>
    %h18 = arith.xori %g17, %h17 : tensor<64x64xi32>
    %g18 = arith.muli %h18, %odd : tensor<64x64xi32>
    %h19 = arith.xori %g18, %h18 : tensor<64x64xi32>
    %g19 = arith.muli %h19, %odd : tensor<64x64xi32>
    %h20 = arith.xori %g19, %h19 : tensor<64x64xi32>
    %g20 = arith.muli %h20, %odd : tensor<64x64xi32>
    %h21 = arith.xori %g20, %h20 : tensor<64x64xi32>
    %g21 = arith.muli %h21, %odd : tensor<64x64xi32>
    %h22 = arith.xori %g21, %h21 : tensor<64x64xi32>
    %g22 = arith.muli %h22, %odd : tensor<64x64xi32>
    %h23 = arith.xori %g22, %h22 : tensor<64x64xi32>
    %g23 = arith.muli %h23, %odd : tensor<64x64xi32>
    %h24 = arith.xori %g23, %h23 : tensor<64x64xi32>
    %g24 = arith.muli %h24, %odd : tensor<64x64xi32>
    %h25 = arith.xori %g24, %h24 : tensor<64x64xi32>
    %g25 = arith.muli %h25, %odd : tensor<64x64xi32>
    %h26 = arith.xori %g25, %h25 : tensor<64x64xi32>
    %g26 = arith.muli %h26, %odd : tensor<64x64xi32>
    %h27 = arith.xori %g26, %h26 : tensor<64x64xi32>
    %g27 = arith.muli %h27, %odd : tensor<64x64xi32>
    %h28 = arith.xori %g27, %h27 : tensor<64x64xi32>
    %g28 = arith.muli %h28, %odd : tensor<64x64xi32>
    %h29 = arith.xori %g28, %h28 : tensor<64x64xi32>
    %g29 = arith.muli %h29, %odd : tensor<64x64xi32>
    %h30 = arith.xori %g29, %h29 : tensor<64x64xi32>
    %g30 = arith.muli %h30, %odd : tensor<64x64xi32>
    %h31 = arith.xori %g30, %h30 : tensor<64x64xi32>
    %g31 = arith.muli %h31, %odd : tensor<64x64xi32>
    %h32 = arith.xori %g31, %h31 : tensor<64x64xi32>
    %g32 = arith.muli %h32, %odd : tensor<64x64xi32>
    %h33 = arith.xori %g32, %h32 : tensor<64x64xi32>
    %g33 = arith.muli %h33, %odd : tensor<64x64xi32>
    %h34 = arith.xori %g33, %h33 : tensor<64x64xi32>
    %g34 = arith.muli %h34, %odd : tensor<64x64xi32>
    %h35 = arith.xori %g34, %h34 : tensor<64x64xi32>
    %g35 = arith.muli %h35, %odd : tensor<64x64xi32>
    %h36 = arith.xori %g35, %h35 : tensor<64x64xi32>
    %keep = arith.cmpi sgt, %h36, %odd : tensor<64x64xi32>
    %t = arith.select %keep, %s, %zeros : tensor<64x64xi1>, tensor<64x64xf32>
    %p = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xf16>
    %keys = tile.expand_dims %cols axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %keys64 = arith.muli %keys, %c64 : tensor<64x1xi32>
    %keysb = tile.broadcast %keys64 : tensor<64x1xi32> -> tensor<64x64xi32>
    %vt = arith.addi %keysb, %kb : tensor<64x64xi32>
    %pv = tile.addptr %vs, %vt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %z = tile.load %pv : tensor<64x64x!tile.ptr<f16>>
    %next = tile.dot %p, %z, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %r : tensor<64x64x!tile.ptr<f32>>
  return
}
