// Products that need reads of their own iteration.
// RUN: tile-opt %s --tile-interleave-products | FileCheck %s

// All fragments fit the registers: they are read first, and from half of the products on, which wait for none of it, comes what stands behind them.
// CHECK-LABEL: llvm.func @loop
// CHECK: rocdl.s.barrier
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK-NOT: rocdl.s.barrier
// CHECK-COUNT-4: rocdl.mfma
// CHECK: rocdl.s.barrier
// CHECK: llvm.store
// CHECK: rocdl.mfma
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK: rocdl.mfma

// A load that is stored in its own iteration moves up among the products; reads are some products ahead.
// CHECK-LABEL: llvm.func @late
// CHECK: rocdl.s.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK: llvm.load %[[G:.*]] : !llvm.ptr<1>
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.mfma
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK: rocdl.mfma
// CHECK: rocdl.s.barrier
// CHECK: llvm.store
llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<256 x vector<4xf16>>

llvm.func @loop(%n: i32, %at: i32, %next: !llvm.ptr<1>, %a0: vector<4xf16>, %b0: vector<4xf16>, %z: vector<4xf32>) -> vector<4xf32> attributes {rocdl.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.addressof @tile : !llvm.ptr<3>
  llvm.br ^head(%zero, %a0, %b0, %z : i32, vector<4xf16>, vector<4xf16>, vector<4xf32>)
^head(%i: i32, %a: vector<4xf16>, %b: vector<4xf16>, %x: vector<4xf32>):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^done
^body:
  rocdl.s.barrier
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f0 = llvm.load %p0 : !llvm.ptr<3> -> vector<4xf16>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f1 = llvm.load %p1 : !llvm.ptr<3> -> vector<4xf16>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f2 = llvm.load %p2 : !llvm.ptr<3> -> vector<4xf16>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f3 = llvm.load %p3 : !llvm.ptr<3> -> vector<4xf16>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f4 = llvm.load %p4 : !llvm.ptr<3> -> vector<4xf16>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f5 = llvm.load %p5 : !llvm.ptr<3> -> vector<4xf16>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f6 = llvm.load %p6 : !llvm.ptr<3> -> vector<4xf16>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f7 = llvm.load %p7 : !llvm.ptr<3> -> vector<4xf16>
  %m0 = rocdl.mfma.f32.16x16x16f16 %f0, %f0, %x, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m1 = rocdl.mfma.f32.16x16x16f16 %f1, %f1, %m0, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m2 = rocdl.mfma.f32.16x16x16f16 %f2, %f2, %m1, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m3 = rocdl.mfma.f32.16x16x16f16 %f3, %f3, %m2, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m4 = rocdl.mfma.f32.16x16x16f16 %f4, %f4, %m3, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m5 = rocdl.mfma.f32.16x16x16f16 %f5, %f5, %m4, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m6 = rocdl.mfma.f32.16x16x16f16 %f6, %f6, %m5, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m7 = rocdl.mfma.f32.16x16x16f16 %f7, %f7, %m6, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  rocdl.s.barrier
  %place = llvm.getelementptr %p[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
  llvm.store %a, %place : vector<4xf16>, !llvm.ptr<3>
  %g = llvm.load %next : !llvm.ptr<1> -> vector<4xf16>
  %i1 = llvm.add %i, %one : i32
  llvm.br ^head(%i1, %g, %b, %m7 : i32, vector<4xf16>, vector<4xf16>, vector<4xf32>)
^done:
  llvm.return %x : vector<4xf32>
}

llvm.func @late(%n: i32, %at: i32, %next: !llvm.ptr<1>, %a0: vector<4xf16>, %b0: vector<4xf16>, %z: vector<4xf32>) -> vector<4xf32> attributes {rocdl.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.addressof @tile : !llvm.ptr<3>
  llvm.br ^head(%zero, %a0, %b0, %z : i32, vector<4xf16>, vector<4xf16>, vector<4xf32>)
^head(%i: i32, %a: vector<4xf16>, %b: vector<4xf16>, %x: vector<4xf32>):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^done
^body:
  rocdl.s.barrier
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f0 = llvm.load %p0 : !llvm.ptr<3> -> vector<4xf16>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f1 = llvm.load %p1 : !llvm.ptr<3> -> vector<4xf16>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f2 = llvm.load %p2 : !llvm.ptr<3> -> vector<4xf16>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f3 = llvm.load %p3 : !llvm.ptr<3> -> vector<4xf16>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f4 = llvm.load %p4 : !llvm.ptr<3> -> vector<4xf16>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f5 = llvm.load %p5 : !llvm.ptr<3> -> vector<4xf16>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f6 = llvm.load %p6 : !llvm.ptr<3> -> vector<4xf16>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<3>) -> !llvm.ptr<3>, vector<4xf16>
  %f7 = llvm.load %p7 : !llvm.ptr<3> -> vector<4xf16>
  %m0 = rocdl.mfma.f32.16x16x16f16 %f0, %f0, %x, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m1 = rocdl.mfma.f32.16x16x16f16 %f1, %f1, %m0, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m2 = rocdl.mfma.f32.16x16x16f16 %f2, %f2, %m1, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m3 = rocdl.mfma.f32.16x16x16f16 %f3, %f3, %m2, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m4 = rocdl.mfma.f32.16x16x16f16 %f4, %f4, %m3, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m5 = rocdl.mfma.f32.16x16x16f16 %f5, %f5, %m4, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m6 = rocdl.mfma.f32.16x16x16f16 %f6, %f6, %m5, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m7 = rocdl.mfma.f32.16x16x16f16 %f7, %f7, %m6, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %g = llvm.load %next : !llvm.ptr<1> -> vector<4xf16>
  rocdl.s.barrier
  %place = llvm.getelementptr %p[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
  llvm.store %g, %place : vector<4xf16>, !llvm.ptr<3>
  %i1 = llvm.add %i, %one : i32
  llvm.br ^head(%i1, %g, %b, %m7 : i32, vector<4xf16>, vector<4xf16>, vector<4xf32>)
^done:
  llvm.return %x : vector<4xf32>
}
