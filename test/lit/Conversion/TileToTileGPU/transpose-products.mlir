// Products whose rows are no whole warp groups' and whose columns are: computed transposed, where the factors come through descriptors
// and the loop does nothing else with the sum.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=8" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=8" | FileCheck %s --check-prefix=PADDED

// CHECK-LABEL: func.func @rows
// CHECK: %[[Z0:.*]] = arith.constant dense<1.000000e+00> : tensor<128x64xf32>
// CHECK: %[[Z1:.*]] = arith.constant dense<1.000000e+00> : tensor<128x16xf32>
// CHECK: %[[S:.*]]:2 = scf.for {{.*}} iter_args(%[[L:.*]] = %[[Z0]], %[[R:.*]] = %[[Z1]]) -> (tensor<128x64xf32>, tensor<128x16xf32>)
// CHECK-DAG: %[[X0:.*]] = tile.desc_load {{.*}} -> tensor<64x64xf16>
// CHECK-DAG: %[[X1:.*]] = tile.desc_load {{.*}} -> tensor<16x64xf16>
// CHECK-DAG: %[[Y:.*]] = tile.desc_load {{.*}} -> tensor<128x64xf16>
// CHECK-DAG: %[[T0:.*]] = tile.trans %[[X0]] order = [1, 0] : tensor<64x64xf16>
// CHECK-DAG: %[[T1:.*]] = tile.trans %[[X1]] order = [1, 0] : tensor<16x64xf16>
// CHECK: tile.dot %[[Y]], %[[T0]], %[[L]]
// CHECK: tile.dot %[[Y]], %[[T1]], %[[R]]
// CHECK: tile.trans %[[S]]#0 order = [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
// CHECK: tile.trans %[[S]]#1 order = [1, 0] : tensor<128x16xf32> -> tensor<16x128xf32>
// CHECK-COUNT-2: tile.desc_store
// PADDED-LABEL: func.func @rows
// PADDED: tile.dot {{.*}} -> tensor<128x128xf32>
func.func @rows(%a: !tile.desc<80x64xf16>, %b: !tile.desc<128x64xf16>, %c: !tile.desc<80x128xf16>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<1.0> : tensor<80x128xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<80x128xf32>) : i32 {
    %x = tile.desc_load %a[%m, %kk] : !tile.desc<80x64xf16> -> tensor<80x64xf16>
    %y = tile.desc_load %b[%n, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %yt = tile.trans %y order = [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %yt, %acc : tensor<80x64xf16> * tensor<64x128xf16> -> tensor<80x128xf32>
    scf.yield %d : tensor<80x128xf32>
  } {tile.warp_specialize}
  %h = arith.truncf %s : tensor<80x128xf32> to tensor<80x128xf16>
  tile.desc_store %c[%m, %n], %h : !tile.desc<80x128xf16>, tensor<80x128xf16>
  return
}

// What is loaded along N is transposed itself.
// CHECK-LABEL: func.func @along_n
// CHECK: %[[Y:.*]] = tile.desc_load {{.*}} -> tensor<64x128xf16>
// CHECK: %[[T:.*]] = tile.trans %[[Y]] order = [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
// CHECK: tile.dot %[[T]], {{.*}} -> tensor<128x16xf32>
func.func @along_n(%a: !tile.desc<16x64xf16>, %b: !tile.desc<64x128xf16>, %c: !tile.desc<16x128xf16>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<16x128xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<16x128xf32>) : i32 {
    %x = tile.desc_load %a[%m, %kk] : !tile.desc<16x64xf16> -> tensor<16x64xf16>
    %y = tile.desc_load %b[%kk, %n] : !tile.desc<64x128xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %acc : tensor<16x64xf16> * tensor<64x128xf16> -> tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  %h = arith.truncf %s : tensor<16x128xf32> to tensor<16x128xf16>
  tile.desc_store %c[%m, %n], %h : !tile.desc<16x128xf16>, tensor<16x128xf16>
  return
}

// A sum that the loop reads, one that does not start from a constant, and a product without a loop stay as they are.
// CHECK-LABEL: func.func @stay
// CHECK: tile.dot {{.*}} -> tensor<16x64xf32>
// CHECK: tile.dot {{.*}} -> tensor<16x64xf32>
// CHECK: tile.dot {{.*}} -> tensor<16x64xf32>
func.func @stay(%a: !tile.desc<16x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<16x64xf32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<16x64xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<16x64xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %kk] : !tile.desc<16x64xf16> -> tensor<16x64xf16>
    %y = tile.desc_load %b[%kk, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %half = arith.mulf %acc, %acc : tensor<16x64xf32>
    %d = tile.dot %x, %y, %half : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  %t = scf.for %kk = %zero to %k step %bk iter_args(%acc = %s) -> (tensor<16x64xf32>) : i32 {
    %x = tile.desc_load %a[%zero, %kk] : !tile.desc<16x64xf16> -> tensor<16x64xf16>
    %y = tile.desc_load %b[%kk, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  %x = tile.desc_load %a[%zero, %zero] : !tile.desc<16x64xf16> -> tensor<16x64xf16>
  %y = tile.desc_load %b[%zero, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %y, %t : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
  tile.desc_store %c[%zero, %zero], %d : !tile.desc<16x64xf32>, tensor<16x64xf32>
  return
}
