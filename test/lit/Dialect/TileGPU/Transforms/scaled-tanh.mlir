// tanh beside a product, between factors that are the same everywhere: of small scores a polynomial in the score itself, of others all
// that the text says, in parts of a thread's registers.
//
// RUN: tile-translate %s --target=sm_90a --emit=tile_gpu | FileCheck %s
// CHECK-LABEL: func.func @capped
// CHECK: %[[S:.*]] = tile_gpu.wgmma_wait
// CHECK: %[[ANY:.*]] = tile_gpu.any
// CHECK: scf.if %[[ANY]]
// CHECK: %[[PART:.*]] = tile_gpu.any
// CHECK-NEXT: scf.if %[[PART]]
// CHECK: %[[INNER:.*]] = tile_gpu.any
// CHECK: scf.if %[[INNER]]
// CHECK: math.exp2
// CHECK: } else {
// CHECK-NOT: math.exp2
// CHECK: } {tile_gpu.parts = 4 : i32}
// CHECK: } else {
// CHECK-NEXT: arith.mulf %[[S]], %[[S]]
// CHECK-COUNT-3: math.fma
// CHECK-NEXT: arith.mulf %[[S]],
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {tile_gpu.parts = 4 : i32}
// CHECK-NEXT: scf.yield
// All at once where none is large: one jump.
// CHECK-NEXT: } else {
// CHECK-NEXT: arith.mulf %[[S]], %[[S]]
// CHECK-COUNT-3: math.fma
// CHECK-NEXT: arith.mulf %[[S]],
// CHECK-NEXT: scf.yield
//
// Without factors: of the argument.
// CHECK-LABEL: func.func @bare
// CHECK: tile_gpu.any
// CHECK: math.exp2
//
// Beside mma.sync the polynomial is one in the score's square less that of the bound: where that has a sign in all of a warp's lanes,
// nothing else is computed, and three signs are one operation.
// RUN: tile-translate %s --kernel=capped --target=sm_90 --emit=tile_gpu | FileCheck %s --check-prefix=SYNC
// SYNC: %[[S:.*]] = tile_gpu.mma
// SYNC: %[[W:.*]] = math.fma %[[S]], %[[S]]
// SYNC-NEXT: %[[BITS:.*]] = arith.bitcast %[[W]]
// SYNC-NEXT: %[[RARE:.*]] = arith.cmpi sge, %[[BITS]]
// SYNC-NEXT: %[[ANY:.*]] = tile_gpu.any %[[RARE]] {tile_gpu.warp}
// SYNC-NEXT: scf.if %[[ANY]]
// SYNC: math.exp2
// SYNC: } else {
// SYNC: } else {
// SYNC-NEXT: math.fma %[[W]]
// SYNC-NEXT: math.fma %[[W]]
// SYNC-NEXT: math.fma %[[W]]
// SYNC-NEXT: %[[P:.*]] = arith.mulf %[[S]]
// SYNC-NEXT: scf.yield %[[P]]
//
// With 64 numbers a thread the polynomial stands in front of the branch: the signs would be alive beside the scores.
// RUN: tile-translate %s --kernel=capped --target=sm_90 --num-warps=2 --emit=tile_gpu | FileCheck %s --check-prefix=AHEAD
// AHEAD: tile_gpu.mma
// AHEAD-COUNT-4: math.fma
// AHEAD-NEXT: %[[P:.*]] = arith.mulf
// AHEAD-NEXT: tile_gpu.any {{.*}} {tile_gpu.warp}
// AHEAD: scf.yield %[[P]]
// RUN: tile-translate %s --kernel=capped --target=sm_90 --emit=llvm-dialect | FileCheck %s --check-prefix=SIGNS
// SIGNS-COUNT-31: llvm.and {{.*}} : i32
// SIGNS: llvm.icmp "sge"
// SIGNS: nvvm.vote.sync any
//
// To a few units in the last place, products of 0: scores that are small beside the cap, some that are not, many that are not; caps and
// scales out of the polynomial's range; none that is a number.
// RUN: for t in sm_80 sm_90a; do for f in 0.002:20 0.05:3 0.25:50 1.0:-7 0.001:30 1e-9:1e9 30.0:2 0.1:1e-6 0.3:1e25 0.0:5 nan:1 0.1:inf; do \
// RUN:   tile-run %s --kernel=capped --device=sim --target=$t --grid=1 --arg=f16[64,64]=zeros --arg=f16[192,64]=randn:2 --arg=f32[192,64]=randn:3 \
// RUN:     --arg=f32[192,64]=zeros --arg=f32=${f%%:*} --arg=f32=${f##*:} --against=cpu --atol=0 --rtol=5e-7 || exit 1; done; done
// RUN: for k in bare quotient; do tile-run %s --kernel=$k --device=sim --target=sm_90a --grid=1 --arg=f16[64,64]=zeros --arg=f16[192,64]=randn:2 \
// RUN:   --arg=f32[192,64]=randn:3 --arg=f32[192,64]=zeros --arg=f32=0.2 --arg=f32=11 --against=cpu --atol=0 --rtol=6e-7 || exit 1; done
func.func @capped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %d: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %factor: f32, %cap: f32)
    attributes {tile.kernel} {
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
  %ks = tile.splat %factor : tensor<64x64xf32>
  %cs = tile.splat %cap : tensor<64x64xf32>
  scf.for %j = %zero to %three step %one : i32 {
    %first = arith.muli %j, %c4096 : i32
    %b0 = tile.addptr %b, %first : !tile.ptr<f16>, i32
    %bs = tile.splat %b0 : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %d0 = tile.addptr %d, %first : !tile.ptr<f32>, i32
    %ds = tile.splat %d0 : tensor<64x64x!tile.ptr<f32>>
    %pd = tile.addptr %ds, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %z = tile.load %pd : tensor<64x64x!tile.ptr<f32>>
    %s = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %u = arith.mulf %s, %ks : tensor<64x64xf32>
    %t = math.tanh %u : tensor<64x64xf32>
    %r = arith.mulf %t, %cs : tensor<64x64xf32>
    %c0 = tile.addptr %c, %first : !tile.ptr<f32>, i32
    %cps = tile.splat %c0 : tensor<64x64x!tile.ptr<f32>>
    %pc = tile.addptr %cps, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    tile.store %pc, %r : tensor<64x64x!tile.ptr<f32>>
  }
  return
}

