// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s -verify-roundtrip | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// Program, shape, cast and debugging operations, every attribute of each.

// CHECK-LABEL: func @program
func.func @program() -> (i32, i32, i32, i32) {
  // CHECK-NEXT: tile.program_id x
  %0 = tile.program_id x
  // CHECK-NEXT: tile.program_id y
  %1 = tile.program_id y
  // CHECK-NEXT: tile.program_id z
  %2 = tile.program_id z
  // CHECK-NEXT: tile.num_programs x
  %3 = tile.num_programs x
  // CHECK-NEXT: tile.grid_dependency_wait
  tile.grid_dependency_wait
  // CHECK-NEXT: tile.grid_dependency_launch_dependents
  tile.grid_dependency_launch_dependents
  // CHECK-NEXT: tile.barrier
  tile.barrier
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-LABEL: func @make
func.func @make(%f: f32, %p: !tile.ptr<f16>, %one: tensor<1x1xf32>) -> f32 {
  // CHECK: tile.make_range 0 to 128 : tensor<128xi32>
  %0 = tile.make_range 0 to 128 : tensor<128xi32>
  // CHECK: tile.make_range -3 to 97 {tile.divisibility = array<i32: 1>} : tensor<100xi32>
  %1 = tile.make_range -3 to 97 {tile.divisibility = array<i32: 1>} : tensor<100xi32>
  // CHECK: tile.splat %{{.*}} : tensor<128x64xf32>
  %2 = tile.splat %f : tensor<128x64xf32>
  // CHECK: tile.splat %{{.*}} : tensor<256x!tile.ptr<f16>>
  %3 = tile.splat %p : tensor<256x!tile.ptr<f16>>
  // CHECK: tile.unsplat %{{.*}} : tensor<1x1xf32>
  %4 = tile.unsplat %one : tensor<1x1xf32>
  return %4 : f32
}

// CHECK-LABEL: func @shape
func.func @shape(%x: tensor<128xf32>, %y: tensor<128x64xf16>, %z: tensor<2x3x5xi8>) {
  // CHECK: tile.expand_dims %{{.*}} axis = 1 : tensor<128xf32> -> tensor<128x1xf32>
  %0 = tile.expand_dims %x axis = 1 : tensor<128xf32> -> tensor<128x1xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<128x1xf32> -> tensor<128x48xf32>
  %1 = tile.broadcast %0 : tensor<128x1xf32> -> tensor<128x48xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<128x64xf16> -> tensor<32x256xf16>
  %2 = tile.reshape %y : tensor<128x64xf16> -> tensor<32x256xf16>
  // CHECK: tile.reshape %{{.*}} allow_reorder : tensor<128x64xf16> -> tensor<8192xf16>
  %3 = tile.reshape %y allow_reorder : tensor<128x64xf16> -> tensor<8192xf16>
  // CHECK: tile.trans %{{.*}} order = [2, 0, 1] : tensor<2x3x5xi8> -> tensor<5x2x3xi8>
  %4 = tile.trans %z order = [2, 0, 1] : tensor<2x3x5xi8> -> tensor<5x2x3xi8>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<128xf32> -> tensor<128x2xf32>
  %5 = tile.join %x, %x : tensor<128xf32> -> tensor<128x2xf32>
  // CHECK: tile.split %{{.*}} : tensor<128x2xf32> -> tensor<128xf32>
  %6, %7 = tile.split %5 : tensor<128x2xf32> -> tensor<128xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} : tensor<128xf32>, tensor<128xf32> -> tensor<256xf32>
  %8 = tile.cat %6, %7 : tensor<128xf32>, tensor<128xf32> -> tensor<256xf32>
  return
}

