// -g: each instruction has one line, whatever kind of location its op has; calls are kept as frames.
// RUN: tile-translate -g --target=sm_90a --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate -g --target=gfx942 --num-warps=2 --emit=hsaco %s -o %t.hsaco
// RUN: llvm-dwarfdump --debug-line %t.hsaco | FileCheck %s --check-prefix=LINES
// RUN: llvm-dwarfdump --debug-info %t.hsaco | FileCheck %s --check-prefix=FRAMES

// PTX: .loc [[A:[0-9]+]] 9 0
// PTX: .loc [[A]] 12 3
// PTX: .loc [[A]] 13 3
// PTX-NEXT: ld.global
// PTX: .loc [[LIB:[0-9]+]] 20 5
// PTX-NEXT: add.rn.f32
// PTX: .loc [[DEEP:[0-9]+]] 1 2
// PTX-NEXT: st.global
// PTX: .loc [[A]] 18 3
// PTX: .file [[A]] "a.py"
// PTX: .file [[LIB]] "lib.py"
// PTX: .file [[DEEP]] "deep.py"

// LINES: name: "a.py"
// LINES: name: "lib.py"
// LINES: name: "deep.py"
// LINES: {{0x[0-9a-f]+}} 13 3 1
// LINES: {{0x[0-9a-f]+}} 20 5 2
// LINES: {{0x[0-9a-f]+}} 1 2 3

// FRAMES: DW_TAG_inlined_subroutine
// FRAMES: DW_AT_call_line (15)
// FRAMES: DW_TAG_inlined_subroutine
// FRAMES: DW_AT_call_line (17)
func.func @k(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32> loc("a.py":10:3)
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>> loc("a.py":11:3)
  %px = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32> loc("p"("a.py":12:3))
  %v = tile.load %px : tensor<128x!tile.ptr<f32>> loc(fused["a.py":13:3, "b.py":14:4])
  %w = arith.addf %v, %v : tensor<128xf32> loc(callsite("lib.py":20:5 at "a.py":15:3))
  %y = arith.mulf %w, %w : tensor<128xf32> loc(fused<"meta">["w"("a.py":16:3)])
  tile.store %px, %y : tensor<128x!tile.ptr<f32>> loc(callsite(callsite("deep.py":1:2 at "lib.py":21:7) at "a.py":17:3))
  return loc("a.py":18:3)
} loc("a.py":9:1)
