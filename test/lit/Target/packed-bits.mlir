// Two fields of a word that become f16: a mask and numbers whose last bits they are, where they lie. 1032 is 1024 + 8, 72 is 64 + 8.
// RUN: tile-translate %s --kernel=near --target=sm_80 --num-warps=1 --emit=llvm | FileCheck %s --check-prefix=NEAR
// RUN: tile-translate %s --kernel=apart --target=sm_80 --num-warps=1 --emit=llvm | FileCheck %s --check-prefix=APART
// RUN: tile-translate %s --kernel=wide --target=sm_80 --num-warps=1 --emit=llvm | FileCheck %s --check-prefix=WIDE
// RUN: bash -c 'set -e; for k in near apart wide; do tile-run %s --kernel=$k --device=sim --target=sm_80 --num-warps=1 --grid=1 --arg=i32[64]=rand:1:-2147483648:2147483647 --arg=f16[128]=zeros --against=cpu --atol=0 --rtol=0; done'

// In one byte: a permute puts it into both halves.
// NEAR: call i32 @llvm.nvvm.prmt(i32 %[[W:.*]], i32 %[[W]], i32 0)
// NEAR-NEXT: and i32 %{{.*}}, 15728655
// NEAR-NEXT: or i32 %{{.*}}, 1409311744
// NEAR-NEXT: bitcast
// NEAR-NEXT: fadd <2 x half> %{{.*}}, <half 0xHE408, half 0xHD480>

// 4 bits at bit 8 and at bit 28: one shift puts both into their halves.
// APART-NOT: prmt
// APART: lshr i32 %{{.*}}, 8
// APART-NEXT: and i32 %{{.*}}, 15728655
// APART-NEXT: or i32 %{{.*}}, 1409311744

// 10 bits that start at different bits of their halves do not fit: as they were.
// WIDE-NOT: prmt
// WIDE: or disjoint i32 %{{.*}}, 1677747200

func.func @near(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %two = arith.constant dense<2> : tensor<128xi32>
  %by = arith.constant dense<4> : tensor<128xi32>
  %from = arith.constant dense<0> : tensor<128xi32>
  %mask = arith.constant dense<15> : tensor<128xi32>
  %middle = arith.constant dense<8> : tensor<128xi32>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %q = arith.divsi %r, %two : tensor<128xi32>
  %odd = arith.remsi %r, %two : tensor<128xi32>
  %more = arith.muli %odd, %by : tensor<128xi32>
  %shift = arith.addi %more, %from : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i32>>
  %p = tile.addptr %xs, %q : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %w = tile.load %p : tensor<128x!tile.ptr<i32>>
  %s = arith.shrsi %w, %shift : tensor<128xi32>
  %b = arith.andi %s, %mask : tensor<128xi32>
  %n = arith.subi %b, %middle : tensor<128xi32>
  %h = arith.sitofp %n : tensor<128xi32> to tensor<128xf16>
  %ys = tile.splat %y : tensor<128x!tile.ptr<f16>>
  %o = tile.addptr %ys, %r : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %o, %h : tensor<128x!tile.ptr<f16>>
  return
}

func.func @apart(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %two = arith.constant dense<2> : tensor<128xi32>
  %by = arith.constant dense<20> : tensor<128xi32>
  %from = arith.constant dense<8> : tensor<128xi32>
  %mask = arith.constant dense<15> : tensor<128xi32>
  %middle = arith.constant dense<8> : tensor<128xi32>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %q = arith.divsi %r, %two : tensor<128xi32>
  %odd = arith.remsi %r, %two : tensor<128xi32>
  %more = arith.muli %odd, %by : tensor<128xi32>
  %shift = arith.addi %more, %from : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i32>>
  %p = tile.addptr %xs, %q : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %w = tile.load %p : tensor<128x!tile.ptr<i32>>
  %s = arith.shrsi %w, %shift : tensor<128xi32>
  %b = arith.andi %s, %mask : tensor<128xi32>
  %n = arith.subi %b, %middle : tensor<128xi32>
  %h = arith.sitofp %n : tensor<128xi32> to tensor<128xf16>
  %ys = tile.splat %y : tensor<128x!tile.ptr<f16>>
  %o = tile.addptr %ys, %r : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %o, %h : tensor<128x!tile.ptr<f16>>
  return
}

func.func @wide(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %two = arith.constant dense<2> : tensor<128xi32>
  %by = arith.constant dense<17> : tensor<128xi32>
  %from = arith.constant dense<3> : tensor<128xi32>
  %mask = arith.constant dense<1023> : tensor<128xi32>
  %middle = arith.constant dense<8> : tensor<128xi32>
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %q = arith.divsi %r, %two : tensor<128xi32>
  %odd = arith.remsi %r, %two : tensor<128xi32>
  %more = arith.muli %odd, %by : tensor<128xi32>
  %shift = arith.addi %more, %from : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<i32>>
  %p = tile.addptr %xs, %q : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %w = tile.load %p : tensor<128x!tile.ptr<i32>>
  %s = arith.shrsi %w, %shift : tensor<128xi32>
  %b = arith.andi %s, %mask : tensor<128xi32>
  %n = arith.subi %b, %middle : tensor<128xi32>
  %h = arith.sitofp %n : tensor<128xi32> to tensor<128xf16>
  %ys = tile.splat %y : tensor<128x!tile.ptr<f16>>
  %o = tile.addptr %ys, %r : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  tile.store %o, %h : tensor<128x!tile.ptr<f16>>
  return
}
