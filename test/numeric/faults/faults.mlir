// What users of other tile compilers reported as wrong, as kernels of this one; cases_faults.py has the right values and says
// which report each stands for.
//
// tile.param N = 64

// ---- Addresses and masks that look more regular than they are ----

// Rows 0, 1, 0, 1, .. and, from the 16th on, 0, 1, 2, 3, ..: a row's start is not aligned to anything.
func.func @overlapping_rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %c = tile.make_range 0 to 16 : tensor<16xi32>
  %c16 = arith.constant dense<16> : tensor<32xi32>
  %c2 = arith.constant dense<2> : tensor<32xi32>
  %group = arith.divsi %r, %c16 : tensor<32xi32>
  %period = arith.shli %c2, %group : tensor<32xi32>
  %start = arith.remsi %r, %period : tensor<32xi32>
  %start2 = tile.expand_dims %start axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.expand_dims %r axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c1 = tile.expand_dims %c axis = 0 : tensor<16xi32> -> tensor<1x16xi32>
  %starts = tile.broadcast %start2 : tensor<32x1xi32> -> tensor<32x16xi32>
  %columns = tile.broadcast %c1 : tensor<1x16xi32> -> tensor<32x16xi32>
  %from = arith.addi %starts, %columns : tensor<32x16xi32>
  %xs = tile.splat %x : tensor<32x16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %from : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
  %v = tile.load %px : tensor<32x16x!tile.ptr<f32>>
  %width = arith.constant dense<16> : tensor<32x1xi32>
  %row = arith.muli %r2, %width : tensor<32x1xi32>
  %rows = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x16xi32>
  %to = arith.addi %rows, %columns : tensor<32x16xi32>
  %ys = tile.splat %y : tensor<32x16x!tile.ptr<f32>>
  %py = tile.addptr %ys, %to : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
  tile.store %py, %v : tensor<32x16x!tile.ptr<f32>>
  return
}

// Division rounds towards zero: of -64 .. -57 only the first gives -2.
func.func @negative_division(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                             %z: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range -64 to -56 : tensor<8xi32>
  %i = tile.make_range 0 to 8 : tensor<8xi32>
  %c32 = arith.constant dense<32> : tensor<8xi32>
  %c2 = arith.constant dense<2> : tensor<8xi32>
  %q = arith.divsi %r, %c32 : tensor<8xi32>
  %at = arith.addi %q, %c2 : tensor<8xi32>
  %xs = tile.splat %x : tensor<8x!tile.ptr<f32>>
  %px = tile.addptr %xs, %at : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %px : tensor<8x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<8x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %py, %v : tensor<8x!tile.ptr<f32>>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %first = arith.cmpi eq, %at, %zero : tensor<8xi32>
  %zs = tile.splat %z : tensor<8x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %pz, %v mask %first : tensor<8x!tile.ptr<f32>>
  return
}

// 64 mod 32 .. 159 is a multiple of 32 for some divisors only.
func.func @remainder_of_constant(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 32 to 160 : tensor<128xi32>
  %i = tile.make_range 0 to 128 : tensor<128xi32>
  %c64 = arith.constant dense<64> : tensor<128xi32>
  %at = arith.remsi %c64, %r : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>>
  %px = tile.addptr %xs, %at : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<128x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %py, %v : tensor<128x!tile.ptr<f32>>
  return
}

// Indices of 32 bits whose offset in bytes needs more: from a base far in front of the buffer.
func.func @far_offsets(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %first: i32) attributes {tile.kernel} {
  %wide = arith.extsi %first : i32 to i64
  %c0 = arith.constant 0 : i64
  %back = arith.subi %c0, %wide : i64
  %xbase = tile.addptr %x, %back : !tile.ptr<f32>, i64
  %ybase = tile.addptr %y, %back : !tile.ptr<f32>, i64
  %r = tile.make_range 0 to 256 : tensor<256xi32>
  %firsts = tile.splat %first : tensor<256xi32>
  %i = arith.addi %firsts, %r : tensor<256xi32>
  %xs = tile.splat %xbase : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %px : tensor<256x!tile.ptr<f32>>
  %ys = tile.splat %ybase : tensor<256x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %py, %v : tensor<256x!tile.ptr<f32>>
  return
}

