// Inline assembly: operands have the types of their constraints; narrow elements travel packed.
// RUN: tile-opt %s --convert-tile-to-tile-gpu="target=sm_80 num-warps=1" --tile-gpu-coalesce --tile-gpu-assign-layouts --tile-gpu-allocate-shared --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-translate --target=sm_80 --emit=ptx --num-warps=1 %s | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: llvm.func @floats
// CHECK-COUNT-4: llvm.inline_asm "sub.f32 $0, $1, $2;", "=f,f,f" %{{.*}}, %{{.*}} : (f32, f32) -> f32
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
// PTX-LABEL: .entry floats
// PTX-COUNT-4: sub.f32
func.func @floats(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>>
  %one = arith.constant dense<1.0> : tensor<128xf32>
  %w = tile.inline_asm "sub.f32 $0, $1, $2;" constraints "=f,f,f" (%v, %one) pure : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  tile.store %p, %w : tensor<128x!tile.ptr<f32>>
  return
}

// Four i8 are one register; two results come as a struct; without `pure` the assembly has side effects.
// CHECK-LABEL: llvm.func @bytes
// CHECK: llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK-COUNT-1: llvm.inline_asm has_side_effects "{{.*}}", "=r,=r,r" %{{.*}} : (i32) -> !llvm.struct<(i32, i32)>
// CHECK: llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.bitcast %{{.*}} : i32 to vector<4xi8>
// CHECK: llvm.extractvalue %{{.*}}[1]
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
// PTX-LABEL: .entry bytes
// PTX: prmt.b32
func.func @bytes(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i8>>
  %p = tile.addptr %xs, %r : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<i8>>
  %a, %b = tile.inline_asm "prmt.b32 $0, $2, 0, 0x0123; not.b32 $1, $2;" constraints "=r,=r,r" (%v) pack = 4 : (tensor<128xi8>) -> (tensor<128xi8>, tensor<128xi8>)
  %c = arith.addi %a, %b : tensor<128xi8>
  tile.store %p, %c : tensor<128x!tile.ptr<i8>>
  return
}

// A half in a 32-bit register is widened.
// CHECK-LABEL: llvm.func @widened
// CHECK: llvm.zext %{{.*}} : i16 to i32
// CHECK: llvm.inline_asm "{{.*}}", "=r,r,r" %{{.*}}, %{{.*}} : (i32, i32) -> i32
// CHECK: llvm.trunc %{{.*}} : i32 to i16
// PTX-LABEL: .entry widened
// PTX: xor.b32
func.func @widened(%x: !tile.ptr<f16>, %n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : tensor<32x!tile.ptr<f16>>
  %p = tile.addptr %xs, %r : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  %v = tile.load %p : tensor<32x!tile.ptr<f16>>
  %ns = tile.splat %n : tensor<32xi32>
  %w = tile.inline_asm "xor.b32 $0, $1, $2;" constraints "=r,r,r" (%v, %ns) pure : (tensor<32xf16>, tensor<32xi32>) -> tensor<32xf16>
  tile.store %p, %w : tensor<32x!tile.ptr<f16>>
  return
}
