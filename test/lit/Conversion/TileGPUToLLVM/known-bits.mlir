// Integers of 32 or 64 bits that the ops before them keep within 24 bits become 16-bit floats by way of f32, which holds them; others by way
// of f64, lest they be rounded twice.
//
// RUN: tile-translate %s --target=sm_90 --kernel=small --emit=llvm-dialect | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: f64
// RUN: tile-translate %s --target=sm_90 --kernel=large --emit=llvm-dialect | FileCheck %s --check-prefix=LARGE
// LARGE: llvm.sitofp {{.*}} to f64
//
// RUN: for k in small large unsigned; do for t in sm_90 gfx942; do tile-run %s --kernel=$k --device=sim --target=$t --grid=1 --arg=i32[128]=rand:1 \
// RUN:   --arg=bf16[128]=zeros --arg=f16[128]=zeros --against=cpu --atol=0 --rtol=0 || exit 1; done; done
func.func @small(%a: !tile.ptr<i32>, %b: !tile.ptr<bf16>, %c: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %as = tile.splat %a : tensor<128x!tile.ptr<i32>>
  %pa = tile.addptr %as, %range : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %x = tile.load %pa : tensor<128x!tile.ptr<i32>>
  %mask = arith.constant dense<8388607> : tensor<128xi32>
  %half = arith.constant dense<4194304> : tensor<128xi32>
  %eight = arith.constant dense<8> : tensor<128xi32>
  %fifteen = arith.constant dense<15> : tensor<128xi32>
  %four = arith.constant dense<4> : tensor<128xi32>
  %low = arith.andi %x, %mask : tensor<128xi32>
  %signed = arith.subi %low, %half : tensor<128xi32>
  %f = arith.sitofp %signed : tensor<128xi32> to tensor<128xbf16>
  %byte = arith.trunci %x : tensor<128xi32> to tensor<128xi8>
  %wide = arith.extsi %byte : tensor<128xi8> to tensor<128xi64>
  %wide32 = arith.extsi %byte : tensor<128xi8> to tensor<128xi32>
  %shifted = arith.shrsi %wide32, %four : tensor<128xi32>
  %nibble = arith.andi %shifted, %fifteen : tensor<128xi32>
  %centred = arith.subi %nibble, %eight : tensor<128xi32>
  %n = arith.extsi %centred : tensor<128xi32> to tensor<128xi64>
  %product = arith.muli %n, %wide : tensor<128xi64>
  %g = arith.sitofp %product : tensor<128xi64> to tensor<128xf16>
  %bs = tile.splat %b : tensor<128x!tile.ptr<bf16>>
  %pb = tile.addptr %bs, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  tile.store %pb, %f : tensor<128x!tile.ptr<bf16>>
  %cs = tile.splat %c : tensor<128x!tile.ptr<f16>>
  %pc = tile.addptr %cs, %range : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %pc, %g : tensor<128x!tile.ptr<f16>>
  return
}

// One bit more may be needed: a sum.
func.func @large(%a: !tile.ptr<i32>, %b: !tile.ptr<bf16>, %c: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %as = tile.splat %a : tensor<128x!tile.ptr<i32>>
  %pa = tile.addptr %as, %range : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %x = tile.load %pa : tensor<128x!tile.ptr<i32>>
  %mask = arith.constant dense<16777215> : tensor<128xi32>
  %low = arith.andi %x, %mask : tensor<128xi32>
  %sum = arith.addi %low, %mask : tensor<128xi32>
  %f = arith.sitofp %sum : tensor<128xi32> to tensor<128xbf16>
  %bs = tile.splat %b : tensor<128x!tile.ptr<bf16>>
  %pb = tile.addptr %bs, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  tile.store %pb, %f : tensor<128x!tile.ptr<bf16>>
  return
}

// A number with a sign, which a few bits hold, has all bits without.
func.func @unsigned(%a: !tile.ptr<i32>, %b: !tile.ptr<bf16>, %c: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %as = tile.splat %a : tensor<128x!tile.ptr<i32>>
  %pa = tile.addptr %as, %range : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %x = tile.load %pa : tensor<128x!tile.ptr<i32>>
  %seven = arith.constant dense<7> : tensor<128xi32>
  %four = arith.constant dense<4> : tensor<128xi32>
  %low = arith.andi %x, %seven : tensor<128xi32>
  %signed = arith.subi %low, %four : tensor<128xi32>
  %wide = arith.extui %signed : tensor<128xi32> to tensor<128xi64>
  %f = arith.sitofp %wide : tensor<128xi64> to tensor<128xbf16>
  %bs = tile.splat %b : tensor<128x!tile.ptr<bf16>>
  %pb = tile.addptr %bs, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  tile.store %pb, %f : tensor<128x!tile.ptr<bf16>>
  return
}
