// RUN: tile-opt %s --convert-tile-to-tile-gpu=target=sm_90a --canonicalize --cse | FileCheck %s --implicit-check-not="3xf32" --implicit-check-not="<100x"

// Tensors grow to powers of two; what is added is masked where it would be seen.
// CHECK-LABEL: func.func @sum
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : tensor<128xf32>
// CHECK-DAG: %[[SIZE:.*]] = arith.constant dense<100> : tensor<128xi32>
// CHECK: %[[I:.*]] = tile.make_range 0 to 128
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[I]], %[[SIZE]]
// CHECK: %[[V:.*]] = tile.load %{{.*}} mask %[[IN]] : tensor<128x!tile.ptr<f32>>
// CHECK: %[[W:.*]] = arith.select %[[IN]], %[[V]], %[[NEUTRAL]]
// CHECK: tile.reduce %[[W]] axis = 0 : tensor<128xf32> -> f32
// CHECK: tile.atomic_rmw fadd %{{.*}}, %[[V]] mask %[[IN]]
func.func @sum(%x: !tile.ptr<f32>) -> f32 {
  %i = tile.make_range 0 to 100 : tensor<100xi32>
  %xs = tile.splat %x : tensor<100x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<100x!tile.ptr<f32>>, tensor<100xi32>
  %v = tile.load %p : tensor<100x!tile.ptr<f32>>
  %s = tile.reduce %v axis = 0 : tensor<100xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %old = tile.atomic_rmw fadd %p, %v : tensor<100x!tile.ptr<f32>>
  return %s : f32
}

// A mask that is there is kept. Rows that are added need none when columns are reduced.
// CHECK-LABEL: func.func @axis
// CHECK: tile.reduce %{{.*}} axis = 1 : tensor<4x4xf32> -> tensor<4xf32>
// CHECK: %[[IN:.*]] = arith.cmpi slt
// CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %{{.*}} : tensor<4xi1>
// CHECK: tile.store %{{.*}}, %{{.*}} mask %[[BOTH]] : tensor<4x!tile.ptr<f32>>
func.func @axis(%v: tensor<3x4xf32>, %p: tensor<3x!tile.ptr<f32>>, %m: tensor<3xi1>) {
  %s = tile.reduce %v axis = 1 : tensor<3x4xf32> -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %p, %s mask %m : tensor<3x!tile.ptr<f32>>
  return
}

// A combiner without a known neutral element is told who takes part.
// CHECK-LABEL: func.func @argmax
// CHECK: %[[IN:.*]] = arith.cmpi slt
// CHECK: tile.reduce %{{.*}}, %{{.*}}, %[[IN]] axis = 0 {tile_gpu.ordered} : tensor<4xf32>, tensor<4xi32>, tensor<4xi1> -> f32, i32, i1
// CHECK: ^bb0(%[[A:.*]]: f32, %[[AI:.*]]: i32, %[[INA:.*]]: i1, %[[B:.*]]: f32, %[[BI:.*]]: i32, %[[INB:.*]]: i1):
// CHECK: %[[C:.*]] = arith.select %{{.*}}, %[[A]], %[[B]] : f32
// CHECK: %[[CI:.*]] = arith.select %{{.*}}, %[[AI]], %[[BI]] : i32
// CHECK: %[[D:.*]] = arith.select %[[INB]], %[[C]], %[[A]]
// CHECK: %[[E:.*]] = arith.select %[[INA]], %[[D]], %[[B]]
// CHECK: %[[DI:.*]] = arith.select %[[INB]], %[[CI]], %[[AI]]
// CHECK: %[[EI:.*]] = arith.select %[[INA]], %[[DI]], %[[BI]]
// CHECK: %[[INC:.*]] = arith.ori %[[INA]], %[[INB]]
// CHECK: tile.yield %[[E]], %[[EI]], %[[INC]]
func.func @argmax(%v: tensor<3xf32>) -> i32 {
  %i = tile.make_range 0 to 3 : tensor<3xi32>
  %m:2 = tile.reduce %v, %i axis = 0 : tensor<3xf32>, tensor<3xi32> -> f32, i32 {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %c = arith.select %gt, %a, %b : f32
    %ci = arith.select %gt, %ai, %bi : i32
    tile.yield %c, %ci : f32, i32
  }
  return %m#1 : i32
}

// A scan needs nothing forward, the neutral element backward.
// CHECK-LABEL: func.func @scan
// CHECK-SAME: (%[[V:.*]]: tensor<4xi32>)
// CHECK: tile.scan %[[V]] axis = 0 :
// CHECK: %[[W:.*]] = arith.select %{{.*}}, %[[V]], %{{.*}} : tensor<4xi1>, tensor<4xi32>
// CHECK: tile.scan %[[W]] axis = 0 reverse
func.func @scan(%v: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %s = tile.scan %v axis = 0 : tensor<3xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.muli %a, %b : i32
    tile.yield %c : i32
  }
  %t = tile.scan %v axis = 0 reverse : tensor<3xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.muli %a, %b : i32
    tile.yield %c : i32
  }
  return %s, %t : tensor<3xi32>, tensor<3xi32>
}

