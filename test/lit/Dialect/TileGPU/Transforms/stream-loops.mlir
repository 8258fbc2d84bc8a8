// RUN: tile-opt --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-stream-loops %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// Chips without warp groups know nothing of it.
// RUN: tile-opt --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-stream-loops %s | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: tile_gpu.hand_on
// OTHER-NOT: tile_gpu.scratch_per_program

// Two sums (96 columns are 64 and 32): 128 bytes and 64 x 64 x 4, 128 bytes and 64 x 32 x 4.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[SCRATCH:[a-z0-9]+]]: !tile.ptr<i32>)
// CHECK-SAME: tile_gpu.scratch_per_program = 24832 : i32
// CHECK: %[[ID:.*]] = tile.program_id x
// CHECK: %[[NUM:.*]] = tile.num_programs x
// CHECK: %[[ROUNDS:.*]] = arith.divsi %[[TILES:.*]], %[[NUM]] : i32
// CHECK: %[[DONE:.*]] = arith.muli %[[ROUNDS]], %[[NUM]] : i32
// CHECK: %[[LEFT:.*]] = arith.subi %[[TILES]], %[[DONE]] : i32
// CHECK: %[[REST:.*]] = arith.maxsi %[[LEFT]], %{{.*}} : i32
// CHECK: %[[MOST:.*]] = arith.minsi %{{.*}}, %{{.*}} : i32
// CHECK: %[[FIT:.*]] = arith.divsi %[[NUM]], %[[REST]] : i32
// CHECK: %[[PARTS:.*]] = arith.minsi %[[MOST]], %[[FIT]] : i32
// CHECK: %[[PART:.*]] = arith.divsi %[[ID]], %[[REST]] : i32
// CHECK: %[[OTHERS:.*]] = arith.muli %[[PART]], %[[REST]] : i32
// CHECK: %[[FIRST:.*]] = arith.subi %[[ID]], %[[OTHERS]] : i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[REST]] : i32 to i64
// CHECK: %[[BYTES:.*]] = arith.constant 24832 : i64
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[WIDE]], %[[BYTES]] : i64
// CHECK: scf.for %[[UNIT:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
// CHECK: arith.cmpi sge, %[[UNIT]], %[[ROUNDS]] : i32
// CHECK: %[[GIVES:.*]] = arith.cmpi slt, %[[END:.*]], %{{.*}} : i32
// CHECK: %[[HAS:.*]] = arith.select %{{.*}}, %[[PART]], %{{.*}} : i32
// CHECK: %[[TAKES:.*]] = arith.select %[[GIVES]], %{{.*}}, %[[HAS]] : i32
// CHECK: %[[S:.*]]:2 = scf.for
// CHECK-DAG: %[[A:.*]] = tile_gpu.hand_on %[[S]]#0 from %{{.*}} by %[[DISTANCE]] times %[[TAKES]] to %{{.*}} if %[[GIVES]] : tensor<64x64xf32>
// CHECK-DAG: %[[B:.*]] = tile_gpu.hand_on %[[S]]#1 from %{{.*}} by %[[DISTANCE]] times %[[TAKES]] to %{{.*}} if %[[GIVES]] : tensor<64x32xf32>
// A block that goes on to another program is stored outside of the tensor.
// CHECK: %[[OUTSIDE:.*]] = arith.constant 1073741824 : i32
// CHECK: %[[ROW:.*]] = arith.select %[[GIVES]], %[[OUTSIDE]], %{{.*}} : i32
// CHECK: tile.desc_store %{{.*}}[%[[ROW]], %{{.*}}], %[[A]]
func.func @product(%a: !tile.desc<64x64xf16>, %b: !tile.desc<64x96xf16>, %c: !tile.desc<64x96xf32>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x96xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %row = arith.muli %t, %step : i32
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x96xf32>) : i32 {
      %v = tile.desc_load %a[%row, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %w = tile.desc_load %b[%i, %zero] : !tile.desc<64x96xf16> -> tensor<64x96xf16>
      %y = tile.dot %v, %w, %x : tensor<64x64xf16> * tensor<64x96xf16> -> tensor<64x96xf32>
      scf.yield %y : tensor<64x96xf32>
    } {tile.warp_specialize}
    tile.desc_store %c[%row, %zero], %s : !tile.desc<64x96xf32>, tensor<64x96xf32>
  } {tile.stream = 2 : i32}
  return
}