// ---- Reductions inside of branches ----

// y = A x, one row a program, with masks, a loop and a branch that only the arguments decide.
func.func @product_in_branch(%a: !tile.ptr<f32>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %always: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %row = tile.program_id x
  %inside = arith.cmpi slt, %row, %n : i32
  %go = arith.cmpi ne, %always, %c0 : i32
  %both = arith.andi %inside, %go : i1
  scf.if %both {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : tensor<2xf32>
    %start = arith.muli %row, %n : i32
    %from = tile.addptr %a, %start : !tile.ptr<f32>, i32
    %sum = scf.for %k = %c0 to %n step %c2 iter_args(%acc = %zero) -> (f32) : i32 {
      %part = scf.if %go -> (f32) {
        %r = tile.make_range 0 to 2 : tensor<2xi32>
        %ks = tile.splat %k : tensor<2xi32>
        %i = arith.addi %ks, %r : tensor<2xi32>
        %ns = tile.splat %n : tensor<2xi32>
        %in = arith.cmpi slt, %i, %ns : tensor<2xi32>
        %as = tile.splat %from : tensor<2x!tile.ptr<f32>>
        %pa = tile.addptr %as, %i : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
        %va = tile.load %pa mask %in other %none : tensor<2x!tile.ptr<f32>>
        %xs = tile.splat %x : tensor<2x!tile.ptr<f32>>
        %px = tile.addptr %xs, %i : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
        %vx = tile.load %px mask %in other %none : tensor<2x!tile.ptr<f32>>
        %p = arith.mulf %va, %vx : tensor<2xf32>
        %s = tile.reduce %p axis = 0 : tensor<2xf32> -> f32 {
        ^bb0(%l: f32, %m: f32):
          %t = arith.addf %l, %m : f32
          tile.yield %t : f32
        }
        scf.yield %s : f32
      } else {
        scf.yield %zero : f32
      }
      %next = arith.addf %acc, %part : f32
      scf.yield %next : f32
    }
    %py = tile.addptr %y, %row : !tile.ptr<f32>, i32
    tile.store %py, %sum : !tile.ptr<f32>
  }
  return
}

// Whole blocks in a loop whose length is known at run time only, the rest behind it.
func.func @epilogue(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %blocks = arith.divsi %n, %c64 : i32
  %whole = arith.muli %blocks, %c64 : i32
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %sums = scf.for %k = %c0 to %whole step %c64 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %ks = tile.splat %k : tensor<64xi32>
    %i = arith.addi %ks, %r : tensor<64xi32>
    %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %p : tensor<64x!tile.ptr<f32>>
    %t = arith.addf %acc, %v : tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  }
  %rest = arith.remsi %n, %c64 : i32
  %some = arith.cmpi sgt, %rest, %c0 : i32
  %all = scf.if %some -> (tensor<64xf32>) {
    %ws = tile.splat %whole : tensor<64xi32>
    %i = arith.addi %ws, %r : tensor<64xi32>
    %ns = tile.splat %n : tensor<64xi32>
    %in = arith.cmpi slt, %i, %ns : tensor<64xi32>
    %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %p mask %in other %zero : tensor<64x!tile.ptr<f32>>
    %t = arith.addf %sums, %v : tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  } else {
    scf.yield %sums : tensor<64xf32>
  }
  %s = tile.reduce %all axis = 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %y, %s : !tile.ptr<f32>
  return
}

// ---- Scans ----

