// A block that meets a product's sums on its way to another product waits in a buffer: it is copied there by 16 bytes a thread, as it lies in
// memory, and read as the sums lie (it had been copied by 4 bytes, as they lie).
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-run %s --kernel=biased --device=sim --target=sm_90 --grid=1 --arg=f16[64,64]=randn:1 --arg=f16[64,192]=randn:2 --arg=f16[192,64]=randn:3 --arg=f16[64,192]=randn:4 --arg=f32[64,64]=zeros --against=cpu --atol=2e-2 --rtol=1e-2
// CHECK-DAG: #[[WIDE:.*]] = #tile_gpu.layout<2, register = {{\[}}[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]]
// CHECK-DAG: #[[SUMS:.*]] = #tile_gpu.layout<2, register = {{\[}}[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]]
// CHECK: scf.for
// CHECK-COUNT-3: tile_gpu.async_copy {{.*}} tensor<64x64x!tile.ptr<f16>, #[[WIDE]]>
// CHECK: tile_gpu.mma
// CHECK: tile_gpu.local_load {{.*}} -> tensor<64x64xf16, #[[SUMS]]>
// CHECK-NOT: convert_layout
// CHECK: tile_gpu.mma
func.func @biased(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %end = arith.constant 192 : i32
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
  %gs = tile.splat %g : tensor<64x64x!tile.ptr<f16>>
  %vs = tile.splat %v : tensor<64x64x!tile.ptr<f16>>
  %r = scf.for %j = %zero to %end step %size iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %js = tile.splat %j : tensor<64xi32>
    %cols = arith.addi %js, %range : tensor<64xi32>
    %col = tile.expand_dims %cols axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %colb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %bt = arith.addi %k192b, %colb : tensor<64x64xi32>
    %pb = tile.addptr %bs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %pg = tile.addptr %gs, %bt : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %bias = tile.load %pg : tensor<64x64x!tile.ptr<f16>>
    %wide = arith.extf %bias : tensor<64x64xf16> to tensor<64x64xf32>
    %t = arith.addf %s, %wide : tensor<64x64xf32>
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
