// Quotient and remainder of the same narrow numbers: LLVM without optimisation cannot select them together below 32 bits.
// RUN: tile-translate %s --target=gfx942 --opt-level=0 --emit=hsaco -o %t.hsaco
// RUN: tile-translate %s --target=gfx1201 --opt-level=0 --emit=hsaco -o %t.hsaco
// RUN: tile-translate %s --target=gfx1100 --opt-level=3 --emit=hsaco -o %t.hsaco
// RUN: tile-translate %s --target=sm_80 --opt-level=0 --emit=ptx -o %t.ptx
// RUN: tile-translate %s --target=gfx942 --emit=llvm-dialect | FileCheck %s

// CHECK-COUNT-2: llvm.udiv %{{.*}} : i32
// CHECK-COUNT-2: llvm.sdiv %{{.*}} : i32
func.func @k(%x: !tile.ptr<i8>, %y: !tile.ptr<i16>) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %x1 = tile.addptr %x, %one : !tile.ptr<i8>, i32
  %y1 = tile.addptr %y, %one : !tile.ptr<i16>, i32
  %a = tile.load %x : !tile.ptr<i8>
  %b = tile.load %x1 : !tile.ptr<i8>
  %c = tile.load %y : !tile.ptr<i16>
  %d = tile.load %y1 : !tile.ptr<i16>
  %u = arith.divui %a, %b : i8
  %v = arith.remui %a, %b : i8
  %w = arith.ceildivui %c, %d : i16
  %s = arith.divsi %a, %b : i8
  %t = arith.remsi %a, %b : i8
  %q = arith.floordivsi %c, %d : i16
  %f = arith.xori %u, %v : i8
  %g = arith.xori %s, %t : i8
  %h = arith.xori %w, %q : i16
  tile.store %x, %f : !tile.ptr<i8>
  tile.store %x1, %g : !tile.ptr<i8>
  tile.store %y, %h : !tile.ptr<i16>
  return
}
