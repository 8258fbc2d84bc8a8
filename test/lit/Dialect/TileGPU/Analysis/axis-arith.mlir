// The axis analysis through arithmetic: what the usual index expressions of kernels keep.
// RUN: tile-opt %s --tile-gpu-test-axis-info -split-input-file -verify-diagnostics -o /dev/null

func.func @add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x // expected-remark {{c = [1] v = [1] k = [1] in 0 to 2097151}}
  %c1024 = arith.constant 1024 : i32 // expected-remark {{= 1024}}
  %start = arith.muli %pid, %c1024 : i32 // expected-remark {{c = [1] v = [1024] k = [1] in 0 to 2147482624}}
  %base = tile.splat %start : tensor<1024xi32> // expected-remark {{c = [1] v = [1024] k = [1024]}}
  %lane = tile.make_range 0 to 1024 : tensor<1024xi32> // expected-remark {{c = [1024] v = [*] k = [1] in 0 to 1023}}
  %i = arith.addi %base, %lane : tensor<1024xi32> // expected-remark {{c = [1024] v = [1024] k = [1] in 0 to 2147483647}}
  %end = tile.splat %n : tensor<1024xi32> // expected-remark {{c = [1] v = [16] k = [1024]}}
  %in = arith.cmpi slt, %i, %end : tensor<1024xi32> // expected-remark {{c = [1] v = [1] k = [16]}}
  %ptrs = tile.splat %x : tensor<1024x!tile.ptr<f32>> // expected-remark {{c = [1] v = [16] k = [1024]}}
  // expected-remark @below {{c = [4] v = [16] k = [1] run = [1024]}}
  %p = tile.addptr %ptrs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p mask %in : tensor<1024x!tile.ptr<f32>> // expected-remark {{c = [1] v = [1] k = [1]}}
  return
}

// -----

// The quotient and remainder of a flattened index; of an argument nothing is known, not even its sign.
func.func @flat(%n: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id y // expected-remark {{in 0 to 65534}}
  %c512 = arith.constant 512 : i32 // expected-remark {{= 512}}
  %start = arith.muli %pid, %c512 : i32 // expected-remark {{v = [512]}}
  %base = tile.splat %start : tensor<512xi32> // expected-remark {{v = [512]}}
  %lane = tile.make_range 0 to 512 : tensor<512xi32> // expected-remark {{c = [512]}}
  %i = arith.addi %base, %lane : tensor<512xi32> // expected-remark {{c = [512] v = [512]}}
  %d = arith.constant dense<48> : tensor<512xi32> // expected-remark {{= 48}}
  %q = arith.divsi %i, %d : tensor<512xi32> // expected-remark {{c = [1] v = [1] k = [16] in 0 to 699039}}
  %r = arith.remsi %i, %d : tensor<512xi32> // expected-remark {{c = [16] v = [16] k = [1] in 0 to 47}}
  %shift = tile.splat %n : tensor<512xi32> // expected-remark {{v = [16] k = [512]}}
  %j = arith.addi %i, %shift : tensor<512xi32> // expected-remark {{c = [16] v = [16] k = [1] run = [512]}}
  %c16 = arith.constant dense<16> : tensor<512xi32> // expected-remark {{= 16}}
  %unknown = arith.divsi %j, %c16 : tensor<512xi32> // expected-remark {{c = [1] v = [1] k = [1]}}
  %unsigned = arith.divui %j, %c16 : tensor<512xi32> // expected-remark {{c = [1] v = [1] k = [16]}}
  return
}

// -----

