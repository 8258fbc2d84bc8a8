// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_80 num-warps=2" --tile-gpu-coalesce --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @wide(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>}
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-COUNT-2: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
func.func @wide(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f16>>
  %w = arith.addf %v, %v : tensor<1024xf16>
  tile.store %p, %w : tensor<1024x!tile.ptr<f16>>
  return
}

// -----

// A mask that may change at any element allows one element at a time; the masked-off value is that of `other`.
// CHECK-LABEL: llvm.func @masked(
// CHECK: %[[PRED:.*]] = llvm.icmp "slt"
// CHECK: tile_nv.load %{{.*}}, %[[PRED]], %{{.*}} cache = cg evict = first : !llvm.ptr<1>, i32
// CHECK: tile_nv.store %{{.*}}, %{{.*}}, %[[PRED]] cache = wt : i32, !llvm.ptr<1>
func.func @masked(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %e = tile.splat %n : tensor<64xi32>
  %m = arith.cmpi slt, %r, %e : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p mask %m other %one cache = cg evict = first : tensor<64x!tile.ptr<f32>>
  tile.store %p, %v mask %m cache = wt : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// 32 elements on 64 threads: the second warp holds copies and does not store. A scalar is stored by thread 0.
// CHECK-LABEL: llvm.func @copies(
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.getelementptr
// CHECK: %[[HIGH:.*]] = llvm.and %[[TID]], %{{.*}} : i32
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %[[HIGH]], %{{.*}} : i32
// CHECK: tile_nv.store %{{.*}}, %{{.*}}, %[[OWNER]] : i32, !llvm.ptr<1>
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[TID]], %{{.*}} : i32
// CHECK: tile_nv.store %{{.*}}, %{{.*}}, %[[FIRST]] : i32, !llvm.ptr<1>
func.func @copies(%x: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : tensor<32x!tile.ptr<i32>>
  %p = tile.addptr %xs, %r : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %p, %r : tensor<32x!tile.ptr<i32>>
  tile.store %x, %n : !tile.ptr<i32>
  return
}

// -----

// i1 is a byte in memory; any byte but 0 reads as 1.
// CHECK-LABEL: llvm.func @bools(
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i8
// CHECK: llvm.icmp "ne" {{.*}} : i8
// CHECK: llvm.zext {{.*}} : i1 to i8
// CHECK: llvm.store {{.*}} : i8, !llvm.ptr<1>
func.func @bools(%x: !tile.ptr<i1>) attributes {tile.kernel} {
  %t = arith.constant dense<true> : tensor<64xi1>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<i1>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<i1>>, tensor<64xi32>
  %v = tile.load %p : tensor<64x!tile.ptr<i1>>
  %w = arith.xori %v, %t : tensor<64xi1>
  tile.store %p, %w : tensor<64x!tile.ptr<i1>>
  return
}

// -----

// A bound on a running index: wide where all masks of the thread are true, one by one for the threads at the bound.
// CHECK-LABEL: llvm.func @bound(
// CHECK-COUNT-3: llvm.and {{.*}} : i1
// CHECK: llvm.cond_br %{{.*}}, ^[[WIDE:.*]], ^[[SINGLE:.*]]
// CHECK: ^[[WIDE]]:
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: ^[[SINGLE]]:
// CHECK-COUNT-4: tile_nv.load {{.*}} : !llvm.ptr<1>, i32
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-COUNT-4: tile_nv.store {{.*}} : i32, !llvm.ptr<1>
func.func @bound(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %e = tile.splat %n : tensor<256xi32>
  %m = arith.cmpi slt, %r, %e : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %p mask %m : tensor<256x!tile.ptr<f32>>
  tile.store %p, %v mask %m : tensor<256x!tile.ptr<f32>>
  return
}

// -----

// In a loop: sixteen accesses of a thread under one condition are written once, under sixteen conditions twice.
// CHECK-LABEL: llvm.func @columns(
// CHECK: llvm.cond_br
// CHECK-NOT: llvm.cond_br
// CHECK-COUNT-16: tile_nv.load {{.*}} : !llvm.ptr<1>, i32
// CHECK-NOT: llvm.load
// CHECK-LABEL: llvm.func @rows(
// CHECK: llvm.cond_br
// CHECK: llvm.cond_br
// CHECK-COUNT-16: llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK-COUNT-16: tile_nv.load {{.*}} : !llvm.ptr<1>, i32
func.func @columns(%x: !tile.ptr<f32>, %n: i32, %s: i32, %c: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %column = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tile.splat %s : tensor<32x1xi32>
  %starts = arith.muli %row, %ss : tensor<32x1xi32>
  %a = tile.broadcast %starts : tensor<32x1xi32> -> tensor<32x32xi32>
  %b = tile.broadcast %column : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %a, %b : tensor<32x32xi32>
  %xs = tile.splat %x : tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  scf.for %i = %zero to %c step %one : i32 {
    %left = arith.subi %n, %i : i32
    %ls = tile.splat %left : tensor<1x32xi32>
    %in = arith.cmpi slt, %column, %ls : tensor<1x32xi32>
    %m = tile.broadcast %in : tensor<1x32xi1> -> tensor<32x32xi1>
    %v = tile.load %p mask %m : tensor<32x32x!tile.ptr<f32>>
    tile.store %p, %v : tensor<32x32x!tile.ptr<f32>>
  }
  return
}

func.func @rows(%x: !tile.ptr<f32>, %n: i32, %s: i32, %c: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %row = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %column = tile.expand_dims %r axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tile.splat %s : tensor<32x1xi32>
  %starts = arith.muli %row, %ss : tensor<32x1xi32>
  %a = tile.broadcast %starts : tensor<32x1xi32> -> tensor<32x32xi32>
  %b = tile.broadcast %column : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %a, %b : tensor<32x32xi32>
  %xs = tile.splat %x : tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  scf.for %i = %zero to %c step %one : i32 {
    %left = arith.subi %n, %i : i32
    %ls = tile.splat %left : tensor<32x1xi32>
    %in = arith.cmpi slt, %row, %ls : tensor<32x1xi32>
    %m = tile.broadcast %in : tensor<32x1xi1> -> tensor<32x32xi1>
    %v = tile.load %p mask %m : tensor<32x32x!tile.ptr<f32>>
    tile.store %p, %v : tensor<32x32x!tile.ptr<f32>>
  }
  return
}
