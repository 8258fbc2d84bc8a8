// Small loads beside products run ahead, where they neither need other loads nor read what the loop writes.
// RUN: tile-opt %s --tile-to-nvvm="chip=sm_90a num-warps=4 num-stages=3" --mlir-print-ir-after=tile-gpu-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm="chip=sm_80 num-warps=4 num-stages=3" --mlir-print-ir-after=tile-gpu-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC

// RUN: tile-opt %s --tile-to-nvvm="chip=sm_80 num-warps=2 num-stages=3" --mlir-print-ir-after=tile-gpu-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY

// A scale for each row and block of K.
// CHECK-LABEL: @scaled
// CHECK: scf.for
// CHECK-COUNT-3: tile_gpu.async_copy
// CHECK-NOT: tile.load
// CHECK: tile_gpu.wgmma
// CHECK: scf.yield

// SYNC-LABEL: @scaled
// SYNC: scf.for
// SYNC: tile.load
// SYNC: tile_gpu.mma

// Where a thread has 64 sums, and as many products behind which they are scaled, the scale is copied ahead.
// MANY-LABEL: @scaled
// MANY: scf.for
// MANY-COUNT-3: tile_gpu.async_copy
// MANY-NOT: tile.load
// MANY: tile_gpu.mma
// MANY: scf.yield

// MANY-LABEL: @written
// MANY: scf.for
// MANY-COUNT-2: tile_gpu.async_copy
// MANY-NOT: tile_gpu.async_copy
// MANY: tile.load
// MANY: scf.yield

// The loop writes what it loads: the load stays, the factors run ahead.
// CHECK-LABEL: @written
// CHECK: scf.for
// CHECK-COUNT-2: tile_gpu.async_copy
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.load
// CHECK: scf.yield

// Its address is loaded: with two levels of loads the factors would be fewer iterations ahead.
// CHECK-LABEL: @indirect
// CHECK: scf.for
// CHECK-COUNT-2: tile_gpu.async_copy
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.load
// CHECK: tile.load
// CHECK: scf.yield

!p16 = !tile.ptr<f16>
!p32 = !tile.ptr<f32>
!pi = !tile.ptr<i32>
func.func @scaled(%a: !p16 {tile.divisibility = 16 : i32}, %b: !p16 {tile.divisibility = 16 : i32}, %s: !p32 {tile.divisibility = 16 : i32},
                  %i: !pi {tile.divisibility = 16 : i32}, %o: !p32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = arith.constant 4096 : i32
  %rows = arith.constant 64 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %rr = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %row = tile.make_range 0 to 64 : tensor<64xi32>
  %as = tile.splat %a : tensor<64x64x!p16>
  %bs = tile.splat %b : tensor<64x64x!p16>
  %ss = tile.splat %s : tensor<64x!p32>
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %at = arith.muli %k, %block : i32
    %ats = tile.splat %at : tensor<64x64xi32>
    %off = arith.addi %ats, %rr : tensor<64x64xi32>
    %pa = tile.addptr %as, %off : tensor<64x64x!p16>, tensor<64x64xi32>
    %pb = tile.addptr %bs, %off : tensor<64x64x!p16>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!p16>
    %y = tile.load %pb : tensor<64x64x!p16>
    %sat = arith.muli %k, %rows : i32
    %sats = tile.splat %sat : tensor<64xi32>
    %soff = arith.addi %sats, %row : tensor<64xi32>
    %ps = tile.addptr %ss, %soff : tensor<64x!p32>, tensor<64xi32>
    %w = tile.load %ps : tensor<64x!p32>
    %we = tile.expand_dims %w axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
    %wb = tile.broadcast %we : tensor<64x1xf32> -> tensor<64x64xf32>
    %p = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %q = arith.mulf %p, %wb : tensor<64x64xf32>
    %t = arith.addf %acc, %q : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %os = tile.splat %o : tensor<64x64x!p32>
  %po = tile.addptr %os, %rr : tensor<64x64x!p32>, tensor<64x64xi32>
  tile.store %po, %d : tensor<64x64x!p32>
  return
}

func.func @written(%a: !p16 {tile.divisibility = 16 : i32}, %b: !p16 {tile.divisibility = 16 : i32}, %s: !p32 {tile.divisibility = 16 : i32},
                   %i: !pi {tile.divisibility = 16 : i32}, %o: !p32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = arith.constant 4096 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %rr = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %row = tile.make_range 0 to 128 : tensor<128xi32>
  %as = tile.splat %a : tensor<64x64x!p16>
  %bs = tile.splat %b : tensor<64x64x!p16>
  %ss = tile.splat %s : tensor<128x!p32>
  %ps = tile.addptr %ss, %row : tensor<128x!p32>, tensor<128xi32>
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %at = arith.muli %k, %block : i32
    %ats = tile.splat %at : tensor<64x64xi32>
    %off = arith.addi %ats, %rr : tensor<64x64xi32>
    %pa = tile.addptr %as, %off : tensor<64x64x!p16>, tensor<64x64xi32>
    %pb = tile.addptr %bs, %off : tensor<64x64x!p16>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!p16>
    %y = tile.load %pb : tensor<64x64x!p16>
    %w = tile.load %ps : tensor<128x!p32>
    %p = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %t = arith.addf %acc, %p : tensor<64x64xf32>
    %w2 = arith.addf %w, %w : tensor<128xf32>
    tile.store %ps, %w2 : tensor<128x!p32>
    scf.yield %t : tensor<64x64xf32>
  }
  %os = tile.splat %o : tensor<64x64x!p32>
  %po = tile.addptr %os, %rr : tensor<64x64x!p32>, tensor<64x64xi32>
  tile.store %po, %d : tensor<64x64x!p32>
  return
}

func.func @indirect(%a: !p16 {tile.divisibility = 16 : i32}, %b: !p16 {tile.divisibility = 16 : i32}, %s: !p32 {tile.divisibility = 16 : i32},
                    %i: !pi {tile.divisibility = 16 : i32}, %o: !p32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = arith.constant 4096 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %rr = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  %row = tile.make_range 0 to 64 : tensor<64xi32>
  %as = tile.splat %a : tensor<64x64x!p16>
  %bs = tile.splat %b : tensor<64x64x!p16>
  %ss = tile.splat %s : tensor<64x!p32>
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %at = arith.muli %k, %block : i32
    %ats = tile.splat %at : tensor<64x64xi32>
    %off = arith.addi %ats, %rr : tensor<64x64xi32>
    %pa = tile.addptr %as, %off : tensor<64x64x!p16>, tensor<64x64xi32>
    %pb = tile.addptr %bs, %off : tensor<64x64x!p16>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!p16>
    %y = tile.load %pb : tensor<64x64x!p16>
    %pi = tile.addptr %i, %k : !pi, i32
    %g = tile.load %pi : !pi
    %gs = tile.splat %g : tensor<64xi32>
    %soff = arith.addi %gs, %row : tensor<64xi32>
    %ps = tile.addptr %ss, %soff : tensor<64x!p32>, tensor<64xi32>
    %w = tile.load %ps : tensor<64x!p32>
    %we = tile.expand_dims %w axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
    %wb = tile.broadcast %we : tensor<64x1xf32> -> tensor<64x64xf32>
    %p = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %q = arith.mulf %p, %wb : tensor<64x64xf32>
    %t = arith.addf %acc, %q : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %os = tile.splat %o : tensor<64x64x!p32>
  %po = tile.addptr %os, %rr : tensor<64x64x!p32>, tensor<64x64xi32>
  tile.store %po, %d : tensor<64x64x!p32>
  return
}
