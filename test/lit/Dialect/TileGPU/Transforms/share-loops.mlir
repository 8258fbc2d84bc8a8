// RUN: tile-opt --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-share-loops %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// Chips without clusters know nothing of it.
// RUN: tile-opt --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-share-loops %s | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: block_rank
// OTHER-NOT: tile_gpu.cluster

// CHECK-LABEL: func.func @sums
// CHECK-SAME: tile_gpu.cluster = 2 : i32
// CHECK: %[[RANK:.*]] = tile_gpu.block_rank
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[TRIPS:.*]] = arith.ceildivsi %[[LEFT]], %[[STEP:.*]] : i32
// CHECK: %[[PART:.*]] = arith.ceildivsi %[[TRIPS]], %{{.*}} : i32
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[PART]], %[[STEP]] : i32
// CHECK: %[[OFFSET:.*]] = arith.muli %[[RANK]], %[[DISTANCE]] : i32
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[OFFSET]] : i32
// CHECK: %[[SHORT:.*]] = arith.minsi %[[DISTANCE]], %{{.*}} : i32
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %[[SHORT]] : i32
// CHECK: %[[S:.*]]:2 = scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %[[STEP]]
// CHECK-DAG: %[[A:.*]] = tile_gpu.block_sum %[[S]]#0 blocks = 2 : tensor<64x64xf32
// CHECK-DAG: %[[B:.*]] = tile_gpu.block_sum %[[S]]#1 blocks = 2 : tensor<64x64xi32
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[RANK]], %{{.*}} : i32
// CHECK: scf.if %[[ONE]] {
// CHECK-NEXT: tile.desc_store %{{.*}}, %[[A]]
// CHECK: scf.if
// CHECK-NEXT: tile.desc_store %{{.*}}, %[[B]]
func.func @sums(%a: !tile.desc<64x64xf32>, %b: !tile.desc<64x64xi32>, %c: !tile.desc<64x64xf32>, %d: !tile.desc<64x64xi32>,
    %from: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %y0 = arith.constant dense<0> : tensor<64x64xi32>
  %s:2 = scf.for %i = %from to %k step %step iter_args(%x = %x0, %y = %y0) -> (tensor<64x64xf32>, tensor<64x64xi32>) : i32 {
    %v = tile.desc_load %a[%zero, %i] : !tile.desc<64x64xf32> -> tensor<64x64xf32>
    %w = tile.desc_load %b[%zero, %i] : !tile.desc<64x64xi32> -> tensor<64x64xi32>
    %x1 = arith.addf %v, %x : tensor<64x64xf32>
    %x2 = tile.dot %v, %v, %x1 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %y1 = arith.addi %y, %w : tensor<64x64xi32>
    scf.yield %x2, %y1 : tensor<64x64xf32>, tensor<64x64xi32>
  } {tile.split = 2 : i32}
  tile.desc_store %c[%zero, %zero], %s#0 : !tile.desc<64x64xf32>, tensor<64x64xf32>
  tile.desc_store %d[%zero, %zero], %s#1 : !tile.desc<64x64xi32>, tensor<64x64xi32>
  return
}

// What is left as it is, and why.
// CHECK-LABEL: func.func @maximum
// CHECK-NOT: tile_gpu.block_sum
// WARN: share-loops.mlir:[[@LINE+7]]:8: warning: tile.split is left out: the loop carries something else than sums of 32 bits that start at zero
func.func @maximum(%a: !tile.desc<64x64xf32>, %c: !tile.desc<64x64xf32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  // Sums by a maximum are no sums.

  %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
    %v = tile.desc_load %a[%zero, %i] : !tile.desc<64x64xf32> -> tensor<64x64xf32>
    %x1 = arith.maximumf %v, %x : tensor<64x64xf32>
    scf.yield %x1 : tensor<64x64xf32>
  } {tile.split = 2 : i32}
  tile.desc_store %c[%zero, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  return
}

// WARN: warning: tile.split is left out: the kernel may read what it writes
func.func @in_place(%a: !tile.desc<64x64xf32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
    %v = tile.desc_load %a[%zero, %i] : !tile.desc<64x64xf32> -> tensor<64x64xf32>
    %x1 = arith.addf %v, %x : tensor<64x64xf32>
    scf.yield %x1 : tensor<64x64xf32>
  } {tile.split = 2 : i32}
  tile.desc_store %a[%zero, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  return
}

// WARN: warning: tile.split is left out: it is no power of two or more than the blocks of a cluster
func.func @three(%a: !tile.desc<64x64xf32>, %c: !tile.desc<64x64xf32>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
    %v = tile.desc_load %a[%zero, %i] : !tile.desc<64x64xf32> -> tensor<64x64xf32>
    %x1 = arith.addf %v, %x : tensor<64x64xf32>
    scf.yield %x1 : tensor<64x64xf32>
  } {tile.split = 3 : i32}
  tile.desc_store %c[%zero, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  return
}

// WARN: warning: tile.split is left out: not all blocks may reach the loop
func.func @branch(%a: !tile.desc<64x64xf32>, %c: !tile.desc<64x64xf32>, %k: i32, %go: i1) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.if %go {
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
      %v = tile.desc_load %a[%zero, %i] : !tile.desc<64x64xf32> -> tensor<64x64xf32>
      %x1 = arith.addf %v, %x : tensor<64x64xf32>
      scf.yield %x1 : tensor<64x64xf32>
    } {tile.split = 2 : i32}
    tile.desc_store %c[%zero, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  }
  return
}
