// What is computed element by element of a factor that waits in a buffer of the pipeline is computed of its fragments, where they are
// multiplied: nothing goes back to shared memory, whether a value has several users or a vector of the loop takes part. A condition is
// no narrower element: `k_width` is that of 16 bits.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: for t in sm_80 sm_90; do for k in relu scaled; do tile-run %s --kernel=$k --device=sim --target=$t --grid=1 --arg=f16[64,192]=randn:1 \
// RUN:   --arg=f16[64,192]=randn:2 --arg=f16[192]=randn:3 --arg=f32[64,64]=zeros --against=cpu --atol=1e-4 --rtol=1e-4 || exit 1; done; done
//
// CHECK-LABEL: func.func @relu
// CHECK: scf.for
// CHECK-NOT: convert_layout
// CHECK: tile_gpu.local_load
// CHECK-NOT: convert_layout
// CHECK: arith.cmpf ogt
// CHECK-NOT: convert_layout
// CHECK: tile_gpu.mma {{.*}} k_width = 2
// CHECK: scf.yield
// CHECK-LABEL: func.func @scaled
// CHECK: scf.for
// CHECK-NOT: convert_layout {{.*}} tensor<64x64xf16
// CHECK: tile_gpu.mma {{.*}} k_width = 2
// CHECK: scf.yield
func.func @relu(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %g: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %lo = arith.constant 0 : i32
  %hi = arith.constant 192 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %col = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ld = arith.constant dense<192> : tensor<64x1xi32>
  %r192 = arith.muli %row, %ld : tensor<64x1xi32>
  %rows = tile.broadcast %r192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %cols = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rows, %cols : tensor<64x64xi32>
  %sum = scf.for %k = %lo to %hi step %step iter_args(%acc = %zeros) -> (tensor<64x64xf32>) : i32 {
    %ak = tile.addptr %a, %k : !tile.ptr<f16>, i32
    %as = tile.splat %ak : tensor<64x64x!tile.ptr<f16>>
    %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %isOver = arith.cmpf ogt, %x, %none : tensor<64x64xf16>
    %y = arith.select %isOver, %x, %none : tensor<64x64xi1>, tensor<64x64xf16>
    %bk = tile.addptr %b, %k : !tile.ptr<f16>, i32
    %bs = tile.splat %bk : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %w = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %wt = tile.trans %w order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %y, %wt, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %orows = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %to = arith.addi %orows, %cols : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %to : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %sum : tensor<64x64x!tile.ptr<f32>>
  return
}

func.func @scaled(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %g: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %lo = arith.constant 0 : i32
  %hi = arith.constant 192 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tile.make_range 0 to 64 : tensor<64xi32>
  %row = tile.expand_dims %range axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %col = tile.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ld = arith.constant dense<192> : tensor<64x1xi32>
  %r192 = arith.muli %row, %ld : tensor<64x1xi32>
  %rows = tile.broadcast %r192 : tensor<64x1xi32> -> tensor<64x64xi32>
  %cols = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rows, %cols : tensor<64x64xi32>
  %sum = scf.for %k = %lo to %hi step %step iter_args(%acc = %zeros) -> (tensor<64x64xf32>) : i32 {
    %ak = tile.addptr %a, %k : !tile.ptr<f16>, i32
    %as = tile.splat %ak : tensor<64x64x!tile.ptr<f16>>
    %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %gk = tile.addptr %g, %k : !tile.ptr<f16>, i32
    %gs = tile.splat %gk : tensor<64x!tile.ptr<f16>>
    %pg = tile.addptr %gs, %range : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
    %gain = tile.load %pg : tensor<64x!tile.ptr<f16>>
    %gw = arith.extf %gain : tensor<64xf16> to tensor<64xf32>
    %ge = tile.expand_dims %gw axis = 0 : tensor<64xf32> -> tensor<1x64xf32>
    %gb = tile.broadcast %ge : tensor<1x64xf32> -> tensor<64x64xf32>
    %xw = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
    %xg = arith.mulf %xw, %gb : tensor<64x64xf32>
    %y = arith.truncf %xg : tensor<64x64xf32> to tensor<64x64xf16>
    %bk = tile.addptr %b, %k : !tile.ptr<f16>, i32
    %bs = tile.splat %bk : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %w = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %wt = tile.trans %w order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %y, %wt, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %r64 = arith.muli %row, %c64 : tensor<64x1xi32>
  %orows = tile.broadcast %r64 : tensor<64x1xi32> -> tensor<64x64xi32>
  %to = arith.addi %orows, %cols : tensor<64x64xi32>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %to : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %sum : tensor<64x64x!tile.ptr<f32>>
  return
}
