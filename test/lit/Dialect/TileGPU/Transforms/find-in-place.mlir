// A residual that is read where the result is written: the two may be the same memory. Not where another element is read, what is read is
// used besides, a loop is around both, a third access is there, or on a chip without a copy engine.
//
// RUN: tile-opt %s --inline --symbol-dce --convert-tile-to-tile-gpu="target=sm_90a num-warps=4" --tile-gpu-find-in-place | FileCheck %s
// RUN: tile-opt %s --inline --symbol-dce --convert-tile-to-tile-gpu="target=sm_80 num-warps=4" --tile-gpu-find-in-place | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: tile_gpu.in_place
//
// The result is the same in place; in part of it the launch is refused.
// RUN: tile-run %s --kernel=residual --device=sim --grid=1 --target=sm_90a --against=cpu --atol=1e-2 --arg=f16[64,64]=randn:1 --arg=f16[64,64]=randn:2 --arg=f16[64,64]=randn:3 --arg=f16[64,64]=arg:2 | FileCheck %s --check-prefix=SAME
// SAME: argument 2 'r' f16[64,64]: agrees with cpu
// RUN: tile-translate %s --kernel=residual --target=sm_90a --emit=manifest | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: "separate":
// MANIFEST: 2,{{[[:space:]]+}}3,{{[[:space:]]+}}0
// RUN: not tile-run %s --kernel=other --device=sim --grid=1 --target=sm_90a --arg=f16[64,64]=randn:1 --arg=f16[64,64]=randn:2 --arg=f16[65,64]=randn:3 --arg=f16[65,64]=arg:2 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: arguments 2 and 3 overlap

// CHECK: func.func @residual
// CHECK-SAME: tile_gpu.in_place = array<i32: 2, 3, 0>
func.func @residual(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                    %r: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %o = func.call @offsets() : () -> tensor<64x64xi32>
  %d = func.call @product(%a, %b, %o) : (!tile.ptr<f16>, !tile.ptr<f16>, tensor<64x64xi32>) -> tensor<64x64xf32>
  %rs = tile.splat %r : tensor<64x64x!tile.ptr<f16>>
  %rp = tile.addptr %rs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %rp : tensor<64x64x!tile.ptr<f16>>
  %f = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
  %s = arith.addf %d, %f : tensor<64x64xf32>
  %t = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
  %cp = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %cp, %t : tensor<64x64x!tile.ptr<f16>>
  return
}

// CHECK: func.func @other
// CHECK-NOT: tile_gpu.in_place
func.func @other(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                 %r: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %row = arith.constant dense<64> : tensor<64x64xi32>
  %o = func.call @offsets() : () -> tensor<64x64xi32>
  %d = func.call @product(%a, %b, %o) : (!tile.ptr<f16>, !tile.ptr<f16>, tensor<64x64xi32>) -> tensor<64x64xf32>
  %rs = tile.splat %r : tensor<64x64x!tile.ptr<f16>>
  %next = arith.addi %o, %row : tensor<64x64xi32>
  %rp = tile.addptr %rs, %next : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %rp : tensor<64x64x!tile.ptr<f16>>
  %f = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
  %s = arith.addf %d, %f : tensor<64x64xf32>
  %t = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
  %cp = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %cp, %t : tensor<64x64x!tile.ptr<f16>>
  return
}

// CHECK: func.func @used_besides
// CHECK-NOT: tile_gpu.in_place
func.func @used_besides(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %r: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: !tile.ptr<f16>) attributes {tile.kernel} {
  %o = func.call @offsets() : () -> tensor<64x64xi32>
  %d = func.call @product(%a, %b, %o) : (!tile.ptr<f16>, !tile.ptr<f16>, tensor<64x64xi32>) -> tensor<64x64xf32>
  %rs = tile.splat %r : tensor<64x64x!tile.ptr<f16>>
  %rp = tile.addptr %rs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %rp : tensor<64x64x!tile.ptr<f16>>
  %e = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  %t = arith.addf %e, %x : tensor<64x64xf16>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
  %cp = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %cp, %t : tensor<64x64x!tile.ptr<f16>>
  %ms = tile.splat %m : tensor<64x64x!tile.ptr<f16>>
  %mp = tile.addptr %ms, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %mp, %x : tensor<64x64x!tile.ptr<f16>>
  return
}

// CHECK: func.func @turned
// CHECK-NOT: tile_gpu.in_place
func.func @turned(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %r: !tile.ptr<f16>, %c: !tile.ptr<f16>) attributes {tile.kernel} {
  %o = func.call @offsets() : () -> tensor<64x64xi32>
  %d = func.call @product(%a, %b, %o) : (!tile.ptr<f16>, !tile.ptr<f16>, tensor<64x64xi32>) -> tensor<64x64xf32>
  %rs = tile.splat %r : tensor<64x64x!tile.ptr<f16>>
  %rp = tile.addptr %rs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %rp : tensor<64x64x!tile.ptr<f16>>
  %y = tile.trans %x order = [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %e = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  %t = arith.addf %e, %y : tensor<64x64xf16>
  %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
  %cp = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %cp, %t : tensor<64x64x!tile.ptr<f16>>
  return
}

// CHECK: func.func @looped
// CHECK-NOT: tile_gpu.in_place
func.func @looped(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %r: !tile.ptr<f16>, %c: !tile.ptr<f16>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %o = func.call @offsets() : () -> tensor<64x64xi32>
  %d = func.call @product(%a, %b, %o) : (!tile.ptr<f16>, !tile.ptr<f16>, tensor<64x64xi32>) -> tensor<64x64xf32>
  scf.for %i = %zero to %four step %one : i32 {
    %is = tile.splat %i : tensor<64x64xi32>
    %p = arith.addi %o, %is : tensor<64x64xi32>
    %rs = tile.splat %r : tensor<64x64x!tile.ptr<f16>>
    %rp = tile.addptr %rs, %p : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %rp : tensor<64x64x!tile.ptr<f16>>
    %e = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %t = arith.addf %e, %x : tensor<64x64xf16>
    %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
    %cp = tile.addptr %cs, %p : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    tile.store %cp, %t : tensor<64x64x!tile.ptr<f16>>
  }
  return
}

func.func private @offsets() -> tensor<64x64xi32> {
  %size = arith.constant dense<64> : tensor<64xi32>
  %i = tile.make_range 0 to 64 : tensor<64xi32>
  %j = arith.muli %i, %size : tensor<64xi32>
  %rows = tile.expand_dims %j axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %x = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %y = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %x, %y : tensor<64x64xi32>
  return %o : tensor<64x64xi32>
}

func.func private @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %o: tensor<64x64xi32>) -> tensor<64x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
  %ap = tile.addptr %as, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %x = tile.load %ap : tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
  %bp = tile.addptr %bs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %y = tile.load %bp : tensor<64x64x!tile.ptr<f16>>
  %d = tile.dot %x, %y, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
