// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check-branches
// RUN: not tile-opt %s -split-input-file --convert-tt-to-tile 2>&1 | FileCheck %s
// CHECK: error: 'llvm.cond_br' op branches in 'tt.func', expected cf.br, cf.cond_br or cf.switch

// Lifted later.
func.func @lifted(%c: i1, %n: i32) attributes {tile.kernel} {
  cf.cond_br %c, ^a, ^b
^a:
  cf.switch %n : i32, [default: ^b, 1: ^b]
^b:
  return
}
// Not lifted.
llvm.func @lowered(%c: i1) {
  llvm.cond_br %c, ^a, ^a
^a:
  llvm.return
}

// -----

// Joined twice: upstream's lifting would free ^join while the second branch led to it.
func.func @kernel(%c: i1, %d: i1) attributes {tile.kernel} {
  // expected-error@+1 {{'llvm.cond_br' op branches in 'func.func', expected cf.br, cf.cond_br or cf.switch}}
  llvm.cond_br %c, ^join, ^wait
^wait:
  llvm.cond_br %d, ^join, ^more
^more:
  llvm.br ^join
^join:
  return
}

// -----

func.func @nested(%c: i1) attributes {tile.kernel} {
  scf.execute_region {
    // expected-error@+1 {{'llvm.br' op branches in 'func.func'}}
    llvm.br ^end
  ^end:
    scf.yield
  }
  return
}

// -----

tt.func public @triton(%c: i1) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^b
^b:
  tt.return
}
