// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_90a num-warps=1" --tile-gpu-load-once --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=gfx942 num-warps=1" --tile-gpu-load-once | FileCheck %s --check-prefix=AMD

// AMD-NOT: tile.reshape

// Two numbers a byte: half as many bytes, of a range as it stands. The mask's bound is half, rounded up.
// CHECK-LABEL: func.func @halves
// CHECK-DAG: %[[R:.*]] = tile.make_range 0 to 64 : tensor<64xi32>
// CHECK-DAG: %[[H:.*]] = arith.shrsi %arg2, %c1
// CHECK-DAG: %[[O:.*]] = arith.andi %arg2, %c1
// CHECK: %[[C:.*]] = arith.addi %[[H]], %[[O]]
// CHECK: %[[S:.*]] = tile.splat %[[C]] : tensor<64xi32>
// CHECK: %[[M:.*]] = arith.cmpi slt, %[[R]], %[[S]]
// CHECK: %[[V:.*]] = tile.load %{{.*}} mask %[[M]] other %{{.*}} : tensor<64x!tile.ptr<i8>>
// CHECK: %[[E:.*]] = tile.expand_dims %[[V]] axis = 1
// CHECK: %[[B:.*]] = tile.broadcast %[[E]] : tensor<64x1xi8> -> tensor<64x2xi8>
// CHECK: tile.reshape %[[B]] : tensor<64x2xi8> -> tensor<128xi8>
func.func @halves(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                  %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %two = arith.constant dense<2> : tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi8>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<128xi32>
  %q = arith.divsi %r, %two : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i8>>
  %p = tile.addptr %xs, %q : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  %v = tile.load %p mask %m other %zero : tensor<128x!tile.ptr<i8>>
  %ys = tile.splat %y : tensor<128x!tile.ptr<i8>>
  %o = tile.addptr %ys, %r : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  tile.store %o, %v : tensor<128x!tile.ptr<i8>>
  return
}

// -----

// Four a byte by a shift, eight rows a group of a matrix whose rows a loop moves by a stride.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} iter_args(
// CHECK: %[[E:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[A:.*]] = arith.muli %[[E]], %{{.*}} : i64
// CHECK: %[[S:.*]] = tile.splat %[[A]] : tensor<16x32xi64>
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[S]]
// CHECK: tile.load %[[P]] : tensor<16x32x!tile.ptr<i8>>
// CHECK: tile.reshape %{{.*}} : tensor<16x4x32xi8> -> tensor<64x32xi8>
func.func @carried(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i8>, %stride: i32, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %two = arith.constant dense<2> : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64x32xi8>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %q = arith.shrsi %r, %two : tensor<64xi32>
  %qe = tile.expand_dims %q axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ss = tile.splat %stride : tensor<64x1xi32>
  %rows = arith.muli %qe, %ss : tensor<64x1xi32>
  %c = tile.make_range 0 to 32 : tensor<32xi32>
  %ce = tile.expand_dims %c axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rb = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x32xi32>
  %cb = tile.broadcast %ce : tensor<1x32xi32> -> tensor<64x32xi32>
  %at = arith.addi %rb, %cb : tensor<64x32xi32>
  %xs = tile.splat %x : tensor<64x32x!tile.ptr<i8>>
  %p = tile.addptr %xs, %at : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
  %step = arith.muli %stride, %c16 : i32
  %steps = tile.splat %step : tensor<64x32xi32>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%ptr = %p, %acc = %zero) -> (tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi8>) : i32 {
    %v = tile.load %ptr : tensor<64x32x!tile.ptr<i8>>
    %s = arith.addi %acc, %v : tensor<64x32xi8>
    %next = tile.addptr %ptr, %steps : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
    scf.yield %next, %s : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi8>
  }
  %ys = tile.splat %y : tensor<64x32x!tile.ptr<i8>>
  %o = tile.addptr %ys, %cb : tensor<64x32x!tile.ptr<i8>>, tensor<64x32xi32>
  tile.store %o, %sum#1 : tensor<64x32x!tile.ptr<i8>>
  return
}

// -----

