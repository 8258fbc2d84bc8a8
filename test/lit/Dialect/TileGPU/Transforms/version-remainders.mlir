// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_90a num-warps=1" --tile-gpu-version-remainders | FileCheck %s

// A quotient may be negative, as far as is known: one version for where it is not.
// CHECK-LABEL: func.func @quotient
// CHECK: %[[S:.*]] = arith.muli
// CHECK: %[[LOW:.*]] = arith.maxsi %[[S]], %c0
// CHECK: %[[C:.*]] = arith.minsi %[[LOW]], %c2147483520
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[C]], %[[S]]
// CHECK: scf.if %[[OK]] {
// CHECK:   tile.splat %[[C]] : tensor<128xi32>
// CHECK:   arith.remsi
// CHECK:   scf.for
// CHECK-NOT: tile.num_stages
// CHECK: } else {
// CHECK:   tile.splat %[[S]] : tensor<128xi32>
// CHECK:   arith.remsi
// CHECK:   scf.for
// CHECK:   tile.num_stages = 1
// CHECK:   tile.store
func.func @quotient(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %n: i32 {tile.divisibility = 16 : i32}, %d: i32, %m: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf16>
  %pid = tile.program_id x
  %q = arith.divsi %pid, %d : i32
  %s = arith.muli %q, %c128 : i32
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %ss = tile.splat %s : tensor<128xi32>
  %sum = arith.addi %ss, %range : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %at = arith.remsi %sum, %ns : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f16>>
  %p = tile.addptr %xs, %at : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %zero) -> (tensor<128xf16>) : i32 {
    %v = tile.load %p : tensor<128x!tile.ptr<f16>>
    %next = arith.addf %acc, %v : tensor<128xf16>
    scf.yield %next : tensor<128xf16>
  }
  %ys = tile.splat %y : tensor<128x!tile.ptr<f16>>
  %py = tile.addptr %ys, %range : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %py, %r : tensor<128x!tile.ptr<f16>>
  return
}

// -----

// Nothing gets wider: the size is odd.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: scf.if
// CHECK-NOT: arith.maxsi
// CHECK: return
func.func @odd(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i32)
    attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %ss = tile.splat %s : tensor<128xi32>
  %sum = arith.addi %ss, %range : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %at = arith.remsi %sum, %ns : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f16>>
  %p = tile.addptr %xs, %at : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<f16>>
  %ys = tile.splat %y : tensor<128x!tile.ptr<f16>>
  %py = tile.addptr %ys, %range : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %py, %v : tensor<128x!tile.ptr<f16>>
  return
}
