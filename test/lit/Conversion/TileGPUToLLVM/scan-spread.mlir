// Scans of which a thread holds many blocks that lie apart: what scans blocks next to each other gets them through shared memory.
// RUN: %S/Inputs/agree %s "1 2 4 8" --kernel=affine --arg=i32[2048]=rand:1 --arg=i64[2048]=rand:2 --check=race,oob,uninit
// RUN: %S/Inputs/agree %s "1 4" --kernel=backwards --arg=i8[4096]=rand:3 --arg=i32[1]=zeros --check=race,oob,uninit
// RUN: %S/Inputs/agree %s "2 4" --kernel=flags --arg=i1[1024]=rand:4 --arg=f16[4096]=randn:5 --check=race,oob,uninit
// RUN: %S/Inputs/agree %s "1 8" --kernel=again --arg=f32[4096]=rand:6:0:1 --rtol=1e-5 --check=race,oob,uninit
// RUN: %S/Inputs/agree %s "1 4" --kernel=strided --arg=i32[8192]=rand:7 --check=race,oob,uninit
// RUN: tile-translate %s --kernel=strided --target=sm_90a --num-warps=4 --emit=ptx | FileCheck %s

// One scan over the lanes instead of one for each of sixteen blocks.
// CHECK-LABEL: .entry strided
// CHECK-COUNT-16: st.shared.b32
// CHECK: bar.sync
// CHECK-COUNT-4: ld.shared.v4
// CHECK-COUNT-6: shfl
// CHECK-NOT: shfl
// CHECK: bar.sync
// CHECK-COUNT-4: st.shared.v4
// CHECK: bar.sync
// CHECK-COUNT-16: ld.shared.b32

// y -> f * y + x: not commutative, and operands of two types.
func.func @affine(%f: !tile.ptr<i32>, %x: !tile.ptr<i64>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %fs = tile.splat %f : tensor<2048x!tile.ptr<i32>>
  %fp = tile.addptr %fs, %r : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<i64>>
  %xp = tile.addptr %xs, %r : tensor<2048x!tile.ptr<i64>>, tensor<2048xi32>
  %fv = tile.load %fp : tensor<2048x!tile.ptr<i32>>
  %xv = tile.load %xp : tensor<2048x!tile.ptr<i64>>
  %fr, %xr = tile.scan %fv, %xv axis = 0 : tensor<2048xi32>, tensor<2048xi64> {
  ^bb0(%fl: i32, %xl: i64, %fh: i32, %xh: i64):
    %fn = arith.muli %fh, %fl : i32
    %fw = arith.extsi %fh : i32 to i64
    %m = arith.muli %fw, %xl : i64
    %n = arith.addi %m, %xh : i64
    %t = arith.trunci %n : i64 to i32
    %xn = arith.extsi %t : i32 to i64
    tile.yield %fn, %xn : i32, i64
  }
  tile.store %fp, %fr : tensor<2048x!tile.ptr<i32>>
  tile.store %xp, %xr : tensor<2048x!tile.ptr<i64>>
  return
}

// From the last element on, under a condition of the whole program.
func.func @backwards(%x: !tile.ptr<i8>, %c: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %xs = tile.splat %x : tensor<4096x!tile.ptr<i8>>
  %p = tile.addptr %xs, %r : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %v = tile.load %p : tensor<4096x!tile.ptr<i8>>
  %cv = tile.load %c : !tile.ptr<i32>
  %which = arith.cmpi eq, %cv, %zero : i32
  %y = scf.if %which -> tensor<4096xi8> {
    %s = tile.scan %v axis = 0 reverse : tensor<4096xi8> {
    ^bb0(%a: i8, %b: i8):
      %d = arith.addi %a, %b : i8
      tile.yield %d : i8
    }
    scf.yield %s : tensor<4096xi8>
  } else {
    scf.yield %v : tensor<4096xi8>
  }
  tile.store %p, %y : tensor<4096x!tile.ptr<i8>>
  return
}

// i1 in bytes of shared memory; 16 bits.
func.func @flags(%x: !tile.ptr<i1>, %h: !tile.ptr<f16>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<i1>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<i1>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<i1>>
  %s = tile.scan %v axis = 0 reverse : tensor<1024xi1> {
  ^bb0(%a: i1, %b: i1):
    %d = arith.xori %a, %b : i1
    tile.yield %d : i1
  }
  tile.store %p, %s : tensor<1024x!tile.ptr<i1>>
  %hr = tile.make_range 0 to 4096 : tensor<4096xi32>
  %hs = tile.splat %h : tensor<4096x!tile.ptr<f16>>
  %hp = tile.addptr %hs, %hr : tensor<4096x!tile.ptr<f16>>, tensor<4096xi32>
  %hv = tile.load %hp : tensor<4096x!tile.ptr<f16>>
  %m = tile.scan %hv axis = 0 : tensor<4096xf16> {
  ^bb0(%a: f16, %b: f16):
    %d = arith.maximumf %a, %b : f16
    tile.yield %d : f16
  }
  tile.store %hp, %m : tensor<4096x!tile.ptr<f16>>
  return
}

// In a loop, whose rounds use the same shared memory.
func.func @again(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %k = arith.constant dense<0.001> : tensor<4096xf32>
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %xs = tile.splat %x : tensor<4096x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v = tile.load %p : tensor<4096x!tile.ptr<f32>>
  %y = scf.for %i = %zero to %three step %one iter_args(%w = %v) -> (tensor<4096xf32>) : i32 {
    %s = tile.scan %w axis = 0 : tensor<4096xf32> {
    ^bb0(%a: f32, %b: f32):
      %d = arith.addf %a, %b : f32
      tile.yield %d : f32
    }
    %t = arith.mulf %s, %k : tensor<4096xf32>
    scf.yield %t : tensor<4096xf32>
  }
  tile.store %p, %y : tensor<4096x!tile.ptr<f32>>
  return
}

// Elements that a thread loads one by one: blocks of one element.
func.func @strided(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %two = arith.constant dense<3> : tensor<2048xi32>
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %r2 = arith.muli %r, %two : tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<i32>>
  %p = tile.addptr %xs, %r2 : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<i32>>
  %s = tile.scan %v axis = 0 : tensor<2048xi32> {
  ^bb0(%a: i32, %b: i32):
    %d = arith.addi %a, %b : i32
    tile.yield %d : i32
  }
  tile.store %p, %s : tensor<2048x!tile.ptr<i32>>
  return
}