// Not where a mask may part two that share a byte, where the load is volatile, or where rows are negative.
// CHECK-LABEL: func.func @parted
// CHECK-NOT: tile.reshape
func.func @parted(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %n: i32) attributes {tile.kernel} {
  %two = arith.constant dense<2> : tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi8>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %below = tile.make_range -128 to 0 : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<128xi32>
  %q = arith.divsi %r, %two : tensor<128xi32>
  %b = arith.divsi %below, %two : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i8>>
  %p = tile.addptr %xs, %q : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  %pb = tile.addptr %xs, %b : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  %v = tile.load %p mask %m other %zero : tensor<128x!tile.ptr<i8>>
  %w = tile.load %p volatile : tensor<128x!tile.ptr<i8>>
  %u = tile.load %pb : tensor<128x!tile.ptr<i8>>
  %s = arith.addi %v, %w : tensor<128xi8>
  %t = arith.addi %s, %u : tensor<128xi8>
  %ys = tile.splat %y : tensor<128x!tile.ptr<i8>>
  %o = tile.addptr %ys, %r : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  tile.store %o, %t : tensor<128x!tile.ptr<i8>>
  return
}

// -----

// Blocks that a loop numbers start at multiples of what a byte holds.
// CHECK-LABEL: func.func @numbered
// CHECK: scf.for
// CHECK: %[[D:.*]] = arith.divsi %{{.*}}, %c2_i32
// CHECK: %[[S:.*]] = tile.splat %[[D]] : tensor<64xi32>
// CHECK: %[[Q:.*]] = arith.addi %[[S]], %{{.*}} : tensor<64xi32>
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[Q]]
// CHECK: tile.load %[[P]] : tensor<64x!tile.ptr<i8>>
func.func @numbered(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %c128 = arith.constant 128 : i32
  %two = arith.constant dense<2> : tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi8>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i8>>
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (tensor<128xi8>) : i32 {
    %at = arith.muli %i, %c128 : i32
    %ats = tile.splat %at : tensor<128xi32>
    %k = arith.addi %ats, %r : tensor<128xi32>
    %q = arith.divsi %k, %two : tensor<128xi32>
    %p = tile.addptr %xs, %q : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
    %v = tile.load %p : tensor<128x!tile.ptr<i8>>
    %s = arith.addi %acc, %v : tensor<128xi8>
    scf.yield %s : tensor<128xi8>
  }
  %ys = tile.splat %y : tensor<128x!tile.ptr<i8>>
  %o = tile.addptr %ys, %r : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  tile.store %o, %sum : tensor<128x!tile.ptr<i8>>
  return
}

// -----

// A loop that counts by what a block holds: its iterations are counted.
// CHECK-LABEL: func.func @counted
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} step %c64
// CHECK: %[[N:.*]] = arith.divsi %[[I]], %c64_i32
// CHECK: %[[E:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[A:.*]] = arith.muli %[[E]], %{{.*}} : i64
// CHECK: %[[S:.*]] = tile.splat %[[A]] : tensor<32xi64>
// CHECK: tile.load %{{.*}} : tensor<32x!tile.ptr<i8>>
func.func @counted(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i8>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %two = arith.constant dense<2> : tensor<64xi32>
  %next = arith.constant dense<32> : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi8>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %q = arith.divsi %r, %two : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<i8>>
  %first = tile.addptr %xs, %q : tensor<64x!tile.ptr<i8>>, tensor<64xi32>
  %sum:2 = scf.for %i = %c0 to %n step %c64 iter_args(%ptr = %first, %acc = %zero) -> (tensor<64x!tile.ptr<i8>>, tensor<64xi8>) : i32 {
    %v = tile.load %ptr : tensor<64x!tile.ptr<i8>>
    %s = arith.addi %acc, %v : tensor<64xi8>
    %p = tile.addptr %ptr, %next : tensor<64x!tile.ptr<i8>>, tensor<64xi32>
    scf.yield %p, %s : tensor<64x!tile.ptr<i8>>, tensor<64xi8>
  }
  %ys = tile.splat %y : tensor<64x!tile.ptr<i8>>
  %o = tile.addptr %ys, %r : tensor<64x!tile.ptr<i8>>, tensor<64xi32>
  tile.store %o, %sum#1 : tensor<64x!tile.ptr<i8>>
  return
}
