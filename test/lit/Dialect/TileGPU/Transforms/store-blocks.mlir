// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-store-blocks | FileCheck %s
// Chips without the engine store as before.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-store-blocks | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @matmul
// CHECK-SAME: tile_gpu.tensor_maps = [{base = 10 : i32, box = array<i32: 64, 128>, element = f16, sizes = array<i32: 12, 11>, stored, strides = array<i32: 13>, swizzle = 128 : i32}]
// CHECK: %[[H:.*]] = arith.truncf
// CHECK-NEXT: %[[M:.*]] = tile_gpu.alloc %[[H]]
// CHECK-NEXT: tile_gpu.fence_async %[[M]]
// CHECK-NEXT: tile_gpu.tma_store 0[%{{.*}}, %{{.*}}], %[[M]]
// CHECK-NEXT: tile_gpu.tma_store_wait %[[M]]
// CHECK-NOT: tile.desc_store

// PLAIN-LABEL: func.func @matmul
// PLAIN-NOT: tma_store
// PLAIN: tile.desc_store
func.func @matmul(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x128xf16>, %c: !tile.desc<128x128xf16>, %k: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %pid = tile.program_id x
  %row = arith.muli %pid, %step : i32
  %s = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<128x128xf32>) : i32 {
    %v = tile.desc_load %a[%row, %i] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %w = tile.desc_load %b[%i, %zero] : !tile.desc<64x128xf16> -> tensor<64x128xf16>
    %y = tile.dot %v, %w, %x : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %y : tensor<128x128xf32>
  }
  %h = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %c[%row, %zero], %h : !tile.desc<128x128xf16>, tensor<128x128xf16>
  return
}

// What does not follow from a product is stored by threads.
// CHECK-LABEL: func.func @copy
// CHECK: tile.desc_store
func.func @copy(%a: !tile.desc<128x64xf16>, %c: !tile.desc<128x64xf16>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %v = tile.desc_load %a[%zero, %zero] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
  tile.desc_store %c[%zero, %zero], %v : !tile.desc<128x64xf16>, tensor<128x64xf16>
  return
}

// In a loop a block of more than a third of the shared memory leaves in halves, through one buffer.
// CHECK-LABEL: func.func @large
// CHECK-SAME: box = array<i32: 32, 128>, element = f32
// CHECK: %[[LEFT:.*]], %[[RIGHT:.*]] = tile.split %{{.*}} : tensor<128x128x2xf32> -> tensor<128x128xf32>
// CHECK-NEXT: %[[M:.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<128x128xf32
// CHECK-NEXT: tile_gpu.local_store %[[LEFT]], %[[M]]
// CHECK-NEXT: tile_gpu.fence_async %[[M]]
// CHECK-NEXT: tile_gpu.tma_store [[MAP:[0-9]+]][%{{.*}}, %[[COLUMN:.*]]], %[[M]]
// CHECK-NEXT: tile_gpu.tma_store_wait %[[M]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c128
// CHECK-NEXT: tile_gpu.local_store %[[RIGHT]], %[[M]]
// CHECK-NEXT: tile_gpu.fence_async %[[M]]
// CHECK-NEXT: tile_gpu.tma_store [[MAP]][%{{.*}}, %[[NEXT]]], %[[M]]
// CHECK-NEXT: tile_gpu.tma_store_wait %[[M]]
func.func @large(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x256xf16>, %c: !tile.desc<128x256xf32>, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x256xf32>
  scf.for %row = %zero to %n step %step : i32 {
    %v = tile.desc_load %a[%row, %zero] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    %w = tile.desc_load %b[%zero, %zero] : !tile.desc<64x256xf16> -> tensor<64x256xf16>
    %y = tile.dot %v, %w, %none : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
    tile.desc_store %c[%row, %zero], %y : !tile.desc<128x256xf32>, tensor<128x256xf32>
  }
  return
}
