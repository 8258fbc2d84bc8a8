// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check-legality=chip=sm_80

// What LLVM selects passes: bf16 arithmetic, minimum of f16, bit counts of i8, 128-bit products.
llvm.func @legal(%p: !llvm.ptr<1>, %x: bf16, %y: f16, %i: i8, %k: i64, %out: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %a = llvm.intr.fma(%x, %x, %x) : (bf16, bf16, bf16) -> bf16
  %b = llvm.intr.minimum(%y, %y) : (f16, f16) -> f16
  %c = llvm.intr.ctpop(%i) : (i8) -> i8
  %w = llvm.zext %k : i64 to i128
  %m = llvm.mul %w, %w : i128
  %d = llvm.inline_asm "whatever $0, $1", "=r,r" %i : (i8) -> i8
  llvm.store %a, %p : bf16, !llvm.ptr<1>
  llvm.store %b, %out : f16, !llvm.ptr<3>
  llvm.return
}

// -----

// One error for each row of the table, however often the op stands there.
llvm.func @functions(%x: f32, %y: f64) attributes {nvvm.kernel} {
  // expected-error@+1 {{'llvm.intr.sin' op on f32 is not supported on sm_80}}
  %a = llvm.intr.sin(%x) : (f32) -> f32
  %b = llvm.intr.sin(%a) : (f32) -> f32
  // expected-error@+1 {{'llvm.intr.pow' op on f64 is not supported on sm_80}}
  %c = llvm.intr.pow(%y, %y) : (f64, f64) -> f64
  // expected-error@+1 {{'llvm.call_intrinsic' op (llvm.nvvm.ff.to.e4m3x2.rn) on f32 to i16 is not supported on sm_80}}
  %d = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%x, %x) : (f32, f32) -> i16
  llvm.return
}

// -----

// Types that no example was made of, and another vendor's ops.
// expected-error@+2 {{'llvm.func' op parameter of type i7 is not supported on sm_80: no such operation was ever compiled}}
// expected-error@+1 {{'llvm.func' op parameter of type vector<3xf16> is not supported on sm_80}}
llvm.func @types(%x: i7, %y: vector<3xf16>) attributes {nvvm.kernel} {
  // expected-error@+1 {{'llvm.add' op on i7 is not supported on sm_80: no such operation was ever compiled}}
  %a = llvm.add %x, %x : i7
  // expected-error@+1 {{'llvm.fadd' op on vector<3xf16> is not supported on sm_80}}
  %b = llvm.fadd %y, %y : vector<3xf16>
  // expected-error@+1 {{'rocdl.workitem.id.x' op on i32 is not supported on sm_80}}
  %c = rocdl.workitem.id.x : i32
  llvm.return
}
