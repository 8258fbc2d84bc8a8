// RUN: env MALLOC_PERTURB_=85 tile-opt --split-input-file --verify-diagnostics %s -o /dev/null

// What a body defines that cannot be read to its end, and operations outside of it use, is let go of.
func.func @forward(%x: tensor<16xf32>, %n: index, %c: index) {
  scf.for %i = %c to %n step %c {
    %y = arith.addf %a, %b : f32
    %s = tile.reduce %x axis = 0 : tensor<16xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %d = arith.addf %a, %b : f32
    // expected-error @+1 {{redefinition of block '^bb0'}}
    ^bb0(%e: f32, %f: f32):
    }
  }
  return
}

// -----

func.func @behind1(%a: f32, %b: f32, %c: i1, %d: index, %e: index) {
  scf.for %i = %d to %e step %d {
    %0 = arith.addf %a, %b : f32
  }
  return
}

// -----

func.func @behind2(%a: f32, %b: f32, %c: i1, %d: index, %e: index) {
  scf.for %i = %d to %e step %d {
    %0 = arith.addf %a, %b : f32
  }
  return
}

// -----

func.func @behind3(%a: f32, %b: f32, %c: i1, %d: index, %e: index) {
  scf.for %i = %d to %e step %d {
    %0 = arith.addf %a, %b : f32
  }
  return
}
