// Scans of every shape that the lowering tells apart, on both vendors' chips.
// RUN: %S/Inputs/agree %s "1 4" --kernel=recurrence --arg=f32[128]=rand:1:0.5:1 --arg=f32[128]=randn:2
// RUN: %S/Inputs/agree %s "1 4 8" --kernel=discounted --arg=f32[64]=iota --atol=0 --rtol=0
// RUN: %S/Inputs/agree %s "1 2" --kernel=flags --arg=i1[4]=ones --arg=i32[4]=zeros
// RUN: %S/Inputs/agree %s "1 8" --kernel=row --arg=f32[2048]=rand:5:0:1 --arg=f32[2048]=zeros
// RUN: %S/Inputs/agree %s "2 8" --kernel=matrices --arg=i32[2048]=rand:6 --arg=i32[2048]=rand:7
// RUN: %S/Inputs/agree %s "1 4" --kernel=transposed --arg=i64[1024]=rand:8

// A linear recurrence from the right: the pair (f, x) stands for y -> f * y + x.
func.func @recurrence(%f: !tile.ptr<f32>, %x: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %fs = tile.splat %f : tensor<128x!tile.ptr<f32>>
  %fp = tile.addptr %fs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %fv = tile.load %fp : tensor<128x!tile.ptr<f32>>
  %xv = tile.load %xp : tensor<128x!tile.ptr<f32>>
  %fr, %xr = tile.scan %fv, %xv axis = 0 reverse : tensor<128xf32>, tensor<128xf32> {
  ^bb0(%fl: f32, %xl: f32, %fh: f32, %xh: f32):
    %fn = arith.mulf %fh, %fl : f32
    %m = arith.mulf %fh, %xl : f32
    %xn = arith.addf %m, %xh : f32
    tile.yield %fn, %xn : f32, f32
  }
  tile.store %fp, %fr : tensor<128x!tile.ptr<f32>>
  tile.store %xp, %xr : tensor<128x!tile.ptr<f32>>
  return
}

// Not even associative; a short axis is scanned from its first element to its last all the same.
func.func @discounted(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %half = arith.constant 0.5 : f32
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>>
  %m = tile.reshape %v : tensor<64xf32> -> tensor<8x8xf32>
  %s = tile.scan %m axis = 0 : tensor<8x8xf32> {
  ^bb0(%a: f32, %b: f32):
    %d = arith.mulf %a, %half : f32
    %c = arith.addf %d, %b : f32
    tile.yield %c : f32
  }
  %f = tile.reshape %s : tensor<8x8xf32> -> tensor<64xf32>
  tile.store %p, %f : tensor<64x!tile.ptr<f32>>
  return
}

// Four flags: how many up to here, and whether any after.
func.func @flags(%x: !tile.ptr<i1>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4 : tensor<4xi32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<i1>>
  %p = tile.addptr %xs, %r : tensor<4x!tile.ptr<i1>>, tensor<4xi32>
  %v = tile.load %p : tensor<4x!tile.ptr<i1>>
  %w = arith.extui %v : tensor<4xi1> to tensor<4xi32>
  %s = tile.scan %w axis = 0 : tensor<4xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  %any = tile.scan %v axis = 0 reverse : tensor<4xi1> {
  ^bb0(%a: i1, %b: i1):
    %c = arith.ori %a, %b : i1
    tile.yield %c : i1
  }
  %ys = tile.splat %y : tensor<4x!tile.ptr<i32>>
  %q = tile.addptr %ys, %r : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %q, %s : tensor<4x!tile.ptr<i32>>
  tile.store %p, %any : tensor<4x!tile.ptr<i1>>
  return
}