func.func @reverse_recurrence(%f: !tile.ptr<f32>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to ${N} : tensor<${N}xi32>
  %fs = tile.splat %f : tensor<${N}x!tile.ptr<f32>>
  %pf = tile.addptr %fs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %vf = tile.load %pf : tensor<${N}x!tile.ptr<f32>>
  %xs = tile.splat %x : tensor<${N}x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  %vx = tile.load %px : tensor<${N}x!tile.ptr<f32>>
  %r:2 = tile.scan %vf, %vx axis = 0 reverse : tensor<${N}xf32>, tensor<${N}xf32> {
  ^bb0(%fl: f32, %xl: f32, %fr: f32, %xr: f32):
    %g = arith.mulf %fr, %fl : f32
    %p = arith.mulf %fr, %xl : f32
    %q = arith.addf %p, %xr : f32
    tile.yield %g, %q : f32, f32
  }
  %ys = tile.splat %y : tensor<${N}x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<${N}x!tile.ptr<f32>>, tensor<${N}xi32>
  tile.store %py, %r#1 : tensor<${N}x!tile.ptr<f32>>
  return
}

// Each step halves what was before: as pairs, so that the combiner is associative. Along the first of two dimensions.
func.func @halving(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %n = tile.make_range 0 to 64 : tensor<64xi32>
  %i = tile.reshape %n : tensor<64xi32> -> tensor<8x8xi32>
  %xs = tile.splat %x : tensor<8x8x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
  %v = tile.load %px : tensor<8x8x!tile.ptr<f32>>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %r:2 = tile.scan %half, %v axis = 0 : tensor<8x8xf32>, tensor<8x8xf32> {
  ^bb0(%fl: f32, %xl: f32, %fr: f32, %xr: f32):
    %g = arith.mulf %fr, %fl : f32
    %p = arith.mulf %fr, %xl : f32
    %q = arith.addf %p, %xr : f32
    tile.yield %g, %q : f32, f32
  }
  %ys = tile.splat %y : tensor<8x8x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
  tile.store %py, %r#1 : tensor<8x8x!tile.ptr<f32>>
  return
}

// One row of 2048 by eight warps: sums, and logarithms of sums of exponentials.
func.func @wide_scans(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %z: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %n = tile.make_range 0 to 2048 : tensor<2048xi32>
  %i = tile.expand_dims %n axis = 0 : tensor<2048xi32> -> tensor<1x2048xi32>
  %xs = tile.splat %x : tensor<1x2048x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<1x2048x!tile.ptr<f32>>, tensor<1x2048xi32>
  %v = tile.load %px : tensor<1x2048x!tile.ptr<f32>>
  %s = tile.scan %v axis = 1 : tensor<1x2048xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %l = tile.scan %v axis = 1 : tensor<1x2048xf32> {
  ^bb0(%a: f32, %b: f32):
    %most = arith.maxnumf %a, %b : f32
    %da = arith.subf %a, %most : f32
    %db = arith.subf %b, %most : f32
    %ea = math.exp %da : f32
    %eb = math.exp %db : f32
    %e = arith.addf %ea, %eb : f32
    %log = math.log %e : f32
    %c = arith.addf %most, %log : f32
    tile.yield %c : f32
  }
  %ys = tile.splat %y : tensor<1x2048x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<1x2048x!tile.ptr<f32>>, tensor<1x2048xi32>
  tile.store %py, %s : tensor<1x2048x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<1x2048x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<1x2048x!tile.ptr<f32>>, tensor<1x2048xi32>
  tile.store %pz, %l : tensor<1x2048x!tile.ptr<f32>>
  return
}

// ---- Truth values ----

