// All four 8-bit floats of a constant word are converted: LLVM 22 cuts the words of gfx12's conversions of pairs to 16 bits.
// RUN: tile-translate --target=gfx1201 --emit=amdgcn --num-warps=1 %s | FileCheck %s --implicit-check-not=op_sel
// RUN: tile-translate --target=gfx950 --emit=amdgcn --num-warps=1 %s | FileCheck %s --check-prefix=WORD
// CHECK: v_cvt_pk_f32_fp8_e32 {{.*}}, 0x7e7e
// CHECK: v_cvt_pk_f32_bf8_e32 {{.*}}, 0x7b7b
// WORD: v_cvt_pk_f32_fp8{{.*}}, 0x7e7e
// WORD: v_cvt_pk_f32_bf8{{.*}}, 0x7b7b
func.func @constants(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %large = arith.constant dense<0x4340000000000001> : tensor<256xf64>
  %x = arith.truncf %large : tensor<256xf64> to tensor<256xf8E4M3FN>
  %xs = arith.extf %x : tensor<256xf8E4M3FN> to tensor<256xf32>
  %as = tile.splat %a : tensor<256x!tile.ptr<f32>>
  %ap = tile.addptr %as, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %ap, %xs : tensor<256x!tile.ptr<f32>>
  %y = arith.truncf %large : tensor<256xf64> to tensor<256xf8E5M2>
  %ys = arith.extf %y : tensor<256xf8E5M2> to tensor<256xf32>
  %bs = tile.splat %b : tensor<256x!tile.ptr<f32>>
  %bp = tile.addptr %bs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %bp, %ys : tensor<256x!tile.ptr<f32>>
  return
}
