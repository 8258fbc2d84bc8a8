// CDNA4 multiplies 8-bit floats 128 deep at once, 64 deep in tiles of 32 by 32. Operands are exchanged: cbsz is B's type.
// RUN: tile-translate %s --target=gfx950 --num-warps=1 --emit=llvm-dialect | FileCheck %s
// RUN: tile-translate %s --target=gfx950 --num-warps=1 --emit=amdgcn | FileCheck %s --check-prefix=ASM
// CHECK-LABEL: llvm.func @dot
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-COUNT-4: rocdl.mfma.scale.f32.16x16x128.f8f6f4 {{.*}}, %[[ONE]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]] : (vector<8xi32>, vector<8xi32>, vector<4xf32>
// CHECK-LABEL: llvm.func @shallow
// CHECK: rocdl.mfma.scale.f32.32x32x64.f8f6f4
// No scales: the instruction without.
// ASM-LABEL: dot:
// ASM-COUNT-4: v_mfma_f32_16x16x128_f8f6f4 v[{{[0-9]+:[0-9]+}}], v[{{[0-9]+:[0-9]+}}], v[{{[0-9]+:[0-9]+}}], v[{{[0-9]+:[0-9]+}}] cbsz:1
// ASM-NOT: v_mfma
// ASM-LABEL: shallow:
// ASM: v_mfma_f32_32x32x64_f8f6f4 {{.*}} cbsz:1
// ASM-NOT: v_mfma
func.func @dot(%pa: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32},
    %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pd: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %na = tile.make_range 0 to 4096 : tensor<4096xi32>
  %nb = tile.make_range 0 to 4096 : tensor<4096xi32>
  %nc = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ia = tile.reshape %na : tensor<4096xi32> -> tensor<32x128xi32>
  %ib = tile.reshape %nb : tensor<4096xi32> -> tensor<128x32xi32>
  %ic = tile.reshape %nc : tensor<1024xi32> -> tensor<32x32xi32>
  %sa = tile.splat %pa : tensor<32x128x!tile.ptr<f8E4M3FN>>
  %sb = tile.splat %pb : tensor<128x32x!tile.ptr<f8E5M2>>
  %sc = tile.splat %pc : tensor<32x32x!tile.ptr<f32>>
  %sd = tile.splat %pd : tensor<32x32x!tile.ptr<f32>>
  %qa = tile.addptr %sa, %ia : tensor<32x128x!tile.ptr<f8E4M3FN>>, tensor<32x128xi32>
  %qb = tile.addptr %sb, %ib : tensor<128x32x!tile.ptr<f8E5M2>>, tensor<128x32xi32>
  %qc = tile.addptr %sc, %ic : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %qd = tile.addptr %sd, %ic : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %a = tile.load %qa : tensor<32x128x!tile.ptr<f8E4M3FN>>
  %b = tile.load %qb : tensor<128x32x!tile.ptr<f8E5M2>>
  %c = tile.load %qc : tensor<32x32x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %c  : tensor<32x128xf8E4M3FN> * tensor<128x32xf8E5M2> -> tensor<32x32xf32>
  tile.store %qd, %d : tensor<32x32x!tile.ptr<f32>>
  return
}

func.func @shallow(%pa: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32},
    %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pd: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %na = tile.make_range 0 to 2048 : tensor<2048xi32>
  %nb = tile.make_range 0 to 2048 : tensor<2048xi32>
  %nc = tile.make_range 0 to 1024 : tensor<1024xi32>
  %ia = tile.reshape %na : tensor<2048xi32> -> tensor<32x64xi32>
  %ib = tile.reshape %nb : tensor<2048xi32> -> tensor<64x32xi32>
  %ic = tile.reshape %nc : tensor<1024xi32> -> tensor<32x32xi32>
  %sa = tile.splat %pa : tensor<32x64x!tile.ptr<f8E4M3FN>>
  %sb = tile.splat %pb : tensor<64x32x!tile.ptr<f8E5M2>>
  %sc = tile.splat %pc : tensor<32x32x!tile.ptr<f32>>
  %sd = tile.splat %pd : tensor<32x32x!tile.ptr<f32>>
  %qa = tile.addptr %sa, %ia : tensor<32x64x!tile.ptr<f8E4M3FN>>, tensor<32x64xi32>
  %qb = tile.addptr %sb, %ib : tensor<64x32x!tile.ptr<f8E5M2>>, tensor<64x32xi32>
  %qc = tile.addptr %sc, %ic : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %qd = tile.addptr %sd, %ic : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %a = tile.load %qa : tensor<32x64x!tile.ptr<f8E4M3FN>>
  %b = tile.load %qb : tensor<64x32x!tile.ptr<f8E5M2>>
  %c = tile.load %qc : tensor<32x32x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %c  : tensor<32x64xf8E4M3FN> * tensor<64x32xf8E5M2> -> tensor<32x32xf32>
  tile.store %qd, %d : tensor<32x32x!tile.ptr<f32>>
  return
}
