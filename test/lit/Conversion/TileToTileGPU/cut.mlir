// Products of warp groups whose sizes are no powers of two are cut in pieces that are; elsewhere tensors are padded.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=8" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=8" | FileCheck %s --check-prefix=PADDED
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=2" | FileCheck %s --check-prefix=PADDED

// CHECK-LABEL: func.func @columns
// CHECK-SAME: %[[A:.*]]: !tile.desc<128x64xf16>, %[[B:.*]]: !tile.desc<128x64xf16>, %[[C:.*]]: !tile.desc<128x128xf16>
// CHECK: %[[S:.*]]:2 = scf.for %[[K:.*]] = {{.*}} iter_args(%[[L:.*]] = %{{.*}}, %[[R:.*]] = %{{.*}}) -> (tensor<128x128xf32>, tensor<128x64xf32>)
// CHECK: %[[X:.*]] = tile.desc_load %[[A]]
// CHECK-NEXT: %[[Y0:.*]] = tile.desc_load %[[B]][%[[N:.*]], %[[K]]] {tile_gpu.piece} : !tile.desc<128x64xf16> -> tensor<128x64xf16>
// CHECK: %[[N1:.*]] = arith.addi %[[N]], %c128
// CHECK-NEXT: %[[Y1:.*]] = tile.desc_load %[[B]][%[[N1]], %[[K]]] {tile_gpu.piece} : !tile.desc<128x64xf16> -> tensor<64x64xf16>
// CHECK: %[[T0:.*]] = tile.trans %[[Y0]]
// CHECK: %[[T1:.*]] = tile.trans %[[Y1]]
// CHECK: %[[D0:.*]] = tile.dot %[[X]], %[[T0]], %[[L]]
// CHECK: %[[D1:.*]] = tile.dot %[[X]], %[[T1]], %[[R]]
// CHECK: scf.yield %[[D0]], %[[D1]]
// CHECK: tile.warp_specialize
// CHECK: %[[H0:.*]] = arith.truncf %[[S]]#0
// CHECK: %[[H1:.*]] = arith.truncf %[[S]]#1
// CHECK: tile.desc_store %[[C]][%{{.*}}, %[[N]]], %[[H0]] {tile_gpu.only_piece, tile_gpu.piece}
// CHECK: tile.desc_store %[[C]][%{{.*}}, %{{.*}}], %[[H1]] {tile_gpu.only_piece, tile_gpu.piece} : !tile.desc<128x128xf16>, tensor<128x64xf16>

// PADDED-LABEL: func.func @columns
// PADDED: tile.dot {{.*}} -> tensor<128x256xf32>
func.func @columns(%a: !tile.desc<128x64xf16>, %b: !tile.desc<192x64xf16>, %c: !tile.desc<128x192xf16>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<128x192xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<128x192xf32>) : i32 {
    %x = tile.desc_load %a[%m, %kk] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %y = tile.desc_load %b[%n, %kk] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
    %yt = tile.trans %y order = [1, 0] : tensor<192x64xf16> -> tensor<64x192xf16>
    %d = tile.dot %x, %yt, %acc : tensor<128x64xf16> * tensor<64x192xf16> -> tensor<128x192xf32>
    scf.yield %d : tensor<128x192xf32>
  } {tile.warp_specialize}
  %h = arith.truncf %s : tensor<128x192xf32> to tensor<128x192xf16>
  tile.desc_store %c[%m, %n], %h : !tile.desc<128x192xf16>, tensor<128x192xf16>
  return
}