// A body with a loop is not executed for what is added.
// CHECK-LABEL: func.func @loop
// CHECK: tile.map_elementwise %{{.*}}, %{{.*}} : tensor<4xi32>, tensor<4xi1> -> tensor<4xi32>
// CHECK: ^bb0(%{{.*}}: i32, %[[IN:.*]]: i1):
// CHECK: scf.if %[[IN]] -> (i32)
// CHECK: scf.while
// CHECK: } else {
// CHECK-NEXT: scf.yield
func.func @loop(%v: tensor<3xi32>) -> tensor<3xi32> {
  %r = tile.map_elementwise %v : tensor<3xi32> -> tensor<3xi32> {
  ^bb0(%a: i32):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %e = scf.while (%m = %a) : (i32) -> i32 {
      %more = arith.cmpi sgt, %m, %c0 : i32
      scf.condition(%more) %m : i32
    } do {
    ^bb1(%m: i32):
      %n = arith.subi %m, %c1 : i32
      scf.yield %n : i32
    }
    tile.yield %e : i32
  }
  return %r : tensor<3xi32>
}

// Where the odd size stands first a reshape keeps its order; else elements are picked by number.
// CHECK-LABEL: func.func @reshape
// CHECK-SAME: (%[[X:.*]]: tensor<16xf32>)
// CHECK-NEXT: %[[A:.*]] = tile.reshape %[[X]] : tensor<16xf32> -> tensor<4x4xf32>
// CHECK-NEXT: return %[[A]]
func.func @reshape(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  %a = tile.reshape %x allow_reorder : tensor<12xf32> -> tensor<3x4xf32>
  return %a : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @renumber
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf16>)
// CHECK-DAG: %[[THREE:.*]] = arith.constant dense<3> : tensor<16xi32>
// CHECK-DAG: %[[FOUR:.*]] = arith.constant dense<4> : tensor<16xi32>
// CHECK: %[[F:.*]] = tile.reshape %[[X]] : tensor<4x4xf16> -> tensor<16xf16>
// CHECK: %[[L:.*]] = tile.make_range 0 to 16
// CHECK: %[[COL:.*]] = arith.remui %[[L]], %[[THREE]]
// CHECK: %[[ROW:.*]] = arith.divui %[[L]], %[[THREE]]
// CHECK: %[[START:.*]] = arith.muli %[[ROW]], %[[FOUR]]
// CHECK: %[[AT:.*]] = arith.addi %[[COL]], %[[START]]
// CHECK: tile.gather %[[F]], %[[AT]] axis = 0
func.func @renumber(%x: tensor<4x3xf16>) -> tensor<12xf16> {
  %a = tile.reshape %x : tensor<4x3xf16> -> tensor<12xf16>
  return %a : tensor<12xf16>
}

// Constants, and values that loops carry.
// CHECK-LABEL: func.func @carried
// CHECK: arith.constant dense<[1, 2, 3, 3]> : tensor<4xi32>
// CHECK: scf.for {{.*}} -> (tensor<4xi32>)
func.func @carried(%n: i32) -> tensor<3xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> (tensor<3xi32>) : i32 {
    %t = arith.addi %s, %c : tensor<3xi32>
    scf.yield %t : tensor<3xi32>
  }
  return %r : tensor<3xi32>
}

// K of a product is filled with zeros.
// CHECK-LABEL: func.func @dot
// CHECK: %[[A:.*]] = arith.select {{.*}} : tensor<8x4xi1>, tensor<8x4xf16>
// CHECK: %[[B:.*]] = arith.select {{.*}} : tensor<4x8xi1>, tensor<4x8xf16>
// CHECK: tile.dot %[[A]], %[[B]]
func.func @dot(%a: tensor<7x3xf16>, %b: tensor<3x5xf16>, %c: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %d = tile.dot %a, %b, %c : tensor<7x3xf16> * tensor<3x5xf16> -> tensor<7x5xf32>
  return %d : tensor<7x5xf32>
}

// A descriptor of odd blocks becomes pointers, another stays.
// CHECK-LABEL: func.func @desc
// CHECK-SAME: %{{.*}}: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i64 {tile.divisibility = 8 : i32}, %{{.*}}: i64, %[[D:.*]]: !tile.desc<4x8xf16>, %{{.*}}: i32)
// CHECK: tile.desc_load %[[D]]
// CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8x8x!tile.ptr<f16>>
func.func @desc(%o: !tile.desc<5x8xf16>, %d: !tile.desc<4x8xf16>, %i: i32) attributes {tile.kernel} {
  %v = tile.desc_load %d[%i, %i] : !tile.desc<4x8xf16> -> tensor<4x8xf16>
  %s = tile.reduce %v axis = 0 : tensor<4x8xf16> -> tensor<8xf16> {
  ^bb0(%a: f16, %b: f16):
    %c = arith.maxnumf %a, %b : f16
    tile.yield %c : f16
  }
  %r = tile.expand_dims %s axis = 0 : tensor<8xf16> -> tensor<1x8xf16>
  %w = tile.broadcast %r : tensor<1x8xf16> -> tensor<5x8xf16>
  tile.desc_store %o[%i, %i], %w : !tile.desc<5x8xf16>, tensor<5x8xf16>
  return
}

// What is printed and asserted is told the sizes.
// CHECK-LABEL: func.func @debug
// CHECK: tile.print "x " %{{.*}} {tile_gpu.sizes = [array<i64: 3>]} : tensor<4xi32>
// CHECK: %[[OK:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xi1>
// CHECK: tile.assert %[[OK]], "bad"
func.func @debug(%x: tensor<3xi32>, %ok: tensor<3xi1>) {
  tile.print "x " %x : tensor<3xi32>
  tile.assert %ok, "bad" : tensor<3xi1>
  return
}
