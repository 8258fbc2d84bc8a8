// Loops, early returns, calls, limits and assertions.
// RUN: tile-run %s --kernel=collatz --grid=1 --arg=i32=27 | FileCheck %s --check-prefix=COLLATZ
// RUN: not tile-run %s --kernel=collatz --grid=1 --arg=i32=0 --max-steps=500 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: tile-run %s --kernel=early --grid=4 --arg=i32=2 | FileCheck %s --check-prefix=EARLY
// RUN: not tile-run %s --kernel=checked --grid=2 --arg=i32=5 --debug 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not tile-run %s --kernel=endless --grid=1 --arg=i32=5 2>&1 | FileCheck %s --check-prefix=RECURSE

// COLLATZ: pid (0, 0, 0) idx () steps 111
// LIMIT: op program (0, 0, 0): the limit of 500 steps is reached
func.func @collatz(%n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last, %steps = scf.while (%v = %n, %s = %zero) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi ne, %v, %one : i32
    scf.condition(%go) %v, %s : i32, i32
  } do {
  ^bb0(%v: i32, %s: i32):
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %rem = arith.remui %v, %two : i32
    %odd = arith.cmpi eq, %rem, %one : i32
    %w = scf.if %odd -> (i32) {
      %t = arith.muli %v, %three : i32
      %u = arith.addi %t, %one : i32
      scf.yield %u : i32
    } else {
      %h = arith.divui %v, %two : i32
      scf.yield %h : i32
    }
    %more = arith.addi %s, %one : i32
    scf.yield %w, %more : i32, i32
  }
  tile.print "steps " %steps : i32
  return
}

// EARLY: pid (0, 0, 0) idx () worked 0
// EARLY-NEXT: pid (1, 0, 0) idx () worked 1
// EARLY-NOT: worked
func.func @early(%n: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %beyond = arith.cmpi sge, %pid, %n : i32
  cf.cond_br %beyond, ^end, ^work
^work:
  func.call @report(%pid) : (i32) -> ()
  cf.br ^end
^end:
  return
}
func.func private @report(%x: i32) {
  tile.print "worked " %x : i32
  return
}

// ASSERT: control.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'tile.assert' op program (0, 0, 0): element [5]: too large
func.func @checked(%n: i32) attributes {tile.kernel} {
  %i = tile.make_range 0 to 8 : tensor<8xi32>
  %limit = tile.splat %n : tensor<8xi32>
  %ok = arith.cmpi slt, %i, %limit : tensor<8xi32>
  tile.assert %ok, "too large" : tensor<8xi1>
  return
}

// RECURSE: calls 'again' recursively, which is not supported
func.func @endless(%n: i32) attributes {tile.kernel} {
  %x = func.call @again(%n) : (i32) -> i32
  tile.print "never " %x : i32
  return
}
func.func private @again(%n: i32) -> i32 {
  %x = func.call @again(%n) : (i32) -> i32
  return %x : i32
}
