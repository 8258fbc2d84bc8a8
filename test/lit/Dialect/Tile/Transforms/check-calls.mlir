// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check-calls

// Calls of calls are fine; a private function that nobody calls may be anything.
func.func private @leaf(%n: i32) -> i32 {
  return %n : i32
}
func.func private @twice(%n: i32) -> i32 {
  %a = func.call @leaf(%n) : (i32) -> i32
  %b = func.call @leaf(%a) : (i32) -> i32
  return %b : i32
}
func.func private @unused() {
  func.call @unused() : () -> ()
  return
}
func.func @kernel(%n: i32) attributes {tile.kernel} {
  %a = func.call @twice(%n) : (i32) -> i32
  return
}

// -----

// expected-note@+1 {{the function is here}}
func.func private @even(%n: i32) -> i32 {
  %r = func.call @odd(%n) : (i32) -> i32
  return %r : i32
}
func.func private @odd(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %more = arith.cmpi sgt, %n, %zero : i32
  %r = scf.if %more -> i32 {
    // expected-error@+1 {{'func.call' op calls 'even' recursively, which is not supported: helpers are inlined}}
    %q = func.call @even(%n) : (i32) -> i32
    scf.yield %q : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
func.func @kernel(%n: i32) attributes {tile.kernel} {
  %r = func.call @even(%n) : (i32) -> i32
  return
}

// -----

func.func private @elsewhere(%n: i32)
func.func @kernel(%n: i32) attributes {tile.kernel} {
  // expected-error@+1 {{'func.call' op calls 'elsewhere', which has no body, expected a function of this file}}
  func.call @elsewhere(%n) : (i32) -> ()
  return
}

// -----

// Each level calls the one below it four times.
func.func private @level0(%p: !tile.ptr<i32>, %n: i32) {
  tile.store %p, %n : !tile.ptr<i32>
  return
}
func.func private @level1(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level0(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level0(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level0(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level0(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func private @level2(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level1(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level1(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level1(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level1(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func private @level3(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level2(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level2(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level2(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level2(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func private @level4(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level3(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level3(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level3(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level3(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func private @level5(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level4(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level4(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level4(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level4(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func private @level6(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level5(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level5(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level5(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level5(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func private @level7(%p: !tile.ptr<i32>, %n: i32) {
  func.call @level6(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level6(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level6(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level6(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
func.func @kernel(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  func.call @level7(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level7(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  func.call @level7(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  // expected-error@+1 {{'func.call' op leads to more than 65536 inlined calls, expected fewer}}
  func.call @level7(%p, %n) : (!tile.ptr<i32>, i32) -> ()
  return
}
