// An assertion that fails in some lanes of a warp is what is reported, not the barrier that the other lanes meet without them.
// RUN: not tile-run %s --device=sim --target=sm_90a --debug --grid=1 --arg=f32[8]=iota --arg=i32=7 2>&1 | FileCheck %s --check-prefix=SM
// RUN: not tile-run %s --device=sim --target=gfx942 --debug --grid=1 --arg=f32[8]=iota --arg=i32=7 2>&1 | FileCheck %s --check-prefix=GFX
// RUN: tile-run %s --device=sim --target=sm_90a --debug --grid=1 --arg=f32[8]=iota --arg=i32=8 --against=cpu
// RUN: tile-run %s --device=sim --target=gfx942 --debug --grid=1 --arg=f32[8]=iota --arg=i32=8 --against=cpu
func.func @k(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 8 : tensor<8xi32>
  %ns = tile.splat %n : tensor<8xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<8xi32>
  // SM: assert.mlir:[[#@LINE+2]]:3: error: 'llvm.call' op fails: {{.*}}too long
  // GFX: assert.mlir:[[#@LINE+1]]:3: error: 'llvm.intr.trap' op is executed: too long (program (0, 0, 0), warp 0, lane 7)
  tile.assert %m, "too long" : tensor<8xi1>
  %xs = tile.splat %x : tensor<8x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %p mask %m : tensor<8x!tile.ptr<f32>>
  tile.store %p, %v mask %m : tensor<8x!tile.ptr<f32>>
  return
}
