// More loads than a thread has registers: those of a reduction move down to their uses, so nothing is spilled and LLVM's
// register allocator ends soon (it took a minute and more); none passes a store.
// RUN: split-file %s %t
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %t/sum.mlir | FileCheck %s --check-prefix=SUM
// RUN: tile-translate --target=gfx942 --num-warps=2 --emit=amdgcn %t/sum.mlir | FileCheck %s --check-prefix=SUM
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %t/overwrite.mlir | FileCheck %s --check-prefix=STORE
// RUN: tile-translate --target=sm_90a --num-warps=8 --emit=ptx %t/sum.mlir | FileCheck %s --check-prefix=PTX
// RUN: tile-run --device=sim --target=gfx1100 --against=cpu %t/overwrite.mlir --grid=1 --arg=f32[65536]=rand:1 --arg=f32[65536]=zeros

// SUM: vgpr_spill_count: 0

// The order of addition is that of a tree, one part after the other, each behind its load.
// PTX: ld.global.v4
// PTX-NEXT: add.rn.f32
// PTX-NEXT: add.rn.f32
// PTX-NEXT: add.rn.f32
// PTX-NEXT: ld.global.v4

// STORE: {{(global|buffer)}}_store
// STORE-NOT: {{(global|buffer)}}_load
// STORE: s_endpgm

//--- sum.mlir
func.func @sum(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %range = tile.make_range 0 to 131072 : tensor<131072xi32>
  %base = tile.splat %x : tensor<131072x!tile.ptr<f32>>
  %p = tile.addptr %base, %range : tensor<131072x!tile.ptr<f32>>, tensor<131072xi32>
  %v = tile.load %p : tensor<131072x!tile.ptr<f32>>
  %s = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  }) {axis = 0 : i32} : (tensor<131072xf32>) -> f32
  tile.store %x, %s : !tile.ptr<f32>
  return
}

//--- overwrite.mlir
func.func @overwrite(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %range = tile.make_range 0 to 65536 : tensor<65536xi32>
  %base = tile.splat %x : tensor<65536x!tile.ptr<f32>>
  %p = tile.addptr %base, %range : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  %v = tile.load %p : tensor<65536x!tile.ptr<f32>>
  %one = arith.constant 1.0 : f32
  tile.store %y, %one : !tile.ptr<f32>
  %s = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %larger = arith.maxnumf %a, %b : f32
    tile.yield %larger : f32
  }) {axis = 0 : i32} : (tensor<65536xf32>) -> f32
  %one_i = arith.constant 1 : i32
  %q = tile.addptr %y, %one_i : !tile.ptr<f32>, i32
  tile.store %q, %s : !tile.ptr<f32>
  return
}
