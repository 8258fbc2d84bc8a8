// tanh written as a quotient beside a product becomes one: a polynomial of small scores, as of math.tanh.
//
// RUN: tile-translate %s --target=sm_90 --emit=tile_gpu | FileCheck %s
// RUN: tile-translate %s --target=sm_90 --math=precise --emit=tile_gpu | FileCheck %s --check-prefix=PRECISE
// RUN: tile-translate %s --target=gfx942 --emit=tile_gpu | FileCheck %s --check-prefix=PRECISE
// RUN: tile-run %s --kernel=sub --device=sim --target=sm_90 --grid=1 --arg=f16[4096]=randn:1 --arg=f16[4096]=randn:2 --arg=f32[4096]=zeros --arg=i32=1 --against=cpu --atol=2e-5
// RUN: tile-run %s --kernel=add --device=sim --target=sm_90 --grid=1 --arg=f16[4096]=randn:1 --arg=f16[4096]=randn:2 --arg=f32[4096]=zeros --arg=i32=1 --against=cpu --atol=2e-5
// RUN: tile-run %s --kernel=fused --device=sim --target=sm_90 --grid=1 --arg=f16[4096]=randn:1 --arg=f16[4096]=randn:2 --arg=f32[4096]=zeros --arg=i32=1 --against=cpu --atol=2e-4
// PRECISE-NOT: tile_gpu.any

// CHECK-LABEL: func.func @sub
// CHECK: tile_gpu.mma
// CHECK: tile_gpu.any
// CHECK: } else {
// CHECK-NOT: math.exp
// CHECK: return
!p16 = !tile.ptr<f16>
!p32 = !tile.ptr<f32>
func.func @sub(%a: !p16, %b: !p16, %o: !p32, %n: i32) attributes {tile.kernel} {
  %two = arith.constant dense<2.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %k = arith.constant dense<0.01> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %d0 = func.call @product(%a, %b, %i) : (!p16, !p16, i32) -> tensor<64x64xf32>
    %y = arith.mulf %d0, %k : tensor<64x64xf32>
    %e = math.exp2 %y : tensor<64x64xf32>
    %d = arith.addf %e, %one : tensor<64x64xf32>
    %q = arith.divf %two, %d : tensor<64x64xf32>
    %t = arith.subf %one, %q : tensor<64x64xf32>
    %u = arith.addf %acc, %t : tensor<64x64xf32>
    scf.yield %u : tensor<64x64xf32>
  }
  func.call @keep(%o, %s) : (!p32, tensor<64x64xf32>) -> ()
  return
}

// The other way round, of exp.
// CHECK-LABEL: func.func @add
// CHECK: tile_gpu.mma
// CHECK: tile_gpu.any
// CHECK: return
func.func @add(%a: !p16, %b: !p16, %o: !p32, %n: i32) attributes {tile.kernel} {
  %two = arith.constant dense<2.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %less = arith.constant dense<-1.0> : tensor<64x64xf32>
  %k = arith.constant dense<-0.2> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %d0 = func.call @product(%a, %b, %i) : (!p16, !p16, i32) -> tensor<64x64xf32>
    %y = arith.mulf %d0, %k : tensor<64x64xf32>
    %e = math.exp %y : tensor<64x64xf32>
    %d = arith.addf %one, %e : tensor<64x64xf32>
    %q = arith.divf %two, %d : tensor<64x64xf32>
    %t = arith.addf %q, %less : tensor<64x64xf32>
    %u = arith.addf %acc, %t : tensor<64x64xf32>
    scf.yield %u : tensor<64x64xf32>
  }
  func.call @keep(%o, %s) : (!p32, tensor<64x64xf32>) -> ()
  return
}

// A cap of 30 in the constants of a multiply-add.
// CHECK-LABEL: func.func @fused
// CHECK: tile_gpu.mma
// CHECK: tile_gpu.any
// CHECK: return
func.func @fused(%a: !p16, %b: !p16, %o: !p32, %n: i32) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %up = arith.constant dense<30.0> : tensor<64x64xf32>
  %down = arith.constant dense<-60.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %d0 = func.call @product(%a, %b, %i) : (!p16, !p16, i32) -> tensor<64x64xf32>
    %e = math.exp %d0 : tensor<64x64xf32>
    %d = arith.addf %e, %one : tensor<64x64xf32>
    %q = arith.divf %one, %d : tensor<64x64xf32>
    %t = math.fma %q, %down, %up : tensor<64x64xf32>
    %u = arith.addf %acc, %t : tensor<64x64xf32>
    scf.yield %u : tensor<64x64xf32>
  }
  func.call @keep(%o, %s) : (!p32, tensor<64x64xf32>) -> ()
  return
}

// Another constant, a power that something else reads, and no product in the loop: as they are written.
// CHECK-LABEL: func.func @others
// CHECK: tile_gpu.mma
// CHECK-NOT: tile_gpu.any
// CHECK: return
func.func @others(%a: !p16, %b: !p16, %o: !p32, %n: i32) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %two = arith.constant dense<2.0> : tensor<64x64xf32>
  %three = arith.constant dense<3.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) : i32 {
    %d0 = func.call @product(%a, %b, %i) : (!p16, !p16, i32) -> tensor<64x64xf32>
    %e = math.exp2 %d0 : tensor<64x64xf32>
    %d = arith.addf %e, %one : tensor<64x64xf32>
    %q = arith.divf %three, %d : tensor<64x64xf32>
    %t = arith.subf %one, %q : tensor<64x64xf32>
    %e2 = math.exp2 %t : tensor<64x64xf32>
    %dd = arith.addf %e2, %one : tensor<64x64xf32>
    %qq = arith.divf %two, %dd : tensor<64x64xf32>
    %tt = arith.subf %one, %qq : tensor<64x64xf32>
    %w = arith.addf %tt, %e2 : tensor<64x64xf32>
    %u = arith.addf %acc, %w : tensor<64x64xf32>
    scf.yield %u : tensor<64x64xf32>
  }
  %e = math.exp2 %s : tensor<64x64xf32>
  %d = arith.addf %e, %one : tensor<64x64xf32>
  %q = arith.divf %two, %d : tensor<64x64xf32>
  %t = arith.subf %one, %q : tensor<64x64xf32>
  func.call @keep(%o, %t) : (!p32, tensor<64x64xf32>) -> ()
  return
}

func.func private @offsets() -> tensor<64x64xi32> {
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %rr = tile.reshape %r : tensor<4096xi32> -> tensor<64x64xi32>
  return %rr : tensor<64x64xi32>
}
func.func private @product(%a: !p16, %b: !p16, %i: i32) -> tensor<64x64xf32> {
  %at = func.call @offsets() : () -> tensor<64x64xi32>
  %block = arith.constant 4096 : i32
  %to = arith.muli %i, %block : i32
  %ai = tile.addptr %a, %to : !p16, i32
  %as = tile.splat %ai : tensor<64x64x!p16>
  %bs = tile.splat %b : tensor<64x64x!p16>
  %pa = tile.addptr %as, %at : tensor<64x64x!p16>, tensor<64x64xi32>
  %pb = tile.addptr %bs, %at : tensor<64x64x!p16>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!p16>
  %y = tile.load %pb : tensor<64x64x!p16>
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
func.func private @keep(%o: !p32, %v: tensor<64x64xf32>) {
  %at = func.call @offsets() : () -> tensor<64x64xi32>
  %os = tile.splat %o : tensor<64x64x!p32>
  %po = tile.addptr %os, %at : tensor<64x64x!p32>, tensor<64x64xi32>
  tile.store %po, %v : tensor<64x64x!p32>
  return
}
