// The sign of a bf16 that became an f16 is copied by its bits: the back end would look for an instruction with both types.
// RUN: tile-translate --target=gfx1201 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx90a --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx950 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %s | FileCheck %s
// RUN: tile-run %s --device=sim --target=gfx942 --against=cpu --grid=1 --arg=bf16[128]=randn:1 --arg=bf16[128]=zeros

// CHECK: signs:
// CHECK: s_endpgm
func.func @signs(%p: !tile.ptr<bf16>, %q: !tile.ptr<bf16>) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<128xf16>
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %ps = tile.splat %p : tensor<128x!tile.ptr<bf16>>
  %pp = tile.addptr %ps, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %x = tile.load %pp : tensor<128x!tile.ptr<bf16>>
  %h = tile.fp_to_fp %x : tensor<128xbf16> -> tensor<128xf16>
  %y = math.copysign %one, %h : tensor<128xf16>
  %b = tile.fp_to_fp %y rounding = rtne : tensor<128xf16> -> tensor<128xbf16>
  %qs = tile.splat %q : tensor<128x!tile.ptr<bf16>>
  %qq = tile.addptr %qs, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  tile.store %qq, %b : tensor<128x!tile.ptr<bf16>>
  return
}