// Rows and columns; ranges, masks and pointers follow.
// CHECK-LABEL: func.func @both
// CHECK-DAG: tile.make_range 0 to 64
// CHECK-DAG: tile.make_range 64 to 96
// CHECK-COUNT-2: tile.load {{.*}} mask
// CHECK-DAG: tile.dot {{.*}} -> tensor<128x64xf32>
// CHECK-DAG: tile.dot {{.*}} -> tensor<128x32xf32>
// CHECK-DAG: tile.dot {{.*}} -> tensor<64x64xf32>
// CHECK-DAG: tile.dot {{.*}} -> tensor<64x32xf32>
// CHECK-COUNT-4: tile.desc_store
// CHECK-NOT: tile.desc_store
func.func @both(%a: !tile.desc<192x64xf16>, %b: !tile.desc<64x96xf16>, %c: !tile.desc<192x96xf32>, %bias: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %x = tile.desc_load %a[%zero, %zero] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
  %y = tile.desc_load %b[%zero, %zero] : !tile.desc<64x96xf16> -> tensor<64x96xf16>
  %r = tile.make_range 0 to 96 : tensor<96xi32>
  %base = tile.splat %bias : tensor<96x!tile.ptr<f32>>
  %p = tile.addptr %base, %r : tensor<96x!tile.ptr<f32>>, tensor<96xi32>
  %ns = tile.splat %n : tensor<96xi32>
  %in = arith.cmpi slt, %r, %ns : tensor<96xi32>
  %v = tile.load %p mask %in : tensor<96x!tile.ptr<f32>>
  %e = tile.expand_dims %v axis = 0 : tensor<96xf32> -> tensor<1x96xf32>
  %w = tile.broadcast %e : tensor<1x96xf32> -> tensor<192x96xf32>
  %d = tile.dot %x, %y, %w : tensor<192x64xf16> * tensor<64x96xf16> -> tensor<192x96xf32>
  tile.desc_store %c[%zero, %zero], %d : !tile.desc<192x96xf32>, tensor<192x96xf32>
  return
}

// Along K: parts of both factors, whose products add up.
// CHECK-LABEL: func.func @along_k
// CHECK-SAME: %[[A:.*]]: !tile.desc<64x128xf16>, %[[B:.*]]: !tile.desc<64x128xf16>
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<64x64xf32>)
// CHECK: %[[X0:.*]] = tile.desc_load %[[A]][%{{.*}}, %[[K:.*]]] {tile_gpu.piece} : !tile.desc<64x128xf16> -> tensor<64x128xf16>
// CHECK: %[[X1:.*]] = tile.desc_load %[[A]][%{{.*}}, %{{.*}}] {tile_gpu.piece} : !tile.desc<64x128xf16> -> tensor<64x64xf16>
// CHECK: %[[T0:.*]] = tile.trans {{.*}} -> tensor<128x64xf16>
// CHECK: %[[T1:.*]] = tile.trans {{.*}} -> tensor<64x64xf16>
// CHECK: %[[D0:.*]] = tile.dot %[[X0]], %[[T0]], %[[ACC]]
// CHECK-NEXT: %[[D1:.*]] = tile.dot %[[X1]], %[[T1]], %[[D0]]
// CHECK-NEXT: scf.yield %[[D1]]
func.func @along_k(%a: !tile.desc<64x192xf16>, %b: !tile.desc<64x192xf16>, %c: !tile.desc<64x64xf16>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 192 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
    %x = tile.desc_load %a[%m, %kk] : !tile.desc<64x192xf16> -> tensor<64x192xf16>
    %y = tile.desc_load %b[%n, %kk] : !tile.desc<64x192xf16> -> tensor<64x192xf16>
    %yt = tile.trans %y order = [1, 0] : tensor<64x192xf16> -> tensor<192x64xf16>
    %d = tile.dot %x, %yt, %acc : tensor<64x192xf16> * tensor<192x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %c[%m, %n], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}

