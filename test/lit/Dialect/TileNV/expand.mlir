// RUN: tile-opt %s --expand-tile-nv | FileCheck %s

// CHECK-LABEL: @load
// CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects "@$9 ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$8];", "=r,=r,=r,=r,0,1,2,3,l,b"
// CHECK-SAME: -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-COUNT-4: llvm.extractvalue %[[R]]
llvm.func @load(%p: !llvm.ptr<1>, %c: i1, %o: vector<4xi32>) -> vector<4xi32> {
  %v = tile_nv.load %p, %c, %o cache = cg : !llvm.ptr<1>, vector<4xi32>
  llvm.return %v : vector<4xi32>
}

// Bytes travel in 16-bit registers.
// CHECK-LABEL: @byte
// CHECK: llvm.inline_asm has_side_effects "@$3 ld.volatile.global.b8 $0, [$2];", "=h,0,l,b" {{.*}} -> i16
// CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b8 [$1], $0;", "h,l,b"
llvm.func @byte(%p: !llvm.ptr<1>, %c: i1, %o: i8) {
  %v = tile_nv.load %p, %c, %o volatile : !llvm.ptr<1>, i8
  tile_nv.store %v, %p, %c : i8, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: @hints
// CHECK: "@$5 ld.global.L1::evict_last.v2.b64 {$0, $1}, [$4];"
// CHECK: "@$3 st.global.L1::evict_first.v2.b64 [$2], {$0, $1};"
llvm.func @hints(%p: !llvm.ptr<1>, %c: i1, %o: vector<2xi64>) {
  %v = tile_nv.load %p, %c, %o evict = last : !llvm.ptr<1>, vector<2xi64>
  tile_nv.store %v, %p, %c evict = first : vector<2xi64>, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: @add
// CHECK: "red.relaxed.gpu.global.add.v4.f32 [$4], {$0, $1, $2, $3};", "f,f,f,f,l"
// CHECK: "red.relaxed.gpu.global.add.v2.f32 [$2], {$0, $1};", "f,f,l"
// CHECK: "red.relaxed.gpu.global.add.noftz.v4.f16x2 [$4], {$0, $1, $2, $3};", "r,r,r,r,l"
// CHECK: "red.relaxed.gpu.global.add.noftz.bf16x2 [$1], $0;", "r,l"
llvm.func @add(%p: !llvm.ptr<1>, %v: vector<4xf32>, %w: vector<2xf32>, %h: vector<8xf16>, %g: vector<2xbf16>) {
  tile_nv.add %v, %p : vector<4xf32>, !llvm.ptr<1>
  tile_nv.add %w, %p : vector<2xf32>, !llvm.ptr<1>
  tile_nv.add %h, %p : vector<8xf16>, !llvm.ptr<1>
  tile_nv.add %g, %p : vector<2xbf16>, !llvm.ptr<1>
  llvm.return
}
