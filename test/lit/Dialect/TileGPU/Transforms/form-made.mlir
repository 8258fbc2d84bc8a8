// Descriptors that a kernel makes of its parameters: the launcher makes the tensor maps, sizes may be products of parameters. The
// kernel goes over its blocks itself and gets a producer.
// tile.param BASE = %a
// tile.param ROWS = %rows
// tile.param PADDING = zero
// tile.param NUM_WARPS = 8

// RUN: tile-translate --target=sm_90a --emit=tile %s -o %t
// RUN: tile-opt %t --convert-tile-to-tile-gpu="target=sm_90a num-warps=8" --tile-gpu-form-descriptors --canonicalize --cse | FileCheck %s
// CHECK: scf.if
// CHECK-DAG: %[[A:.*]] = tile.make_desc %arg0 shape[%{{.*}}, %arg5] strides[%{{.*}}, %c1_i64] {tile_gpu.checked, tile_gpu.formed = "loaded"} : !tile.desc<128x64xf16>
// CHECK-DAG: %[[C:.*]] = tile.make_desc %arg2 {{.*}} {tile_gpu.checked, tile_gpu.formed = "stored"}
// CHECK: tile.desc_load %[[A]][
// CHECK: {tile.warp_specialize}
// CHECK: tile.desc_store %[[C]][
// CHECK: } else {
// CHECK: tile.desc_load {{.*}} -> tensor<128x16xf16>
// CHECK-NOT: tile.warp_specialize

// RUN: tile-translate --target=sm_90a --emit=manifest %s | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: "sizes": {{.}}
// MANIFEST: 3,
// MANIFEST-NEXT: 1,
// MANIFEST-NEXT: 4

// DEFINE: %{report} = tile-translate --target=sm_90a --emit=report %s
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: %{report} | %{check}=TAKEN
// TAKEN-COUNT-2: load by tensor map
// TAKEN: store by tensor map
// RUN: %{report} -D BASE=%moved | %{check}=BASE
// BASE: load not taken: its descriptor does not start at a parameter
// RUN: %{report} -D ROWS=%more | %{check}=ROWS
// ROWS: load not taken: a size or stride of its descriptor is no product of parameters and constants
// RUN: %{report} -D PADDING=nan | %{check}=PADDING
// PADDING: load not taken: what lies outside its descriptor is not 0

// Two stores, of blocks beside each other by one descriptor; by another one, whose rows are half as long, they may be anywhere.
// RUN: sed 's/^    tile.desc_store.*/&\n%%half = arith.divsi %%ldc64, %%two : i64\n%%dd = tile.make_desc %%c shape[%%rows, %%ldc] strides[%%half, %%unit] : !tile.desc<128x256xf16>\n%%n1 = arith.addi %%n0, %%c256 : i32\ntile.desc_store ${SECOND}[%%m0, %%n1], %%h : !tile.desc<128x256xf16>, tensor<128x256xf16>/; s/^  %%unit = .*/&\n%%two = arith.constant 2 : i64/; s/^.. tile.param PADDING/\/\/ tile.param SECOND = %%dc\n&/' %s > %t.mlir
// RUN: tile-translate --target=sm_90a --emit=report %t.mlir | %{check}=BESIDE
// BESIDE-COUNT-2: store by tensor map
// RUN: tile-translate --target=sm_90a --emit=report %t.mlir -D SECOND=%dd | %{check}=ELSEWHERE
// ELSEWHERE: store not taken: the kernel does more with that memory

// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --check=race,oob,uninit --against=cpu --atol=0.1 --rtol=0.01 --grid=2
// RUN: %{run} --arg=f16[14400]=randn:1 --arg=f16[13680]=randn:2 --arg=f16[38400]=zeros --arg=i32=4 --arg=i32=50 --arg=i32=72 --arg=i32=190 --arg=i32=192
// The second version: rows of c that are no whole 16 bytes, no row of a.
// RUN: %{run} --arg=f16[14400]=randn:1 --arg=f16[13680]=randn:2 --arg=f16[38400]=zeros --arg=i32=4 --arg=i32=50 --arg=i32=72 --arg=i32=190 --arg=i32=190
// RUN: %{run} --arg=f16[14400]=randn:1 --arg=f16[13680]=randn:2 --arg=f16[38400]=zeros --arg=i32=4 --arg=i32=0 --arg=i32=72 --arg=i32=190 --arg=i32=192

func.func @product(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %heads: i32, %m: i32, %k: i32 {tile.divisibility = 8 : i32}, %n: i32, %ldc: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %unit = arith.constant 1 : i64
  %acc0 = arith.constant dense<0.0> : tensor<128x256xf32>
  %rows = arith.muli %heads, %m : i32
  %more = arith.addi %rows, %m : i32
  %moved = tile.addptr %a, %k : !tile.ptr<f16>, i32
  %k64 = arith.extsi %k : i32 to i64
  %ldc64 = arith.extsi %ldc : i32 to i64
  %da = tile.make_desc ${BASE} shape[${ROWS}, %k] strides[%k64, %unit] padding = ${PADDING} : !tile.desc<128x64xf16>
  %db = tile.make_desc %b shape[%n, %k] strides[%k64, %unit] : !tile.desc<256x64xf16>
  %dc = tile.make_desc %c shape[%rows, %ldc] strides[%ldc64, %unit] : !tile.desc<128x256xf16>
  %pid = tile.program_id x
  %num = tile.num_programs x
  %tm = arith.ceildivsi %rows, %c128 : i32
  %tn = arith.ceildivsi %n, %c256 : i32
  %tiles = arith.muli %tm, %tn : i32
  scf.for %t = %pid to %tiles step %num : i32 {
    %pm = arith.divsi %t, %tn : i32
    %pn = arith.remsi %t, %tn : i32
    %m0 = arith.muli %pm, %c128 : i32
    %n0 = arith.muli %pn, %c256 : i32
    %s = scf.for %j = %zero to %k step %c64 iter_args(%acc = %acc0) -> (tensor<128x256xf32>) : i32 {
      %x = tile.desc_load %da[%m0, %j] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
      %y = tile.desc_load %db[%n0, %j] : !tile.desc<256x64xf16> -> tensor<256x64xf16>
      %yt = tile.trans %y order = [1, 0] : tensor<256x64xf16> -> tensor<64x256xf16>
      %d = tile.dot %x, %yt, %acc : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %h = arith.truncf %s : tensor<128x256xf32> to tensor<128x256xf16>
    tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x256xf16>, tensor<128x256xf16>
  }
  return
}
