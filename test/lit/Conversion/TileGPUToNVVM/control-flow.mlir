// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s

// The header's arguments are the induction variable and one argument a register; they are also the values after the loop.
// CHECK-LABEL: llvm.func @loop(
// CHECK: llvm.br ^[[HEADER:.*]](%{{.*}}, %{{.*}}, %{{.*}} : i32, f32, f32)
// CHECK: ^[[HEADER]](%[[IV:.*]]: i32, %[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK: %[[GO:.*]] = llvm.icmp "slt" %[[IV]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[GO]], ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK: ^[[BODY]]:
// CHECK: llvm.br ^[[HEADER]](
// CHECK: ^[[EXIT]]:
// CHECK: llvm.store %[[A]]
// CHECK: llvm.store %[[B]]
func.func @loop(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64xf32>) : i32 {
    %b = arith.addf %a, %one : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  tile.store %p, %sum : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// CHECK-LABEL: llvm.func @branches(
// CHECK: llvm.cond_br %{{.*}}, ^[[THEN:.*]], ^[[MERGE:.*]]
// CHECK: ^[[MERGE]]:
// CHECK: llvm.return
// CHECK: ^[[THEN]]:
// CHECK: llvm.br ^[[MERGE]]
func.func @branches(%x: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %go = arith.cmpi sgt, %n, %c0 : i32
  scf.if %go {
    tile.store %x, %n : !tile.ptr<i32>
  }
  return
}

// -----

// CHECK-LABEL: llvm.func @choice(
// CHECK-COUNT-2: llvm.icmp "eq" %{{.*}}, %{{.*}} : i64
func.func @choice(%x: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %i = arith.index_castui %n : i32 to index
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  %v = scf.index_switch %i -> i32
  case 0 {
    scf.yield %a : i32
  }
  case 5 {
    scf.yield %b : i32
  }
  default {
    scf.yield %n : i32
  }
  tile.store %x, %v : !tile.ptr<i32>
  return
}

// -----

// CHECK-LABEL: llvm.func @while(
// CHECK: ^[[HEADER:.*]](%[[V:.*]]: i32): // 2 preds
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY:.*]](%[[V]] : i32), ^[[EXIT:.*]](%[[V]] : i32)
func.func @while(%x: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %w = scf.while (%u = %c1) : (i32) -> i32 {
    %g = arith.cmpi slt, %u, %n : i32
    scf.condition(%g) %u : i32
  } do {
  ^bb0(%u: i32):
    %d = arith.addi %u, %u : i32
    scf.yield %d : i32
  }
  tile.store %x, %w : !tile.ptr<i32>
  return
}