// Running counts and running "any" of i1; a sum of 256 truths is true; the sum of two truths in one bit wraps.
func.func @truths(%x: !tile.ptr<i1>, %counts: !tile.ptr<i32>, %any: !tile.ptr<i1>, %parity: !tile.ptr<i1>, %total: !tile.ptr<i1>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 4 : tensor<4xi32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<i1>>
  %px = tile.addptr %xs, %i : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  %v = tile.load %px : tensor<4x!tile.ptr<i1>>
  %w = arith.extui %v : tensor<4xi1> to tensor<4xi32>
  %c = tile.scan %w axis = 0 : tensor<4xi32> {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tile.yield %s : i32
  }
  %o = tile.scan %v axis = 0 : tensor<4xi1> {
  ^bb0(%a: i1, %b: i1):
    %s = arith.ori %a, %b : i1
    tile.yield %s : i1
  }
  %p = tile.scan %v axis = 0 : tensor<4xi1> {
  ^bb0(%a: i1, %b: i1):
    %s = arith.addi %a, %b : i1
    tile.yield %s : i1
  }
  %cs = tile.splat %counts : tensor<4x!tile.ptr<i32>>
  %pc = tile.addptr %cs, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %pc, %c : tensor<4x!tile.ptr<i32>>
  %os = tile.splat %any : tensor<4x!tile.ptr<i1>>
  %po = tile.addptr %os, %i : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  tile.store %po, %o : tensor<4x!tile.ptr<i1>>
  %ps = tile.splat %parity : tensor<4x!tile.ptr<i1>>
  %pp = tile.addptr %ps, %i : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  tile.store %pp, %p : tensor<4x!tile.ptr<i1>>

  %true = arith.constant dense<true> : tensor<128x2xi1>
  %ones = arith.extui %true : tensor<128x2xi1> to tensor<128x2xi32>
  %rows = tile.reduce %ones axis = 1 : tensor<128x2xi32> -> tensor<128xi32> {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tile.yield %s : i32
  }
  %all = tile.reduce %rows axis = 0 : tensor<128xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tile.yield %s : i32
  }
  %c0 = arith.constant 0 : i32
  %some = arith.cmpi ne, %all, %c0 : i32
  tile.store %total, %some : !tile.ptr<i1>
  return
}

// ---- Conversions ----

func.func @to_bytes(%x: !tile.ptr<f16>, %y: !tile.ptr<i8>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 8 : tensor<8xi32>
  %xs = tile.splat %x : tensor<8x!tile.ptr<f16>>
  %px = tile.addptr %xs, %i : tensor<8x!tile.ptr<f16>>, tensor<8xi32>
  %v = tile.load %px : tensor<8x!tile.ptr<f16>>
  %b = arith.fptosi %v : tensor<8xf16> to tensor<8xi8>
  %ys = tile.splat %y : tensor<8x!tile.ptr<i8>>
  %py = tile.addptr %ys, %i : tensor<8x!tile.ptr<i8>>, tensor<8xi32>
  tile.store %py, %b : tensor<8x!tile.ptr<i8>>
  return
}

// Every f16, by its bits.
func.func @to_f8(%y: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %pid = tile.program_id x
  %size = arith.constant 1024 : i32
  %first = arith.muli %pid, %size : i32
  %firsts = tile.splat %first : tensor<1024xi32>
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %i = arith.addi %firsts, %r : tensor<1024xi32>
  %bits = arith.trunci %i : tensor<1024xi32> to tensor<1024xi16>
  %v = tile.bitcast %bits : tensor<1024xi16> -> tensor<1024xf16>
  %a = tile.fp_to_fp %v : tensor<1024xf16> -> tensor<1024xf8E5M2>
  %b = tile.fp_to_fp %v : tensor<1024xf16> -> tensor<1024xf8E4M3FN>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f8E5M2>>
  %py = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  tile.store %py, %a : tensor<1024x!tile.ptr<f8E5M2>>
  %zs = tile.splat %z : tensor<1024x!tile.ptr<f8E4M3FN>>
  %pz = tile.addptr %zs, %i : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  tile.store %pz, %b : tensor<1024x!tile.ptr<f8E4M3FN>>
  return
}

// ---- Memory written and read by one program ----

// Other elements' values are visible behind a barrier.
func.func @store_then_load(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %last = arith.constant dense<255> : tensor<256xi32>
  %back = arith.subi %last, %i : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %px, %i : tensor<256x!tile.ptr<i32>>
  tile.barrier
  %pb = tile.addptr %xs, %back : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %v = tile.load %pb : tensor<256x!tile.ptr<i32>>
  %ys = tile.splat %y : tensor<256x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %py, %v : tensor<256x!tile.ptr<i32>>
  return
}