// The first factor's elements along K are added up too: padded as a whole. Bytes go by 32 at least.
// CHECK-LABEL: func.func @summed_along_k
// CHECK: tile.dot {{.*}} : tensor<64x128xf16> * tensor<128x64xf16>
func.func @summed_along_k(%x: tensor<64x96xf16>, %y: tensor<96x64xf16>, %acc: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf16>) {
  %d = tile.dot %x, %y, %acc : tensor<64x96xf16> * tensor<96x64xf16> -> tensor<64x64xf32>
  %s = tile.reduce %x axis = 1 : tensor<64x96xf16> -> tensor<64xf16> {
  ^bb0(%p: f16, %q: f16):
    %r = arith.addf %p, %q : f16
    tile.yield %r : f16
  }
  return %d, %s : tensor<64x64xf32>, tensor<64xf16>
}
// CHECK-LABEL: func.func @bytes_along_k
// CHECK: tile.dot {{.*}} : tensor<64x64xi8> * tensor<64x64xi8>
func.func @bytes_along_k(%a: !tile.desc<64x48xi8>, %b: !tile.desc<64x48xi8>, %o: tensor<64x64x!tile.ptr<i32>>) {
  %zero = arith.constant 0 : i32
  %acc = arith.constant dense<0> : tensor<64x64xi32>
  %x = tile.desc_load %a[%zero, %zero] : !tile.desc<64x48xi8> -> tensor<64x48xi8>
  %y = tile.desc_load %b[%zero, %zero] : !tile.desc<64x48xi8> -> tensor<64x48xi8>
  %yt = tile.trans %y order = [1, 0] : tensor<64x48xi8> -> tensor<48x64xi8>
  %d = tile.dot %x, %yt, %acc : tensor<64x48xi8> * tensor<48x64xi8> -> tensor<64x64xi32>
  tile.store %o, %d : tensor<64x64x!tile.ptr<i32>>
  return
}

// A sum over the size that would be cut: padded as a whole. So is a size with too many pieces.
// CHECK-LABEL: func.func @sum
// CHECK: tile.dot {{.*}} -> tensor<128x256xf32>
// CHECK: tile.reduce
func.func @sum(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x192xf16>, %o: tensor<128x!tile.ptr<f32>>) {
  %zero = arith.constant 0 : i32
  %acc = arith.constant dense<0.0> : tensor<128x192xf32>
  %x = tile.desc_load %a[%zero, %zero] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
  %y = tile.desc_load %b[%zero, %zero] : !tile.desc<64x192xf16> -> tensor<64x192xf16>
  %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x192xf16> -> tensor<128x192xf32>
  %s = tile.reduce %d axis = 1 : tensor<128x192xf32> -> tensor<128xf32> {
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  tile.store %o, %s : tensor<128x!tile.ptr<f32>>
  return
}
// CHECK-LABEL: func.func @many
// CHECK: tile.dot {{.*}} -> tensor<128x256xf32>
func.func @many(%x: tensor<128x64xf16>, %y: tensor<64x240xf16>, %acc: tensor<128x240xf32>) -> tensor<128x240xf32> {
  %d = tile.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x240xf16> -> tensor<128x240xf32>
  return %d : tensor<128x240xf32>
}

// The blocks of a cluster share out the rows, and may share copies of what does not depend on them.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[A:.*]]: !tile.desc<128x64xf16>, %[[B:.*]]: !tile.desc<64x64xf16>, %[[C:.*]]: !tile.desc<128x64xf32>, %[[M:[a-z0-9]+]]: i32, {{.*}}tile_gpu.cluster = 2 : i32
// CHECK: %[[R:[a-z0-9]+]] = tile_gpu.block_rank
// CHECK: %[[ROWS:[a-z0-9]+]] = arith.muli %[[R]], %c128
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} -> (tensor<128x64xf32>)
// CHECK: %[[AT:[a-z0-9]+]] = arith.addi %[[M]], %[[ROWS]]
// CHECK-NEXT: tile.desc_load %[[A]][%[[AT]], %[[K]]] {tile_gpu.piece} : !tile.desc<128x64xf16> -> tensor<128x64xf16>
// CHECK: tile.desc_load %[[B]][%[[K]], %{{.*}}] {tile_gpu.multicast = 2 : i32} : !tile.desc<64x64xf16> -> tensor<64x64xf16>
// CHECK: %[[TO:[a-z0-9]+]] = arith.addi %[[M]], %[[ROWS]]
// CHECK-NEXT: tile.desc_store %[[C]][%[[TO]], %{{.*}}], %{{.*}} : !tile.desc<128x64xf32>, tensor<128x64xf32>

