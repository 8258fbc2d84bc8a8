// Products without a matrix unit are written out along K where these are few, so that elements are loaded beside products; others loop.
// RUN: tile-translate %s --target=sm_90a --kernel=few --emit=llvm-dialect | FileCheck %s --check-prefix=FEW
// RUN: tile-translate %s --target=sm_90a --kernel=many --emit=llvm-dialect | FileCheck %s --check-prefix=MANY

// Rows of the first factor are an odd number of 16 bytes apart, so that lanes meet no bank twice: 64 rows of 16 + 4 elements, and the second factor.
// RUN: tile-translate %s --target=sm_90a --kernel=few --emit=tile_gpu | FileCheck %s --check-prefix=GAP
// RUN: tile-translate %s --target=gfx942 --kernel=few --emit=tile_gpu | FileCheck %s --check-prefix=PACKED
// GAP: tile_gpu.shared = 9216
// PACKED: tile_gpu.shared = 8192
// RUN: tile-run %s --kernel=few --device=sim --target=sm_90a --grid=1 --arg=f32[1024]=randn:1 --arg=f32[4096]=zeros --check=race,oob,uninit --against=cpu --rtol=1e-6

// FEW-LABEL: llvm.func @few
// FEW-COUNT-512: llvm.intr.fma
// FEW-NOT: llvm.intr.fma
func.func @few(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ra = tile.reshape %r : tensor<1024xi32> -> tensor<64x16xi32>
  %rb = tile.reshape %r : tensor<1024xi32> -> tensor<16x64xi32>
  %s = tile.make_range 0 to 4096 : tensor<4096xi32>
  %ro = tile.reshape %s : tensor<4096xi32> -> tensor<64x64xi32>
  %xa = tile.splat %x : tensor<64x16x!tile.ptr<f32>>
  %pa = tile.addptr %xa, %ra : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %xb = tile.splat %x : tensor<16x64x!tile.ptr<f32>>
  %pb = tile.addptr %xb, %rb : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  %a = tile.load %pa : tensor<64x16x!tile.ptr<f32>>
  %b = tile.load %pb : tensor<16x64x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %z precision = ieee : tensor<64x16xf32> * tensor<16x64xf32> -> tensor<64x64xf32>
  %os = tile.splat %o : tensor<64x64x!tile.ptr<f32>>
  %po = tile.addptr %os, %ro : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %po, %d : tensor<64x64x!tile.ptr<f32>>
  return
}

// MANY-LABEL: llvm.func @many
// MANY-COUNT-128: llvm.intr.fma
// MANY-NOT: llvm.intr.fma
// MANY: llvm.cond_br
func.func @many(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 8192 : tensor<8192xi32>
  %ra = tile.reshape %r : tensor<8192xi32> -> tensor<64x128xi32>
  %rb = tile.reshape %r : tensor<8192xi32> -> tensor<128x64xi32>
  %s = tile.make_range 0 to 4096 : tensor<4096xi32>
  %ro = tile.reshape %s : tensor<4096xi32> -> tensor<64x64xi32>
  %xa = tile.splat %x : tensor<64x128x!tile.ptr<f32>>
  %pa = tile.addptr %xa, %ra : tensor<64x128x!tile.ptr<f32>>, tensor<64x128xi32>
  %xb = tile.splat %x : tensor<128x64x!tile.ptr<f32>>
  %pb = tile.addptr %xb, %rb : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
  %a = tile.load %pa : tensor<64x128x!tile.ptr<f32>>
  %b = tile.load %pb : tensor<128x64x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %z precision = ieee : tensor<64x128xf32> * tensor<128x64xf32> -> tensor<64x64xf32>
  %os = tile.splat %o : tensor<64x64x!tile.ptr<f32>>
  %po = tile.addptr %os, %ro : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %po, %d : tensor<64x64x!tile.ptr<f32>>
  return
}
