// Neighbours of a thread are added by one instruction where the chip has it and nobody reads what was there. An order that is asked
// for is kept by one fence in front of all of a thread's elements and one behind them.
// RUN: tile-translate %s --target=sm_90 --emit=llvm-dialect --kernel=four | FileCheck %s
// RUN: tile-translate %s --target=sm_80 --emit=llvm-dialect --kernel=four | FileCheck %s --check-prefix=SINGLE
// RUN: tile-translate %s --target=sm_90 --emit=llvm-dialect --kernel=masked | FileCheck %s --check-prefix=MASKED
// RUN: tile-translate %s --target=sm_90 --emit=llvm-dialect --kernel=ordered | FileCheck %s --check-prefix=ORDERED
// RUN: tile-translate %s --target=sm_90 --emit=llvm-dialect --kernel=halves | FileCheck %s --check-prefix=HALVES
// RUN: tile-translate %s --target=sm_80 --emit=llvm-dialect --kernel=ordered | FileCheck %s --check-prefix=FENCED
// RUN: tile-translate %s --target=gfx942 --emit=llvm-dialect --kernel=ordered | FileCheck %s --check-prefix=FENCED
// RUN: tile-translate %s --target=sm_90 --emit=llvm-dialect --kernel=read | FileCheck %s --check-prefix=SINGLE
// RUN: tile-run %s --kernel=four --device=sim --target=sm_90 --against=cpu --grid=3 '--arg=f32[1024]=randn:1' '--arg=f32[1024]=randn:2'
// RUN: tile-run %s --kernel=halves --device=sim --target=sm_90 --against=cpu --grid=3 '--arg=f16[1024]=randn:1' '--arg=f16[1024]=randn:2' --atol=0.01
// RUN: tile-run %s --kernel=bhalves --device=sim --target=sm_90 --against=cpu --grid=3 '--arg=bf16[1024]=randn:1' '--arg=bf16[1024]=randn:2' --atol=0.1
// RUN: tile-translate %s --target=sm_90 --emit=ptx --kernel=bhalves | FileCheck %s --check-prefix=PTX
// PTX: red.relaxed.gpu.global.add.noftz.v4.bf16x2
// RUN: tile-run %s --kernel=ordered --device=sim --target=sm_90 --against=cpu --grid=3 '--arg=f32[1024]=randn:1' '--arg=f32[1024]=randn:2'
// RUN: tile-run %s --kernel=masked --device=sim --target=sm_90 --against=cpu --grid=3 '--arg=f32[1024]=randn:1' '--arg=f32[1024]=randn:2' --arg=i32=1000
// RUN: tile-run %s --kernel=masked --device=sim --target=sm_90 --against=cpu --grid=3 '--arg=f32[1024]=randn:1' '--arg=f32[1024]=randn:2' --arg=i32=1003

// CHECK-COUNT-2: tile_nv.add %{{.*}}, %{{.*}} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: atomicrmw
// ORDERED: llvm.fence syncscope("device") release
// ORDERED-COUNT-2: tile_nv.add %{{.*}}, %{{.*}} : vector<4xf32>
// ORDERED-NEXT: llvm.fence syncscope("device") acquire
// HALVES: tile_nv.add %{{.*}}, %{{.*}} : vector<8xf16>
// FENCED: llvm.fence syncscope("{{device|agent}}") release
// FENCED-COUNT-4: llvm.atomicrmw fadd {{.*}} monotonic
// FENCED: llvm.fence syncscope("{{device|agent}}") acquire
// FENCED-NOT: llvm.fence
// SINGLE-NOT: tile_nv.add
// SINGLE-COUNT-8: llvm.atomicrmw fadd
// Elements that are masked alike, which is known of one at a time here.
// MASKED-NOT: tile_nv.add
// MASKED: llvm.cond_br
// MASKED: llvm.atomicrmw fadd
func.func @four(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %ys, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  %old = tile.atomic_rmw fadd %p, %v : tensor<1024x!tile.ptr<f32>>
  return
}
func.func @masked(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ns = tile.splat %n : tensor<1024xi32>
  %in = arith.cmpi slt, %r, %ns : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %ys, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  %old = tile.atomic_rmw fadd %p, %v mask %in : tensor<1024x!tile.ptr<f32>>
  return
}
func.func @ordered(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = arith.constant dense<1.0> : tensor<1024xf32>
  %old = tile.atomic_rmw fadd %p, %v sem = acq_rel : tensor<1024x!tile.ptr<f32>>
  return
}
func.func @read(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = arith.constant dense<1.0> : tensor<1024xf32>
  %old = tile.atomic_rmw fadd %p, %v : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %ys, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %q, %old : tensor<1024x!tile.ptr<f32>>
  return
}
func.func @halves(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f16>>
  %q = tile.addptr %ys, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<f16>>
  %old = tile.atomic_rmw fadd %p, %v : tensor<1024x!tile.ptr<f16>>
  return
}
func.func @bhalves(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<bf16>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<bf16>>
  %q = tile.addptr %ys, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<bf16>>
  %old = tile.atomic_rmw fadd %p, %v : tensor<1024x!tile.ptr<bf16>>
  return
}
