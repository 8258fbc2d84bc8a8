// Sums of warp groups beside those of mma.sync: what is converted is the wait's result, never what has not been waited for.
// RUN: tile-translate --target=sm_90a --emit=tile_gpu --num-warps=4 %s | FileCheck %s
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=4 --grid=1 --arg=i32[16384]=zeros --against=cpu
// CHECK-LABEL: func.func @mixed
// CHECK: %[[SUM:.*]] = tile_gpu.mma
// CHECK: tile_gpu.convert_layout %[[SUM]]
// CHECK: %[[OPEN:.*]] = tile_gpu.wgmma
// CHECK-NEXT: %[[FIRST:.*]] = tile_gpu.wgmma_wait 0(%[[OPEN]])
// CHECK: %[[NEXT:.*]] = tile_gpu.wgmma %{{.*}}, %{{.*}}, %[[FIRST]]
// CHECK-NEXT: tile_gpu.wgmma_wait 0(%[[NEXT]])
func.func @mixed(%out: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant dense<0> : tensor<128x128xi32>
  %a = arith.constant dense<1> : tensor<128x16xi8>
  %b = arith.constant dense<2> : tensor<16x128xi8>
  %c = arith.constant dense<3> : tensor<128x32xi8>
  %d = arith.constant dense<4> : tensor<32x128xi8>
  %e = arith.constant dense<5> : tensor<128x64xi8>
  %f = arith.constant dense<6> : tensor<64x128xi8>
  // 16 bytes of K are too few for a warp group.
  %x = tile.dot %a, %b, %zero : tensor<128x16xi8> * tensor<16x128xi8> -> tensor<128x128xi32>
  %y = tile.dot %c, %d, %x : tensor<128x32xi8> * tensor<32x128xi8> -> tensor<128x128xi32>
  %z = tile.dot %e, %f, %y : tensor<128x64xi8> * tensor<64x128xi8> -> tensor<128x128xi32>
  %n = arith.constant dense<128> : tensor<128x1xi32>
  %line = tile.make_range 0 to 128 : tensor<128xi32>
  %rows = tile.expand_dims %line axis = 1 : tensor<128xi32> -> tensor<128x1xi32>
  %columns = tile.expand_dims %line axis = 0 : tensor<128xi32> -> tensor<1x128xi32>
  %starts = arith.muli %rows, %n : tensor<128x1xi32>
  %far = tile.broadcast %starts : tensor<128x1xi32> -> tensor<128x128xi32>
  %near = tile.broadcast %columns : tensor<1x128xi32> -> tensor<128x128xi32>
  %at = arith.addi %far, %near : tensor<128x128xi32>
  %base = tile.splat %out : tensor<128x128x!tile.ptr<i32>>
  %p = tile.addptr %base, %at : tensor<128x128x!tile.ptr<i32>>, tensor<128x128xi32>
  tile.store %p, %z : tensor<128x128x!tile.ptr<i32>>
  return
}
