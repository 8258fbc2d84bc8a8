// What the cpu device says of bad accesses: location, op, program, element, buffer.
// RUN: not tile-run %s --kernel=past --grid=3 --arg=f32[100]=zeros --arg=i32=128 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not tile-run %s --kernel=before --grid=1 --arg=i64[4]=zeros 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not tile-run %s --kernel=wild --grid=1 --arg=i64[4]=zeros 2>&1 | FileCheck %s --check-prefix=WILD
// RUN: not tile-run %s --kernel=odd --grid=1 --arg=i64[4]=zeros 2>&1 | FileCheck %s --check-prefix=ODD

// PAST: memory-errors.mlir:[[#@LINE+13]]:{{[0-9]+}}: error: 'tile.load' op program (1, 0, 0): element [36] reads 4 bytes at offset 400 of argument 0, which has 400 bytes (f32[100])
func.func @past(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %c64 = arith.constant 64 : i32
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : tensor<64xi32>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %i = arith.addi %firsts, %r : tensor<64xi32>
  %ns = tile.splat %n : tensor<64xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %ps = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %pi = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  // The mask trusts n, the buffer is shorter.
  %v = tile.load %pi mask %in : tensor<64x!tile.ptr<f32>>
  tile.store %pi, %v mask %in : tensor<64x!tile.ptr<f32>>
  return
}

// BEFORE: 'tile.store' op program (0, 0, 0): element [0, 1] writes 8 bytes at offset -8 of argument 0, which has 32 bytes (i64[4])
func.func @before(%p: !tile.ptr<i64>) attributes {tile.kernel} {
  %off = arith.constant dense<[[0, -1]]> : tensor<1x2xi32>
  %v = arith.constant dense<7> : tensor<1x2xi64>
  %ps = tile.splat %p : tensor<1x2x!tile.ptr<i64>>
  %pi = tile.addptr %ps, %off : tensor<1x2x!tile.ptr<i64>>, tensor<1x2xi32>
  tile.store %pi, %v : tensor<1x2x!tile.ptr<i64>>
  return
}

// WILD: 'tile.load' op program (0, 0, 0): reads 4 bytes at offset {{-?[0-9]+}} of the nearest argument 0
func.func @wild(%p: !tile.ptr<i64>) attributes {tile.kernel} {
  %a = tile.load %p : !tile.ptr<i64>
  %q = tile.int_to_ptr %a : i64 -> !tile.ptr<f32>
  %v = tile.load %q : !tile.ptr<f32>
  %i = arith.fptosi %v : f32 to i64
  tile.store %p, %i : !tile.ptr<i64>
  return
}

// ODD: 'tile.load' op program (0, 0, 0): reads 4 bytes at address 0x{{[0-9a-f]+}}, which is not aligned to them
func.func @odd(%p: !tile.ptr<i64>) attributes {tile.kernel} {
  %b = tile.bitcast %p : !tile.ptr<i64> -> !tile.ptr<i8>
  %two = arith.constant 2 : i32
  %c = tile.addptr %b, %two : !tile.ptr<i8>, i32
  %d = tile.bitcast %c : !tile.ptr<i8> -> !tile.ptr<i32>
  %v = tile.load %d : !tile.ptr<i32>
  %w = arith.extsi %v : i32 to i64
  tile.store %p, %w : !tile.ptr<i64>
  return
}