// Reported of another compiler: three claims that led to misaligned accesses.
func.func @reported() {
  %lane = tile.make_range 0 to 8 : tensor<8xi32> // expected-remark {{c = [8]}}
  %m64 = arith.constant dense<-64> : tensor<8xi32> // expected-remark {{= -64}}
  %neg = arith.addi %lane, %m64 : tensor<8xi32> // expected-remark {{c = [8] v = [64] k = [1] in -64 to -57}}
  %c32 = arith.constant dense<32> : tensor<8xi32> // expected-remark {{= 32}}
  %q = arith.divsi %neg, %c32 : tensor<8xi32> // expected-remark {{c = [1] v = [1] k = [1] in -2 to -1}}
  %d = tile.make_range 32 to 160 : tensor<128xi32> // expected-remark {{c = [32] v = [32] k = [1] run = [128]}}
  %c64 = arith.constant dense<64> : tensor<128xi32> // expected-remark {{= 64}}
  %r = arith.remsi %c64, %d : tensor<128xi32> // expected-remark {{c = [1] v = [1] k = [1]}}
  %i = tile.make_range 0 to 32 : tensor<32xi32> // expected-remark {{c = [32]}}
  %c16 = arith.constant dense<16> : tensor<32xi32> // expected-remark {{= 16}}
  %c2 = arith.constant dense<2> : tensor<32xi32> // expected-remark {{= 2}}
  %s = arith.divsi %i, %c16 : tensor<32xi32> // expected-remark {{k = [16] in 0 to 1}}
  %m = arith.shli %c2, %s : tensor<32xi32> // expected-remark {{v = [2] k = [16]}}
  %row = arith.remsi %i, %m : tensor<32xi32> // expected-remark {{c = [2] v = [2] k = [1]}}
  %e = tile.expand_dims %row axis = 1 : tensor<32xi32> -> tensor<32x1xi32> // expected-remark {{c = [2, 1] v = [2, 1]}}
  return
}

// -----

// Hints count with their power of two; assumptions where the value itself is made.
func.func @told(%n: i32, %x: !tile.ptr<f16> {tile.divisibility = 24 : i32}) {
  %c0 = arith.constant 0 : i32 // expected-remark {{= 0}}
  %c8 = arith.constant 8 : i32 // expected-remark {{= 8}}
  %positive = arith.cmpi sgt, %n, %c0 : i32 // expected-remark {{= 1}}
  tile.assume %positive
  %rest = arith.remsi %n, %c8 : i32 // expected-remark {{= 0}}
  %multiple = arith.cmpi eq, %rest, %c0 : i32 // expected-remark {{= 1}}
  tile.assume %multiple
  %s = tile.splat %n : tensor<64xi32> // expected-remark {{v = [8] k = [64] in 8 to 2147483640}}
  %r = tile.make_range 0 to 64 : tensor<64xi32> // expected-remark {{c = [64]}}
  %q = arith.divsi %r, %s : tensor<64xi32> // expected-remark {{k = [8] in 0 to 7}}
  // expected-remark @below {{c = [16] v = [16] k = [1] in 0 to 62}}
  %u = arith.remsi %s, %r {tile.contiguity = array<i32: 48>, tile.divisibility = array<i32: 48>} : tensor<64xi32>
  %p = tile.splat %x : tensor<64x!tile.ptr<f16>> // expected-remark {{v = [8] k = [64]}}
  return
}

// -----

func.func @casts() {
  %r = tile.make_range 0 to 512 : tensor<512xi32> // expected-remark {{c = [512]}}
  %wide = arith.extsi %r : tensor<512xi32> to tensor<512xi64> // expected-remark {{c = [512] v = [*] k = [1] in 0 to 511}}
  %byte = arith.trunci %r : tensor<512xi32> to tensor<512xi8> // expected-remark {{c = [128] v = [128] k = [1] run = [512]}}
  %back = arith.extui %byte : tensor<512xi8> to tensor<512xi32> // expected-remark {{c = [128] v = [128] k = [1] run = [512] in 0 to 255}}
  %f = arith.sitofp %r : tensor<512xi32> to tensor<512xf32> // expected-remark {{k = [1]}}
  %one = arith.constant dense<1.0> : tensor<512xf32> // expected-remark {{k = [512]}}
  %e = math.exp2 %one : tensor<512xf32> // expected-remark {{k = [512]}}
  %list = arith.constant dense<[4, 5, 6, 7, 0, 1, 2, 3]> : tensor<8xi32> // expected-remark {{c = [4] v = [4] k = [1] in 0 to 7}}
  return
}