// CHECK-LABEL: func @casts
func.func @casts(%a: i64, %p: tensor<256x!tile.ptr<f32>>, %q: !tile.ptr<i1>, %x: tensor<256xf32>, %y: tensor<8xf8E5M2>) {
  // CHECK: tile.int_to_ptr %{{.*}} : i64 -> !tile.ptr<f32>
  %0 = tile.int_to_ptr %a : i64 -> !tile.ptr<f32>
  // CHECK: tile.ptr_to_int %{{.*}} : tensor<256x!tile.ptr<f32>> -> tensor<256xi64>
  %1 = tile.ptr_to_int %p : tensor<256x!tile.ptr<f32>> -> tensor<256xi64>
  // CHECK: tile.bitcast %{{.*}} : tensor<256xf32> -> tensor<256xi32>
  %2 = tile.bitcast %x : tensor<256xf32> -> tensor<256xi32>
  // CHECK: tile.bitcast %{{.*}} : !tile.ptr<i1> -> !tile.ptr<i8>
  %3 = tile.bitcast %q : !tile.ptr<i1> -> !tile.ptr<i8>
  // CHECK: tile.fp_to_fp %{{.*}} : tensor<256xf32> -> tensor<256xf8E4M3FN>
  %4 = tile.fp_to_fp %x rounding = rtne : tensor<256xf32> -> tensor<256xf8E4M3FN>
  // CHECK: tile.fp_to_fp %{{.*}} rounding = rtz : tensor<256xf32> -> tensor<256xbf16>
  %5 = tile.fp_to_fp %x rounding = rtz : tensor<256xf32> -> tensor<256xbf16>
  // CHECK: tile.fp_to_fp %{{.*}} : tensor<8xf8E5M2> -> tensor<8xf64>
  %6 = tile.fp_to_fp %y : tensor<8xf8E5M2> -> tensor<8xf64>
  return
}

// CHECK-LABEL: func @debug
func.func @debug(%x: tensor<16xf32>, %i: i32, %b: tensor<4xi8>, %ok: tensor<256xi1>, %c: i1) {
  // CHECK: tile.print "x = " %{{.*}} : tensor<16xf32>
  tile.print "x = " %x : tensor<16xf32>
  // CHECK: tile.print "bits " hex %{{.*}}, %{{.*}} unsigned = [true, false] : i32, tensor<4xi8>
  tile.print "bits " hex %i, %b unsigned = [true, false] : i32, tensor<4xi8>
  // CHECK: tile.print "here"{{$}}
  tile.print "here"
  // CHECK: tile.assert %{{.*}}, "index out of bounds" : tensor<256xi1>
  tile.assert %ok, "index out of bounds" : tensor<256xi1>
  // CHECK: tile.assume %{{.*}}
  tile.assume %c
  return
}

// CHECK-LABEL: func @kernel
// CHECK-SAME: %{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}
// CHECK-SAME: !tile.ptr<f16, 0>, %{{.*}}: !tile.desc<128x64xf16>
// CHECK-SAME: attributes {tile.kernel}
func.func @kernel(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %s: !tile.ptr<f16, 0>,
                  %d: !tile.desc<128x64xf16>, %n: i32, %f: f32) attributes {tile.kernel} {
  return
}

// CHECK-LABEL: func @scale
// CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<250x!tile.ptr<f32>>
func.func @scale(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %size = arith.constant 250 : i32
  %two = arith.constant dense<2.0> : tensor<250xf32>
  %start = arith.muli %pid, %size : i32
  %base = tile.splat %start : tensor<250xi32>
  %lane = tile.make_range 0 to 250 : tensor<250xi32>
  %i = arith.addi %base, %lane : tensor<250xi32>
  %end = tile.splat %n : tensor<250xi32>
  %in = arith.cmpi slt, %i, %end : tensor<250xi32>
  %ptrs = tile.splat %x : tensor<250x!tile.ptr<f32>>
  %p = tile.addptr %ptrs, %i : tensor<250x!tile.ptr<f32>>, tensor<250xi32>
  %v = tile.load %p mask %in : tensor<250x!tile.ptr<f32>>
  %w = arith.mulf %v, %two : tensor<250xf32>
  tile.store %p, %w mask %in : tensor<250x!tile.ptr<f32>>
  return
}

// Every hint on other dialects' operations.
// CHECK-LABEL: func @hints
// CHECK: tile.contiguity = array<i32: 8>
// CHECK: {tile.flatten, tile.num_stages = 3 : i32, tile.unroll = 2 : i32, tile.warp_specialize}
func.func @hints(%n: i32, %x: tensor<8xi32>) {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %x, %x {tile.constancy = array<i32: 1>, tile.contiguity = array<i32: 8>, tile.divisibility = array<i32: 16>} : tensor<8xi32>
  scf.for %i = %c1 to %n step %c1 : i32 {
  } {tile.num_stages = 3 : i32, tile.unroll = 2 : i32, tile.warp_specialize, tile.flatten}
  return
}
