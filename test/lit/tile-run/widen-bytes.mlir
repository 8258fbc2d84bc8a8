// Every integer of 8 bits as a float, four at a time; carried around a loop four to a word.
// RUN: tile-run %s --device=sim --target=sm_80 --num-warps=1 --grid=1 --arg=i8[256]=iota --arg=f16[512]=zeros --arg=bf16[512]=zeros --arg=f32[512]=zeros --arg=i32=3 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --device=sim --target=sm_90 --num-warps=2 --grid=1 --arg=i8[256]=iota --arg=f16[512]=zeros --arg=bf16[512]=zeros --arg=f32[512]=zeros --arg=i32=3 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --device=sim --target=gfx942 --num-warps=1 --grid=1 --arg=i8[256]=iota --arg=f16[512]=zeros --arg=bf16[512]=zeros --arg=f32[512]=zeros --arg=i32=3 --against=cpu --atol=0 --rtol=0
// RUN: tile-run %s --device=sim --target=gfx1100 --num-warps=1 --grid=1 --arg=i8[256]=iota --arg=f16[512]=zeros --arg=bf16[512]=zeros --arg=f32[512]=zeros --arg=i32=3 --against=cpu --atol=0 --rtol=0
// RUN: tile-translate %s --target=gfx942 --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=AMD
// AMD-NOT: v_cvt_f16_{{[iu]}}16
// AMD: v_perm_b32
// AMD: v_pk_{{add|sub}}_f16
// AMD-NOT: v_cvt_f16_{{[iu]}}16
// bf16 is the upper half of f32: a conversion for each byte, one permute for two.
// RUN: tile-translate %s --target=gfx942 --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=UPPER
// UPPER-NOT: v_add3_u32
// UPPER: v_cvt_f32_ubyte3
// UPPER: v_perm_b32
// UPPER-NOT: v_add3_u32
// RUN: tile-translate %s --target=sm_90 --num-warps=1 --emit=ptx | FileCheck %s
// CHECK-NOT: cvt.rn.f16.s
// CHECK-NOT: cvt.rn.f32.s
// CHECK: prmt.b32
// CHECK: {{(sub|add)}}.rn.f16x2
// CHECK-NOT: cvt.rn.f16.s
// CHECK-NOT: cvt.rn.f32.s
func.func @widen(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %h: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %b: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %f: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<256xi8>
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %up = tile.make_range 256 to 512 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<i8>>
  %px = tile.addptr %xs, %r : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  %v0 = tile.load %px : tensor<256x!tile.ptr<i8>>
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%w = %v0) -> (tensor<256xi8>) : i32 {
    %next = arith.addi %w, %one : tensor<256xi8>
    scf.yield %next : tensor<256xi8>
  }
  %hs = tile.splat %h : tensor<256x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<256x!tile.ptr<bf16>>
  %fs = tile.splat %f : tensor<256x!tile.ptr<f32>>
  %ph = tile.addptr %hs, %r : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  %pb = tile.addptr %bs, %r : tensor<256x!tile.ptr<bf16>>, tensor<256xi32>
  %pf = tile.addptr %fs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %qh = tile.addptr %hs, %up : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  %qb = tile.addptr %bs, %up : tensor<256x!tile.ptr<bf16>>, tensor<256xi32>
  %qf = tile.addptr %fs, %up : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %sh = arith.sitofp %v : tensor<256xi8> to tensor<256xf16>
  %sb = arith.sitofp %v : tensor<256xi8> to tensor<256xbf16>
  %sf = arith.sitofp %v : tensor<256xi8> to tensor<256xf32>
  %uh = arith.uitofp %v : tensor<256xi8> to tensor<256xf16>
  %ub = arith.uitofp %v : tensor<256xi8> to tensor<256xbf16>
  %uf = arith.uitofp %v : tensor<256xi8> to tensor<256xf32>
  tile.store %ph, %sh : tensor<256x!tile.ptr<f16>>
  tile.store %pb, %sb : tensor<256x!tile.ptr<bf16>>
  tile.store %pf, %sf : tensor<256x!tile.ptr<f32>>
  tile.store %qh, %uh : tensor<256x!tile.ptr<f16>>
  tile.store %qb, %ub : tensor<256x!tile.ptr<bf16>>
  tile.store %qf, %uf : tensor<256x!tile.ptr<f32>>
  return
}
