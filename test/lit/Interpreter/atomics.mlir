// Programs run one after another: counters, locks and a poll that nobody answers.
// RUN: tile-run %s --kernel=count --grid=7,3 --arg=i32[2]=zeros | FileCheck %s --check-prefix=COUNT
// RUN: not tile-run %s --kernel=wait --grid=1 --arg=i32[2]=zeros 2>&1 | FileCheck %s --check-prefix=WAIT

// COUNT: pid (0, 0, 0) idx () ticket 0
// COUNT: pid (0, 1, 0) idx () ticket 7
// COUNT: pid (6, 2, 0) idx () ticket 20
func.func @count(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %t = tile.atomic_rmw add %p, %one sem = acq_rel : !tile.ptr<i32>
  tile.print "ticket " %t : i32
  return
}

// WAIT: 'tile.atomic_poll' op program (0, 0, 0): waits for ever: memory holds 0, expected 1, and no other program can change it
func.func @wait(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %seen = tile.atomic_poll %p, %one sem = acquire : !tile.ptr<i32>
  tile.print "seen " %seen : i1
  return
}
