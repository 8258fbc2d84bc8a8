// Assembly of AMD: an element a register, two halves in one, four bytes in one, 64 bits, two results. What it computes less
// what ops compute is zero everywhere.
// REQUIRES: amdexec
// RUN: for chip in gfx90a:64 gfx942:64 gfx1100:32 gfx1201:32; do tile-translate %s --target=${chip%%:*} --num-warps=4 --emit=hsaco -o %t && %amdexec %t --kernel=assembly --grid=1 --threads=$((4 * ${chip#*:})) --arg=f32[1536]=zeros --arg=f32[1536]=zeros --out=0:%t.got.npy --out=1:%t.zero.npy > /dev/null && cmp %t.got.npy %t.zero.npy && echo agrees; done | FileCheck %s
// CHECK-COUNT-4: agrees
// RUN: tile-translate %s --target=gfx1100 --emit=amdgcn -o - | FileCheck %s --check-prefix=ASM
// ASM-DAG: v_pk_add_f16 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}
// ASM-DAG: v_xor_b32{{.*}} v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}
// ASM-DAG: v_lshlrev_b64{{.*}} v[{{[0-9:]+}}], 3, v[{{[0-9:]+}}]

func.func @assembly(%out: !tile.ptr<f32>, %zero: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 512 : tensor<512xi32>
  %n = arith.sitofp %r : tensor<512xi32> to tensor<512xf32>
  %part = arith.constant dense<0.37> : tensor<512xf32>
  %v = arith.mulf %n, %part : tensor<512xf32>
  %k = arith.constant dense<90.0> : tensor<512xf32>
  %scaled = arith.mulf %v, %k : tensor<512xf32>
  %h = arith.truncf %scaled : tensor<512xf32> to tensor<512xf16>
  %i = arith.fptosi %scaled : tensor<512xf32> to tensor<512xi32>
  %b = arith.trunci %i : tensor<512xi32> to tensor<512xi8>
  %w = arith.extsi %i : tensor<512xi32> to tensor<512xi64>

  %h1 = tile.inline_asm "v_pk_add_f16 $0, $1, $2" constraints "=v,v,v" (%h, %h) pack = 2 pure : (tensor<512xf16>, tensor<512xf16>) -> tensor<512xf16>
  %h2 = arith.addf %h, %h : tensor<512xf16>
  %h3 = arith.subf %h1, %h2 : tensor<512xf16>
  %h4 = arith.extf %h3 : tensor<512xf16> to tensor<512xf32>

  %seven = arith.constant dense<7> : tensor<512xi8>
  %b1 = tile.inline_asm "v_xor_b32 $0, $1, $2" constraints "=v,v,v" (%b, %seven) pack = 4 pure : (tensor<512xi8>, tensor<512xi8>) -> tensor<512xi8>
  %b2 = arith.xori %b, %seven : tensor<512xi8>
  %b3 = arith.subi %b1, %b2 : tensor<512xi8>
  %b4 = arith.sitofp %b3 : tensor<512xi8> to tensor<512xf32>

  %w1 = tile.inline_asm "v_lshlrev_b64 $0, 3, $1" constraints "=v,v" (%w) pure : (tensor<512xi64>) -> tensor<512xi64>
  %three = arith.constant dense<3> : tensor<512xi64>
  %w2 = arith.shli %w, %three : tensor<512xi64>
  %w3 = arith.subi %w1, %w2 : tensor<512xi64>
  %f1, %f2 = tile.inline_asm "v_add_f32 $0, $2, $2\0A\09v_add_f32 $1, 1.0, $2" constraints "=&v,=&v,v" (%v) pure : (tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>)
  %f3 = arith.addf %v, %v : tensor<512xf32>
  %unit = arith.constant dense<1.0> : tensor<512xf32>
  %f4 = arith.addf %v, %unit : tensor<512xf32>
  %f5 = arith.subf %f1, %f3 : tensor<512xf32>
  %f6 = arith.subf %f2, %f4 : tensor<512xf32>
  %f7 = arith.addf %f5, %f6 : tensor<512xf32>
  %w4 = arith.sitofp %w3 : tensor<512xi64> to tensor<512xf32>
  %all = arith.addf %w4, %f7 : tensor<512xf32>

  %so = tile.splat %out : tensor<512x!tile.ptr<f32>>
  %q0 = tile.addptr %so, %r : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %step = arith.constant dense<512> : tensor<512xi32>
  %q1 = tile.addptr %q0, %step : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q2 = tile.addptr %q1, %step : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %q0, %h4 : tensor<512x!tile.ptr<f32>>
  tile.store %q1, %b4 : tensor<512x!tile.ptr<f32>>
  tile.store %q2, %all : tensor<512x!tile.ptr<f32>>
  return
}
