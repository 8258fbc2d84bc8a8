// Every 8-bit float as f16, bf16 and f32 on AMD, four at a time: by the chip's conversions, or by the bits of f16.
// DEFINE: %{run} = --device=sim --num-warps=1 --grid=1 --arg=i8[256]=iota --arg=f16[256]=zeros --arg=bf16[256]=zeros --arg=f32[256]=zeros --against=cpu --atol=0 --rtol=0
// RUN: for c in gfx90a gfx942 gfx950 gfx1100 gfx1201; do for f in f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ; do tile-run %s --target=$c -DF=$f %{run} || exit 1; done; done
// RUN: tile-translate %s --target=gfx942 -DF=f8E4M3FN --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=BITS
// BITS-NOT: v_cmp
// BITS: v_perm_b32
// BITS: v_pk_ashrrev_i16
// BITS: v_pk_fma_f16
// BITS-NOT: v_cmp
// RUN: tile-translate %s --target=gfx942 -DF=f8E5M2 --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=UPPER
// UPPER-NOT: v_pk_
// UPPER: v_perm_b32
// UPPER-NOT: v_pk_
// RUN: tile-translate %s --target=gfx942 -DF=f8E4M3FNUZ --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=CHIP
// RUN: tile-translate %s --target=gfx950 -DF=f8E4M3FN --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=CHIP
// CHIP: v_cvt_pk_f32_fp8
// CHIP: v_cvt_pkrtz_f16_f32
//
// tile.param F = f8E4M3FN
func.func @widen(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %h: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %b: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %f: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<i8>>
  %px = tile.addptr %xs, %r : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  %bits = tile.load %px : tensor<256x!tile.ptr<i8>>
  %v = tile.bitcast %bits : tensor<256xi8> -> tensor<256x${F}>
  %hs = tile.splat %h : tensor<256x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<256x!tile.ptr<bf16>>
  %fs = tile.splat %f : tensor<256x!tile.ptr<f32>>
  %ph = tile.addptr %hs, %r : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  %pb = tile.addptr %bs, %r : tensor<256x!tile.ptr<bf16>>, tensor<256xi32>
  %pf = tile.addptr %fs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %vh = tile.fp_to_fp %v : tensor<256x${F}> -> tensor<256xf16>
  %vb = tile.fp_to_fp %v : tensor<256x${F}> -> tensor<256xbf16>
  %vf = tile.fp_to_fp %v : tensor<256x${F}> -> tensor<256xf32>
  tile.store %ph, %vh : tensor<256x!tile.ptr<f16>>
  tile.store %pb, %vb : tensor<256x!tile.ptr<bf16>>
  tile.store %pf, %vf : tensor<256x!tile.ptr<f32>>
  return
}