// One long row, several registers of a thread above all lanes and warps: sums, and logarithms of sums of exponentials.
func.func @row(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<f32>>
  %p = tile.addptr %xs, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<f32>>
  %row = tile.reshape %v : tensor<2048xf32> -> tensor<1x2048xf32>
  %s = tile.scan %row axis = 1 : tensor<1x2048xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %l = tile.scan %row axis = 1 : tensor<1x2048xf32> {
  ^bb0(%a: f32, %b: f32):
    %max = arith.maximumf %a, %b : f32
    %da = arith.subf %a, %max : f32
    %db = arith.subf %b, %max : f32
    %ea = math.exp %da : f32
    %eb = math.exp %db : f32
    %sum = arith.addf %ea, %eb : f32
    %log = math.log %sum : f32
    %c = arith.addf %max, %log : f32
    tile.yield %c : f32
  }
  %sf = tile.reshape %s : tensor<1x2048xf32> -> tensor<2048xf32>
  %lf = tile.reshape %l : tensor<1x2048xf32> -> tensor<2048xf32>
  %ys = tile.splat %y : tensor<2048x!tile.ptr<f32>>
  %q = tile.addptr %ys, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  tile.store %p, %sf : tensor<2048x!tile.ptr<f32>>
  tile.store %q, %lf : tensor<2048x!tile.ptr<f32>>
  return
}

// Products of matrices [a, b; b, c], which do not commute, along the middle of three dimensions.
func.func @matrices(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : tensor<2048x!tile.ptr<i32>>
  %p = tile.addptr %xs, %r : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  %ys = tile.splat %y : tensor<2048x!tile.ptr<i32>>
  %q = tile.addptr %ys, %r : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  %xv = tile.load %p : tensor<2048x!tile.ptr<i32>>
  %yv = tile.load %q : tensor<2048x!tile.ptr<i32>>
  %a0 = tile.reshape %xv : tensor<2048xi32> -> tensor<4x128x4xi32>
  %b0 = tile.reshape %yv : tensor<2048xi32> -> tensor<4x128x4xi32>
  %a, %b, %c, %d = tile.scan %a0, %b0, %b0, %a0 axis = 1 reverse : tensor<4x128x4xi32>, tensor<4x128x4xi32>, tensor<4x128x4xi32>, tensor<4x128x4xi32> {
  ^bb0(%la: i32, %lb: i32, %lc: i32, %ld: i32, %ra: i32, %rb: i32, %rc: i32, %rd: i32):
    %aa = arith.muli %la, %ra : i32
    %bc = arith.muli %lb, %rc : i32
    %na = arith.addi %aa, %bc : i32
    %ab = arith.muli %la, %rb : i32
    %bd = arith.muli %lb, %rd : i32
    %nb = arith.addi %ab, %bd : i32
    %ca = arith.muli %lc, %ra : i32
    %dc = arith.muli %ld, %rc : i32
    %nc = arith.addi %ca, %dc : i32
    %cb = arith.muli %lc, %rb : i32
    %dd = arith.muli %ld, %rd : i32
    %nd = arith.addi %cb, %dd : i32
    tile.yield %na, %nb, %nc, %nd : i32, i32, i32, i32
  }
  %ac = arith.xori %a, %c : tensor<4x128x4xi32>
  %bd = arith.xori %b, %d : tensor<4x128x4xi32>
  %acf = tile.reshape %ac : tensor<4x128x4xi32> -> tensor<2048xi32>
  %bdf = tile.reshape %bd : tensor<4x128x4xi32> -> tensor<2048xi32>
  tile.store %p, %acf : tensor<2048x!tile.ptr<i32>>
  tile.store %q, %bdf : tensor<2048x!tile.ptr<i32>>
  return
}

// In a loop, in another layout than the accesses, with control flow in the body: the larger one stays, unless negative.
func.func @transposed(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %r = tile.make_range 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<i64>>
  %p = tile.addptr %xs, %r : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<i64>>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %v) -> (tensor<1024xi64>) : i32 {
    %m = tile.reshape %u : tensor<1024xi64> -> tensor<16x64xi64>
    %t = tile.trans %m order = [1, 0] : tensor<16x64xi64> -> tensor<64x16xi64>
    %flat = tile.reshape %t : tensor<64x16xi64> -> tensor<1024xi64>
    %s = tile.scan %flat axis = 0 : tensor<1024xi64> {
    ^bb0(%a: i64, %b: i64):
      %negative = arith.cmpi slt, %b, %zero : i64
      %c = scf.if %negative -> i64 {
        scf.yield %a : i64
      } else {
        %max = arith.maxsi %a, %b : i64
        scf.yield %max : i64
      }
      tile.yield %c : i64
    }
    %w = arith.subi %flat, %s : tensor<1024xi64>
    scf.yield %w : tensor<1024xi64>
  }
  tile.store %p, %last : tensor<1024x!tile.ptr<i64>>
  return
}
