// Signs are copied by bits: the back end takes the sign of what a number was converted from, and converts what is converted
// behind the copy before it, so it would look for an instruction with an f16 and a bf16.
// RUN: tile-translate --target=gfx1201 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx90a --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx950 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %s | FileCheck %s
// RUN: tile-run %s --device=sim --target=gfx942 --kernel=signs --against=cpu --grid=1 --arg=bf16[128]=randn:1 --arg=bf16[128]=zeros
// RUN: tile-run %s --device=sim --target=gfx1201 --kernel=narrowed --against=cpu --grid=1 --arg=bf16[128]=randn:1 --arg=f64[128]=randn:2 --arg=f16[128]=zeros
// RUN: tile-run %s --device=sim --target=gfx950 --kernel=remainder --against=cpu --grid=1 --arg=bf16[128]=randn:1 --arg=f16[128]=zeros

// CHECK-LABEL: signs:
// CHECK: s_endpgm
// CHECK-LABEL: back:
// CHECK: s_endpgm
// CHECK-LABEL: narrowed:
// CHECK: s_endpgm
// CHECK-LABEL: remainder:
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

// An f16 that became a bf16, and back.
func.func @back(%p: !tile.ptr<f16>, %q: !tile.ptr<bf16>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %ps = tile.splat %p : tensor<128x!tile.ptr<f16>>
  %pp = tile.addptr %ps, %range : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  %x = tile.load %pp : tensor<128x!tile.ptr<f16>>
  %qs = tile.splat %q : tensor<128x!tile.ptr<bf16>>
  %qq = tile.addptr %qs, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %y = tile.load %qq : tensor<128x!tile.ptr<bf16>>
  %b = tile.fp_to_fp %x rounding = rtne : tensor<128xf16> -> tensor<128xbf16>
  %z = math.copysign %y, %b : tensor<128xbf16>
  tile.store %qq, %z : tensor<128x!tile.ptr<bf16>>
  return
}

// The copy is of 64 bits and is rounded twice.
func.func @narrowed(%p: !tile.ptr<bf16>, %m: !tile.ptr<f64>, %q: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %ps = tile.splat %p : tensor<128x!tile.ptr<bf16>>
  %pp = tile.addptr %ps, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %x = tile.load %pp : tensor<128x!tile.ptr<bf16>>
  %ms = tile.splat %m : tensor<128x!tile.ptr<f64>>
  %mm = tile.addptr %ms, %range : tensor<128x!tile.ptr<f64>>, tensor<128xi32>
  %y = tile.load %mm : tensor<128x!tile.ptr<f64>>
  %d = tile.fp_to_fp %x : tensor<128xbf16> -> tensor<128xf64>
  %z = math.copysign %y, %d : tensor<128xf64>
  %f = tile.fp_to_fp %z rounding = rtne : tensor<128xf64> -> tensor<128xf32>
  %h = tile.fp_to_fp %f rounding = rtne : tensor<128xf32> -> tensor<128xf16>
  %qs = tile.splat %q : tensor<128x!tile.ptr<f16>>
  %qq = tile.addptr %qs, %range : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %qq, %h : tensor<128x!tile.ptr<f16>>
  return
}

// A remainder has the sign of its first operand, in f32 and then rounded.
func.func @remainder(%p: !tile.ptr<bf16>, %q: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %ps = tile.splat %p : tensor<128x!tile.ptr<bf16>>
  %pp = tile.addptr %ps, %range : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %x = tile.load %pp : tensor<128x!tile.ptr<bf16>>
  %h = tile.fp_to_fp %x : tensor<128xbf16> -> tensor<128xf16>
  %r = arith.remf %h, %h : tensor<128xf16>
  %qs = tile.splat %q : tensor<128x!tile.ptr<f16>>
  %qq = tile.addptr %qs, %range : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %qq, %r : tensor<128x!tile.ptr<f16>>
  return
}
