// Factors loaded through pointers become blocks of descriptors, or the report says which part of the address or mask is at
// fault.
// tile.param LDA = i32 {tile.divisibility = 16 : i32}
// tile.param A = !tile.ptr<f16> {tile.divisibility = 16 : i32}
// tile.param ROWS = %im
// tile.param BOUND = %m
// tile.param STOREBOUND = %m
// tile.param MASK = %ma
// tile.param OTHER = 0.0
// tile.param HOW = cache = cg
// tile.param C = %c
// tile.param COLUMNS = %c128
// tile.param LOOP = tile.num_stages = 3 : i32

// RUN: tile-translate --target=sm_90a --emit=tile %s -o %t
// RUN: tile-opt %t --convert-tile-to-tile-gpu=target=sm_90a --tile-gpu-form-descriptors --canonicalize --cse | FileCheck %s

// CHECK: arith.cmpi sle
// CHECK: scf.if %{{.*}} {
// CHECK-DAG: %[[B:.*]] = tile.make_desc %arg1 shape[%arg5, %arg4] strides[%{{.*}}, %c1_i64] {tile_gpu.checked, tile_gpu.formed = "loaded"} : !tile.desc<64x128xf16>
// CHECK-DAG: %[[A:.*]] = tile.make_desc %arg0 shape[%arg3, %arg5] strides[%{{.*}}, %c1_i64] {tile_gpu.checked, tile_gpu.formed = "loaded"} : !tile.desc<64x64xf16>
// CHECK-DAG: %[[C:.*]] = tile.make_desc %arg2 shape[%arg3, %arg4] strides[%{{.*}}, %c1_i64] {tile_gpu.checked, tile_gpu.formed = "stored"} : !tile.desc<64x128xf16>
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: tile.desc_load %[[A]][%{{.*}}, %[[K]]] cache = cg
// CHECK: tile.desc_load %[[B]][%[[K]], %{{.*}}]
// CHECK: tile.desc_store %[[C]][%{{.*}}, %{{.*}}]
// CHECK: } else {
// The second version: short steps along K, nothing runs ahead.
// CHECK: scf.for
// CHECK: scf.for {{.*}} to %c64_i32 step %c16_i32
// CHECK-COUNT-2: tile.load {{.*}} {tile_gpu.no_block = "a second version
// CHECK: tile.dot {{.*}} : tensor<64x16xf16> * tensor<16x128xf16> -> tensor<64x128xf32>
// CHECK: {tile.num_stages = 1 : i32}
// CHECK: {tile.num_stages = 1 : i32}
// CHECK: tile.store {{.*}} {tile_gpu.any_layout, tile_gpu.no_block

