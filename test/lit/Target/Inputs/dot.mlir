// tile.param A = f16
// tile.param B = f16
// tile.param C = f32
// tile.param P = ieee
// tile.param I = 0
func.func @dot(%pa: !tile.ptr<${A}> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<${B}> {tile.divisibility = 16 : i32},
               %pc: !tile.ptr<${C}> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %na = tile.make_range 0 to 4096 : tensor<4096xi32>
  %i = tile.reshape %na : tensor<4096xi32> -> tensor<64x64xi32>
  %sa = tile.splat %pa : tensor<64x64x!tile.ptr<${A}>>
  %sb = tile.splat %pb : tensor<64x64x!tile.ptr<${B}>>
  %sc = tile.splat %pc : tensor<64x64x!tile.ptr<${C}>>
  %qa = tile.addptr %sa, %i : tensor<64x64x!tile.ptr<${A}>>, tensor<64x64xi32>
  %qb = tile.addptr %sb, %i : tensor<64x64x!tile.ptr<${B}>>, tensor<64x64xi32>
  %qc = tile.addptr %sc, %i : tensor<64x64x!tile.ptr<${C}>>, tensor<64x64xi32>
  %a = tile.load %qa : tensor<64x64x!tile.ptr<${A}>>
  %b = tile.load %qb : tensor<64x64x!tile.ptr<${B}>>
  %c = tile.load %qc : tensor<64x64x!tile.ptr<${C}>>
  %d = tile.dot %a, %b, %c precision = ${P} imprecise_acc = ${I} : tensor<64x64x${A}> * tensor<64x64x${B}> -> tensor<64x64x${C}>
  tile.store %qc, %d : tensor<64x64x!tile.ptr<${C}>>
  return
}
