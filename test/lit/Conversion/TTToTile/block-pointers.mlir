// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s
// RUN: tile-opt %s --convert-tt-to-tile --canonicalize | FileCheck %s --check-prefix=CANON
// Block pointers become base, shape, strides and offsets, loads and stores get pointers and masks.

// CHECK-LABEL: func.func @load_store
tt.func public @load_store(%x: !tt.ptr<f32>, %n: i64, %s: i64, %o: i32) {
  // CHECK: %[[O:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK: %[[OS:.*]] = tile.splat %[[O]] : tensor<64xi64>
  // CHECK: %[[R:.*]] = tile.make_range 0 to 64 : tensor<64xi32>
  // CHECK: %[[RE:.*]] = arith.extsi %[[R]] : tensor<64xi32> to tensor<64xi64>
  // CHECK: %[[I:.*]] = arith.addi %[[OS]], %[[RE]] : tensor<64xi64>
  // CHECK: %[[S:.*]] = tile.splat %{{.*}} : tensor<64xi64>
  // CHECK: %[[IS:.*]] = arith.muli %[[I]], %[[S]] : tensor<64xi64>
  // CHECK: %[[Z:.*]] = arith.constant dense<0> : tensor<64xi64>
  // CHECK: %[[N:.*]] = tile.splat %{{.*}} : tensor<64xi64>
  // CHECK: %[[LO:.*]] = arith.cmpi sge, %[[I]], %[[Z]]
  // CHECK: %[[HI:.*]] = arith.cmpi slt, %[[I]], %[[N]]
  // CHECK: %[[M:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<64xi1>
  // CHECK: %[[B:.*]] = tile.splat %{{.*}} : tensor<64x!tile.ptr<f32>>
  // CHECK: %[[P:.*]] = tile.addptr %[[B]], %[[IS]] : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<64xf32>
  // CHECK: tile.load %[[P]] mask %[[M]] other %[[NAN]] cache = cg : tensor<64x!tile.ptr<f32>>
  %p = tt.make_tensor_ptr %x, [%n], [%s], [%o] {order = array<i32: 0>} : <tensor<64xf32>>
  %v = tt.load %p cacheModifier = cg {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<64xf32>>
  // Without boundaryCheck there is no mask, with a stride of 1 no product.
  // CHECK-NOT: arith.muli
  // CHECK: tile.store %{{.*}}, %{{.*}} evict = first : tensor<64x!tile.ptr<f32>>
  %c1 = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %x, [%n], [%c1], [%o] {order = array<i32: 0>} : <tensor<64xf32>>
  tt.store %q, %v evictionPolicy = evict_first : !tt.ptr<tensor<64xf32>>
  tt.return
}

// CHECK-LABEL: func.func @two_dimensions
tt.func public @two_dimensions(%x: !tt.ptr<f16>, %n: i64, %o: i32) {
  // CHECK: %[[ROW:.*]] = tile.make_range 0 to 16
  // CHECK: tile.expand_dims %[[ROW]] axis = 1 : tensor<16xi32> -> tensor<16x1xi32>
  // CHECK: tile.broadcast %{{.*}} : tensor<16x1xi64> -> tensor<16x32xi64>
  // CHECK: %[[COLUMN:.*]] = tile.make_range 0 to 32
  // CHECK: tile.expand_dims %[[COLUMN]] axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x32xi64> -> tensor<16x32xi64>
  // CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<16x32xi64>
  // Only dimension 1 is checked; the padding is zero.
  // CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<1x32xi64>
  // CHECK: %[[M:.*]] = tile.broadcast %{{.*}} : tensor<1x32xi1> -> tensor<16x32xi1>
  // CHECK: tile.load %{{.*}} mask %[[M]] other %{{.*}} : tensor<16x32x!tile.ptr<f16>>
  %p = tt.make_tensor_ptr %x, [%n, %n], [%n, %n], [%o, %o] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
  tt.store %p, %v : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// CHECK-LABEL: func.func @loop
// CANON-LABEL: func.func @loop
tt.func public @loop(%x: !tt.ptr<f16>, %n: i64, %k: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%c0] {order = array<i32: 0>} : <tensor<64xf16>>
  // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (!tile.ptr<f16>, i64, i64, i32) : i32 {
  // Only the offset changes.
  // CANON: %[[R:.*]] = scf.for {{.*}} iter_args(%[[OFF:.*]] = %{{.*}}) -> (i32) : i32 {
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%q = %p) -> (!tt.ptr<tensor<64xf16>>) : i32 {
    %v = tt.load %q : !tt.ptr<tensor<64xf16>>
    tt.store %p, %v : !tt.ptr<tensor<64xf16>>
    // CHECK: scf.if %{{.*}} -> (!tile.ptr<f16>, i64, i64, i32) {
    // CANON: arith.addi %[[OFF]]
    %t = scf.if %c -> (!tt.ptr<tensor<64xf16>>) {
      %a = tt.advance %q, [%c64] : <tensor<64xf16>>
      scf.yield %a : !tt.ptr<tensor<64xf16>>
    } else {
      scf.yield %q : !tt.ptr<tensor<64xf16>>
    }
    scf.yield %t : !tt.ptr<tensor<64xf16>>
  }
  // CANON: arith.extsi %[[R]] : i32 to i64
  %w = tt.load %r : !tt.ptr<tensor<64xf16>>
  tt.store %p, %w : !tt.ptr<tensor<64xf16>>
  tt.return
}

