// Pointers of blocks that a loop copies and multiplies start as numbers of which LLVM knows nothing: it had added what they have in common, their
// columns, in each iteration.
//
// RUN: tile-translate %s --target=sm_80 --emit=llvm-dialect | FileCheck %s
// RUN: tile-translate %s --target=sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --kernel=carried --device=sim --target=sm_80 --grid=1 --arg=f16[64,192]=randn:1 --arg=f16[192,64]=randn:2 --arg=f32[64,64]=zeros --against=cpu --atol=2e-2 --rtol=1e-3
// CHECK: tile_nv.anew %{{.*}} : !llvm.ptr<1>
// CHECK: nvvm.cp.async.wait.group
// PTX: mov.b64 %rd{{[0-9]+}}, %rd
// PTX: mma.sync
func.func @carried(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %column = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c192 = arith.constant dense<192> : tensor<64x1xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %nextA = arith.constant dense<64> : tensor<64x64xi32>
  %nextB = arith.constant dense<4096> : tensor<64x64xi32>
  %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %r192 = arith.muli %row, %c192 : tensor<64x1xi32>
  %r192b = tile.broadcast %r192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %r64b = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %atA = arith.addi %r192b, %columns : tensor<64x64xi32>
  %atB = arith.addi %r64b, %columns : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %atA : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %pb = tile.addptr %bs, %atB : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %r:3 = scf.for %k = %zero to %end step %one iter_args(%sum = %zeros, %qa = %pa, %qb = %pb) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %x = tile.load %qa : tensor<64x64x!tile.ptr<f16>>
    %y = tile.load %qb : tensor<64x64x!tile.ptr<f16>>
    %next = tile.dot %x, %y, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %ra = tile.addptr %qa, %nextA : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %rb = tile.addptr %qb, %nextB : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %next, %ra, %rb : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>
  }
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %atB : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %r#0 : tensor<64x64x!tile.ptr<f32>>
  return
}