// DEFINE: %{report} = tile-translate --target=sm_90a --emit=report %s
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: %{report} | %{check}=TAKEN
// TAKEN: load by tensor map
// TAKEN: load by tensor map
// TAKEN: store by tensor map
// A stride that is not known to be a multiple of 16 bytes is asked when the kernel starts.
// RUN: %{report} -D LDA=i32 | %{check}=TAKEN
// RUN: tile-translate --target=sm_90a --emit=tile -D LDA=i32 %s -o %t
// RUN: tile-opt %t --convert-tile-to-tile-gpu=target=sm_90a --tile-gpu-form-descriptors --canonicalize --cse | FileCheck %s --check-prefix=STRIDE
// STRIDE: %[[LDA:.*]] = arith.extsi %arg6
// STRIDE: %[[BYTES:.*]] = arith.muli %[[LDA]], %c2_i64
// STRIDE: arith.remui %[[BYTES]], %c16_i64
// STRIDE: tile.make_desc %{{.*}} {tile_gpu.checked, tile_gpu.formed = "loaded"}
// STRIDE: } else {
// What is no multiple has a version of rows that start anywhere, of which each map has one at least; the last one has few registers.
// STRIDE: arith.cmpi sge, %{{.*}}, %c8_i64
// STRIDE: scf.if
// STRIDE-COUNT-2: tile.make_desc %{{.*}} {tile_gpu.apart = 8 : i32, tile_gpu.checked, tile_gpu.formed = "loaded"}
// STRIDE: tile.dot {{.*}} : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
// STRIDE: tile.store {{.*}} {tile_gpu.any_layout,
// STRIDE: } else {
// STRIDE: step %c16_i32
// RUN: %{report} -D 'A=!tile.ptr<f16>' | %{check}=BASE
// BASE: load not taken: its parameter is not known to be aligned to 16 bytes (argument 0)
// RUN: %{report} -D MASK=%odd | %{check}=MASK
// MASK: load not taken: its mask is something else than rows and columns below a bound
// RUN: %{report} -D BOUND=%less | %{check}=BOUND
// BOUND: load not taken: its mask compares its rows or columns with a number that is no 32-bit parameter
// RUN: %{report} -D OTHER=1.0 | %{check}=OTHER
// OTHER: load not taken: what its mask leaves out is not 0
// RUN: %{report} -D HOW=volatile | %{check}=VOLATILE
// VOLATILE: load not taken: it is volatile
// RUN: %{report} -D C=%a | %{check}=WRITTEN
// WRITTEN: load not taken: the kernel may write what it reads
// RUN: %{report} -D ROWS=%wrapped -D MASK=%kab | %{check}=TAKEN
// RUN: %{report} -D ROWS=%wrapped -D MASK=%kab -D STOREBOUND=%n | %{check}=LIVE
// LIVE: load not taken: its rows or columns are taken modulo a number, and no mask of a store leaves out those that come again
// RUN: %{report} -D ROWS=%wrapped | %{check}=BOTH
// BOTH: load not taken: its rows or columns are taken modulo a number, and masked
// RUN: %{report} -D ROWS=%quad -D MASK=%kab | %{check}=TWICE
// TWICE: load not taken: its offsets are not a sum of ranges times strides along rows and columns
// Columns that a program's begin at are a multiple of 16 bytes: the copy engine ends the kernel at others.
// RUN: %{report} -D COLUMNS=%c40 | %{check}=TAKEN
// RUN: %{report} -D COLUMNS=%c36 | %{check}=BETWEEN
// BETWEEN: load not taken: the product's other factor is no block that the copy engine takes
// BETWEEN: load not taken: its neighbours are not known to begin at a multiple of 16 bytes
// RUN: tile-translate --target=sm_90a --emit=report --disable=tma-pointers %s | FileCheck %s --check-prefix=OFF
// RUN: tile-translate --target=sm_80 --emit=report %s | FileCheck %s --check-prefix=OFF
// OFF-NOT: copy engine

