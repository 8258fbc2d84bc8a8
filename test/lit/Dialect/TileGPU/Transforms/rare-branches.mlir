// A function whose argument is seldom beyond where a short polynomial serves, in a loop with a product: only threads with such an element
// compute more, and the loop is pipelined as without it. A tile of many elements a thread, and chips whose products do not
// stand in the way, get no branch.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// CHECK: scf.for
// CHECK: tile_gpu.async_copy
// CHECK: tile_gpu.mma
// CHECK: %[[ANY:.*]] = tile_gpu.any
// CHECK: scf.if %[[ANY]]
// CHECK: arith.minimumf
// CHECK: math.exp2
// CHECK: %[[WHOLE:.*]] = arith.select
// CHECK: scf.yield %[[WHOLE]]
// CHECK: } else {
// CHECK-NOT: math.exp2
// CHECK: scf.yield
//
// RUN: tile-translate %s --target=sm_90 --num-warps=1 --emit=tile_gpu | FileCheck %s --check-prefix=OTHERS
// RUN: tile-translate %s --target=gfx942 --emit=tile_gpu | FileCheck %s --check-prefix=OTHERS
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s --check-prefix=GROUPS
// GROUPS: tile_gpu.wgmma
// GROUPS: tile_gpu.any
// OTHERS-NOT: tile_gpu.any
//
// Small arguments alone, some large ones, many, none that is a number.
// RUN: for t in sm_80 sm_90 sm_90a sm_120; do for f in 0.001 0.05 1.0 nan; do \
// RUN:   tile-run %s --device=sim --target=$t --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[192,64]=randn:2 --arg=f32[64,64]=zeros \
// RUN:     --arg=f32=$f --against=cpu --atol=2e-4 --rtol=1e-3 || exit 1; done; done

func.func @capped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %factor: f32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %c4096 = arith.constant 4096 : i32
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %col = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %rows = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %cols = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rows, %cols : tensor<64x64xi32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %factors = tile.splat %factor : tensor<64x64xf32>
  %sum = scf.for %j = %zero to %three step %one iter_args(%acc = %zeros) -> (tensor<64x64xf32>) : i32 {
    %first = arith.muli %j, %c4096 : i32
    %b0 = tile.addptr %b, %first : !tile.ptr<f16>, i32
    %bs = tile.splat %b0 : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %t = arith.mulf %s, %factors : tensor<64x64xf32>
    %u = math.tanh %t : tensor<64x64xf32>
    %next = arith.addf %acc, %u : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %sum : tensor<64x64x!tile.ptr<f32>>
  return
}