// PADDED-LABEL: func.func @rows
// PADDED-NOT: tile_gpu.cluster
// PADDED: tile.dot {{.*}} -> tensor<256x64xf32>
func.func @rows(%a: !tile.desc<256x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<256x64xf32>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<256x64xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<256x64xf32>) : i32 {
    %x = tile.desc_load %a[%m, %kk] : !tile.desc<256x64xf16> -> tensor<256x64xf16>
    %y = tile.desc_load %b[%kk, %n] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<256x64xf16> * tensor<64x64xf16> -> tensor<256x64xf32>
    scf.yield %d : tensor<256x64xf32>
  } {tile.blocks = 2 : i32}
  tile.desc_store %c[%m, %n], %s : !tile.desc<256x64xf32>, tensor<256x64xf32>
  return
}

// Rows and columns: blocks of the same columns follow each other, those of the same rows are as far apart as there are blocks along the rows.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK-SAME: %[[A:.*]]: !tile.desc<128x64xf16>, %[[B:.*]]: !tile.desc<64x32xf16>, %[[C:.*]]: !tile.desc<128x32xf32>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, {{.*}}tile_gpu.cluster = 8 : i32
// CHECK: %[[R1:[a-z0-9]+]] = tile_gpu.block_rank
// CHECK: %[[Q:[a-z0-9]+]] = arith.divui %[[R1]], %c2
// CHECK: %[[COLUMNS:[a-z0-9]+]] = arith.muli %[[Q]], %c32
// CHECK: %[[R0:[a-z0-9]+]] = tile_gpu.block_rank
// CHECK: %[[R:[a-z0-9]+]] = arith.remui %[[R0]], %c2
// CHECK: %[[ROWS:[a-z0-9]+]] = arith.muli %[[R]], %c128
// CHECK: %[[AT:[a-z0-9]+]] = arith.addi %[[M]], %[[ROWS]]
// CHECK-NEXT: tile.desc_load %[[A]][%[[AT]], %{{.*}}] {tile_gpu.multicast = 4 : i32, tile_gpu.multicast_stride = 2 : i32, tile_gpu.piece} : !tile.desc<128x64xf16>
// CHECK: %[[TO:[a-z0-9]+]] = arith.addi %[[N]], %[[COLUMNS]]
// CHECK-NEXT: tile.desc_load %[[B]][%{{.*}}, %[[TO]]] {tile_gpu.multicast = 2 : i32, tile_gpu.piece} : !tile.desc<64x32xf16>
// CHECK: tile.dot {{.*}} -> tensor<128x32xf32>
// CHECK: tile.desc_store %[[C]][{{.*}}], %{{.*}} : !tile.desc<128x32xf32>, tensor<128x32xf32>

// PADDED-LABEL: func.func @rows_and_columns
// PADDED-NOT: tile_gpu.cluster
func.func @rows_and_columns(%a: !tile.desc<256x64xf16>, %b: !tile.desc<64x128xf16>, %c: !tile.desc<256x128xf32>, %m: i32, %n: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %acc0 = arith.constant dense<0.0> : tensor<256x128xf32>
  %s = scf.for %kk = %zero to %k step %bk iter_args(%acc = %acc0) -> (tensor<256x128xf32>) : i32 {
    %x = tile.desc_load %a[%m, %kk] : !tile.desc<256x64xf16> -> tensor<256x64xf16>
    %y = tile.desc_load %b[%kk, %n] : !tile.desc<64x128xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %acc : tensor<256x64xf16> * tensor<64x128xf16> -> tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  } {tile.blocks = 2 : i32, tile.column_blocks = 4 : i32}
  tile.desc_store %c[%m, %n], %s : !tile.desc<256x128xf32>, tensor<256x128xf32>
  return
}