func.func @bare(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %d: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %factor: f32, %cap: f32)
    attributes {tile.kernel} {
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
  scf.for %j = %zero to %three step %one : i32 {
    %first = arith.muli %j, %c4096 : i32
    %b0 = tile.addptr %b, %first : !tile.ptr<f16>, i32
    %bs = tile.splat %b0 : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %d0 = tile.addptr %d, %first : !tile.ptr<f32>, i32
    %ds = tile.splat %d0 : tensor<64x64x!tile.ptr<f32>>
    %pd = tile.addptr %ds, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %z = tile.load %pd : tensor<64x64x!tile.ptr<f32>>
    %s = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %r = math.tanh %s : tensor<64x64xf32>
    %c0 = tile.addptr %c, %first : !tile.ptr<f32>, i32
    %cps = tile.splat %c0 : tensor<64x64x!tile.ptr<f32>>
    %pc = tile.addptr %cps, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    tile.store %pc, %r : tensor<64x64x!tile.ptr<f32>>
  }
  return
}

func.func @quotient(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %d: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %factor: f32, %cap: f32)
    attributes {tile.kernel} {
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
  %ks = tile.splat %factor : tensor<64x64xf32>
  %cs = tile.splat %cap : tensor<64x64xf32>
  %log2e = arith.constant dense<1.44269504> : tensor<64x64xf32>
  scf.for %j = %zero to %three step %one : i32 {
    %first = arith.muli %j, %c4096 : i32
    %b0 = tile.addptr %b, %first : !tile.ptr<f16>, i32
    %bs = tile.splat %b0 : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %d0 = tile.addptr %d, %first : !tile.ptr<f32>, i32
    %ds = tile.splat %d0 : tensor<64x64x!tile.ptr<f32>>
    %pd = tile.addptr %ds, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %z = tile.load %pd : tensor<64x64x!tile.ptr<f32>>
    %s = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %w = arith.mulf %ks, %s : tensor<64x64xf32>
    %u = arith.divf %w, %cs : tensor<64x64xf32>
    %t = tile.extern_elementwise "__nv_tanhf"(%u) pure : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %v = arith.mulf %cs, %t : tensor<64x64xf32>
    %r = arith.mulf %v, %log2e : tensor<64x64xf32>
    %c0 = tile.addptr %c, %first : !tile.ptr<f32>, i32
    %cps = tile.splat %c0 : tensor<64x64x!tile.ptr<f32>>
    %pc = tile.addptr %cps, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    tile.store %pc, %r : tensor<64x64x!tile.ptr<f32>>
  }
  return
}
