// The axis analysis through loops, branches and changes of shape.
// RUN: tile-opt %s --tile-gpu-test-axis-info -split-input-file -verify-diagnostics -o /dev/null

func.func @loop(%n: i32, %x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ld: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32 // expected-remark {{= 0}}
  %c32 = arith.constant 32 : i32 // expected-remark {{= 32}}
  %r = tile.make_range 0 to 32 : tensor<32xi32> // expected-remark {{c = [32]}}
  %base = tile.splat %x : tensor<32x!tile.ptr<f16>> // expected-remark {{v = [16]}}
  %p0 = tile.addptr %base, %r : tensor<32x!tile.ptr<f16>>, tensor<32xi32> // expected-remark {{c = [8] v = [16] k = [1] run = [32]}}
  // expected-remark @below {{c = [8] v = [16] k = [1] run = [32]}}
  %p = scf.for %k = %c0 to %n step %c32 iter_args(%q = %p0) -> (tensor<32x!tile.ptr<f16>>) : i32 {
    %ks = tile.splat %k : tensor<32xi32> // expected-remark {{v = [32] k = [32] in 0 to 2147483616}}
    %i = arith.addi %ks, %r : tensor<32xi32> // expected-remark {{c = [32] v = [32] k = [1] in 0 to 2147483647}}
    %step = tile.splat %ld : tensor<32xi32> // expected-remark {{v = [8] k = [32]}}
    %next = tile.addptr %q, %step : tensor<32x!tile.ptr<f16>>, tensor<32xi32> // expected-remark {{c = [8] v = [16] k = [1] run = [32]}}
    scf.yield %next : tensor<32x!tile.ptr<f16>>
  }
  return
}

// -----

// What one iteration changes by an odd number is aligned no longer, whatever the first was.
func.func @odd(%n: i32) {
  %c0 = arith.constant 0 : i32 // expected-remark {{= 0}}
  %c1 = arith.constant 1 : i32 // expected-remark {{= 1}}
  %r = tile.make_range 0 to 32 : tensor<32xi32> // expected-remark {{c = [32]}}
  // expected-remark @below {{c = [1] v = [1] k = [1] run = [32]}}
  %p = scf.for %k = %c0 to %n step %c1 iter_args(%q = %r) -> (tensor<32xi32>) : i32 {
    %one = tile.splat %c1 : tensor<32xi32> // expected-remark {{= 1}}
    %next = arith.addi %q, %one : tensor<32xi32> // expected-remark {{c = [1] v = [1] k = [1] run = [32]}}
    scf.yield %next : tensor<32xi32>
  }
  return
}

// -----

func.func @while(%n: i32) {
  %c0 = arith.constant 0 : i32 // expected-remark {{= 0}}
  %c64 = arith.constant 64 : i32 // expected-remark {{= 64}}
  // expected-remark @below {{c = [1] v = [64] k = [1]}}
  %w = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32 // expected-remark {{k = [1]}}
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c64 : i32 // expected-remark {{v = [64]}}
    scf.yield %next : i32
  }
  return
}

// -----

func.func @branch(%c: i1) {
  %a = tile.make_range 0 to 64 : tensor<64xi32> // expected-remark {{c = [64]}}
  %b = tile.make_range 16 to 80 : tensor<64xi32> // expected-remark {{c = [16] v = [16] k = [1] run = [64]}}
  // expected-remark @below {{c = [16] v = [16] k = [1] run = [64] in 0 to 79}}
  %r = scf.if %c -> (tensor<64xi32>) {
    scf.yield %a : tensor<64xi32>
  } else {
    scf.yield %b : tensor<64xi32>
  }
  %s = arith.select %c, %a, %b : tensor<64xi32> // expected-remark {{c = [16] v = [16] k = [1] run = [64] in 0 to 79}}
  return
}

// -----

func.func @shapes() {
  %r = tile.make_range 0 to 64 : tensor<64xi32> // expected-remark {{c = [64]}}
  %row = tile.expand_dims %r axis = 0 : tensor<64xi32> -> tensor<1x64xi32> // expected-remark {{c = [1, 64] v = [1, *] k = [1, 1]}}
  %rows = tile.broadcast %row : tensor<1x64xi32> -> tensor<8x64xi32> // expected-remark {{c = [1, 64] v = [1, *] k = [8, 1]}}
  %turned = tile.trans %rows order = [1, 0] : tensor<8x64xi32> -> tensor<64x8xi32> // expected-remark {{c = [64, 1] v = [*, 1] k = [1, 8]}}
  %flat = tile.reshape %rows : tensor<8x64xi32> -> tensor<512xi32> // expected-remark {{c = [64] v = [*] k = [1]}}
  %any = tile.reshape %rows allow_reorder : tensor<8x64xi32> -> tensor<512xi32> // expected-remark {{c = [1] v = [1] k = [1]}}
  %two = tile.join %r, %r : tensor<64xi32> -> tensor<64x2xi32> // expected-remark {{c = [64, 1] v = [*, 1] k = [1, 1]}}
  // expected-remark @below {{c = [64] v = [*] k = [1]}}
  %a, %b = tile.split %two : tensor<64x2xi32> -> tensor<64xi32>
  %long = tile.cat %r, %r : tensor<64xi32>, tensor<64xi32> -> tensor<128xi32> // expected-remark {{c = [64] v = [*] k = [1]}}
  %odd = tile.make_range 0 to 96 : tensor<96xi32> // expected-remark {{c = [32] v = [32] k = [1]}}
  return
}