// CHECK-LABEL: func.func @while_select
tt.func public @while_select(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%c0] {order = array<i32: 0>} : <tensor<64xf16>>
  %q = tt.make_tensor_ptr %y, [%n], [%n], [%c64] {order = array<i32: 0>} : <tensor<64xf16>>
  // What both sides agree on needs no select.
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f16>
  // CHECK-NEXT: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
  %s = arith.select %c, %p, %q : !tt.ptr<tensor<64xf16>>
  // CHECK: scf.while ({{.*}}) : (!tile.ptr<f16>, i64, i64, i32, i1) -> (!tile.ptr<f16>, i64, i64, i32, i1) {
  // CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f16>, i64, i64, i32, i1
  // CHECK: ^bb0(%{{.*}}: !tile.ptr<f16>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: i1):
  %r:2 = scf.while (%a = %s, %go = %c) : (!tt.ptr<tensor<64xf16>>, i1) -> (!tt.ptr<tensor<64xf16>>, i1) {
    scf.condition(%go) %a, %go : !tt.ptr<tensor<64xf16>>, i1
  } do {
  ^bb0(%a: !tt.ptr<tensor<64xf16>>, %go: i1):
    %b = tt.advance %a, [%c64] : <tensor<64xf16>>
    scf.yield %b, %go : !tt.ptr<tensor<64xf16>>, i1
  }
  %v = tt.load %r#0 : !tt.ptr<tensor<64xf16>>
  tt.store %p, %v : !tt.ptr<tensor<64xf16>>
  tt.return
}

// Through functions, and through branches that are lifted first.
// CHECK: func.func private @helper(%{{.*}}: i1, %{{.*}}: !tile.ptr<f16>{{.*}}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: i32) -> (!tile.ptr<f16>, i64, i64, i32) {
tt.func private @helper(%c: i1, %p: !tt.ptr<tensor<64xf16>>, %n: i32) -> !tt.ptr<tensor<64xf16>> {
  // CHECK: scf.if %{{.*}} -> (!tile.ptr<f16>, i64, i64, i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %q = tt.advance %p, [%n] : <tensor<64xf16>>
  tt.return %q : !tt.ptr<tensor<64xf16>>
^bb2:
  tt.return %p : !tt.ptr<tensor<64xf16>>
}

// CHECK-LABEL: func.func @call
tt.func public @call(%x: !tt.ptr<f16>, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %p = tt.make_tensor_ptr %x, [%n], [%n], [%c0] {order = array<i32: 0>} : <tensor<64xf16>>
  // CHECK: call @helper(%{{.*}}) : (i1, !tile.ptr<f16>, i64, i64, i32, i32) -> (!tile.ptr<f16>, i64, i64, i32)
  %q = tt.call @helper(%c, %p, %c0) : (i1, !tt.ptr<tensor<64xf16>>, i32) -> !tt.ptr<tensor<64xf16>>
  %v = tt.load %q : !tt.ptr<tensor<64xf16>>
  tt.store %p, %v : !tt.ptr<tensor<64xf16>>
  tt.return
}