// Programs of two blocks: each block has its places, behind those of the blocks before it.
// CHECK-LABEL: func.func @cluster
// CHECK-SAME: tile_gpu.cluster = 2 : i32
// CHECK-SAME: tile_gpu.scratch_per_program = 16512 : i32
// CHECK: %[[BOTH:.*]] = arith.constant 33024 : i64
// CHECK: %[[DISTANCE:.*]] = arith.muli %{{.*}}, %[[BOTH]] : i64
// CHECK: %[[RANK:.*]] = tile_gpu.block_rank
// CHECK: %[[WIDE:.*]] = arith.extui %[[RANK]] : i32 to i64
// CHECK: %[[EACH:.*]] = arith.constant 16512 : i64
// CHECK: arith.muli %[[WIDE]], %[[EACH]] : i64
// CHECK: tile_gpu.hand_on %{{.*}} by %[[DISTANCE]] times
func.func @cluster(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x64xf16>, %c: !tile.desc<128x64xf32>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %rows = arith.constant 128 : i32
  %x0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %row = arith.muli %t, %rows : i32
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<128x64xf32>) : i32 {
      %v = tile.desc_load %a[%row, %i] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
      %w = tile.desc_load %b[%i, %zero] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %y = tile.dot %v, %w, %x : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %y : tensor<128x64xf32>
    } {tile.warp_specialize, tile.blocks = 2 : i32}
    tile.desc_store %c[%row, %zero], %s : !tile.desc<128x64xf32>, tensor<128x64xf32>
  } {tile.stream = 2 : i32}
  return
}

// A store through pointers is left out. No more programs share a block than the last one has threads, each of which waits for one.
// CHECK-LABEL: func.func @pointers
// CHECK: %[[MOST:.*]] = arith.constant 128 : i32
// CHECK: arith.minsi %{{.*}}, %[[MOST]] : i32
// CHECK: %[[SUM:.*]] = tile_gpu.hand_on
// CHECK: %[[WHOLE:.*]] = arith.cmpi sge
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NEXT: tile.store %{{.*}}, %[[SUM]]
func.func @pointers(%a: !tile.desc<64x64xf16>, %p: !tile.ptr<f32>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
      %v = tile.desc_load %a[%t, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %y = tile.dot %v, %v, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %y : tensor<64x64xf32>
    }
    %base = tile.addptr %p, %t : !tile.ptr<f32>, i32
    %ps = tile.splat %base : tensor<64x64x!tile.ptr<f32>>
    tile.store %ps, %s : tensor<64x64x!tile.ptr<f32>>
  } {tile.stream = 1000 : i32}
  return
}

// What is left as it is, and why.
// CHECK-LABEL: func.func @reads
// CHECK-NOT: tile_gpu.hand_on
// WARN: stream-loops.mlir:[[@LINE+7]]:3: warning: tile.stream is left out: the kernel may read what it writes
func.func @reads(%a: !tile.desc<64x64xf16>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
      %v = tile.desc_load %a[%t, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %y = tile.dot %v, %v, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %y : tensor<64x64xf32>
    }
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    tile.desc_store %a[%t, %zero], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  } {tile.stream = 2 : i32}
  return
}

// CHECK-LABEL: func.func @whose
// CHECK-NOT: tile_gpu.hand_on
// WARN: warning: tile.stream is left out: the program's number is used elsewhere
func.func @whose(%a: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf32>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
      %v = tile.desc_load %a[%t, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
      %y = tile.dot %v, %v, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %y : tensor<64x64xf32>
    }
    tile.desc_store %c[%id, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  } {tile.stream = 2 : i32}
  return
}

// CHECK-LABEL: func.func @maximum
// CHECK-NOT: tile_gpu.hand_on
// WARN: warning: tile.stream is left out: the inner loop carries something else than sums of products that start at zero
func.func @maximum(%a: !tile.desc<64x64xf32>, %c: !tile.desc<64x64xf32>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %x0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<64x64xf32>) : i32 {
      %v = tile.desc_load %a[%t, %i] : !tile.desc<64x64xf32> -> tensor<64x64xf32>
      %y = arith.maximumf %v, %x : tensor<64x64xf32>
      scf.yield %y : tensor<64x64xf32>
    }
    tile.desc_store %c[%t, %zero], %s : !tile.desc<64x64xf32>, tensor<64x64xf32>
  } {tile.stream = 2 : i32}
  return
}

// CHECK-LABEL: func.func @another
// CHECK-NOT: tile_gpu.hand_on
// WARN: warning: tile.stream is left out: it is no loop of the kernel from tile.program_id x by steps of tile.num_programs x
func.func @another(%tiles: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %num = tile.num_programs x
  scf.for %t = %zero to %tiles step %num : i32 {
  } {tile.stream = 2 : i32}
  return
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: tile_gpu.hand_on
// WARN: warning: tile.stream is left out: threads would hold copies of a sum's elements
func.func @small(%a: !tile.desc<16x16xf16>, %c: !tile.desc<16x16xf32>, %tiles: i32, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %x0 = arith.constant dense<0.0> : tensor<16x16xf32>
  %id = tile.program_id x
  %num = tile.num_programs x
  scf.for %t = %id to %tiles step %num : i32 {
    %s = scf.for %i = %zero to %k step %step iter_args(%x = %x0) -> (tensor<16x16xf32>) : i32 {
      %v = tile.desc_load %a[%t, %i] : !tile.desc<16x16xf16> -> tensor<16x16xf16>
      %y = tile.dot %v, %v, %x : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %y : tensor<16x16xf32>
    }
    tile.desc_store %c[%t, %zero], %s : !tile.desc<16x16xf32>, tensor<16x16xf32>
  } {tile.stream = 2 : i32}
  return
}
