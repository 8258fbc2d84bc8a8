// A fused multiply-add of bf16 or f8 rounds once: not through f32, where a small addend beside a tie is lost.
// RUN: %S/Inputs/agree %s "1" --kernel=half --arg=i16[1024]=rand:1:-32768:32767 --arg=i16[1024]=rand:2:-32768:32767 --arg=bf16[1024]=zeros
// RUN: %S/Inputs/agree %s "1" --kernel=quarter --arg=i8[4096]=rand:1:-128:127 --arg=i8[4096]=rand:2:-128:127 --arg=f8E5M2[4096]=zeros --arg=f8E4M3FN[4096]=zeros
// RUN: %S/Inputs/agree %s "1" --kernel=tie --arg=bf16=1.0625 --arg=bf16[128]=zeros
// RUN: tile-translate %s --target=gfx942 --emit=llvm-dialect | FileCheck %s
// RUN: tile-translate %s --target=sm_90a --emit=llvm-dialect --kernel=tie | FileCheck %s --check-prefix=NATIVE
// RUN: tile-translate %s --target=gfx1100 --emit=hsaco -o %t.hsaco

// CHECK-NOT: llvm.intr.fma
// NATIVE: llvm.intr.fma{{.*}}bf16
func.func @tie(%x: bf16, %o: !tile.ptr<bf16>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %big = arith.constant dense<65536.0> : tensor<128xbf16>
  %one = arith.constant dense<1.0> : tensor<128xbf16>
  %os = tile.splat %o : tensor<128x!tile.ptr<bf16>>
  %po = tile.addptr %os, %r : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %a = tile.splat %x : tensor<128xbf16>
  %b = arith.mulf %a, %big : tensor<128xbf16>
  %c = math.fma %b, %b, %one : tensor<128xbf16>
  tile.store %po, %c : tensor<128x!tile.ptr<bf16>>
  return
}

func.func @half(%x: !tile.ptr<i16>, %y: !tile.ptr<i16>, %o: !tile.ptr<bf16>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<i16>>
  %px = tile.addptr %xs, %r : tensor<1024x!tile.ptr<i16>>, tensor<1024xi32>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<i16>>
  %py = tile.addptr %ys, %r : tensor<1024x!tile.ptr<i16>>, tensor<1024xi32>
  %os = tile.splat %o : tensor<1024x!tile.ptr<bf16>>
  %po = tile.addptr %os, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %i = tile.load %px : tensor<1024x!tile.ptr<i16>>
  %j = tile.load %py : tensor<1024x!tile.ptr<i16>>
  %a = tile.bitcast %i : tensor<1024xi16> -> tensor<1024xbf16>
  %b = tile.bitcast %j : tensor<1024xi16> -> tensor<1024xbf16>
  %c = math.fma %a, %a, %b : tensor<1024xbf16>
  tile.store %po, %c : tensor<1024x!tile.ptr<bf16>>
  return
}

func.func @quarter(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %o: !tile.ptr<f8E5M2>, %p: !tile.ptr<f8E4M3FN>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4096 : tensor<4096xi32>
  %xs = tile.splat %x : tensor<4096x!tile.ptr<i8>>
  %px = tile.addptr %xs, %r : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %ys = tile.splat %y : tensor<4096x!tile.ptr<i8>>
  %py = tile.addptr %ys, %r : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %os = tile.splat %o : tensor<4096x!tile.ptr<f8E5M2>>
  %po = tile.addptr %os, %r : tensor<4096x!tile.ptr<f8E5M2>>, tensor<4096xi32>
  %ps = tile.splat %p : tensor<4096x!tile.ptr<f8E4M3FN>>
  %pp = tile.addptr %ps, %r : tensor<4096x!tile.ptr<f8E4M3FN>>, tensor<4096xi32>
  %i = tile.load %px : tensor<4096x!tile.ptr<i8>>
  %j = tile.load %py : tensor<4096x!tile.ptr<i8>>
  %a = tile.bitcast %i : tensor<4096xi8> -> tensor<4096xf8E5M2>
  %b = tile.bitcast %j : tensor<4096xi8> -> tensor<4096xf8E5M2>
  %c = math.fma %a, %b, %b : tensor<4096xf8E5M2>
  %d = tile.bitcast %i : tensor<4096xi8> -> tensor<4096xf8E4M3FN>
  %e = tile.bitcast %j : tensor<4096xi8> -> tensor<4096xf8E4M3FN>
  %f = math.fma %d, %e, %d : tensor<4096xf8E4M3FN>
  tile.store %po, %c : tensor<4096x!tile.ptr<f8E5M2>>
  tile.store %pp, %f : tensor<4096x!tile.ptr<f8E4M3FN>>
  return
}
