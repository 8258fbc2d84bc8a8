// RUN: tile-translate --target=sm_90a --emit=tile_gpu %s | FileCheck %s
// The copy engine keeps no order with other accesses: it reads only what the kernel does not write, and stores only where the kernel does
// nothing else.

// CHECK-LABEL: func.func @read_only
// CHECK: tile_gpu.tma_copy
// CHECK: tile_gpu.wgmma
// CHECK: tile_gpu.tma_store
func.func @read_only(%a: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf16>, %i: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.desc_load %a[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %x, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %c[%i, %i], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK-NOT: tile_gpu.tma
// CHECK: tile_gpu.wgmma
// CHECK-NOT: tile_gpu.tma
// CHECK: tile.store
func.func @in_place(%a: !tile.desc<64x64xf16>, %i: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.desc_load %a[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %x, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %a[%i, %i], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}

// CHECK-LABEL: func.func @stored_twice
// CHECK: tile_gpu.tma_copy
// CHECK-NOT: tile_gpu.tma_store
// CHECK: return
func.func @stored_twice(%a: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf16>, %i: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.desc_load %a[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %x, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %c[%i, %i], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  tile.desc_store %c[%i, %i], %x : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}

// An unknown pointer may lead anywhere.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: tile_gpu.tma
// CHECK: tile_gpu.wgmma
// CHECK-NOT: tile_gpu.tma
// CHECK: return
func.func @unknown(%a: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf16>, %p: !tile.ptr<i64>, %i: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %w = tile.load %p : !tile.ptr<i64>
  %q = tile.int_to_ptr %w : i64 -> !tile.ptr<i32>
  tile.store %q, %i : !tile.ptr<i32>
  %x = tile.desc_load %a[%i, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %x, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %c[%i, %i], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}
