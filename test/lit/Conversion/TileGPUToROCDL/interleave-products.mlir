// Reads for the next iteration stand between the products of this one, which need none of them, and LLVM keeps the order.
// RUN: tile-opt %s --tile-interleave-products | FileCheck %s
// A block with a volatile access is left alone.
// RUN: sed 's/llvm.load \(.p\) /llvm.load volatile \1 /' %s > %t.mlir
// RUN: tile-opt %t.mlir --tile-interleave-products | FileCheck %s --check-prefix=ALONE

// What is read takes the registers of what this iteration has, behind the last product that takes that.
// CHECK-LABEL: llvm.func @loop
// CHECK: %[[G:.*]] = llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-COUNT-4: rocdl.mfma
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK: rocdl.mfma
// CHECK-NOT: llvm.load
// CHECK: rocdl.s.barrier
// CHECK: llvm.store %[[G]]
// CHECK: rocdl.s.barrier
// ALONE-NOT: rocdl.sched.barrier
llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<256 x vector<4xf16>>

llvm.func @loop(%n: i32, %at: i32, %next: !llvm.ptr<1>, %a0: vector<4xf16>, %b0: vector<4xf16>, %other: vector<4xf16>, %z: vector<4xf32>) -> vector<4xf32> attributes {rocdl.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.addressof @tile : !llvm.ptr<3>
  llvm.br ^head(%zero, %a0, %b0, %z : i32, vector<4xf16>, vector<4xf16>, vector<4xf32>)
^head(%i: i32, %a: vector<4xf16>, %b: vector<4xf16>, %x: vector<4xf32>):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^done
^body:
  %g = llvm.load %next : !llvm.ptr<1> -> vector<4xf16>
  %a1 = llvm.load %p : !llvm.ptr<3> -> vector<4xf16>
  %there = llvm.getelementptr %p[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
  %b1 = llvm.load %there : !llvm.ptr<3> -> vector<4xf16>
  %m0 = rocdl.mfma.f32.16x16x16f16 %a, %b, %x, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m1 = rocdl.mfma.f32.16x16x16f16 %a, %b, %m0, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m2 = rocdl.mfma.f32.16x16x16f16 %a, %b, %m1, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m3 = rocdl.mfma.f32.16x16x16f16 %a, %b, %m2, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m4 = rocdl.mfma.f32.16x16x16f16 %other, %other, %m3, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m5 = rocdl.mfma.f32.16x16x16f16 %other, %other, %m4, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m6 = rocdl.mfma.f32.16x16x16f16 %other, %other, %m5, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %m7 = rocdl.mfma.f32.16x16x16f16 %other, %other, %m6, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  rocdl.s.barrier
  %place = llvm.getelementptr %p[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
  llvm.store %g, %place : vector<4xf16>, !llvm.ptr<3>
  rocdl.s.barrier
  %i1 = llvm.add %i, %one : i32
  llvm.br ^head(%i1, %a1, %b1, %m7 : i32, vector<4xf16>, vector<4xf16>, vector<4xf32>)
^done:
  llvm.return %x : vector<4xf32>
}