// A scalar that all programs add to happens once a program, and what each gets back is one of the sums before.
func.func @tickets(%counter: !tile.ptr<i32>, %seen: !tile.ptr<i32>) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %old = tile.atomic_rmw add %counter, %c1 sem = acq_rel : !tile.ptr<i32>
  %i = tile.make_range 0 to 64 : tensor<64xi32>
  %c64 = arith.constant 64 : i32
  %start = arith.muli %old, %c64 : i32
  %from = tile.addptr %seen, %start : !tile.ptr<i32>, i32
  %ps = tile.splat %from : tensor<64x!tile.ptr<i32>>
  %p = tile.addptr %ps, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %v = tile.splat %old : tensor<64xi32>
  tile.store %p, %v : tensor<64x!tile.ptr<i32>>
  return
}

// Elements of one tile that share an address are all added, and what they replace is a permutation.
func.func @same_address(%sum: !tile.ptr<f32>, %count: !tile.ptr<i32>, %got: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 128 : tensor<128xi32>
  %f = arith.sitofp %i : tensor<128xi32> to tensor<128xf32>
  %ps = tile.splat %sum : tensor<128x!tile.ptr<f32>>
  %old = tile.atomic_rmw fadd %ps, %f : tensor<128x!tile.ptr<f32>>
  %one = arith.constant dense<1> : tensor<128xi32>
  %pc = tile.splat %count : tensor<128x!tile.ptr<i32>>
  %number = tile.atomic_rmw add %pc, %one : tensor<128x!tile.ptr<i32>>
  %gs = tile.splat %got : tensor<128x!tile.ptr<i32>>
  %pg = tile.addptr %gs, %number : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %pg, %number : tensor<128x!tile.ptr<i32>>
  return
}

// What a program does to one element happens in the order of the text, without a barrier: small tensors, of which several warps
// hold copies, and scalars.
func.func @in_place(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.make_range 0 to 3 : tensor<3xi32>
  %xs = tile.splat %x : tensor<3x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<3x!tile.ptr<f32>>, tensor<3xi32>
  %v = tile.load %p : tensor<3x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<3xf32>
  tile.store %p, %w : tensor<3x!tile.ptr<f32>>
  return
}

func.func @scalar_updates(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %i = tile.make_range 0 to 64 : tensor<64xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %v = tile.load %x : !tile.ptr<i32>
    %w = arith.addi %v, %c1 : i32
    tile.store %x, %w : !tile.ptr<i32>
    %again = tile.load %x : !tile.ptr<i32>
    %start = arith.muli %k, %c64 : i32
    %from = tile.addptr %y, %start : !tile.ptr<i32>, i32
    %ps = tile.splat %from : tensor<64x!tile.ptr<i32>>
    %p = tile.addptr %ps, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %sum = arith.addi %v, %again : i32
    %sums = tile.splat %sum : tensor<64xi32>
    tile.store %p, %sums : tensor<64x!tile.ptr<i32>>
  }
  return
}

// y[i] = x[64 + (start + i) % n], where n is a multiple of 16 and the remainder has the sign of start + i.
func.func @remainder_of_sum(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
    %start: i32 {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %range = tile.make_range 0 to 128 : tensor<128xi32>
  %starts = tile.splat %start : tensor<128xi32>
  %sum = arith.addi %starts, %range : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %r = arith.remsi %sum, %ns : tensor<128xi32>
  %base = arith.constant dense<64> : tensor<128xi32>
  %at = arith.addi %r, %base : tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<128x!tile.ptr<f32>>
  %px = tile.addptr %xs, %at : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %py = tile.addptr %ys, %range : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<f32>>
  tile.store %py, %v : tensor<128x!tile.ptr<f32>>
  return
}
