// Programs that wait for later ones are put aside. The sums of five programs in two rows, twice.
// RUN: tile-run %s --kernel=barrier --device=sim --target=sm_90a --grid=5,2 --against=cpu --arg=i32[2]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros | FileCheck %s
// RUN: tile-run %s --kernel=barrier --device=sim --target=sm_80 --num-warps=1 --grid=5,2 --against=cpu --shuffle=3 --arg=i32[2]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros | FileCheck %s
// RUN: tile-run %s --kernel=barrier --device=sim --target=gfx942 --num-warps=8 --grid=5,2 --against=cpu --arg=i32[2]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros | FileCheck %s
// RUN: tile-run %s --kernel=answer --device=sim --target=gfx1100 --grid=40 --against=cpu --arg=i32[40]=zeros | FileCheck %s --check-prefix=ANSWER
// RUN: not tile-run %s --kernel=barrier --device=sim --target=sm_90a --max-steps=200000 --grid=5,2 --arg=i32[2]=fill:-100 --arg=i32[10]=zeros --arg=i32[10]=zeros --arg=i32[10]=zeros 2>&1 | FileCheck %s --check-prefix=STEPS

// CHECK: argument 3 'z' i32[10]: equals cpu bit for bit
// STEPS: 200000
func.func @barrier(%flag: !tile.ptr<i32>, %x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %z: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %column = tile.program_id x
  %row = tile.program_id y
  %n = tile.num_programs x
  %f = tile.addptr %flag, %row : !tile.ptr<i32>, i32
  %first = arith.muli %row, %n : i32
  %me = arith.addi %first, %column : i32
  %number = arith.addi %column, %one : i32
  %px = tile.addptr %x, %me : !tile.ptr<i32>, i32
  tile.store %px, %number : !tile.ptr<i32>
  func.call @wait(%f, %n) : (!tile.ptr<i32>, i32) -> ()
  %s = func.call @sum(%x, %first, %n) : (!tile.ptr<i32>, i32, i32) -> i32
  %py = tile.addptr %y, %me : !tile.ptr<i32>, i32
  tile.store %py, %s : !tile.ptr<i32>
  %m = arith.addi %n, %n : i32
  func.call @wait(%f, %m) : (!tile.ptr<i32>, i32) -> ()
  %t = func.call @sum(%y, %first, %n) : (!tile.ptr<i32>, i32, i32) -> i32
  %pz = tile.addptr %z, %me : !tile.ptr<i32>, i32
  tile.store %pz, %t : !tile.ptr<i32>
  return
}

func.func private @wait(%f: !tile.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %old = tile.atomic_rmw add %f, %one sem = release : !tile.ptr<i32>
  scf.while : () -> () {
    %now = tile.atomic_rmw add %f, %zero sem = acquire : !tile.ptr<i32>
    %more = arith.cmpi slt, %now, %n : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}

func.func private @sum(%x: !tile.ptr<i32>, %first: i32, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = scf.for %i = %zero to %n step %one iter_args(%a = %zero) -> (i32) : i32 {
    %j = arith.addi %first, %i : i32
    %p = tile.addptr %x, %j : !tile.ptr<i32>, i32
    %v = tile.load %p volatile : !tile.ptr<i32>
    %b = arith.addi %a, %v : i32
    scf.yield %b : i32
  }
  return %s : i32
}

// ANSWER: argument 0 'p' i32[40]: equals cpu bit for bit
func.func @answer(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %me = tile.program_id x
  %n = tile.num_programs x
  %next = arith.addi %me, %one : i32
  %waits = arith.cmpi slt, %next, %n : i32
  %q = tile.addptr %p, %next : !tile.ptr<i32>, i32
  scf.if %waits {
    %seen = tile.atomic_poll %q, %one sem = acquire : !tile.ptr<i32>
  }
  %mine = tile.addptr %p, %me : !tile.ptr<i32>, i32
  %old = tile.atomic_rmw exch %mine, %one sem = release : !tile.ptr<i32>
  return
}
