// RUN: tile-opt %s -split-input-file -verify-diagnostics
!acc = !llvm.struct<(f32, f32, f32, f32)>
!h2 = !llvm.struct<(i32, i32)>
llvm.func @types(%c: !acc, %a: i64) {
  // expected-error @+1 {{got elements of f16 and bf16, expected one type}}
  %0 = tile_nv.wgmma %c, [%a], %a n = 8 f16, bf16 : !acc, i64
  llvm.return
}
// -----
!acc = !llvm.struct<(f32, f32, f32, f32)>
llvm.func @transposed(%c: !acc, %a: i64) {
  // expected-error @+1 {{got a transposed operand of tf32, expected f16 or bf16}}
  %0 = tile_nv.wgmma %c, [%a], %a n = 8 tf32, tf32 trans_b : !acc, i64
  llvm.return
}
// -----
!acc = !llvm.struct<(f32, f32, f32, f32)>
llvm.func @size(%c: !acc, %a: i64) {
  // expected-error @+1 {{got n = 12, expected a multiple of 8 up to 256}}
  %0 = tile_nv.wgmma %c, [%a], %a n = 12 f16, f16 : !acc, i64
  llvm.return
}
// -----
!acc = !llvm.struct<(f32, f32, f32, f32)>
llvm.func @registers(%c: !acc, %a: i64) {
  // expected-error @+1 {{got an accumulator of 4 registers, expected 8}}
  %0 = tile_nv.wgmma %c, [%a], %a n = 16 f16, f16 : !acc, i64
  llvm.return
}
// -----
!acc = !llvm.struct<(f32, f32, f32, f32)>
llvm.func @operand(%c: !acc, %a: i32, %b: i64) {
  // expected-error @+1 {{got 2 values of i32 as operand A, expected one of i64 or four of i32}}
  %0 = tile_nv.wgmma %c, [%a, %a], %b n = 8 f16, f16 : !acc, i32, i32
  llvm.return
}
// -----
!acc = !llvm.struct<(f32, f32, f32, f32)>
llvm.func @sum(%c: !acc, %b: i64) {
  // expected-error @+1 {{got an accumulator of f32, expected i32 for elements of s8}}
  %0 = tile_nv.wgmma %c, [%b], %b n = 8 s8, s8 : !acc, i64
  llvm.return
}
// -----
!h2 = !llvm.struct<(i32, i32)>
llvm.func @half(%c: !h2, %b: i64) {
  // expected-error @+1 {{got an accumulator of i32, expected f32 for elements of bf16}}
  %0 = tile_nv.wgmma %c, [%b], %b n = 8 bf16, bf16 : !h2, i64
  llvm.return
}
// -----
llvm.func @fence(%d: !llvm.struct<(i32, i32)>) {
  // expected-error @+1 {{got results of other types than its values}}
  %f = tile_nv.wgmma_fence(%d) : (!llvm.struct<(i32, i32)>) -> !llvm.struct<(i32, f32)>
  llvm.return
}
// -----
llvm.func @pending() {
  // expected-error @+1 {{got 8 pending groups, expected 0 to 7}}
  tile_nv.wgmma_wait 8 () : () -> ()
  llvm.return
}
// -----
llvm.func @rank(%s: !llvm.ptr<3>, %m: !llvm.ptr, %x: i32) {
  // expected-error @+1 {{got 6 coordinates, expected 1 to 5}}
  tile_nv.tma_load %s, %m[%x, %x, %x, %x, %x, %x], %s
  llvm.return
}