func.func @product(%a: ${A}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %m: i32, %n: i32, %k: i32, %lda: ${LDA}, %ldb: i32 {tile.divisibility = 16 : i32}, %ldc: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c40 = arith.constant 40 : i32
  %c36 = arith.constant 36 : i32
  %zero = arith.constant 0 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x128xf32>
  %zx = arith.constant dense<${OTHER}> : tensor<64x64xf16>
  %zy = arith.constant dense<0.0> : tensor<64x128xf16>
  %r64 = tile.make_range 0 to 64 : tensor<64xi32>
  %r128 = tile.make_range 0 to 128 : tensor<128xi32>
  %px = tile.program_id x
  %py = tile.program_id y
  %m0 = arith.muli %px, %c64 : i32
  %n0 = arith.muli %py, ${COLUMNS} : i32
  %m0s = tile.splat %m0 : tensor<64xi32>
  %n0s = tile.splat %n0 : tensor<128xi32>
  %im = arith.addi %m0s, %r64 : tensor<64xi32>
  %in = arith.addi %n0s, %r128 : tensor<128xi32>
  %less = arith.minsi %m, %c128 : i32
  %bounds = tile.splat ${BOUND} : tensor<64xi32>
  %ms = tile.splat %m : tensor<64xi32>
  %wrapped = arith.remsi %im, %ms : tensor<64xi32>
  %quad = arith.muli %im, %im : tensor<64xi32>
  %rows = tile.expand_dims ${ROWS} axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldas = tile.splat %lda : tensor<64x1xi32>
  %rowoff = arith.muli %rows, %ldas : tensor<64x1xi32>
  %as = tile.splat %a : tensor<64x1x!tile.ptr<f16>>
  %arows = tile.addptr %as, %rowoff : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %arowsb = tile.broadcast %arows : tensor<64x1x!tile.ptr<f16>> -> tensor<64x64x!tile.ptr<f16>>
  %mmask1 = arith.cmpi slt, %im, %bounds : tensor<64xi32>
  %mmask = tile.expand_dims %mmask1 axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
  %mmb = tile.broadcast %mmask : tensor<64x1xi1> -> tensor<64x64xi1>
  %ns = tile.splat %n : tensor<128xi32>
  %nmask1 = arith.cmpi slt, %in, %ns : tensor<128xi32>
  %nmask = tile.expand_dims %nmask1 axis = 0 : tensor<128xi1> -> tensor<1x128xi1>
  %nmb = tile.broadcast %nmask : tensor<1x128xi1> -> tensor<64x128xi1>
  %columns = tile.expand_dims %in axis = 0 : tensor<128xi32> -> tensor<1x128xi32>
  %columnsb = tile.broadcast %columns : tensor<1x128xi32> -> tensor<64x128xi32>
  %s = scf.for %kk = %zero to %k step %c64 iter_args(%acc = %acc0) -> (tensor<64x128xf32>) : i32 {
    %kks = tile.splat %kk : tensor<64xi32>
    %ik = arith.addi %kks, %r64 : tensor<64xi32>
    %ks = tile.splat %k : tensor<64xi32>
    %kmask = arith.cmpi slt, %ik, %ks : tensor<64xi32>
    %ikr = tile.expand_dims %ik axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ikrb = tile.broadcast %ikr : tensor<1x64xi32> -> tensor<64x64xi32>
    %ap = tile.addptr %arowsb, %ikrb : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %ka = tile.expand_dims %kmask axis = 0 : tensor<64xi1> -> tensor<1x64xi1>
    %kab = tile.broadcast %ka : tensor<1x64xi1> -> tensor<64x64xi1>
    %ma = arith.andi %mmb, %kab : tensor<64x64xi1>
    %odd = arith.ori %mmb, %kab : tensor<64x64xi1>
    %x = tile.load %ap mask ${MASK} other %zx ${HOW} : tensor<64x64x!tile.ptr<f16>>
    %ikc = tile.expand_dims %ik axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %ldbs = tile.splat %ldb : tensor<64x1xi32>
    %brow = arith.muli %ikc, %ldbs : tensor<64x1xi32>
    %browb = tile.broadcast %brow : tensor<64x1xi32> -> tensor<64x128xi32>
    %boff = arith.addi %browb, %columnsb : tensor<64x128xi32>
    %bs = tile.splat %b : tensor<64x128x!tile.ptr<f16>>
    %bp = tile.addptr %bs, %boff : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
    %kb = tile.expand_dims %kmask axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
    %kbb = tile.broadcast %kb : tensor<64x1xi1> -> tensor<64x128xi1>
    %mb = arith.andi %nmb, %kbb : tensor<64x128xi1>
    %y = tile.load %bp mask %mb other %zy : tensor<64x128x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  } {${LOOP}}
  %h = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xf16>
  %imc = tile.expand_dims %im axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ldcs = tile.splat %ldc : tensor<64x1xi32>
  %crow = arith.muli %imc, %ldcs : tensor<64x1xi32>
  %crowb = tile.broadcast %crow : tensor<64x1xi32> -> tensor<64x128xi32>
  %coff = arith.addi %crowb, %columnsb : tensor<64x128xi32>
  %cs = tile.splat ${C} : tensor<64x128x!tile.ptr<f16>>
  %cp = tile.addptr %cs, %coff : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %storebound = tile.splat ${STOREBOUND} : tensor<64xi32>
  %smask1 = arith.cmpi slt, %im, %storebound : tensor<64xi32>
  %smask = tile.expand_dims %smask1 axis = 1 : tensor<64xi1> -> tensor<64x1xi1>
  %smb = tile.broadcast %smask : tensor<64x1xi1> -> tensor<64x128xi1>
  %mc = arith.andi %smb, %nmb : tensor<64x128xi1>
  tile.store %cp, %h mask %mc : tensor<64x128x!tile.ptr<f16>>
  return
}
