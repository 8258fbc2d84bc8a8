// c = (a b^T) * (a d^T) through plain pointers: a block of a is a factor of two products, and comes by the copy engine once; in a loop
// over blocks of c, whose starts are asked about all at once, by ranges. With all checks, compared with the cpu device.
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --num-warps=4 --grid=2 --check=race,oob,uninit,nan --against=cpu --atol=0.1 --rtol=0.01
// DEFINE: %{data} = --arg=f16[130,80]=randn:1 --arg=f16[136,80]=randn:2 --arg=f16[136,80]=randn:3 --arg=f16[130,144]=fill:7

// RUN: tile-translate %s --target=sm_90a --num-warps=4 --emit=report | FileCheck %s
// CHECK-COUNT-3: load by tensor map
// CHECK: store by tensor map
// RUN: tile-opt %s --convert-tile-to-tile-gpu=target=sm_90a --tile-gpu-form-descriptors --canonicalize --cse | FileCheck %s --check-prefix=RANGES
// One by one only where ranges leave a doubt.
// RANGES: %[[TO:.*]] = arith.select %{{.*}}, %[[FROM:.*]], %{{.*}} : i32
// RANGES: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step
// RUN: %{run} %{data} --arg=i32=130 --arg=i32=136 --arg=i32=72 --arg=i32=80 --arg=i32=144
// The second version: rows of c that are not whole 16 bytes.
// RUN: %{run} %{data} --arg=i32=130 --arg=i32=133 --arg=i32=72 --arg=i32=80 --arg=i32=144
// By copies of threads both products stay open while the next iteration starts.
// RUN: tile-translate %s --target=sm_90a --num-warps=4 --num-stages=3 --disable=tma-pointers --emit=tile_gpu | FileCheck %s --check-prefix=OPEN
// OPEN: tile_gpu.wgmma %
// OPEN: tile_gpu.wgmma %
// OPEN: tile_gpu.wgmma_wait 2()
// OPEN: scf.yield
// OPEN: tile_gpu.wgmma_wait 0(%{{.*}}, %{{.*}})
// RUN: %{run} --num-stages=3 --disable=tma-pointers %{data} --arg=i32=130 --arg=i32=136 --arg=i32=72 --arg=i32=80 --arg=i32=144

func.func @gated(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %d: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %ld: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %tm = arith.ceildivsi %m, %c64 : i32
  %tn = arith.ceildivsi %n, %c64 : i32
  %tiles = arith.muli %tm, %tn : i32
  scf.for %t = %pid to %tiles step %num : i32 {
    %pm = arith.divsi %t, %tn : i32
    %pn = arith.remsi %t, %tn : i32
    %m0 = arith.muli %pm, %c64 : i32
    %n0 = arith.muli %pn, %c64 : i32
    %m0s = tile.splat %m0 : tensor<64xi32>
    %n0s = tile.splat %n0 : tensor<64xi32>
    %im = arith.addi %m0s, %r : tensor<64xi32>
    %in = arith.addi %n0s, %r : tensor<64xi32>
    %ms = tile.splat %m : tensor<64xi32>
    %ns = tile.splat %n : tensor<64xi32>
    %min = arith.cmpi slt, %im, %ms : tensor<64xi32>
    %nin = arith.cmpi slt, %in, %ns : tensor<64xi32>
    %imc = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %inr = tile.expand_dims %in axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %minc = tile.expand_dims %min axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
    %ninr = tile.expand_dims %nin axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
    %minb = tile.broadcast %minc : tensor<64x1xi1> -> tensor<64x64xi1>
    %ninb = tile.broadcast %ninr : tensor<1x64xi1> -> tensor<64x64xi1>
    %ldr = tile.splat %ld : tensor<64x1xi32>
    %ldl = tile.splat %ld : tensor<1x64xi32>
    %arows = arith.muli %imc, %ldr : tensor<64x1xi32>
    %brows = arith.muli %inr, %ldl : tensor<1x64xi32>
    %arowb = tile.broadcast %arows : tensor<64x1xi32> -> tensor<64x64xi32>
    %browb = tile.broadcast %brows : tensor<1x64xi32> -> tensor<64x64xi32>
    %as = tile.splat %a : tensor<64x64x!tile.ptr<f16>>
    %bs = tile.splat %b : tensor<64x64x!tile.ptr<f16>>
    %ds = tile.splat %d : tensor<64x64x!tile.ptr<f16>>
    %s:2 = scf.for %kk = %zero to %k step %c64 iter_args(%x = %acc0, %y = %acc0) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %ks = tile.splat %kk : tensor<64xi32>
      %ik = arith.addi %ks, %r : tensor<64xi32>
      %kn = tile.splat %k : tensor<64xi32>
      %kin = arith.cmpi slt, %ik, %kn : tensor<64xi32>
      %ikr = tile.expand_dims %ik axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
      %ikc = tile.expand_dims %ik axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
      %kinr = tile.expand_dims %kin axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
      %kinc = tile.expand_dims %kin axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
      %ikrb = tile.broadcast %ikr : tensor<1x64xi32> -> tensor<64x64xi32>
      %ikcb = tile.broadcast %ikc : tensor<64x1xi32> -> tensor<64x64xi32>
      %kinrb = tile.broadcast %kinr : tensor<1x64xi1> -> tensor<64x64xi1>
      %kincb = tile.broadcast %kinc : tensor<64x1xi1> -> tensor<64x64xi1>
      %aoff = arith.addi %arowb, %ikrb : tensor<64x64xi32>
      %boff = arith.addi %browb, %ikcb : tensor<64x64xi32>
      %amask = arith.andi %minb, %kinrb : tensor<64x64xi1>
      %bmask = arith.andi %ninb, %kincb : tensor<64x64xi1>
      %ap = tile.addptr %as, %aoff : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      %bp = tile.addptr %bs, %boff : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      %dp = tile.addptr %ds, %boff : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      %av = tile.load %ap mask %amask other %none : tensor<64x64x!tile.ptr<f16>>
      %bv = tile.load %bp mask %bmask other %none : tensor<64x64x!tile.ptr<f16>>
      %dv = tile.load %dp mask %bmask other %none : tensor<64x64x!tile.ptr<f16>>
      %x1 = tile.dot %av, %bv, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %y1 = tile.dot %av, %dv, %y : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x1, %y1 : tensor<64x64xf32>, tensor<64x64xf32>
    } {tile.warp_specialize}
    %z = arith.mulf %s#0, %s#1 : tensor<64x64xf32>
    %h = arith.truncf %z : tensor<64x64xf32> to tensor<64x64xf16>
    %ldcs = tile.splat %ldc : tensor<64x1xi32>
    %crows = arith.muli %imc, %ldcs : tensor<64x1xi32>
    %crowb = tile.broadcast %crows : tensor<64x1xi32> -> tensor<64x64xi32>
    %inb = tile.broadcast %inr : tensor<1x64xi32> -> tensor<64x64xi32>
    %coff = arith.addi %crowb, %inb : tensor<64x64xi32>
    %cs = tile.splat %c : tensor<64x64x!tile.ptr<f16>>
    %cp = tile.addptr %cs, %coff : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %cmask = arith.andi %minb, %ninb : tensor<64x64xi1>
    tile.store %cp, %h mask %cmask : tensor<64x64x!tile.ptr<f16>>
  }
  return
}
